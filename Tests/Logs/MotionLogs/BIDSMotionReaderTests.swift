import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("BIDS-Motion recordings") struct BIDSMotionReaderTests {
  private let folder = TemporaryFolder()
  private static let stem = "sub-01_task-walk_tracksys-imu"
  private static let header = "name\tcomponent\ttype\ttracked_point\tunits\n"

  private static func axes(_ name: String, _ type: String, _ point: String, _ units: String) -> String {
    ["x", "y", "z"].map { "\(name)_\($0)\t\($0)\t\(type)\t\(point)\t\(units)\n" }.joined()
  }

  private func write(_ channels: String, _ rows: String, _ facts: String? = "{\"SamplingFrequency\": 50}") -> String {
    folder.write(channels, to: Self.stem + "_channels.tsv")
    if let facts { folder.write(facts, to: Self.stem + "_motion.json") }
    return folder.write(rows, to: Self.stem + "_motion.tsv")
  }

  @Test("channels.tsv specifies the columns and their units; time is row number / rate")
  func channels() throws {
    let channels =
      Self.header + Self.axes("gyro", "GYRO", "LeftFoot", "deg/s") + "foot_px\tx\tPOS\tLeftFoot\tm\n"
      + Self.axes("acc", "ACCEL", "LeftFoot", "m/s^2") + Self.axes("mag", "MAGN", "LeftFoot", "uT")
    let path = write(channels, "180\t0\t0\t7\t0\t0\t9.80665\t1\t2\t3\n0\t0\t180\t7\t9.80665\t0\t0\tn/a\tn/a\tn/a\n")
    var reader = try BIDSMotionReader(path: path)
    let samples = try reader.remainingSamples()
    #expect(samples[.gyroscope].map(\.time) == [0, 0.02])
    #expect(isNear(samples[.gyroscope][1].vector, Vector3(0, 0, .pi), within: 1e-15))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(-1, 0, 0)])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(1, 2, 3)])
    #expect(reader.emptyCounts[.magnetometer] == 1 && reader.description.format == "bids-motion")
    #expect(reader.description.notes.contains("channels not read: foot_px"))
    #expect(reader.description.notes.contains { $0.contains("interpreted as specific force") } && reader.progress == 1)
  }

  @Test("a LATENCY channel is the clock; the measured rate precedes the nominal one, an option both")
  func clock() throws {
    let sensor = Self.axes("acc", "ACCEL", "head", "g")
    let facts = "{\"SamplingFrequencyEffective\" : 40.0,\n \"SamplingFrequency\":50 }"
    func times(_ channels: String, _ rows: String, _ facts: String?, _ rate: Double? = nil) throws -> [Double] {
      let options = with(LogOptions()) { $0.sampleRate = rate }
      return try readAll(BIDSMotionReader(path: write(Self.header + channels, rows, facts), options: options)).map(
        \.time)
    }
    let rows = "0\t0\t1\n0\t0\t1\n"
    #expect(try times(sensor, rows, facts) == [0, 0.025] && times(sensor, rows, facts, 10) == [0, 0.1])
    #expect(
      try times(sensor, rows, "{\"SamplingFrequencyEffective\": \"n/a\", \"SamplingFrequency\": 4}") == [0, 0.25])
    let latency = "latency\tn/a\tLATENCY\tn/a\ts\n" + sensor
    #expect(try times(latency, "0.5\t0\t0\t1\n0.75\t0\t0\t1\n", facts) == [0.5, 0.75])
    let milliseconds = "latency\tn/a\tLATENCY\tn/a\tms\n" + sensor
    #expect(try times(milliseconds, "500\t0\t0\t1\n", facts) == [0.5])
    try FileManager.default.removeItem(atPath: folder.path(Self.stem + "_motion.json"))
    let error = logError { () throws(LogError) in try BIDSMotionReader(path: write(Self.header + sensor, rows, nil)) }
    #expect(error?.remedy == "give --sample-rate HZ if the rows are evenly spaced, or add a LATENCY channel")
  }

  @Test("of several tracked points, the first with acceleration is read and the others are reported")
  func trackedPoints() throws {
    let channels =
      Self.header + Self.axes("marker", "POS", "Marker", "m") + Self.axes("l", "ACCEL", "LeftFoot", "g")
      + Self.axes("r", "ACCEL", "RightFoot", "g") + Self.axes("rg", "GYRO", "RightFoot", "rad/s")
    let reader = try BIDSMotionReader(path: write(channels, "9\t9\t9\t0\t0\t1\t0\t1\t0\t5\t6\t7\n"))
    #expect(reader.description.notes.contains("tracked point: LeftFoot, the first; not read: RightFoot"))
    let samples = try readAll(reader)
    #expect(samples.map(\.channel) == [.accelerometer] && samples[0].vector == Vector3(0, 0, -1))
  }

  @Test("quaternions become attitudes; names identify gravity-free acceleration; Inertial's names have its sign")
  func otherChannels() throws {
    let quaternion = ["w", "x", "y", "z"].map { "q\t quat_\($0)\tORNT\thead\tn/a\n" }.joined()
    let own = ["X", "Y", "Z"].map { "acceleration\($0)\t\($0.lowercased())\tACCEL\thead\tg\n" }.joined()
    let samples = try readAll(
      BIDSMotionReader(path: write(Self.header + own + quaternion, "0\t0\t-1\t0.5\t0.5\t-0.5\t0.5\n")))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1)])
    #expect(samples[.deviceAttitude].map(\.quaternion) == [Quaternion(x: 0.5, y: -0.5, z: 0.5, w: 0.5)])

    let parts = Self.axes("user_acc", "ACCEL", "head", "g") + Self.axes("gravity", "ACCEL", "head", "g")
    let summed = try readAll(BIDSMotionReader(path: write(Self.header + parts, "0.5\t0\t0\t0\t0\t1\n")))
    #expect(summed[.accelerometer].map(\.vector) == [Vector3(-0.5, 0, -1)])
    #expect(summed[.deviceGravity].map(\.vector) == [Vector3(0, 0, -1)])
  }

  @Test("missing and damaged items are reported with file, line and column")
  func damage() throws {
    let sensor = Self.header + Self.axes("acc", "ACCEL", "head", "g")
    func error(_ channels: String, _ rows: String) -> LogError? {
      let path = write(channels, rows)
      return logError { () throws(LogError) in try readAll(BIDSMotionReader(path: path)) }
    }
    let channelsPath = folder.path(Self.stem + "_channels.tsv")
    #expect(error("name\ttype\n", "1\n")?.problem == "no column component (found: name, type)")
    #expect(error(sensor + "short\tx\n", "1\n")?.line == 5 && error(Self.header, "1\n")?.path == channelsPath)
    let count = error(sensor, "0\t0\t1\n0\t0\t1\t2\n")
    #expect(count?.line == 2 && count?.problem == "the line has 4 fields, channels.tsv has 3")
    let word = error(sensor, "0\t0\t1\n0\tup\t1\n")
    #expect(word?.line == 2 && word?.column == 2)
    #expect(
      error(Self.header + Self.axes("acc", "ACCEL", "head", "n/a"), "0\t0\t1\n")?.remedy
        .hasPrefix("give --acceleration-unit g or m/s2") == true)
    #expect(
      logError { () throws(LogError) in try BIDSMotionReader(path: "a.tsv") }?.problem.contains("_motion.tsv") == true)
  }

  @Test("the format is recognized by the companion description")
  func recognition() throws {
    let path = write(Self.header + Self.axes("acc", "ACCEL", "head", "g"), "0\t0\t1\n0\t0\t1\n")
    #expect(try openLog(path: path).description.format == "bids-motion" && LogFeed.logs(at: folder.path) == [path])
    folder.write("a\tb\n", to: Self.stem + "_channels.tsv")
    #expect(!BIDSMotionReader.recognizes(path))
  }
}
