import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Logs of GnssLogger") struct GnssLoggerReaderTests {
  private let folder = TemporaryFolder()

  /// Header and lines in the forms of version 3.
  private static let text = """
    # Version: v3.0.5.6 Platform: 13 Manufacturer: Google Model: Pixel 6
    #
    # Raw,utcTimeMillis,TimeNanos,LeapSecond
    #
    # UncalAccel,utcTimeMillis,elapsedRealtimeNanos,UncalAccelXMps2,UncalAccelYMps2,UncalAccelZMps2,BiasXMps2,BiasYMps2,BiasZMps2
    # Accel,utcTimeMillis,elapsedRealtimeNanos,AccelXMps2,AccelYMps2,AccelZMps2
    # UncalGyro,utcTimeMillis,elapsedRealtimeNanos,UncalGyroXRadPerSec,UncalGyroYRadPerSec,UncalGyroZRadPerSec,DriftXRadPerSec,DriftYRadPerSec,DriftZRadPerSec
    # Gyro,utcTimeMillis,elapsedRealtimeNanos,GyroXRadPerSec,GyroYRadPerSec,GyroZRadPerSec
    # UncalMag,utcTimeMillis,elapsedRealtimeNanos,UncalMagXMicroT,UncalMagYMicroT,UncalMagZMicroT,BiasXMicroT,BiasYMicroT,BiasZMicroT
    # Mag,utcTimeMillis,elapsedRealtimeNanos,MagXMicroT,MagYMicroT,MagZMicroT,CalibrationAccuracy
    # OrientationDeg,utcTimeMillis,elapsedRealtimeNanos,yawDeg,rollDeg,pitchDeg
    # Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis,SpeedAccuracyMps,BearingAccuracyDegrees,elapsedRealtimeNanos,VerticalAccuracyMeters,MockLocation
    Raw,1663707711608,32083712000000,18
    UncalMag,1663164669191,65972055195160,221.5,89.75,-21.25,213.75,180.25,5.5
    UncalGyro,1663164669189,65972053803181,0.5,-0.25,0.125,0.25,0,-0.125
    UncalAccel,1663164669190,65972054923181,0.0,9.80665,4.903325,0.0,0.0,0.0
    OrientationDeg,1663164669209,65972073175160,90.0,-5.0,-52.0
    Fix,GPS,28.25,-82.5,-14.25,0.5,5.75,108.5,1663712656000,,,65973000000000,11.5,0
    Fix,NLP,28.5,-82.5,,,20,,1663164671190,,,,

    """

  private func reader(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try LogFormat.gnssLogger.reader(of: folder.write(text, to: "gnss_log.txt"), options: options)
  }

  @Test("raw sensors are read by column name, calibrated ones derived from the bias, on the boot clock")
  func channels() throws {
    let reader = try reader(Self.text)
    let description = reader.description
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, -1, -0.5)])
    #expect(samples[.accelerometer][0].time == 65972.054923181 && samples[.accelerometer][0].line == 16)
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.5, -0.25, 0.125)])
    #expect(samples[.deviceRotationRate].map(\.vector) == [Vector3(0.25, -0.25, 0.25)])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(221.5, 89.75, -21.25)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(7.75, -90.5, -26.75)])
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
    // The first sensor's UTC minus its time since the start.
    let epoch = try #require(description.epoch)
    #expect(isNear(epoch, 1_663_164_669.189 - 65972.053803181, within: 1e-6))
    #expect(description.notes.contains("calibrated field: the raw field minus the phone's bias"))
  }

  @Test("Android's angles become an attitude in north, west, up")
  func orientation() throws {
    func attitude(_ angles: String) throws -> Quaternion {
      let text = Self.text.replacing("90.0,-5.0,-52.0", with: angles)
      return try readAll(reader(text))[.deviceAttitude][0].quaternion
    }
    // The top edge points to the east, which is −Y.
    let east = try attitude("90.0,0.0,0.0")
    #expect(isNear(east.rotate(.unitY), -.unitY, within: 1e-12) && isNear(east.rotate(.unitZ), .unitZ, within: 1e-12))
    // A pitch of −30° lifts the top edge; the order in the line is yaw, roll, pitch.
    let lifted = try attitude("0.0,0.0,-30.0")
    #expect(isNear(lifted.rotate(.unitY), Vector3(cos(.pi / 6), 0, 0.5), within: 1e-12))
    // Android's roll of 90°: R31 = −1, so that the device's X axis points down.
    let rolled = try attitude("0.0,90.0,0.0")
    #expect(isNear(rolled.rotate(.unitX), -.unitZ, within: 1e-12))
  }

  @Test("columns may have any order and additional names; a sample has its accuracy")
  func columns() throws {
    let text = """
      #   Accel,elapsedRealtimeNanos,AccelZMps2,AccelXMps2,New,AccelYMps2,utcTimeMillis
      #   Gyro,utcTimeMillis,elapsedRealtimeNanos,GyroXRadPerSec,GyroYRadPerSec,GyroZRadPerSec
      #   Mag,utcTimeMillis,elapsedRealtimeNanos,MagXMicroT,MagYMicroT,MagZMicroT,CalibrationAccuracy
      Accel,2000000000,9.80665,4.903325,x,-9.80665,1000
      Gyro,1000,2500000000,1,2,3,9,9
      Mag,1000,3000000000,10,20,30,1
      Mag,1000,3000000000,10,20,30
      """.replacing("\n", with: "\r\n")
    let reader = try reader(text)
    #expect(reader.description.notes.contains { $0.hasPrefix("rotation rate: bias removed by the phone") })
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(-0.5, 1, -1)] && samples[.accelerometer][0].time == 2)
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(10, 20, 30), Vector3(10, 20, 30)])
    // Android's 1, low, is Core Motion's 0.
    #expect(samples[.calibratedMagneticField][0].w == 0 && samples[.calibratedMagneticField][1].w.isNaN)
  }

  @Test("fixes become positions, by their time since the start, or else by their UTC")
  func fixes() throws {
    let options = with(LogOptions()) { $0.auxiliary = [.location] }
    let (samples, _, description) = try readAuxiliary(reader(Self.text, options))
    #expect(description.auxiliaryChannels == [.location] && samples.count == 2 && samples[0].time == 65973)
    #expect(samples[0]["latitude"] == 28.25 && samples[0]["longitude"] == -82.5)
    #expect(samples[0]["ellipsoidalAltitude"] == -14.25 && samples[0]["locationAltitude"].isNaN)
    #expect(samples[0]["speed"] == 0.5 && samples[0]["course"] == 108.5)
    #expect(samples[0]["horizontalAccuracy"] == 5.75 && samples[0]["verticalAccuracy"] == 11.5)
    // 2.001 s after the first gyroscope sample.
    #expect(isNear(samples[1].time, 65972.053803181 + 2.001, within: 1e-6))
  }

  @Test("a bias of 0 means no bias estimate, so that no calibrated value is derived")
  func noBias() throws {
    let samples = try readAll(reader(Self.text.replacing("213.75,180.25,5.5", with: "0.0,0.0,0.0")))
    #expect(samples[.magnetometer].count == 1 && samples[.calibratedMagneticField].isEmpty)
  }

  @Test("undescribed lines are skipped and reported; a log without acceleration is refused")
  func undescribed() throws {
    let text = Self.text.split(separator: "\n").filter { !$0.hasPrefix("# UncalGyro") }.joined(separator: "\n")
    let reader = try reader(text)
    #expect(reader.description.notes.contains { $0.hasPrefix("lines of UncalGyro not read") })
    #expect(try readAll(reader)[.gyroscope].isEmpty)
    let none = Self.text.split(separator: "\n").filter { !$0.hasPrefix("UncalAccel") }.joined(separator: "\n")
    let error = logError { () throws(LogError) in try self.reader(none) }
    #expect(
      error?.problem == "no lines of acceleration at its beginning (found: Raw, UncalMag, UncalGyro, "
        + "OrientationDeg, Fix)")
  }

  @Test("damage is reported with line and column, and empty fields yield no samples")
  func damage() throws {
    let word = logError { () throws(LogError) in
      try readAll(reader(Self.text.replacing("0.0,9.80665,4.9", with: "0.0,up,4.9")))
    }
    #expect(word?.line == 16 && word?.column == 5)
    var empty = try reader(Self.text.replacing("0.0,9.80665,4.9", with: "0.0,,4.9"))
    let samples = try empty.remainingSamples()
    #expect(samples[.accelerometer].isEmpty && empty.emptyCounts == [.accelerometer: 1])
  }

  @Test("the format is recognized by its comments, not by its name")
  func recognition() throws {
    #expect(try openLog(path: folder.write(Self.text, to: "a.csv")).description.format == "gnss-logger")
    #expect(!LogFormat.gnssLogger.recognizes(LogCandidate(path: "table", head: Array("# Accel,x,y\nAccel,1,2\n".utf8))))
  }
}
