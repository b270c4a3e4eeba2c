import Foundation

@testable import InertialLogs

/// A ROS 2 bag like those of rosbag2, written by SQLite's own library.
struct SQLiteTestFile {
  private var statements = [
    "CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,"
      + "offered_qos_profiles TEXT NOT NULL)",
    "CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
  ]

  init() {}

  /// Creates a file of any statements.
  init(statements: [String]) { self.statements = statements }

  mutating func addTopic(_ id: Int, _ name: String, type: String, format: String = "cdr") {
    statements.append("INSERT INTO topics VALUES(\(id), '\(name)', '\(type)', '\(format)', '')")
  }

  mutating func add(_ topic: Int, time: Int64, _ message: [UInt8]) {
    let digits = message.map { String(format: "%02x", $0) }.joined()
    statements.append("INSERT INTO messages(topic_id, timestamp, data) VALUES(\(topic), \(time), x'\(digits)')")
  }

  /// The file's bytes, or `nil` if the library is not installed.
  var bytes: [UInt8]? {
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
    else { return nil }
    let path = NSTemporaryDirectory() + "/bag-\(UUID().uuidString).db3"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var connection: OpaquePointer?
    guard unsafeBitCast(open, to: Open.self)(path, &connection) == 0 else { return nil }
    for statement in statements {
      let status = unsafeBitCast(execute, to: Execute.self)(connection, statement, nil, nil, nil)
      precondition(status == 0, statement)
    }
    _ = unsafeBitCast(close, to: Close.self)(connection)
    return FileManager.default.contents(atPath: path).map(Array.init)
  }

  /// Returns a bag with one inertial sensor at 100 Hz.
  static func plain(messages: Int, from first: Int = 0) -> [UInt8]? {
    var file = SQLiteTestFile()
    file.addTopic(1, "/imu", type: ROSMessage.imu.rawValue)
    for index in first..<first + messages {
      let stamp = 1_700_000_000_000_000_000 + Int64(index) * 10_000_000
      file.add(1, time: stamp + 1000, MCAPBytes.imu(stamp: stamp, rate: [0.01 * Double(index), 0, 0]))
    }
    return file.bytes
  }
}
