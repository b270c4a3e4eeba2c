import CBroadFile
import CZipWriting
public import Foundation
public import Inertial
internal import InertialSimulation

/// A log of a simulated device in one of the readable formats, as its app or program writes it.
public struct FormatLog: Sendable {
  /// The identifier of the `LogFormat`.
  public let format: String
  /// The format in the reader's description, which is the format of the content for an archive or folder.
  public var describedFormat: String { ["zip": "sensor-logger", "ros2-bag": "ros2-db3"][format] ?? format }
  /// The sample rate of each sensor, in Hz, as usual for the format.
  public var rate: Double
  /// The options for properties that the log does not specify.
  public var options = LogOptions()
  let tables: [Table]
  /// The file of the log, or `nil` if the folder is the log.
  let main: String?

  /// One log for each format, in the order of `LogFormat.all`.
  ///
  /// - Precondition: every format has one.
  public static let all: [FormatLog] = LogFormat.all.map { format in
    guard let log = FormatLog(format: format.id) else { preconditionFailure("no simulated log of \(format.id)") }
    return log
  }

  /// Returns the log of a format, or `nil` if the format has no writer.
  public init?(format: String) {
    guard let kind = Self.kinds[format] else { return nil }
    self.format = format
    rate = kind.rate
    tables = kind.tables
    main = kind.main
    if let columns = kind.columns { options.columns = columns }
    if kind.needsRate { options.sampleRate = rate }
  }

  /// The values of all sensors in one epoch, in the toolkit's units and signs.
  struct Moment {
    var index = 0
    var time = 0.0
    var acceleration = Vector3.zero
    var rate = Vector3.zero
    var field = Vector3.zero
    /// The attitude, from the device to north, west, up.
    var attitude = Quaternion.identity

    var gravity: Vector3 { attitude.rotateInverse(Vector3(0, 0, -1)) }
    var userAcceleration: Vector3 { acceleration - gravity }
    /// The specific force in m/s², the usual quantity of other programs.
    var force: Vector3 { -9.80665 * acceleration }
    var angles: EulerAngles { EulerAngles(attitude) }
    /// The time since the start, in whole nanoseconds.
    var nanoseconds: Int64 { Int64((time * 1e9).rounded()) }
  }

  /// A text file of the log: its beginning, the text of each epoch, and its end.
  struct Table: Sendable {
    var name: String
    var head = ""
    var foot = ""
    var line: @Sendable (Moment) -> String = { _ in "" }
  }

  struct Kind: Sendable {
    var rate: Double
    var tables: [Table]
    var main: String?
    var columns: [String]?
    var needsRate = false
  }

  /// Returns the path of the log in a folder, or `nil` if it does not exist.
  public func path(in folder: URL) -> String? {
    let path = place(in: folder)
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private func place(in folder: URL) -> String { main.map { folder.appendingPathComponent($0).path } ?? folder.path }

  /// Writes a log with the given number of epochs into a new folder and returns the path to open.
  public func write(rows: Int, to folder: URL) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = place(in: folder)
    switch format {
    case "broad-hdf5": try writeBroad(rows: rows, path)
    case "mat": try writeMAT(rows: rows, path)
    case "float32-rows": try writeFloats(rows: rows, path)
    case "ros-bag": try writeBag(rows: rows, path)
    case "ros2-db3": try writeDatabase(rows: rows, path)
    case "ros2-bag":
      try writeDatabase(rows: rows, folder.appendingPathComponent("walk_0.db3").path)
      try Data("rosbag2_bagfile_information:\n".utf8).write(to: folder.appendingPathComponent("metadata.yaml"))
    case "ulog": try writeULog(rows: rows, path)
    case "inertial-hdf5", "inertial-npz", "parquet", "mcap":
      let raw = folder.appendingPathComponent("raw")
      try FileManager.default.createDirectory(at: raw, withIntermediateDirectories: true)
      try writeTables(rows: rows, to: raw)
      // The extension of the path determines the format.
      _ = try FusionJob(input: raw.appendingPathComponent(tables[0].name).path, output: path).run()
      try FileManager.default.removeItem(at: raw)
    case "zip":
      let unpacked = folder.appendingPathComponent("unpacked")
      try FileManager.default.createDirectory(at: unpacked, withIntermediateDirectories: true)
      try writeTables(rows: rows, to: unpacked)
      try Self.pack(unpacked, tables.map(\.name), to: path)
      try FileManager.default.removeItem(at: unpacked)
    default: try writeTables(rows: rows, to: folder)
    }
    return path
  }

