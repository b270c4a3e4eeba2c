import Foundation
import Inertial

// Logs of records in the formats of ROS and PX4.
extension FormatLog {
  private static func bytes(_ value: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }

  private static func doubles(_ values: [Double]) -> Data { values.map { bytes($0.bitPattern) }.reduce(Data(), +) }

  private static func floats(_ v: Vector3) -> Data {
    [v.x, v.y, v.z].map { bytes(Float($0).bitPattern) }.reduce(Data(), +)
  }

  /// Returns a ROS 1 bag of one chunk with sensor_msgs/Imu messages.
  func writeBag(rows: Int, _ path: String) throws {
    func fields(_ fields: [(String, Data)]) -> Data {
      fields.map { Self.bytes(UInt32($0.0.utf8.count + 1 + $0.1.count)) + Data(($0.0 + "=").utf8) + $0.1 }.reduce(
        Data(), +)
    }
    func record(_ head: [(String, Data)], _ data: Data) -> Data {
      let head = fields(head)
      return Self.bytes(UInt32(head.count)) + head + Self.bytes(UInt32(data.count)) + data
    }
    let id = Self.bytes(UInt32(0))
    let topic = Data("/imu".utf8)
    var chunk = record(
      [("op", Data([7])), ("conn", id), ("topic", topic)],
      fields([("topic", topic), ("type", Data("sensor_msgs/Imu".utf8))]))
    let zeros = [Double](repeating: 0, count: 9)
    forEachMoment(rows: rows) { moment in
      let stamp =
        Self.bytes(UInt32(1_700_000_000 + moment.nanoseconds / 1_000_000_000))
        + Self.bytes(UInt32(moment.nanoseconds % 1_000_000_000))
      let (q, rate, force) = (moment.attitude, moment.rate, moment.force)
      let numbers =
        [q.x, q.y, q.z, q.w] + zeros + [rate.x, rate.y, rate.z] + zeros + [force.x, force.y, force.z] + zeros
      let head = Self.bytes(UInt32(moment.index)) + stamp + Self.bytes(UInt32(3)) + Data("imu".utf8)
      chunk += record([("op", Data([2])), ("conn", id), ("time", stamp)], head + Self.doubles(numbers))
    }
    let header = record([("op", Data([3])), ("index_pos", Self.bytes(UInt64(0)))], Data(repeating: 0x20, count: 64))
    let size = Self.bytes(UInt32(chunk.count))
    let bag =
      Data("#ROSBAG V2.0\n".utf8) + header
      + record([("op", Data([5])), ("compression", Data("none".utf8)), ("size", size)], chunk)
    try bag.write(to: URL(fileURLWithPath: path))
  }

  /// Returns a ROS 2 bag in SQLite with sensor_msgs/msg/Imu messages. A folder with the bag is a log of another format.
  func writeDatabase(rows: Int, _ path: String) throws {
    typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    typealias Execute =
      @convention(c) (
        OpaquePointer?, UnsafePointer<CChar>, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
      ) -> Int32
    typealias Close = @convention(c) (OpaquePointer?) -> Int32
    let names = ["libsqlite3.so.0", "libsqlite3.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let open = dlsym(library, "sqlite3_open"), let execute = dlsym(library, "sqlite3_exec"),
      let close = dlsym(library, "sqlite3_close")
    else {
      throw CocoaError(.executableLoad, userInfo: [NSFilePathErrorKey: "libsqlite3: apt-get install libsqlite3-0"])
    }
    var connection: OpaquePointer?
    guard unsafeBitCast(open, to: Open.self)(path, &connection) == 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { _ = unsafeBitCast(close, to: Close.self)(connection) }
    func run(_ statement: String) throws {
      guard unsafeBitCast(execute, to: Execute.self)(connection, statement, nil, nil, nil) == 0 else {
        throw CocoaError(.fileWriteUnknown)
      }
    }
    try run(
      "PRAGMA journal_mode = OFF; BEGIN; CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, "
        + "serialization_format TEXT, offered_qos_profiles TEXT); CREATE TABLE messages(id INTEGER PRIMARY KEY, "
        + "topic_id INTEGER, timestamp INTEGER, data BLOB); CREATE INDEX timestamp_idx ON messages (timestamp ASC); "
        + "INSERT INTO topics VALUES(1, '/imu', 'sensor_msgs/msg/Imu', 'cdr', '')")
    let zeros = [Double](repeating: 0, count: 9)
    try forEachMoment(rows: rows) { moment in
      let time = 1_700_000_000_000_000_000 + moment.nanoseconds
      let (q, rate, force) = (moment.attitude, moment.rate, moment.force)
      let numbers =
        [q.x, q.y, q.z, q.w] + zeros + [rate.x, rate.y, rate.z] + zeros + [force.x, force.y, force.z] + zeros
      let head =
        Data([0, 1, 0, 0]) + Self.bytes(Int32(time / 1_000_000_000)) + Self.bytes(UInt32(time % 1_000_000_000))
        + Self.bytes(UInt32(4)) + Data("imu\0".utf8)
      let digits = (head + Self.doubles(numbers)).map { String(format: "%02x", $0) }.joined()
      try run("INSERT INTO messages(topic_id, timestamp, data) VALUES(1, \(time), x'\(digits)')")
    }
    try run("COMMIT")
  }

  /// Returns a flight log with sensor_combined messages.
  func writeULog(rows: Int, _ path: String) throws {
    func message(_ kind: String, _ content: Data) -> Data {
      Self.bytes(UInt16(content.count)) + Data(kind.utf8) + content
    }
    var log = Data("ULog".utf8) + Data([1, 0x12, 0x35, 1]) + Self.bytes(UInt64(0))
    log += message("B", Data(repeating: 0, count: 40))
    log += message(
      "F", Data("sensor_combined:uint64_t timestamp;float[3] gyro_rad;float[3] accelerometer_m_s2;".utf8))
    log += message("A", Data([0, 3, 0]) + Data("sensor_combined".utf8))
    forEachMoment(rows: rows) { moment in
      let stamp = Self.bytes(UInt64(moment.nanoseconds / 1000))
      log += message("D", Self.bytes(UInt16(3)) + stamp + Self.floats(moment.rate) + Self.floats(moment.force))
    }
    try log.write(to: URL(fileURLWithPath: path))
  }
}
