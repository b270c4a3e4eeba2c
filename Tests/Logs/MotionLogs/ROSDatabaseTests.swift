import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite(
  "ROS 2 bags in SQLite",
  .needs(
    Need("sqlite", "SQLite's library is not installed: apt-get install libsqlite3-0") { SQLiteDatabase.isAvailable }))
struct ROSDatabaseTests {
  private let folder = TemporaryFolder()
  private static let start: Int64 = 1_700_000_000_500_000_000

  private func samples(_ path: String) throws(LogError) -> [SensorSample] { try readAll(openLog(path: path)) }

  @Test("Imu, MagneticField and NavSatFix become samples in order of arrival; other topics are skipped")
  func messages() throws {
    var file = SQLiteTestFile()
    file.addTopic(1, "/camera", type: "sensor_msgs/msg/Image")
    file.addTopic(2, "/imu", type: ROSMessage.imu.rawValue)
    file.addTopic(3, "/mag", type: ROSMessage.magneticField.rawValue)
    file.addTopic(4, "/fix", type: ROSMessage.position.rawValue)
    file.addTopic(5, "/other", type: ROSMessage.imu.rawValue, format: "protobuf")
    let start = Self.start
    file.add(1, time: start, [1, 2, 3])
    file.add(5, time: start, [1, 2, 3])
    file.add(
      2, time: start + 20_000_000, MCAPBytes.imu(stamp: start + 20_000_000, rate: [1, 2, 3], force: [9.80665, 0, 0]))
    file.add(2, time: start + 1_000_000, MCAPBytes.imu(stamp: start))
    var field = [UInt8](cdrStamp: start, frame: "imu")
    field.addCDR(2e-5, 0, -4e-5)
    field.addCDRCovariance()
    file.add(3, time: start + 2_000_000, field)
    let path = folder.write(try #require(file.bytes), to: "walk.log")
    let reader = try openLog(path: path, options: with(LogOptions()) { $0.auxiliary = [.location] })
    #expect(reader.description.format == "ros2-db3" && reader.description.epoch == 1_700_000_000.5)
    #expect(reader.description.auxiliaryChannels == [.location])
    let found = try samples(path)
    #expect(found[.gyroscope].map(\.vector) == [Vector3(0.1, 0.2, 0.3), Vector3(1, 2, 3)])
    #expect(found[.gyroscope].map(\.time) == [0, 0.02])
    #expect(found[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(-1, 0, 0)])
    #expect(found[.magnetometer].map(\.vector) == [Vector3(20, 0, -40)])
  }

  @Test("a folder's files are one recording, ordered by number")
  func divided() throws {
    folder.write("rosbag2_bagfile_information:\n", to: "metadata.yaml")
    folder.write(try #require(SQLiteTestFile.plain(messages: 5, from: 10)), to: "walk_10.db3")
    folder.write(try #require(SQLiteTestFile.plain(messages: 10)), to: "walk_2.db3")
    let found = try samples(folder.path)
    #expect(found[.gyroscope].map(\.x) == (0..<15).map { 0.01 * Double($0) })
    var reader = try openLog(path: folder.path)
    #expect(reader.progress < 0.5)
    _ = try readAll(&reader)
    #expect(reader.progress == 1)
  }

  @Test("a path with any characters is opened, and no other file is created")
  func path() throws {
    let bytes = try #require(SQLiteTestFile.plain(messages: 4))
    let path = folder.write(bytes, to: "100 % ?walk#1é.db3")
    #expect(try samples(path)[.gyroscope].count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["100 % ?walk#1é.db3"])
  }

  @Test("a database with other tables, with views, or without messages is refused")
  func foreign() throws {
    let topics =
      "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, qos TEXT)"
    let loop =
      "CREATE VIEW messages AS WITH RECURSIVE m(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM m) "
      + "SELECT id, 1 AS topic_id, id AS timestamp, x'00' AS data FROM m"
    for (statements, words) in [
      ([topics], "no tables of topics and messages"), ([topics, loop], "no tables of topics and messages"),
      (
        [topics, "CREATE TABLE messages(id INTEGER, topic_id INTEGER, timestamp INTEGER, data BLOB)"],
        "no messages of sensor_msgs"
      ), ([topics, "CREATE TABLE messages(id INTEGER)"], "damaged"),
    ] {
      let bytes = try #require(SQLiteTestFile(statements: statements).bytes)
      let path = folder.write(bytes, to: "other.db3")
      let error = try #require(logError(of: try samples(path)))
      #expect(error.problem.contains(words), "\(error)")
    }
    let other = try #require(SQLiteTestFile(statements: ["CREATE TABLE walks(id INTEGER)"]).bytes)
    let path = folder.write(other, to: "walks.db")
    #expect(logError(of: try samples(path))?.problem.contains("SQLite database") == true)
  }
}
