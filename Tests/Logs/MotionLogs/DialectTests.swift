import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Opens a log like the command does, reads it, and returns the samples with the final description.
func readLog(
  _ path: String, _ options: LogOptions = LogOptions()
) throws(LogError) -> (samples: [SensorSample], description: LogDescription, empty: [SensorChannel: Int]) {
  var reader = try openLog(path: path, options: options)
  let samples = try reader.remainingSamples()
  return (samples, reader.description, reader.emptyCounts)
}

/// Returns the error of opening a log, or `nil` if there is no error.
func openError(_ path: String, _ options: LogOptions = LogOptions()) -> LogError? {
  logError { () throws(LogError) in try openLog(path: path, options: options) }
}

@Suite("MotionSense") struct MotionSenseTests {
  private let folder = TemporaryFolder()
  static let header =
    ",attitude.roll,attitude.pitch,attitude.yaw,gravity.x,gravity.y,gravity.z,rotationRate.x,rotationRate.y,"
    + "rotationRate.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n"
  private static let rows = "0,0,0,0.5,0,0,-1,0.1,0.2,0.3,0.25,0,0\n1,0,0,0.5,0,0,-1,0.1,0.2,0.3,0,0,0.5\n"

  @Test("device motion is read with a rate, and the error requests it with an example", arguments: ["\n", "\r\n"])
  func deviceMotion(end: String) throws {
    let path = folder.write((Self.header + Self.rows).replacing("\n", with: end), to: "sub_1.csv")
    #expect(openError(path)?.remedy == "give --sample-rate 50, the rate of MotionSense")
    let (samples, description, _) = try readLog(path, with(LogOptions()) { $0.sampleRate = 50 })
    #expect(description.format == "motionsense" && description.declaredRate == 50)
    #expect(samples[.accelerometer].map(\.time) == [0, 0.02])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0.25, 0, -1), Vector3(0, 0, -0.5)])
    #expect(samples[.gyroscope][0].vector == Vector3(0.1, 0.2, 0.3))
    #expect(samples[.deviceGravity][0].vector == Vector3(0, 0, -1))
    // A rotation by 0.5 rad about z.
    #expect(isNear(samples[.deviceAttitude][0].z, sin(0.25), within: 1e-15))
  }

  @Test("raw files do not specify their sensor, and are read with the option")
  func raw() throws {
    let path = folder.write(",x,y,z\n0,0.5,0,-1\n1,,0,-1\n2,0,0,nan\n", to: "sub_1.csv")
    let found = try #require(openError(path))
    #expect(found.line == 1 && found.remedy.contains("--columns=-,accelerationX,accelerationY,accelerationZ"))
    let reported = with(LogOptions()) {
      ($0.sampleRate, $0.columns) = (50, ["-", "accelerationX", "accelerationY", "accelerationZ"])
    }
    let (samples, _, empty) = try readLog(path, reported)
    #expect(samples[.accelerometer][0].vector == Vector3(0.5, 0, -1) && samples.map(\.time) == [0, 0.04])
    #expect(samples[1].z.isNaN && empty == [.accelerometer: 1])
  }

  @Test("a file with times, or with other rows under x, y, z, is not MotionSense")
  func others() throws {
    let timed = folder.write("time" + Self.header + Self.rows, to: "timed.csv")
    #expect(try readLog(timed).description.format == "device-motion-csv")
    let vectors = folder.write(",x,y,z\n5,0,0,1\n9,0,0,1\n", to: "vectors.csv")
    #expect(openError(vectors)?.problem.contains("accelerometer's") == false)
  }
}

@Suite("SensorPlay and OxIOD") struct SensorPlayTests {
  private let folder = TemporaryFolder()
  static let header =
    "timestamp(unix),attitude_roll(radians),attitude_pitch(radians),attitude_yaw(radians),rotation_rate_x(radians/s),"
    + "rotation_rate_y(radians/s),rotation_rate_z(radians/s),gravity_x(G),gravity_y(G),gravity_z(G),user_acc_x(G),"
    + "user_acc_y(G),user_acc_z(G),magnetic_field_x(microteslas),magnetic_field_y(microteslas),"
    + "magnetic_field_z(microteslas)\n"

  /// A row with roll 0.3 and pitch 0.2; gravity follows Core Motion's rule.
  private static func row(_ time: Double) -> String {
    let gravity = [cos(0.2) * sin(0.3), -sin(0.2), -cos(0.2) * cos(0.3)]
    let numbers = [time, 0.3, 0.2, 0.1, 1, 2, 3] + gravity + [0.5, 0, 0, 20, -5, -40]
    return numbers.map { "\($0)" }.joined(separator: ",") + "\n"
  }

