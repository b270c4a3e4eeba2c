import Foundation
import Inertial

/// A canonical raw CSV with nine axes in every row, made by the simulator once and kept in the temporary folder.
enum LongLog {
  static let rowCount = 1_000_000

  /// The file, made where it is not there yet.
  static func file() throws -> URL {
    // The name changes with the content, so that no older file is taken for this one.
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "inertial-benchmark-2-1000000.csv")
    if !FileManager.default.fileExists(atPath: url.path) { try write(to: url) }
    return url
  }

  private static func simulation() -> Simulation {
    var suite = SensorSuite.phone
    // Continuous values have as many digits as a real log's.
    suite.gyroscope!.quantum = 0
    suite.accelerometer!.quantum = 0
    suite.magnetometer!.sensor.quantum = 0
    // All three tick together: nine axes in every row.
    suite.gyroscope!.intervalJitter = 0
    suite.accelerometer!.intervalJitter = 0
    suite.accelerometer!.startOffset = 0
    suite.magnetometer!.sensor.rate = 100
    suite.magnetometer!.sensor.intervalJitter = 0
    suite.magnetometer!.sensor.startOffset = 0
    suite.referenceRate = nil
    let duration = Double(rowCount) / 100
    return Simulation(
      trajectory: RandomSplineTrajectory(duration: duration, seed: 1), sensors: suite, duration: duration,
      seed: 1)
  }

  private static func write(to url: URL) throws {
    let partial = url.appendingPathExtension("part")
    FileManager.default.createFile(atPath: partial.path, contents: nil)
    let file = try FileHandle(forWritingTo: partial)
    var text =
      "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,"
      + "magneticFieldX,magneticFieldY,magneticFieldZ\n"
    var rate = Vector3.zero
    var acceleration = Vector3.zero
    // The three sensors tick together, and the magnetometer comes last.
    for sample in simulation() {
      switch sample.channel {
      case .gyroscope: rate = sample.vector
      case .accelerometer: acceleration = sample.vector
      default:
        let numbers = [acceleration, rate, sample.vector].flatMap { [$0.x, $0.y, $0.z] }
        text += "\(sample.time)"
        for number in numbers { text += ",\((number * 1e6).rounded() / 1e6)" }
        text += "\n"
      }
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    try FileManager.default.moveItem(at: partial, to: url)
  }
}
