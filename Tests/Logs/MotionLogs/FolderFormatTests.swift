import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

extension TemporaryFolder {
  /// Creates a subfolder.
  func make(_ name: String) {
    try! FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }
}

@Suite("EuRoC folders") struct EuRoCReaderTests {
  private let folder = TemporaryFolder()
  private static let start: Int64 = 1_403_636_579_758_555_392
  static let header =
    "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],"
    + "a_RS_S_z [m s^-2]\n"

  private func writeRecording(reference: String = "state_groundtruth_estimate0", from: Int64 = start) {
    folder.make("mav0/imu0")
    folder.make("mav0/\(reference)")
    let rows = (0..<3).map { "\(Self.start + Int64($0) * 5_000_000),1,2,3,9.80665,0,0\n" }.joined()
    folder.write((Self.header + rows).replacing("\n", with: "\r\n"), to: "mav0/imu0/data.csv")
    folder.write(
      "%YAML:1.0\nsensor_type: imu\nrate_hz: 200 # Hz\ngyroscope_noise_density: 1.6968e-04\n",
      to: "mav0/imu0/sensor.yaml")
    let truth =
      "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z [], "
      + "v_RS_R_x [m s^-1], b_w_RS_S_x [rad s^-1], b_a_RS_S_x [m s^-2]\n"
    folder.write(
      truth + "\(from + 2_500_000),1,2,3,0.8,0.6,0,0,9,9,9\n\(from + 7_500_000),1,2,3,0.8,0,0.6,0,9,9,9\n",
      to: "mav0/\(reference)/data.csv")
  }

  @Test(
    "sensor and reference have the same clock, and w comes first", arguments: ["", "/mav0"],
    ["state_groundtruth_estimate0", "mocap0"])
  func recording(inner: String, reference: String) throws {
    writeRecording(reference: reference)
    let (samples, description, _) = try readLog(folder.path + inner)
    #expect(description.format == "euroc" && description.referenceFrame == "nwu" && description.declaredRate == 200)
    #expect(description.epoch == Double(Self.start) / 1e9)
    #expect(description.notes.contains { $0.contains("gyroscope_noise_density 0.00016968 rad/s/√Hz") })
    #expect(samples[.gyroscope].map(\.time) == [0, 0.005, 0.01] && samples[.gyroscope][0].vector == Vector3(1, 2, 3))
    #expect(samples[.accelerometer][0].vector == Vector3(-1, 0, 0))
    #expect(samples[.referenceAttitude].map(\.time) == [0.0025, 0.0075])
    #expect(samples[.referenceAttitude][1].quaternion == Quaternion(x: 0, y: 0.6, z: 0, w: 0.8))
    #expect(samples.map(\.time) == samples.map(\.time).sorted())
  }

  @Test("a sensor's folder without a reference is noted")
  func sensorAlone() throws {
    writeRecording()
    let (samples, description, _) = try readLog(folder.path("mav0/imu0"))
    #expect(samples[.accelerometer].count == 3 && samples[.referenceAttitude].isEmpty)
    #expect(description.notes.contains("reference: none next to the sensor"))
  }

  @Test("a search finds the recording once")
  func search() throws {
    writeRecording()
    #expect(try LogFeed.logs(at: folder.path) == [folder.path])
  }

  @Test("a reference with another origin of time and a folder of other files are refused")
  func refusals() {
    writeRecording(from: 0)
    #expect(openError(folder.path)?.problem == "sensor and reference count time from different moments")
    let other = TemporaryFolder()
    let missing = logError { () throws(LogError) in try LogFormat.euroc.reader(of: other.path) }
    #expect(missing?.problem == "no inertial sensor in this folder (found: nothing)")
  }
}

@Suite("x-IMU3 folders") struct XIMU3ReaderTests {
  private let folder = TemporaryFolder()

  private func writeInertial() {
    folder.write(
      "Timestamp (us),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),Accelerometer X (g),"
        + "Accelerometer Y (g),Accelerometer Z (g)\n"
        + "19810558,180.000000,0.000000,0.000000,0.500000,0.000000,1.000000\n"
        + "19820558,0.000000,-90.000000,0.000000,0.000000,0.000000,1.000000\n", to: "Inertial.csv")
  }