  private func check(_ samples: [SensorSample], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let gravity = Vector3(cos(0.2) * sin(0.3), -sin(0.2), -cos(0.2) * cos(0.3))
    try #require(!samples.isEmpty)
    #expect(isNear(samples[.accelerometer][0].vector, gravity + Vector3(0.5, 0, 0), within: 1e-15))
    #expect(samples[.gyroscope][0].vector == Vector3(1, 2, 3))
    #expect(samples[.calibratedMagneticField][0].vector == Vector3(20, -5, -40))
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
    // The attitude rotates the earth's down vector to the device's gravity.
    let down = samples[.deviceAttitude][0].quaternion.rotateInverse(Vector3(0, 0, -1))
    #expect(isNear(down, gravity, within: 1e-12))
  }

  @Test("the app's header specifies all columns", arguments: ["timestamp(unix)", "Time"])
  func header(clock: String) throws {
    let text =
      Self.header.replacing("timestamp(unix)", with: clock) + Self.row(1_500_000_000.25) + Self.row(1_500_000_000.5)
    let (samples, description, _) = try readLog(folder.write("\u{FEFF}" + text, to: "imu1.csv"))
    #expect(description.format == "sensorplay" && description.epoch == 0)
    #expect(samples[.gyroscope].map(\.time) == [1_500_000_000.25, 1_500_000_000.5])
    try check(samples)
  }

  @Test("rows without a header are recognized if gravity follows from roll and pitch")
  func headerless() throws {
    let rows = [10.0, 10.01, 10.02].map(Self.row).joined()
    let (samples, description, _) = try readLog(folder.write(rows, to: "imu1.csv"))
    #expect(description.format == "device-motion-rows")
    #expect(description.notes[0].contains("gravity follows from roll and pitch in the first 3 rows"))
    #expect(samples[.gyroscope].map(\.time) == [10, 10.01, 10.02])
    try check(samples)
  }

  @Test("labels may precede the values; then the rate is required")
  func labels() throws {
    let rows = [0.0, 0, 0].map {
      "2018-09-05T18:29:28Z-1," + Self.row($0).split(separator: ",").dropLast(3).joined(separator: ",")
    }
    let path = folder.write(rows.joined(separator: "\n"), to: "u_03.csv")
    #expect(openError(path)?.remedy.hasPrefix("give --sample-rate HZ") == true)
    let (samples, _, _) = try readLog(path, with(LogOptions()) { $0.sampleRate = 25 })
    #expect(samples[.gyroscope].map(\.time) == [0, 0.04, 0.08] && samples[.calibratedMagneticField].isEmpty)
  }

  @Test("rows are not recognized if gravity is off by a milligal, rows are too few, or their lengths differ")
  func contradictions() throws {
    let good = [1.0, 2, 3].map(Self.row)
    let other = good[0].replacing("1.0,0.3,", with: "1.0,0.301,")
    for (number, rows) in [[other] + good, Array(good[..<2]), good + ["1,2,3\n"] + good].enumerated() {
      let found = openError(folder.write(rows.joined(), to: "\(number).csv"))
      #expect(found?.problem == "no line of column names before the numbers")
    }
    // If the columns are named, the log is read all the same.
    let names =
      ["time", "attitude.roll", "attitude.pitch", "attitude.yaw"]
      + ["rotationRate", "gravity", "userAcceleration", "magneticField"].flatMap { n in ["X", "Y", "Z"].map { n + $0 } }
    let (samples, description, _) = try readLog(folder.path("1.csv"), with(LogOptions()) { $0.columns = names })
    #expect(description.format == "device-motion-csv")
    try check(samples)
  }
}

@Suite("Xsens and Movella exports") struct XsensTests {
  private let folder = TemporaryFolder()

  private static let dot = """
    sep=,
    DeviceTag:,1,,,,,
    FirmwareVersion:,3.0.0,,,,
    SyncStatus:,Synced
    OutputRate:,60Hz
    Measurement Mode:,Custom Mode 5
    StartTime: ,2025-07-11_20:06:00_086 WEST
    © Movella Technologies B. V. 2005-2025

    PacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,Acc_X,Acc_Y,Acc_Z,Gyr_X,Gyr_Y,Gyr_Z,Mag_X,Mag_Y,Mag_Z,Status,

    """

  private static func dotRow(_ packet: Int, _ time: Int64) -> String {
    "\(packet),\(time),0.5,0.5,-0.5,0.5,0,0,9.80665,180,-90,0,0.5,0,-0.8,0,\n"
  }

