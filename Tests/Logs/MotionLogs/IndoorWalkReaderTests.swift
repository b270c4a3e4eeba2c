import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Walks of Microsoft's indoor location competition") struct IndoorWalkReaderTests {
  private let folder = TemporaryFolder()

  private static let text = """
    #\tstartTime:1574240240107
    #\tBrand:OPPO\tModel:PBCM10\tAndroidName:8.1.0
    1574240240116\tTYPE_WAYPOINT\t135.5\t309.25
    1574240240236\tTYPE_ACCELEROMETER\t4.903325\t-9.80665\t19.6133\t2
    1574240240236\tTYPE_MAGNETIC_FIELD\t6.5\t32.25\t-28.5\t3
    1574240240236\tTYPE_GYROSCOPE\t0.5\t0.25\t0.125\t3
    1574240240236\tTYPE_ROTATION_VECTOR\t0.0\t0.0\t0.6\t3
    1574240240236\tTYPE_MAGNETIC_FIELD_UNCALIBRATED\t-12.5\t48.0\t-393.5\t-19.0\t15.75\t-365.0\t3
    1574240240236\tTYPE_GYROSCOPE_UNCALIBRATED\t0.75\t0.5\t0.25\t0.25\t0.25\t0.125\t3
    1574240240236\tTYPE_ACCELEROMETER_UNCALIBRATED\t0.0\t0.0\t9.80665\t0.0\t0.0\t0.0\t3
    1574240240256\tTYPE_ACCELEROMETER\t0.0\t0.0\t9.80665\t2
    1574240240270\tTYPE_WIFI\tfree wifi\t0e:74:9c:a7:b2:e4\t-43\t5805\t1574240239305
    1574240240280\tTYPE_BEACON\tFDA50693-A4E2\t10073\t61418\t-65\t-82\t5.5\t6B:11:4C:D1:29:F2\t1574240240280
    #\tendTime:1574240268399

    """

  private func reader(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try LogFormat.indoorWalk.reader(of: folder.write(text, to: "walk.txt"), options: options)
  }

  @Test("acceleration is inverted and scaled to g; raw rate and field are uncalibrated; time 0 is the first sample")
  func channels() throws {
    var reader = try reader(Self.text)
    let samples = try reader.remainingSamples()
    // 0.5 g, −1 g, 2 g of specific force.
    let acceleration = samples[.accelerometer]
    #expect(acceleration.map(\.time) == [0, 0.02])
    #expect(isNear(acceleration[0].vector, Vector3(-0.5, 1, -2), within: 1e-15))
    #expect(acceleration[1].vector == Vector3(0, 0, -1) && acceleration[0].line == 4)
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.75, 0.5, 0.25)])
    #expect(samples[.deviceRotationRate].map(\.vector) == [Vector3(0.5, 0.25, 0.125)])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(-12.5, 48, -393.5)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(6.5, 32.25, -28.5)])
    // Android's 3, high, is Core Motion's 2.
    #expect(samples[.calibratedMagneticField][0].w == 2 && reader.description.epoch == 1_574_240_240.236)
    #expect(reader.description.summary == "Microsoft indoor location walk (Android) (OPPO PBCM10)")
    #expect(reader.description.notes.contains { $0.contains("TYPE_ACCELEROMETER_UNCALIBRATED not read") })
    #expect(reader.progress == 1)
  }

  @Test("the rotation vector gets its scalar part and is converted from east, north, up to north, west, up")
  func attitude() throws {
    let q = try readAll(reader(Self.text))[.deviceAttitude][0].quaternion
    // A rotation by 2·asin(0.6) about Z rotates the device's X axis by this angle from east to north.
    let angle = 2 * asin(0.6)
    let east = cos(angle)
    let north = sin(angle)
    #expect(isNear(q.rotate(.unitX), Vector3(north, -east, 0), within: 1e-15))
    let still = "1\tTYPE_ACCELEROMETER\t0\t0\t9.8\n1\tTYPE_ROTATION_VECTOR\t0\t0\t0\t3\n"
    // With the identity attitude, an Android phone's top points north and its X axis east, which is −Y in Inertial.
    let identity = try readAll(reader(still))[.deviceAttitude][0].quaternion
    #expect(isNear(identity.rotate(.unitX), -.unitY, within: 1e-15))
    #expect(isNear(identity.rotate(.unitY), .unitX, within: 1e-15))
  }

  @Test("a rotation vector slightly longer than 1 is a rotation by 180°; a much longer one is invalid")
  func longRotationVector() throws {
    let text =
      "1\tTYPE_ACCELEROMETER\t0\t0\t9.8\n1\tTYPE_ROTATION_VECTOR\t1.0001\t0\t0\n2\tTYPE_ROTATION_VECTOR\t2\t0\t0\n"
    let attitudes = try readAll(reader(text))[.deviceAttitude]
    #expect(isNear(attitudes[0].quaternion.rotate(.unitZ), -.unitZ, within: 1e-3) && attitudes[1].quaternion.w.isNaN)
  }

  @Test("requested waypoints, Wi-Fi and beacons are events")
  func events() throws {
    let options = with(LogOptions()) { $0.auxiliary = [.waypoint, .wifi, .bluetooth, .barometer] }
    let (samples, _, description) = try readAuxiliary(reader(Self.text, options))
    #expect(description.auxiliaryChannels == [.waypoint, .wifi, .bluetooth])
    let waypoint = try #require(samples.of(.waypoint).first)
    #expect(isNear(waypoint.time, -0.12, within: 1e-12))
    #expect(waypoint["waypointX"] == 135.5 && waypoint["waypointY"] == 309.25)
    let wifi = try #require(samples.of(.wifi).first)
    #expect(wifi[text: "wifiSSID"] == "free wifi" && wifi[text: "wifiBSSID"] == "0e:74:9c:a7:b2:e4")
    #expect(wifi["wifiRSSI"] == -43 && wifi["wifiFrequency"] == 5805)
    let beacon = try #require(samples.of(.bluetooth).first)
    #expect(beacon[text: "bluetoothData"] == "FDA50693-A4E2 10073 61418")
    #expect(beacon[text: "bluetoothIdentifier"] == "6B:11:4C:D1:29:F2")
    #expect(beacon["bluetoothTransmitPower"] == -65 && beacon["bluetoothRSSI"] == -82)
    #expect(try readAuxiliary(reader(Self.text)).samples.isEmpty)
  }

  @Test("without uncalibrated lines the calibrated ones are read; without calibrated ones the bias yields them")
  func missingStreams() throws {
    let plain = Self.text.split(separator: "\n").filter { !$0.contains("UNCALIBRATED") }.joined(separator: "\n")
    let calibrated = try reader(plain)
    #expect(calibrated.description.notes.contains { $0.hasPrefix("rotation rate: bias removed by the phone") })
    let samples = try readAll(calibrated)
    #expect(samples[.accelerometer].last?.vector == Vector3(0, 0, -1))
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.5, 0.25, 0.125)])
    #expect(samples[.magnetometer].isEmpty && samples[.deviceRotationRate].isEmpty)
    #expect(samples[.calibratedMagneticField].count == 1)

    let raw = Self.text.split(separator: "\n").filter { !$0.contains("GYROSCOPE\t") && !$0.contains("FIELD\t") }
    let corrected = try readAll(reader(raw.joined(separator: "\n")))
    #expect(corrected[.deviceRotationRate].map(\.vector) == [Vector3(0.5, 0.25, 0.125)])
    #expect(corrected[.calibratedMagneticField].map(\.vector) == [Vector3(6.5, 32.25, -28.5)])
    #expect(corrected[.calibratedMagneticField][0].w.isNaN)

    let none = Self.text.split(separator: "\n").filter { !$0.contains("ACCEL") }.joined(separator: "\n")
    let error = logError { () throws(LogError) in try reader(none) }
    #expect(error?.problem.hasPrefix("no lines of acceleration at its beginning (found: TYPE_WAYPOINT, ") == true)
  }

  @Test("line ends, a byte order mark, empty, NaN, unordered and repeated lines are handled as in other formats")
  func oddities() throws {
    let lines = [
      "1000\tTYPE_ACCELEROMETER\t0\t0\t9.80665\t2", "1020\tTYPE_ACCELEROMETER\tNaN\t0\t0\t2",
      "1040\tTYPE_ACCELEROMETER\t\t0\t0\t2", "1010\tTYPE_ACCELEROMETER\t0\t0\t-9.80665\t2",
      "1010\tTYPE_ACCELEROMETER\t0\t0\t-9.80665\t2", "\tTYPE_ACCELEROMETER\t0\t0\t0\t2", "", "unheard of",
    ]
    var reader = try reader("\u{FEFF}" + lines.joined(separator: "\r\n"))
    let samples = try reader.remainingSamples()
    #expect(samples.map(\.time) == [0, 0.02, 0.01, 0.01] && samples[1].x.isNaN && samples[2].z == 1)
    #expect(reader.emptyCounts == [.accelerometer: 2])
  }

  @Test("joined lines are left out and reported; other damage is an error; an incomplete last line is noted")
  func damage() throws {
    let line = "1000\tTYPE_ACCELEROMETER\t0\t0\t9.80665\t2"
    let joined = line + "1020\tTYPE_ACCELEROMETER\t0\t0\t9.80665\t2"
    var joinedReader = try reader([line, joined, line, ""].joined(separator: "\n"))
    let samples = try joinedReader.remainingSamples()
    #expect(samples.count == 2)
    #expect(
      joinedReader.description.notes.contains("1 line that ran together with the next left out, the first in line 2"))

    let word = logError { () throws(LogError) in
      try readAll(reader(line + "\n1020\tTYPE_ACCELEROMETER\t0\tup\t9.8\t2\n"))
    }
    #expect(word?.line == 2 && word?.column == 4 && word?.problem == "\"up\" is not a number")
    let short = logError { () throws(LogError) in try readAll(reader(line + "\n1020\tTYPE_ACCELEROMETER\t0\n")) }
    #expect(short?.line == 2 && short?.problem == "3 fields instead of 5 in a line of TYPE_ACCELEROMETER")
    let stamp = logError { () throws(LogError) in try reader("soon\tTYPE_ACCELEROMETER\t0\t0\t9.8\t2\n") }
    #expect(stamp?.line == 1 && stamp?.problem.contains("not a whole number of milliseconds") == true)

    var cut = try reader(line + "\n1020\tTYPE_ACCELEROMETER\t0.1")
    let rest = try cut.remainingSamples()
    #expect(rest.count == 1 && cut.description.notes.contains("the last line is cut off and was left out"))
  }

  @Test("options override unit and sign")
  func options() throws {
    let options = with(LogOptions()) {
      ($0.accelerationUnit, $0.accelerationSign) = (.g, .gravity)
      ($0.rotationUnit, $0.fieldUnit) = (.degreesPerSecond, .gauss)
    }
    let text = "1\tTYPE_ACCELEROMETER\t0\t0\t-1\n1\tTYPE_GYROSCOPE\t180\t0\t0\n1\tTYPE_MAGNETIC_FIELD\t0.5\t0\t0\n"
    let samples = try readAll(reader(text, options))
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1))
    #expect(samples[.gyroscope][0].vector == Vector3(.pi, 0, 0))
    #expect(samples[.calibratedMagneticField][0].vector == Vector3(50, 0, 0))
  }

  @Test("the format is recognized by its lines, not by its name")
  func recognition() throws {
    #expect(try openLog(path: folder.write(Self.text, to: "a.csv")).description.format == "indoor-walk")
    let table = "time\tTYPE_ACCELEROMETER\n1\t2\n"
    #expect(!LogFormat.indoorWalk.recognizes(LogCandidate(path: "table", head: Array(table.utf8))))
  }
}

