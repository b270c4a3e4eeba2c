import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Clocks of logs") struct LogClockTests {
  private let folder = TemporaryFolder()

  private func clock(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> LogClock? {
    try openLog(path: folder.write(text, to: "a.csv"), options: options).description.clock
  }

  private func motion(_ header: String, _ stamps: [String]) -> String {
    let names = "Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g)"
    return "\(header),\(names)\n" + stamps.map { "\($0),0,0,1\n" }.joined()
  }

  @Test("large timestamps of a table are UNIX time, in any unit, and small ones have no known origin")
  func tables() throws {
    #expect(try clock(motion("Time (s)", ["0.5", "0.6"])) == LogClock(.unstated, unit: .seconds))
    #expect(try clock(motion("Time (ms)", ["1600000000000", "1600000000010"])) == LogClock(.unix, unit: .milliseconds))
    #expect(
      try clock(motion("Time (ns)", ["1600000000000000000", "1600000000010000000"]))
        == LogClock(.unix, unit: .nanoseconds))
  }

  @Test("the clock of rows without a timestamp has their rate")
  func rows() throws {
    let options = with(LogOptions()) { $0.sampleRate = 50 }
    let text = "Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g)\n0,0,1\n0,0,1\n"
    #expect(try clock(text, options) == LogClock(.rows, rate: 50))
    #expect(LogClock(.rows, rate: 50).description == "none: rows at 50.0 Hz")
  }

  @Test(
    "a counter of 32 or 16 bits continues at an overflow, and rows out of order stay so",
    arguments: [(Int64(1) << 32, 1e6), (1 << 16, 100)])
  func wraps(modulus: Int64, perSecond: Double) throws {
    let ticks = CSVLayout.Ticks(column: "t", perSecond: perSecond, modulus: modulus, note: "")
    var clock = try RowClock(.ticks(ticks), firstStamp: .integer(modulus - 20), path: "")
    #expect(clock.kind == LogClock(.ticks, rate: perSecond, modulus: Int(modulus)))
    let stamps = [modulus - 20, modulus - 10, 0, 20, 10, 30]
    let seconds = stamps.map { clock.seconds(.integer($0)) }
    let expected = [-20, -10, 0, 20, 10, 30].map { (Double(modulus) + $0) / perSecond }
    #expect(seconds == expected && clock.kind.description.contains("wrap after \(modulus)"))
  }

  @Test("SensorLog counts from the device's start, and channels with other clocks are noted")
  func sensorLog() throws {
    let header =
      "loggingTime(txt),locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84),"
      + "accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),"
      + "accelerometerAccelerationZ(G),altimeterTimestamp_sinceReboot(s),altimeterRelativeAltitude(m),"
      + "altimeterPressure(kPa)\n"
    let row = "2026-05-05T10:57:36.000+02:00,1777971456,50,8,100.5,0,0,-1,799664256,1,100\n"
    let options = with(LogOptions()) { $0.auxiliary = [.location, .barometer] }
    let log = try readBoth(openLog(path: folder.write(header + row, to: "log.csv"), options: options))
    let clock = try #require(log.description.clock)
    #expect(clock.origin == .deviceStart && clock.unit == .seconds)
    #expect(clock.others.contains { $0.hasPrefix("location has UNIX time") && $0.hasSuffix("by loggingTime") })
    #expect(clock.others.contains { $0.hasPrefix("barometer has time since 2001") })
    // All three timestamps are the same time.
    #expect(log.motion.map(\.time) == [100.5])
    #expect(log.auxiliary.count == 2 && log.auxiliary.allSatisfy { abs($0.time - 100.5) < 1e-3 }, "\(log.auxiliary)")
  }
}