  @Test("every kind of message becomes its channel: deg/s, g of specific force, w first")
  func channels() throws {
    writeInertial()
    folder.write("Timestamp (us),W,X,Y,Z\n19815558,0.8,0.6,0,0\n", to: "Quaternion.csv")
    folder.write("Timestamp (us),X (a.u.),Y (a.u.),Z (a.u.)\n19815600,0.5,0,-0.8\n", to: "Magnetometer.csv")
    folder.write("Timestamp (us),X (g),Y (g),Z (g)\n19815600,0,0,1\n", to: "HighGAccelerometer.csv")
    folder.write(
      "Timestamp (us),Percentage (%),Voltage (V),Charging Status\n19810558,50,4.015712,0\n", to: "Battery.csv")
    folder.write("Timestamp (us),Temperature (degC)\n19810559,41.125\n", to: "Temperature.csv")
    folder.write("Timestamp (us),Percentage (%),Power (dBm)\n19820000,100,-44\n", to: "Rssi.csv")
    let (samples, description, _) = try readLog(folder.path)
    #expect(description.format == "x-imu3" && description.referenceFrame == "nwu")
    #expect(samples[.gyroscope].map(\.time) == [19.810558, 19.820558])
    #expect(isNear(samples[.gyroscope][0].vector, Vector3(Double.pi, 0, 0), within: 1e-15))
    #expect(samples[.accelerometer][0].vector == Vector3(-0.5, 0, -1))
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.6, y: 0, z: 0, w: 0.8))
    #expect(samples[.magnetometer].isEmpty)
    #expect(description.notes.contains("magnetometer: in arbitrary units, not read; --field-unit if they are known"))
    #expect(description.notes.contains("not read: HighGAccelerometer.csv"))
    let reported = with(LogOptions()) { ($0.fieldUnit, $0.auxiliary) = (.gauss, AuxiliaryChannel.ofLogs) }
    let (field, _, _) = try readLog(folder.path, reported)
    #expect(field[.magnetometer][0].vector == Vector3(50, 0, -80))
    let (auxiliary, _, opened) = try readAuxiliary(LogFormat.xIMU3.reader(of: folder.path, options: reported))
    #expect(opened.auxiliaryChannels == [.battery, .temperature, .wifi])
    #expect(auxiliary.of(.battery)[0]["batteryLevel"] == 0.5 && auxiliary.of(.battery)[0]["batteryVoltage"] == 4.015712)
    #expect(auxiliary.of(.temperature)[0]["temperature"] == 41.125 && auxiliary.of(.temperature)[0].time == 19.810559)
    #expect(auxiliary.of(.wifi)[0]["wifiRSSI"] == -44)
  }

  @Test("without quaternions the angles determine the attitude; a disabled message has no rows")
  func angles() throws {
    writeInertial()
    folder.write("Timestamp (us),Roll (deg),Pitch (deg),Yaw (deg)\n19815558,0,0,90\n", to: "EulerAngles.csv")
    let (samples, _, _) = try readLog(folder.path)
    #expect(isNear(samples[.deviceAttitude][0].quaternion.rotate(Vector3(1, 0, 0)), Vector3(0, 1, 0), within: 1e-15))
    folder.write("Timestamp (us),W,X,Y,Z\n", to: "Quaternion.csv")
    let (none, description, _) = try readLog(folder.path)
    #expect(none[.deviceAttitude].isEmpty && description.notes.contains("Quaternion.csv has no rows"))
  }
}

@Suite("iOS motion records") struct MotionRecordsTests {
  private let folder = TemporaryFolder()

  static func record(_ time: String, relative: String = "0.5") -> String {
    "{\"recordTimestamp\":\(time),\"attitude\":{\"roll\":0,\"pitch\":0,\"yaw\":0.5},\"altitude\":{\"pressure\":99.5,"
      + "\"relativeAltitude\":\(relative)},\"rotationRate\":{\"x\":1,\"y\":2,\"z\":3},\"accelerationWithOutGravity\":"
      + "{\"x\":0.25,\"y\":0,\"z\":0}}"
  }

  static func clip(_ records: [String]) -> String {
    "{\"id\":\"A\\u00e9\\n\",\"maxSamples\":65536,\"label\":\"\",\"motionRecords\":["
      + records.joined(separator: ",\n ") + "],\"sampleRate\":50,\"source\":\"iPhone\"}"
  }

  @Test("a record becomes Core Motion's samples; the altitude is reported at each change")
  func clip() throws {
    let text = Self.clip([
      Self.record("1663583411.5"), Self.record("1663583411.75"), Self.record("1663583412", relative: "1e0"),
    ])
    let path = folder.write(text, to: "clip.json")
    let (samples, description, _) = try readLog(path)
    #expect(description.format == "motion-records-json" && description.declaredRate == 50 && description.epoch == 0)
    #expect(samples[.gyroscope].map(\.time) == [1_663_583_411.5, 1_663_583_411.75, 1_663_583_412])
    #expect(samples[.gyroscope][0].vector == Vector3(1, 2, 3))
    #expect(isNear(samples[.accelerometer][0].vector, Vector3(0.25, 0, -1), within: 1e-15))
    #expect(isNear(samples[.deviceAttitude][0].z, sin(0.25), within: 1e-15))
    let (altitude, _, _) = try readAuxiliary(
      openLog(path: path, options: with(LogOptions()) { $0.auxiliary = [.barometer] }))
    #expect(altitude.map { $0["relativeAltitude"] } == [0.5, 1] && altitude.map { $0["pressure"] } == [99.5, 99.5])
  }