@Suite("Real indoor walks", .needs(.data)) struct IndoorWalkRecordingsTests {
  @Test("every walk is read without options: 50 Hz, 1 g, waypoints, and consistent streams")
  func walksAreRead() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: TestData.url("indoor-walks").path)
    let paths = names.filter { $0.hasSuffix(".txt") && $0 != "SOURCE.txt" }.map {
      TestData.url("indoor-walks/" + $0).path
    }
    #expect(paths.count == 30)
    let options = with(LogOptions()) { $0.auxiliary = [.waypoint] }
    for path in paths {
      let (samples, waypoints, description) = try readBoth(openLog(path: path, options: options))
      #expect(description.format == "indoor-walk" && waypoints.count >= 2)
      let count = samples[.accelerometer].count
      for channel in [
        SensorChannel.gyroscope, .accelerometer, .magnetometer, .calibratedMagneticField, .deviceAttitude,
      ] { #expect(samples[channel].count == count && isNear(samples[channel].rate, 50, within: 1)) }
      // Averaged over a walk in the earth frame, the acceleration is gravity, and the field points north.
      var (gravity, field) = (Vector3.zero, Vector3.zero)
      for (index, attitude) in samples[.deviceAttitude].enumerated() {
        gravity = gravity + attitude.quaternion.rotate(samples[.accelerometer][index].vector) * (1 / Double(count))
        field =
          field + attitude.quaternion.rotate(samples[.calibratedMagneticField][index].vector) * (1 / Double(count))
      }
      #expect(isNear(gravity, -.unitZ, within: 0.06), "\(path)")
      #expect(atan2(abs(field.y), field.x) < 30 * .pi / 180, "\(path): \(field)")
    }
  }
}