  @Test("a DOT's microseconds continue after 2^32; it has deg/s, specific force, w first", arguments: ["\n", "\r\n"])
  func dotExport(end: String) throws {
    let top: Int64 = 1 << 32
    let text = Self.dot + Self.dotRow(1, top - 16_667) + Self.dotRow(2, 0) + Self.dotRow(3, 16_667)
    let path = folder.write(text.replacing("\n", with: end), to: "1_20250711.csv")
    let (samples, description, _) = try readLog(path)
    #expect(description.format == "xsens" && description.declaredRate == 60 && description.referenceFrame == "enu")
    #expect(description.notes.contains { $0.contains("SampleTimeFine in microseconds, as rows are 16667 apart") })
    #expect(description.notes.contains { $0.hasPrefix("magnetometer: in arbitrary units, not read") })
    let start = Double(top - 16_667) / 1e6
    #expect(samples[.gyroscope].map(\.time) == [start, Double(top) / 1e6, Double(top + 16_667) / 1e6])
    #expect(isNear(samples[.gyroscope][0].vector, Vector3(Double.pi, -Double.pi / 2, 0), within: 1e-15))
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1))
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.5, y: -0.5, z: 0.5, w: 0.5))
    #expect(samples[.magnetometer].isEmpty)
    let (field, _, _) = try readLog(path, with(LogOptions()) { $0.fieldUnit = .gauss })
    #expect(field[.magnetometer][0].vector == Vector3(50, 0, -80))
  }

  private static let mt = """
    // Start Time: Unknown
    // Update Rate: 100.0Hz
    // Filter Profile: human (46.1)
    PacketCounter\tSampleTimeFine\tYear\tSecond\tAcc_X\tAcc_Y\tAcc_Z\tGyr_X\tGyr_Y\tGyr_Z\tRoll\tPitch\tYaw\n
    """

  @Test("an MT with an empty SampleTimeFine uses PacketCounter, 16 bits, at the declared rate; rates are in rad/s")
  func packets() throws {
    let rows = [65534, 65535, 1, 0].map { "\($0)\t\t\t\t0\t0\t9.80665\t1\t0\t0\t0\t0\t90\n" }.joined()
    let (samples, description, _) = try readLog(folder.write(Self.mt + rows, to: "MT_1.txt"))
    #expect(description.summary == "Xsens MT Manager export")
    // The timestamps show a lost packet and swap the last two.
    #expect(samples[.gyroscope].map(\.time) == [655.34, 655.35, 655.37, 655.36])
    #expect(samples[.gyroscope][0].vector == Vector3(1, 0, 0))
    // With a yaw of 90°, x of the sensor points along y of the earth.
    #expect(isNear(samples[.deviceAttitude][0].quaternion.rotate(Vector3(1, 0, 0)), Vector3(0, 1, 0), within: 1e-15))
  }

  @Test("steps of 0.1 ms are recognized by the declared rate, or by the steps between rows")
  func tenthsOfMilliseconds() throws {
    let rows = [10_000, 10_100, 10_100, 10_200].enumerated()
      .map { "\($0.offset)\t\($0.element)\t\t\t0\t0\t9.8\t1\t0\t0\t0\t0\t0\n" }.joined()
    for text in [Self.mt + rows, Self.mt.split(separator: "\n")[3] + "\n" + rows] {
      let (samples, description, _) = try readLog(folder.write(String(text), to: "MT_1.txt"))
      #expect(description.notes.contains { $0.contains("in steps of 0.1 ms, as rows are 100 apart") })
      #expect(samples[.gyroscope].map(\.time) == [1, 1.01, 1.01, 1.02])
    }
  }

  @Test("properties that the file does not specify are requested")
  func questions() throws {
    let bare = folder.write("PacketCounter,Acc_X,Acc_Y,Acc_Z,Gyr_X,Gyr_Y,Gyr_Z\n1,0,0,9.8,1,0,0\n", to: "bare.csv")
    #expect(openError(bare)?.remedy.hasPrefix("give --sample-rate HZ") == true)
    let unit = openError(bare, with(LogOptions()) { $0.sampleRate = 100 })
    #expect(unit?.remedy.hasPrefix("give --rotation-unit rad/s or deg/s") == true)
    let reported = with(LogOptions()) { ($0.sampleRate, $0.rotationUnit) = (100, .degreesPerSecond) }
    let (samples, _, _) = try readLog(bare, reported)
    #expect(samples[.gyroscope][0].time == 0.01 && isNear(samples[.gyroscope][0].x, Double.pi / 180, within: 1e-16))
    let one = folder.write("PacketCounter,SampleTimeFine,Acc_X,Acc_Y,Acc_Z\n1,500000,0,0,9.8\n", to: "one.csv")
    #expect(openError(one)?.remedy == "give --time-unit us, or more rows")
    #expect(try readLog(one, with(LogOptions()) { $0.timeUnit = .microseconds }).samples[0].time == 0.5)
    #expect(openError(one, with(LogOptions()) { $0.timeUnit = .seconds })?.problem == "SampleTimeFine cannot be in s")
  }

  @Test("a table of orientations is a reference, in ENU")
  func orientation() throws {
    let text =
      "DeviceTag:,1\nPacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z\n1,16667,1,0,0,0\n2,33334,1,0,0,0\n"
    let (samples, description, _) = try readLog(folder.write(text, to: "q.csv"))
    #expect(samples[.referenceAttitude].count == 2 && description.referenceFrame == "enu")
  }
}

