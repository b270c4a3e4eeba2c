import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite struct SensorLogReaderTests {
  private let folder = TemporaryFolder()

  private static func axes(_ stem: String, _ unit: String) -> [String] { ["X", "Y", "Z"].map { stem + $0 + unit } }

  private static let accelerometer =
    ["accelerometerTimestamp_sinceReboot(s)"] + axes("accelerometerAcceleration", "(G)")
  private static let gyroscope = ["gyroTimestamp_sinceReboot(s)"] + axes("gyroRotation", "(rad/s)")
  private static let magnetometer = ["magnetometerTimestamp_sinceReboot(s)"] + axes("magnetometer", "(µT)")
  private static let motion: [String] = {
    var names = ["motionTimestamp_sinceReboot(s)", "motionYaw(rad)", "motionRoll(rad)", "motionPitch(rad)"]
    names += axes("motionRotationRate", "(rad/s)") + axes("motionUserAcceleration", "(G)")
    names += ["motionAttitudeReferenceFrame(txt)"] + ["X", "Y", "Z", "W"].map { "motionQuaternion\($0)(R)" }
    names += axes("motionGravity", "(G)") + axes("motionMagneticField", "(µT)")
    return names + ["motionHeading(°)", "motionMagneticFieldCalibrationAccuracy(Z)"]
  }()

  /// Writes a file of named columns, and reads it.
  @discardableResult private func write(_ header: [String], _ rows: [String], lineEnd: String = "\n") -> String {
    folder.write(
      ([(["loggingTime(txt)"] + header).joined(separator: ",")] + rows).joined(separator: lineEnd) + lineEnd,
      to: "2024-08-22_14_12_07_phone.csv")
  }

  private static let time = "2024-08-22T14:12:07.750+02:00"
  /// The same time as UNIX time: 19957 days, 12 h 12 min 7.75 s.
  private static let unix: Double = 1_724_328_727.75

  @Test("each sensor has its own timestamp, and rows with the same timestamp are one sample")
  func stamps() throws {
    let path = write(
      Self.accelerometer + Self.gyroscope + Self.magnetometer,
      [
        "\(Self.time),100.5,0.125,0.25,-1,100.25,1,2,3,99.75,-20,5,-40",
        "\(Self.time),100.5,0.125,0.25,-1,100.5,4,5,6,99.75,-20,5,-40",
        "\(Self.time),101.5,0,0,-1,101,7,8,9,101,-21,5,-40",
      ], lineEnd: "\r\n")
    let reader = try openLog(path: path)
    #expect(reader.description.format == "sensorlog" && reader.description.epoch == Self.unix - 100.5)
    let samples = try readAll(reader as! SensorLogReader)
    #expect(samples[.accelerometer].map(\.time) == [100.5, 101.5])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0.125, 0.25, -1), Vector3(0, 0, -1)])
    #expect(samples[.gyroscope].map(\.time) == [100.25, 100.5, 101])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)])
    #expect(samples[.magnetometer].map(\.time) == [99.75, 101] && samples[.gyroscope].map(\.line) == [2, 3, 4])
  }

  @Test("Core Motion's own values are unchanged: quaternion x, y, z, w, field with its accuracy, heading")
  func deviceMotion() throws {
    let path = write(
      Self.accelerometer + Self.motion,
      [
        "\(Self.time),5,0,0,-1,5.5,0,0,0,1,2,3,0.5,0,0,CMAttitudeReferenceFrameXTrueNorthZVertical,"
          + "0,0,0.6,0.8,0,0,-1,10,20,-40,270,2"
      ])
    var reader = try SensorLogReader(path: path)
    let samples = try readAll(&reader)
    #expect(samples[.deviceAttitude].map(\.quaternion) == [Quaternion(x: 0, y: 0, z: 0.6, w: 0.8)])
    #expect(samples[.deviceGravity].map(\.vector) == [Vector3(0, 0, -1)])
    #expect(samples[.deviceUserAcceleration].map(\.vector) == [Vector3(0.5, 0, 0)])
    #expect(samples[.deviceRotationRate].map(\.vector) == [Vector3(1, 2, 3)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(10, 20, -40)])
    #expect(samples[.calibratedMagneticField][0].w == 2 && samples[.deviceHeading].map(\.x) == [270])
    // Without columns of a gyroscope, the device motion provides the rate.
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3)] && samples[.gyroscope].map(\.time) == [5.5])
    #expect(reader.description.notes.contains { $0.contains("replaced by the device's rotation rate") })
    #expect(reader.description.notes.contains { $0.contains("XTrueNorthZVertical") })
  }

  @Test("in a watch's file of device motion, the raw acceleration is gravity + user acceleration")
  func watch() throws {
    let names =
      ["motionTimestamp_sinceReboot(s)"] + Self.axes("motionRotationRate", "(rad/s)")
      + Self.axes("motionUserAcceleration", "(G)") + Self.axes("motionGravity", "(G)")
    let path = write(names, ["\(Self.time),5,1,2,3,0.5,0,0,0,0,-1", "\(Self.time),6,1,2,3,0.25,0,0,0,-1,0"])
    let samples = try readAll(SensorLogReader(path: path))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0.5, 0, -1), Vector3(0.25, -1, 0)])
  }

  @Test("null, empty fields, −1 and −9999 are counted without a sample; a single component of −1 is valid")
  func missing() throws {
    let path = write(
      Self.accelerometer + Self.gyroscope,
      [
        "\(Self.time),100,-1,-1,-1,0,0,0,0", "\(Self.time),101,null,null,null,-1,-1,-1,-1",
        "\(Self.time),102,0,-9999,0,,,,", "\(Self.time),103,0,0,-1,null,null,null,null",
        "\(Self.time),104,0,0,,104,nan,0,0",
      ])
    var reader = try SensorLogReader(path: path)
    let samples = try readAll(&reader)
    #expect(samples[.accelerometer].map(\.time) == [103])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1)])
    // NaN is passed on; other code handles invalid values.
    #expect(samples[.gyroscope].map(\.time) == [104] && samples[.gyroscope][0].x.isNaN)
    #expect(reader.emptyCounts == [.accelerometer: 4, .gyroscope: 4])
  }

  @Test("unordered rows are passed on; an incomplete last line and a comma after each row are not damage")
  func tolerance() throws {
    let header = "loggingTime(txt)," + Self.accelerometer.joined(separator: ",") + ",\n"
    let path = folder.write("\u{FEFF}" + header + "x,2,0,0,-1,\nx,1,0,0,-1,\n\nx,3,0,0", to: "log.csv")
    var reader = try SensorLogReader(path: path)
    let samples = try readAll(&reader)
    #expect(samples.map(\.time) == [2, 1])
    #expect(reader.description.epoch == nil)
    #expect(reader.description.notes.contains("line 5: the last line is cut off and was left out"))
    folder.write(header + "x,2,0,0,-1,\nx,3,0,0,-1,7\n", to: "log.csv")
    let error = logError(of: try readAll(SensorLogReader(path: path)))
    #expect(error?.description == "\(path):3: 6 fields instead of 5; correct or remove the line")
    folder.write(header + "x,2,0,a,-1,\n", to: "log.csv")
    let word = logError(of: try readAll(SensorLogReader(path: path)))
    #expect(word?.description.hasPrefix("\(path):2:4: \"a\" is not a number; ") == true)
    folder.write(header, to: "log.csv")
    let empty = logError(of: try readAll(SensorLogReader(path: path)))
    #expect(empty?.problem == "the file has a header but no rows")
    folder.write("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n", to: "log.csv")
    #expect(
      logError(of: try readAll(SensorLogReader(path: path)))?.problem.hasPrefix("no columns of SensorLog") == true)
    #expect(try openLog(path: path).description.format == "canonical-csv")
  }

  @Test("other sensors' samples are reported when they are new, in the channels' units, on the log's clock")
  func otherSensors() throws {
    let names =
      Self.accelerometer + [
        "locationTimestamp_since1970(s)", "locationLatitude(WGS84)", "locationLongitude(WGS84)", "locationSpeed(m/s)",
        "locationHeadingTimestamp_since1970(s)", "locationTrueHeading(°)", "locationMagneticHeading(°)",
        "altimeterTimestamp_sinceReboot(s)", "altimeterRelativeAltitude(m)", "altimeterPressure(kPa)",
        "pedometerNumberofSteps(N)", "pedometerCurrentPace(s/m)", "activityTimestamp_sinceReboot(s)", "activity(txt)",
        "activityActivityConfidence(Z)", "batteryLevel(R)", "batteryState(N)", "label(N)",
      ]
    let unix = Self.unix
    let tail = "98,0.5,101.5,4,null,99,walking,2,0.5,1"
    let path = write(
      names,
      [
        "\(Self.time),100,0,0,-1,\(unix - 0.25),47.5,8.25,-1,\(unix),90,88,\(tail),0",
        "\(Self.time),101,0,0,-1,\(unix - 0.25),47.5,8.25,-1,\(unix),90,88,\(tail),0",
        "\(Self.time),102,0,0,-1,\(unix + 1.5),47.5,8.25,1.5,\(unix),90,88,101.5,1,101.25,6,0.5,99,walking,2,0.5,1,3",
      ])
    let options = with(LogOptions()) { $0.auxiliary = AuxiliaryChannel.ofLogs }
    let (samples, motion, description) = try readAuxiliary(SensorLogReader(path: path, options: options))
    #expect(motion == 3)
    let channels: Set<AuxiliaryChannel> = [
      .location, .compass, .barometer, .pedometer, .activity, .battery, .annotation,
    ]
    #expect(description.auxiliaryChannels == channels)
    #expect(samples.of(.location).map { ($0.time * 1e3).rounded() } == [99_750, 101_500])
    #expect(samples.of(.location).map { $0["speed"] } == [-1, 1.5])
    #expect(samples.of(.location).map { $0["latitude"] } == [47.5, 47.5])
    #expect(samples.of(.compass).map { $0["trueHeading"] } == [90])
    #expect(samples.of(.barometer).map(\.time) == [98, 101.5])
    #expect(samples.of(.barometer).map { $0["pressure"] } == [101.5, 101.25])
    // Samples without their own timestamp have the row's newest.
    #expect(samples.of(.pedometer).map(\.time) == [100, 102])
    #expect(samples.of(.pedometer).map { $0["numberOfSteps"] } == [4, 6])
    #expect(samples.of(.pedometer)[0]["currentPace"].isNaN && samples.of(.activity).map(\.time) == [99])
    #expect(samples.of(.activity)[0]["activityWalking"] == 1 && samples.of(.battery).map { $0["batteryState"] } == [1])
    #expect(samples.of(.annotation).map { $0[text: "annotation"] } == ["0", "3"])
  }

  @Test("a watch's altimeter, which counts from 2001, is converted to the log's clock")
  func watchAltimeter() throws {
    let path = write(
      Self.accelerometer + ["altimeterTimestamp_sinceReboot(s)", "altimeterPressure(kPa)"],
      ["\(Self.time),100,0,0,-1,\(Self.unix - 978_307_200 - 0.5),101"])
    let options = with(LogOptions()) { $0.auxiliary = [.barometer] }
    let (samples, _, _) = try readAuxiliary(SensorLogReader(path: path, options: options))
    #expect(samples.map(\.time) == [99.5])
  }

  @Test(
    "all formats of a row's time are parsed",
    arguments: [
      ("1970-01-01 00:00:00", 0.0, false), ("1970-01-02T00:00:01Z", 86_401, true),
      ("2000-02-29 12:00:00.500 +0000", 951_825_600.5, true), ("2000-03-01 01:00:00 +01:00", 951_868_800, true),
      ("2023-06-09 06:59:15.25 -0330", 1_686_306_555.25, true),
    ])
  func loggingTime(text: String, seconds: Double, hasOffset: Bool) {
    let found = LoggingTime.seconds(text)
    #expect(found?.seconds == seconds && found?.hasOffset == hasOffset)
  }

  @Test(
    "an invalid time is refused",
    arguments: ["", "null", "2023-06-09", "2023-13-01 00:00:00", "2023-06-09 06:59:15 +25:00", "2023-06-09 06:59:15 x"])
  func noLoggingTime(text: String) { #expect(LoggingTime.seconds(text)?.seconds == nil) }
}
