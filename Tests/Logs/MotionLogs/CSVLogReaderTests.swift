import Foundation
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Opens a CSV in memory.
func csv(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> CSVLogReader {
  try CSVLogReader(scanner: LineScanner(bytes: text.utf8, name: "log.csv"), path: "log.csv", options: options)
}

extension LogReader {
  /// Reads the samples up to the end. The description, counts and progress are then those of the end.
  mutating func remainingSamples() throws(LogError) -> [SensorSample] {
    var samples: [SensorSample] = []
    while try read(into: &samples) {}
    return samples
  }
}

@Suite("The canonical CSV and Core Motion's names") struct CSVLogReaderTests {
  private static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,"
    + "magneticFieldX,magneticFieldY,magneticFieldZ"

  private let expected = [
    SensorSample(time: 0.5, channel: .gyroscope, x: 0.4, y: 0.5, z: 0.6),
    SensorSample(time: 0.5, channel: .accelerometer, x: 0.1, y: 0.2, z: -1),
    SensorSample(time: 0.5, channel: .magnetometer, x: 20, y: -5, z: -40),
  ]

  @Test("values are read unchanged, in Core Motion's units and sign, with their line number")
  func canonical() throws {
    var reader = try csv("\(Self.header)\n0.5,0.1,0.2,-1,0.4,0.5,0.6,20,-5,-40\n")
    #expect(reader.description.format == "canonical-csv" && reader.description.notes == [])
    var samples: [SensorSample] = []
    #expect(try reader.read(into: &samples))
    #expect(samples == expected && samples.allSatisfy { $0.line == 2 })
    #expect(try !reader.read(into: &samples))
    #expect(reader.progress == 1)
  }

  @Test(
    "line ends, byte order mark, quotes, blanks and separators make no difference",
    arguments: [
      "\u{FEFF}H\r\n0.5,0.1,0.2,-1,0.4,0.5,0.6,20,-5,-40\r\n", "H\n0.5, 0.1, 0.2, -1, 0.4, 0.5, 0.6, 20, -5, -40",
      "H\n\n\"0.5\",\"0.1\",0.2,-1,0.4,0.5,0.6,20,-5,-40\n\n", "sep=;\nh;\n0.5;0.1;0.2;-1;0.4;0.5;0.6;20;-5;-40",
      "h;\n0,5;0,1;0,2;-1;0,4;0,5;0,6;20;-5;-40", "h\t\n0.5\t0.1\t0.2\t-1\t0.4\t0.5\t0.6\t20\t-5\t-40",
      "h\t\n0,5\t0,1\t0,2\t-1,0\t0,4\t0,5\t0,6\t2e1\t-5\t-40", "h \n0.5   0.1 0.2 -1 0.4 0.5 0.6 20 -5 -40\n",
      "h,\n0.5,0.1,0.2,-1,0.4,0.5,0.6,20,-5,-40\r",
    ])
  func dialects(text: String) throws {
    var text = text.replacingOccurrences(of: "H", with: Self.header)
    if let position = text.firstIndex(of: "h") {
      let separator = text[text.index(after: position)]
      let quoted = Self.header.split(separator: ",").map { "\"\($0)\"" }.joined(separator: String(separator))
      text.replaceSubrange(position...text.index(after: position), with: quoted)
    }
    #expect(try readAll(csv(text)) == expected)
  }

  @Test("columns may have any order, and a log may have a single channel")
  func subset() throws {
    let reordered = """
      magneticFieldZ,rotationRateX,accelerationZ,time,accelerationX,rotationRateZ,magneticFieldX,accelerationY,\
      rotationRateY,magneticFieldY
      -40,0.4,-1,0.5,0.1,0.6,20,0.2,0.5,-5
      """
    #expect(try readAll(csv(reordered)) == expected)
    let accelerationOnly = try csv("time,accelerationX,accelerationY,accelerationZ\n0.5,0.1,0.2,-1")
    #expect(try readAll(accelerationOnly) == [expected[1]])
  }

  @Test("an empty or missing field is counted without a sample; NaN and infinity are passed on")
  func missingValues() throws {
    let rows = """
      \(Self.header)
      0,0,0,-1,1,1,1,,,
      1,,,,2,null,2,1,2,3
      2,nan,0,inf,3,3,3,,NA,3
      """
    var reader = try csv(rows)
    let samples = try reader.remainingSamples()
    #expect(samples[.gyroscope].map(\.time) == [0, 2] && samples[.accelerometer].map(\.time) == [0, 2])
    #expect(samples[.magnetometer].map(\.time) == [1] && samples[.accelerometer][1].x.isNaN)
    #expect(samples[.accelerometer][1].z == .infinity)
    #expect(reader.emptyCounts == [.gyroscope: 1, .accelerometer: 1, .magnetometer: 2])
  }

  @Test("a decimal comma that first appears late in the file is recognized")
  func lateDecimalComma() throws {
    let text = "time;accelerationX;accelerationY;accelerationZ\n0;0;0;-1\n0,01;0,5;0;-1\n"
    #expect(try readAll(csv(text)).map(\.x) == [0, 0.5] && readAll(csv(text)).map(\.time) == [0, 0.01])
  }

  @Test("UNIX time in whole nanoseconds becomes exact seconds since the first sample")
  func unixNanoseconds() throws {
    let text = """
      time,accelerationX,accelerationY,accelerationZ
      1700000000000000001,0,0,-1
      1700000000010000002,0,0,-1
      1699999999999999999,0,0,-1
      """
    let reader = try csv(text)
    #expect(reader.description.epoch == 1.7e9)
    #expect(reader.description.notes == ["time: UNIX nanoseconds, to seconds since the first sample"])
    #expect(try readAll(reader).map(\.time) == [0, 0.010000001, -2e-9])
  }

  @Test("in a device-motion log, raw acceleration is gravity + user acceleration, and the rate is used twice")
  func deviceMotion() throws {
    let text = """
      time,quaternionX,quaternionY,quaternionZ,quaternionW,gravityX,gravityY,gravityZ,userAccelerationX,\
      userAccelerationY,userAccelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,\
      magneticFieldY,magneticFieldZ,magneticFieldAccuracy,heading
      1,0,0,0,1,0.25,0,-1,0.5,0,0.125,1,2,3,20,0,-40,2,270
      2,0,0,0,1,0,0,-1,0,0,0,1,2,3,,,,-1,-1
      """
    let reader = try csv(text)
    #expect(reader.description.format == "device-motion-csv")
    let samples = try readAll(reader)
    #expect(samples[.accelerometer][0] == SensorSample(time: 1, channel: .accelerometer, x: 0.75, y: 0, z: -0.875))
    #expect(samples[.deviceGravity][0].x == 0.25 && samples[.deviceUserAcceleration][0].z == 0.125)
    #expect(samples[.gyroscope].map(\.vector) == samples[.deviceRotationRate].map(\.vector))
    #expect(samples[.deviceAttitude][0].quaternion == .init(x: 0, y: 0, z: 0, w: 1) && samples[.magnetometer].isEmpty)
    #expect(samples[.calibratedMagneticField].map(\.w) == [2] && samples[.deviceHeading].map(\.x) == [270, -1])
  }

  @Test("Euler angles determine the attitude by Core Motion's rule, and gravity if the log lacks it")
  func euler() throws {
    // An iPhone's row with its angles, quaternion and gravity (core-motion.md, section 8).
    let text = """
      attitude.roll,attitude.pitch,attitude.yaw,userAcceleration.x,userAcceleration.y,userAcceleration.z
      0.02477636033810466,1.014300952474275,0.1349823786804867,0,0,0
      """
    let options = with(LogOptions()) { $0.sampleRate = 50 }
    let samples = try readAll(csv(text, options))
    let attitude = try #require(samples[.deviceAttitude].first).quaternion
    let apple = Quaternion(x: 0.4838151227024397, y: 0.04355626154402893, z: 0.06494984821958465, w: 0.8716692886429774)
    // Apple's quaternion is a unit quaternion to single precision.
    #expect(isSameRotation(attitude, apple, within: 1e-7))
    let gravity = try #require(samples[.accelerometer].first)
    #expect(abs(gravity.x - 0.0130858737975359) < 1e-7 && abs(gravity.y + 0.8491114974021912) < 1e-7)
    #expect(abs(gravity.z + 0.5280515551567078) < 1e-7)
  }

  @Test("a table of time and quaternion is a reference, with movement if present")
  func reference() throws {
    let text = "time,quaternionX,quaternionY,quaternionZ,quaternionW,movement\n0,0.5,-0.5,0.5,0.5,1\n1,,,,,0\n"
    let reader = try csv(text)
    #expect(reader.description.format == "reference-csv")
    let samples = try readAll(reader)
    #expect(samples[.referenceAttitude].map(\.quaternion) == [.init(x: 0.5, y: -0.5, z: 0.5, w: 0.5)])
    #expect(samples[.movement].map(\.x) == [1, 0] && samples.count == 3)
  }

  @Test("a log of many batches preserves every row and its line number")
  func manyRows() throws {
    let rows = (0..<5000).map { "\(Double($0) / 100),\($0),0,-1" }
    let text = "time,accelerationX,accelerationY,accelerationZ\n" + rows.joined(separator: "\n")
    let samples = try readAll(csv(text))
    #expect(samples.map(\.x) == (0..<5000).map(Double.init) && samples.map(\.line) == (2..<5002).map(UInt32.init))
  }

  @Test("rows without any sample do not end the log")
  func emptyRows() throws {
    let rows = Array(repeating: "0,,,", count: 3000).joined(separator: "\n")
    let text = "time,accelerationX,accelerationY,accelerationZ\n\(rows)\n9,0,0,-1"
    #expect(try readAll(csv(text)).map(\.time) == [9])
  }
}