@Suite("ROS topics as CSV") struct ROSTopicTests {
  private let folder = TemporaryFolder()
  private static let header: String = {
    func covariance(_ name: String) -> [String] { (0..<9).map { "field.\(name)_covariance\($0)" } }
    func vector(_ name: String) -> [String] { ["x", "y", "z"].map { "field.\(name).\($0)" } }
    return
      (["%time", "field.header.seq", "field.header.stamp", "field.header.frame_id"] + vector("orientation")
      + ["field.orientation.w"] + covariance("orientation") + vector("angular_velocity")
      + covariance("angular_velocity") + vector("linear_acceleration") + covariance("linear_acceleration"))
      .joined(separator: ",") + "\n"
  }()

  private static func row(_ arrival: Int64, _ stamp: Int64, orientation: Int = 0, rate: Int = 0) -> String {
    let rest = ",0,0,0,0,0,0,0,0"
    return "\(arrival),7,\(stamp),imu_link,0.6,0,0.8,0,\(orientation)\(rest),0.1,0.2,0.3,\(rate)\(rest),"
      + "0,9.80665,0,0\(rest)\n"
  }

  @Test("rows have the header's timestamps, specific force, and the orientation in ENU")
  func values() throws {
    let start: Int64 = 1_500_000_000_000_000_000
    let text = Self.header + Self.row(start + 900_000, start) + Self.row(start + 9_000_000, start + 5_000_000)
    let (samples, description, _) = try readLog(folder.write(text, to: "imu.csv"))
    #expect(description.format == "ros-topic-csv" && description.referenceFrame == "enu" && description.epoch == 1.5e9)
    #expect(samples[.gyroscope].map(\.time) == [0, 0.005] && samples[.gyroscope][0].vector == Vector3(0.1, 0.2, 0.3))
    #expect(samples[.accelerometer][0].vector == Vector3(0, -1, 0))
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.6, y: 0, z: 0.8, w: 0))
  }

  @Test("for a timestamp of 0 the arrival time is used; small timestamps of a simulation are nanoseconds")
  func arrival() throws {
    let text = Self.header + Self.row(2_500_000_000, 0) + Self.row(2_510_000_000, 0)
    let (samples, description, _) = try readLog(folder.write(text, to: "imu.csv"))
    #expect(samples[.gyroscope].map(\.time) == [2.5, 2.51])
    #expect(description.notes.contains { $0.contains("messages' arrival") })
  }

  @Test("a covariance of -1 means that a message has no orientation, or no rate")
  func absence() throws {
    let none = Self.header + Self.row(1, 10, orientation: -1) + Self.row(2, 20, orientation: -1)
    let (samples, description, _) = try readLog(folder.write(none, to: "none.csv"))
    #expect(samples[.deviceAttitude].isEmpty && samples[.gyroscope].count == 2)
    #expect(description.notes.contains("orientation: absent, as its covariance is -1"))
    let some = Self.header + Self.row(1, 10, orientation: -1) + Self.row(2, 20, rate: -1)
    let (mixed, _, empty) = try readLog(folder.write(some, to: "some.csv"))
    #expect(mixed[.deviceAttitude].map(\.time) == [2e-8] && mixed[.gyroscope].map(\.time) == [1e-8])
    #expect(mixed[.accelerometer].count == 2 && empty[.deviceAttitude] == 1 && empty[.gyroscope] == 1)
  }
}

@Suite("Formats described by their headers") struct DescribedFormatTests {
  private let folder = TemporaryFolder()

  @Test("the axis may come first, as in x_acc, and a unit may follow it")
  func leadingAxis() throws {
    let path = folder.write(
      "x_acc,y_acc,z_acc,x_gyro,y_gyro,z_gyro,timestamp,label\n0,0,9.80665,1,2,3,1000,WALKING\n", to: "a.csv")
    let reported = with(LogOptions()) {
      ($0.accelerationUnit, $0.rotationUnit, $0.timeUnit) = (.metersPerSecondSquared, .radiansPerSecond, .milliseconds)
    }
    let (samples, _, _) = try readLog(path, reported)
    #expect(samples[.accelerometer][0] == SensorSample(time: 1, channel: .accelerometer, x: -0.0, y: -0.0, z: -1))
    #expect(samples[.gyroscope][0].vector == Vector3(1, 2, 3) && ColumnName("x_mps2").meaning?.unit == .written("mps2"))
    #expect(ColumnName("x_g").meaning?.quantity == .acceleration)
  }
}
