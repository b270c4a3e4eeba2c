import CBroadFile
import Foundation
import Inertial
import SimulatedLogs

/// A raw log with nine axes at every moment in one of the formats that are read, made by the simulator once and kept in
/// the temporary folder.
enum LogFile: String, CaseIterable {
  case canonicalCSV = "canonical CSV"
  case describedCSV = "CSV with units in its header"
  case broad = "BROAD HDF5"
  case sensorLogger = "Sensor Logger folder"
  case iPhoneText = "iOS data logger folder"
  case tyrex = "Tyrex folder"

  static let rate = 100.0
  static let rowCount = 1_000_000

  /// The file or folder, made where it is not there yet.
  func url() throws -> URL {
    // The name changes with the content, so that no older file is taken for this one.
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "inertial-benchmark-4-\(Self.rowCount)\(suffix)")
    guard !FileManager.default.fileExists(atPath: url.path) else { return url }
    // Under another name until it is complete.
    let unfinished = FileManager.default.temporaryDirectory.appendingPathComponent(
      "inertial-benchmark-unfinished\(suffix)")
    try? FileManager.default.removeItem(at: unfinished)
    try write(to: unfinished)
    try FileManager.default.moveItem(at: unfinished, to: url)
    return url
  }

  private var suffix: String {
    switch self {
    case .canonicalCSV: ".csv"
    case .describedCSV: ".described.csv"
    case .broad: ".hdf5"
    case .sensorLogger: "-sensor-logger"
    case .iPhoneText: "-iphone"
    case .tyrex: "-tyrex"
    }
  }

  /// Samples in order of time, made anew at every call: an array of them would show in the peak of the memory.
  private static func simulation() -> Simulation {
    let duration = Double(rowCount) / rate
    return Simulation(
      trajectory: RandomSplineTrajectory(duration: duration, seed: 1), sensors: .synchronous(rate: rate),
      duration: duration, seed: 1)
  }

  private func write(to url: URL) throws {
    switch self {
    case .canonicalCSV:
      try writeTable(
        to: url, ["time"] + Self.axes("acceleration") + Self.axes("rotationRate") + Self.axes("magneticField"))
    case .describedCSV:
      try writeTable(
        to: url,
        ["Time (s)"] + ["X", "Y", "Z"].map { "Accelerometer \($0) (m/s^2)" }
          + ["X", "Y", "Z"].map { "Gyroscope \($0) (deg/s)" } + ["X", "Y", "Z"].map { "Magnetometer \($0) (uT)" },
        acceleration: -9.80665, rate: 180 / .pi)
    case .broad: try writeBroad(to: url)
    case .sensorLogger:
      try writeFolder(
        url,
        [
          .accelerometer: "AccelerometerUncalibrated.csv", .gyroscope: "GyroscopeUncalibrated.csv",
          .magnetometer: "MagnetometerUncalibrated.csv",
        ], header: "time,seconds_elapsed,z,y,x\n"
      ) { sample, _ in
        let nanoseconds = 1_700_000_000_000_000_000 + Int64((sample.time * 1e9).rounded())
        return "\(nanoseconds),\(sample.time),\(sample.z),\(sample.y),\(sample.x)\n"
      }
      try Data("version,device name,platform,standardisation\n3,simulated,ios,false\n".utf8).write(
        to: url.appendingPathComponent("Metadata.csv"))
    case .iPhoneText:
      try writeFolder(
        url, [.accelerometer: "acce.txt", .gyroscope: "gyro.txt", .magnetometer: "magnet.txt"], header: ""
      ) { sample, channel in
        let scale = channel == .accelerometer ? 9.81 : 1
        let nanoseconds = 1_000_000_000 + Int64((sample.time * 1e9).rounded())
        return "\(nanoseconds) \(scale * sample.x) \(scale * sample.y) \(scale * sample.z)\n"
      }
    case .tyrex:
      try writeFolder(
        url, [.accelerometer: "accelerometer.txt", .gyroscope: "gyroscope.txt", .magnetometer: "magnetometer.txt"],
        header: ""
      ) { sample, _ in "\(sample.time) \(sample.x) \(sample.y) \(sample.z)\n" }
    }
  }

  private static func axes(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }

  /// One table, row by row; seven digits, as loggers write.
  private func writeTable(to url: URL, _ columns: [String], acceleration: Double = 1, rate: Double = 1) throws {
    let writer = try NumberTableWriter(path: url.path, columns: columns, digits: 7)
    var row = [Double](repeating: .nan, count: columns.count)
    for sample in Self.simulation() {
      row[0] = sample.time
      let (place, scale) =
        switch sample.channel {
        case .accelerometer: (1, acceleration)
        case .gyroscope: (4, rate)
        default: (7, 1)
        }
      (row[place], row[place + 1], row[place + 2]) = (scale * sample.x, scale * sample.y, scale * sample.z)
      // The magnetometer's sample completes the row.
      if sample.channel == .magnetometer { try writer.append(row) }
    }
    try writer.close()
  }

  /// A folder with a text file for each sensor.
  private func writeFolder(
    _ url: URL, _ names: [SensorChannel: String], header: String,
    _ line: (SensorSample, SensorChannel) -> String
  ) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    var files: [SensorChannel: FileHandle] = [:]
    var texts: [SensorChannel: String] = [:]
    for (channel, name) in names {
      let path = url.appendingPathComponent(name)
      try Data(header.utf8).write(to: path)
      files[channel] = try FileHandle(forWritingTo: path)
      try files[channel]?.seekToEnd()
    }
    for sample in Self.simulation() where files[sample.channel] != nil {
      var rounded = sample
      (rounded.x, rounded.y, rounded.z) = (Self.rounded(sample.x), Self.rounded(sample.y), Self.rounded(sample.z))
      texts[sample.channel, default: ""] += line(rounded, sample.channel)
      if texts[sample.channel, default: ""].utf8.count > 1 << 20 {
        try files[sample.channel]?.write(contentsOf: Data(texts.removeValue(forKey: sample.channel)!.utf8))
      }
    }
    for (channel, text) in texts { try files[channel]?.write(contentsOf: Data(text.utf8)) }
    for file in files.values { try file.close() }
  }

  /// To a millionth, for lines as long as a logger's.
  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  private func writeBroad(to url: URL) throws {
    var columns: [SensorChannel: [Double]] = [:]
    for sample in Self.simulation() {
      // BROAD has the specific force in m/s².
      let scale = sample.channel == .accelerometer ? -9.80665 : 1
      columns[sample.channel, default: []] += [scale * sample.x, scale * sample.y, scale * sample.z]
    }
    let result = broad_file_write(
      url.path, Int64(Self.rowCount), Self.rate, columns[.accelerometer]!, columns[.gyroscope]!,
      columns[.magnetometer]!)
    guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