  /// Visits every epoch in chronological order. Epochs are not kept, because they would increase the peak memory.
  func forEachMoment(rows: Int, _ body: (Moment) throws -> Void) rethrows {
    var sensors = SensorSuite.synchronous(rate: rate)
    sensors.referenceRate = rate
    let duration = Double(rows) / rate
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: max(duration, 10), seed: 1), sensors: sensors, duration: duration,
      seed: 1)
    var moment = Moment()
    var parts = 0
    for sample in simulation where moment.index < rows {
      switch sample.channel {
      case .gyroscope: (moment.rate, moment.time) = (sample.vector, sample.time)
      case .accelerometer: moment.acceleration = sample.vector
      case .magnetometer: moment.field = sample.vector
      case .referenceAttitude:
        moment.attitude = Quaternion(x: sample.x, y: sample.y, z: sample.z, w: sample.w)
      default: continue
      }
      parts += 1
      guard parts == 4 else { continue }
      parts = 0
      try body(moment)
      moment.index += 1
    }
    precondition(moment.index == rows, "\(moment.index) moments of \(rows)")
  }

  private func writeTables(rows: Int, to folder: URL) throws {
    var files: [FileHandle] = []
    var texts = tables.map(\.head)
    for table in tables {
      let file = folder.appendingPathComponent(table.name)
      try Data().write(to: file)
      files.append(try FileHandle(forWritingTo: file))
    }
    try forEachMoment(rows: rows) { moment in
      for (index, table) in tables.enumerated() {
        texts[index] += table.line(moment)
        guard texts[index].utf8.count > 1 << 20 else { continue }
        try files[index].write(contentsOf: Data(texts[index].utf8))
        texts[index] = ""
      }
    }
    for (index, table) in tables.enumerated() {
      try files[index].write(contentsOf: Data((texts[index] + table.foot).utf8))
      try files[index].close()
    }
  }

  private func writeFloats(rows: Int, _ path: String) throws {
    var data = Data()
    forEachMoment(rows: rows) { moment in
      for vector in [moment.acceleration, moment.rate, moment.field] {
        for value in [vector.x, vector.y, vector.z] {
          withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
      }
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func writeMAT(rows: Int, _ path: String) throws {
    var columns = [[[Double]]](repeating: [[], [], []], count: 3)
    forEachMoment(rows: rows) { moment in
      for (place, vector) in [moment.force, moment.rate, moment.field].enumerated() {
        columns[place][0].append(vector.x)
        columns[place][1].append(vector.y)
        columns[place][2].append(vector.z)
      }
    }
    var file = MATFile()
    for (name, matrix) in zip(["imu_acc", "imu_gyr", "imu_mag"], columns) { file.add(name, columns: matrix) }
    file.add("sampling_rate", columns: [[rate]])
    try file.data.write(to: URL(fileURLWithPath: path))
  }

  private func writeBroad(rows: Int, _ path: String) throws {
    var (force, gyroscope, field): ([Double], [Double], [Double]) = ([], [], [])
    forEachMoment(rows: rows) { moment in
      force += [moment.force.x, moment.force.y, moment.force.z]
      gyroscope += [moment.rate.x, moment.rate.y, moment.rate.z]
      field += [moment.field.x, moment.field.y, moment.field.z]
    }
    guard broad_file_write(path, Int64(rows), rate, force, gyroscope, field) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  private static func pack(_ folder: URL, _ names: [String], to path: String) throws {
    var number: Int32 = 0
    guard let archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &number) else { throw CocoaError(.fileWriteUnknown) }
    for name in names {
      let source = zip_source_file(archive, folder.appendingPathComponent(name).path, 0, -1)
      guard zip_file_add(archive, name, source, 0) >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }
    guard zip_close(archive) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
