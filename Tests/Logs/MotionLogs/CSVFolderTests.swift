import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Folders with one CSV file per sensor") struct CSVFolderTests {
  private let folder = TemporaryFolder()

  private func write(_ name: String, _ header: String, _ row: String, times: [String] = ["0", "0.5"]) {
    folder.write(header + "\n" + times.map { "\($0),\(row)\n" }.joined(), to: name)
  }

  private func read(_ set: (inout LogOptions) -> Void = { _ in }) throws(LogError) -> (
    motion: [SensorSample], auxiliary: [AuxiliarySample], description: LogDescription
  ) {
    try readBoth(openLog(path: folder.path, options: with(LogOptions(), set)))
  }

  @Test("axes without a sensor belong to the sensor in the file's name; units come from the headers")
  func units() throws {
    write("Accelerometer.csv", "time (s),x (m/s^2),y (m/s^2),z (m/s^2)", "0,0,9.80665")
    write("sensor_gyro_1.csv", "elapsed (s),x-axis (deg/s),y-axis (deg/s),z-axis (deg/s)", "180,0,0")
    folder.write("time (s)\tmag_x (uT)\tmag_y (uT)\tmag_z (uT)\n0\t20\t5\t-40\n", to: "Magnetometer.tsv")
    write("orientation.csv", "time (s),qw,qx,qy,qz", "1,0,0,0")
    write("ground_truth.csv", "time (s),qw,qx,qy,qz", "0,1,0,0")
    let (samples, _, description) = try read()
    #expect(description.format == "csv-folder")
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0, 0, -1)])
    #expect(isNear(samples[.gyroscope][1].vector, Vector3(.pi, 0, 0), within: 1e-12))
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(20, 5, -40)])
    #expect(samples[.deviceAttitude].map(\.quaternion) == [.identity, .identity])
    #expect(samples[.referenceAttitude][0].quaternion == Quaternion(x: 1, y: 0, z: 0, w: 0))
    #expect(samples.map(\.time) == samples.map(\.time).sorted())
  }

  @Test("unspecified units of all files are requested in one error, with the command to type")
  func unspecified() throws {
    write("acc.csv", "timestamp,x,y,z", "0,0,9.80665", times: ["0", "500"])
    write("gyro.csv", "timestamp,x,y,z", "1,0,0", times: ["0", "500"])
    write("mag.csv", "timestamp,x,y,z", "20,5,-40", times: ["0", "500"])
    let error = try #require(logError { () throws(LogError) in try read() })
    #expect(
      error.problem
        == "the columns \"x\" of acc.csv, \"timestamp\" of acc.csv, \"x\" of gyro.csv and \"x\" of mag.csv do not "
        + "specify their units")
    #expect(
      error.remedy.hasPrefix(
        "specify them all, as in: inertial fuse \(folder.path) --acceleration-unit m/s2 --time-unit s --rotation-unit rad/s "
          + "--field-unit uT ("))
    let samples = try read {
      ($0.accelerationUnit, $0.rotationUnit) = (.metersPerSecondSquared, .radiansPerSecond)
      ($0.fieldUnit, $0.timeUnit) = (.microtesla, .milliseconds)
    }.motion
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0, 0, -1)])
    #expect(samples[.gyroscope].map(\.time) == [0, 0.5] && samples[.magnetometer].count == 2)
    let one = logError { () throws(LogError) in
      try read { ($0.accelerationUnit, $0.rotationUnit, $0.timeUnit) = (.g, .radiansPerSecond, .seconds) }
    }
    #expect(one?.problem == "the column \"x\" of mag.csv does not specify its unit")
  }

  @Test("UNIX timestamps of all files count from the earliest, in any unit; each file has its own rate")
  func stamps() throws {
    let start = 1_700_000_000_000_000_000
    write("acc.csv", "time,x (g),y (g),z (g)", "0,0,1", times: ["\(start + 250_000_000)", "\(start + 750_000_000)"])
    write(
      "gyro.csv", "time,x (rad/s),y (rad/s),z (rad/s)", "1,0,0", times: (0..<4).map { "\(start + $0 * 200_000_000)" })
    write("mag.csv", "time (ms),x (uT),y (uT),z (uT)", "1,0,0", times: ["1700000000500"])
    let (samples, _, description) = try read()
    #expect(samples.map { ($0.time * 1e6).rounded() / 1e6 } == [0, 0.2, 0.25, 0.4, 0.5, 0.6, 0.75])
    #expect(description.epoch == 1.7e9)
  }

  @Test("UNIX times in one file and times with another origin in the next are refused")
  func clocks() throws {
    write("acc.csv", "time (s),x (g),y (g),z (g)", "0,0,1", times: ["1700000000", "1700000001"])
    write("gyro.csv", "time (s),x (rad/s),y (rad/s),z (rad/s)", "1,0,0")
    let error = logError { () throws(LogError) in try read() }
    #expect(error?.problem == "acc.csv has UNIX times, and gyro.csv counts from another moment")
    write("gyro.csv", "time (s),x (rad/s),y (rad/s),z (rad/s)", "1,0,0", times: ["1700000000", "1700000001"])
    #expect(try read().description.epoch == 0)
  }

  @Test("requested other sensors are read from motion files or from their own files")
  func auxiliary() throws {
    write("acc.csv", "time (s),x (g),y (g),z (g),temperature (°C)", "0,0,1,21")
    write("gyro.csv", "time (s),x (rad/s),y (rad/s),z (rad/s)", "1,0,0")
    write("baro.csv", "time (s),pressure (hPa)", "1000", times: ["0.1", "0.2", "7"])
    let plain = try read()
    #expect(plain.auxiliary.isEmpty && plain.description.notes.contains("baro.csv not read: it has barometer"))
    let (_, auxiliary, description) = try read { $0.auxiliary = [.barometer, .temperature] }
    #expect(description.auxiliaryChannels == [.barometer, .temperature])
    #expect(auxiliary.filter { $0.channel == .barometer }.map(\.time) == [0.1, 0.2, 7])
    #expect(auxiliary.filter { $0.channel == .temperature }.map(\.time) == [0, 0.5])
  }

  @Test("unread files are reported by name")
  func unread() throws {
    write("acc.csv", "time (s),x (g),y (g),z (g)", "0,0,1")
    write("gyro.csv", "time (s),x (rad/s),y (rad/s),z (rad/s)", "1,0,0")
    write("position.csv", "time (s),x,y,z", "1,0,0")
    folder.write("", to: "mag.csv")
    folder.write("time (s),x (uT),y (uT),z (uT)\n", to: "compass.csv")
    let notes = try read().description.notes
    #expect(notes.contains { $0.hasPrefix("position.csv not read: no known sensor by its columns (time (s), x") })
    #expect(notes.contains("mag.csv not read: it is empty") && notes.contains("compass.csv not read: it has no rows"))
  }

  @Test("a separate user acceleration determines Core Motion's sign of the acceleration")
  func userAcceleration() throws {
    write("accelerometer.csv", "time (s),x (g),y (g),z (g)", "0,0,-1")
    write("user_acceleration.csv", "time (s),x (g),y (g),z (g)", "0.5,0,0")
    write("gyro.csv", "time (s),x (rad/s),y (rad/s),z (rad/s)", "1,0,0")
    let samples = try read().motion
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1))
    #expect(samples[.deviceUserAcceleration][0].vector == Vector3(0.5, 0, 0))
    // Core Motion has no m/s².
    for name in ["accelerometer.csv", "user_acceleration.csv"] {
      write(name, "time (s),x (m/s^2),y (m/s^2),z (m/s^2)", "0,0,9.80665")
    }
    #expect(try read().motion[.accelerometer][0].vector == Vector3(0, 0, -1))
    for name in ["accelerometer.csv", "user_acceleration.csv"] { write(name, "time (s),x,y,z", "0,0,9.80665") }
    #expect(try read { $0.accelerationUnit = .metersPerSecondSquared }.motion[.accelerometer][0].z == -1)
  }

  @Test("a file alone has the sensor of its name, too")
  func alone() throws {
    let rows = "0,9.80665,1,2\n0.01,9.80665,1,2\n"
    func samples(_ name: String, _ header: String) throws -> [SensorSample] {
      try readAll(openLog(path: folder.write(header + "\n" + rows, to: name), options: LogOptions()))
    }
    let acceleration = try samples("accelerometer.csv", "time (s),z (m/s^2),y (m/s^2),x (m/s^2)")
    #expect(acceleration.map(\.channel) == [.accelerometer, .accelerometer] && acceleration[0].z == -1)
    #expect(try samples("TotalAcceleration.csv", "time (s),z (m/s^2),y (m/s^2),x (m/s^2)")[0].z == -1)
    #expect(throws: LogError.self) { try samples("position.csv", "time (s),x,y,z") }
  }

  @Test("complete logs in a folder form a batch; two files of the same sensor are reported")
  func others() throws {
    let whole = "time (s),acc x (g),acc y (g),acc z (g),gyro x (rad/s),gyro y (rad/s),gyro z (rad/s)"
    write("one.csv", whole, "0,0,1,0,0,0")
    write("two.csv", whole, "0,0,1,0,0,0")
    #expect(try LogFeed.logs(at: folder.path).count == 2)
    let pair = TemporaryFolder()
    for name in ["acc1.csv", "acc2.csv", "gyro.csv"] {
      pair.write("time (s),x (\(name == "gyro.csv" ? "rad/s" : "g")),y (g),z (g)\n0,0,0,1\n", to: name)
    }
    let error = openError(pair.path)
    #expect(error?.problem == "is a folder of no known format: acc1.csv and acc2.csv both have the acceleration")
    let lone = TemporaryFolder()
    for name in ["acc.csv", "mag.csv"] { lone.write("time (s),x (g),y (g),z (g)\n0,0,0,1\n", to: name) }
    #expect(
      openError(lone.path)?.problem
        == "is a folder of no known format: no CSV file has the rotation rate")
  }
}