  @Test("missing values yield no sample; a clip is read up to a cut; invalid records are refused with their location")
  func damage() throws {
    let poor = Self.clip(["{\"recordTimestamp\":1,\"rotationRate\":{\"x\":1,\"y\":null,\"z\":3}}", Self.record("2")])
    let (samples, _, empty) = try readLog(folder.write(poor, to: "poor.json"))
    #expect(samples[.gyroscope].map(\.time) == [2] && empty[.gyroscope] == 1 && empty[.accelerometer] == 1)
    let cut = String(Self.clip([Self.record("1"), Self.record("2")]).dropLast(60))
    let (whole, description, _) = try readLog(folder.write(cut, to: "cut.json"))
    #expect(whole[.gyroscope].count == 1)
    #expect(description.notes.last == "the file is cut off: 1 complete records were read")
    let path = folder.write(Self.clip([Self.record("1"), "7"]), to: "seven.json")
    let error = logError { () throws(LogError) in try readLog(path).samples }
    #expect(error?.line == 2 && error?.problem == "a motion record is not an object")
  }
}

@Suite("JSON, token by token") struct JSONScannerTests {
  private func tokens(_ text: String) throws(LogError) -> [String] {
    let scanner = JSONScanner(bytes: Array(text.utf8), name: "a.json")
    var tokens: [String] = []
    while let kind = try scanner.advance() {
      switch kind {
      case .key, .string: tokens.append("\(kind) \(scanner.string)")
      case .number: tokens.append("\(scanner.number)")
      default: tokens.append("\(kind)")
      }
    }
    return tokens
  }

  @Test("values and names are returned in order")
  func values() throws {
    #expect(
      try tokens("\u{FEFF} {\"a\" : [1, -2.5e1, true, false, null], \"b\\\"\":{}, \"c\":[]}\r\n") == [
        "beginObject", "key a", "beginArray", "1.0", "-25.0", "yes", "no", "null",
        "endArray", "key b\"", "beginObject", "endObject", "key c", "beginArray", "endArray", "endObject",
      ])
  }

  @Test(
    "invalid JSON is refused",
    arguments: [
      "{\"a\" 1}", "{1:2}", "[1 2]", "[1,]", "{\"a\":1,}", "[}", "[nan]", "[+1]", "[\"\\x\"]", "[\"\\u12g4\"]", "1 2",
      String(repeating: "[", count: 100),
    ])
  func errors(text: String) { #expect(logError { () throws(LogError) in try tokens(text) } != nil) }

  @Test("JSON that ends within a value is incomplete")
  func incomplete() throws {
    for text in ["{\"a\":", "[1, 2", "[\"abc", "{\"a", "[tru"] {
      let scanner = JSONScanner(bytes: Array(text.utf8), name: "a.json")
      while try scanner.advance() != nil {}
      #expect(!scanner.isComplete)
    }
  }
}

@Suite("Rows of 32-bit floats") struct FloatRowsTests {
  private let folder = TemporaryFolder()

  private func bytes(_ rows: Int) -> [UInt8] {
    (0..<rows).flatMap { row -> [UInt8] in
      let values: [Float] = [180, 0, Float(row) / 16, 0, 0, 1]
      return values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    }
  }

  @Test("columns and rate are requested, and then the file is read")
  func rows() throws {
    let path = folder.write(bytes(2000) + [1, 2], to: "static.bin")
    let error = openError(path)
    #expect(error?.remedy.contains("--columns") == true && error?.remedy.contains("--sample-rate") == true)
    let reported = with(LogOptions()) {
      $0.columns = ["gyroX (deg/s)", "gyroY (deg/s)", "gyroZ (deg/s)", "accX (g)", "accY (g)", "accZ (g)"]
      $0.sampleRate = 100
    }
    let (samples, description, _) = try readLog(path, reported)
    #expect(description.format == "float32-rows" && description.declaredRate == 100)
    #expect(description.notes.contains("the last row is cut off: 2 bytes were left out"))
    #expect(samples[.gyroscope].count == 2000 && samples[.gyroscope].last?.time == 19.99)
    #expect(isNear(samples[.gyroscope][16].vector, Vector3(Double.pi, 0, Double.pi / 180), within: 1e-15))
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1))
  }

  @Test("other bytes are not recognized as floats")
  func others() throws {
    let noise = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let zip = [0x50, 0x4B, 0x03, 0x04] + bytes(100)
    for other in [noise, zip, Array("time,x\n".utf8)] {
      #expect(!FloatRowsReader.recognizes(try LogCandidate(path: folder.write(other, to: "other.bin"))))
    }
  }
}
