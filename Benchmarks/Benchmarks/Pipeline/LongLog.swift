import Foundation
import Inertial

/// A canonical raw CSV with nine axes in every row, made by the simulator once and kept in the temporary folder.
enum LongLog {
  static let rowCount = 1_000_000

  /// The file, made where it is not there yet.
  static func file() throws -> URL {
    // The name changes with the content, so that no older file is taken for this one.
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "inertial-benchmark-3-1000000.csv")
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
    let axes = ["X", "Y", "Z"]
    let columns =
      ["time"] + ["acceleration", "rotationRate", "magneticField"].flatMap { name in axes.map { name + $0 } }
    // Row by row, so that making the log does not show in the peak of the memory; seven digits, as loggers write.
    let writer = try NumberTableWriter(path: url.path, columns: columns, digits: 7)
    var row = [Double](repeating: .nan, count: columns.count)
    for sample in simulation() {
      row[0] = sample.time
      let place =
        switch sample.channel {
        case .accelerometer: 1
        case .gyroscope: 4
        default: 7
        }
      (row[place], row[place + 1], row[place + 2]) = (sample.x, sample.y, sample.z)
      // The magnetometer's sample completes the row.
      if sample.channel == .magnetometer { try writer.append(row) }
    }
    try writer.close()
  }
}
