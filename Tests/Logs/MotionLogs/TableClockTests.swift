import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// A table of a device that rests and rotates, at 20 Hz, with timestamps specified by a test.
private struct StampedTable {
  /// The seconds since the first row.
  let times: [Double]
  private let rows: [String]

  init(count: Int = 264, interval: Double = 0.05) {
    times = (0..<count).map { Double($0) * interval }
    var attitude = Quaternion.identity
    rows = times.map { time in
      // Rest, then a rotation that begins within a second.
      let rate =
        min(max(time - 2, 0), 1) * Vector3(1.1 * sin(0.9 * time), 0.9 * sin(1.3 * time + 1), 0.7 * sin(0.7 * time + 2))
      attitude = (attitude * Quaternion(rotationVector: interval * rate)).normalized!
      let a = attitude.rotateInverse(Vector3(0, 0, 1))
      return [a.x, a.y, a.z, rate.x, rate.y, rate.z].map { "\(($0 * 1e4).rounded() / 1e4)" }.joined(separator: ",")
    }
  }

  static let sensors = ["acc_x (g)", "acc_y (g)", "acc_z (g)", "gyr_x (rad/s)", "gyr_y (rad/s)", "gyr_z (rad/s)"]

  func text(_ header: String, isReversed: Bool = false, _ stamp: (Double) -> String) -> String {
    let lines = zip(times, rows).map { "\(stamp($0)),\($1)\n" }
    return "\(header),\(Self.sensors.joined(separator: ","))\n" + (isReversed ? lines.reversed() : lines).joined()
  }
}

/// Formats seconds since midnight as `14:07:31.020` with the given number of decimals.
private func timeOfDay(_ seconds: Double, digits: Int = 3) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let units = Int((seconds * scale).rounded())
  let (whole, part) = (units / Int(scale) % 86_400, units % Int(scale))
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let fraction = "\(Int(scale) + part)".dropFirst()
  return "\(two(whole / 3600)):\(two(whole / 60 % 60)):\(two(whole % 60))" + (digits > 0 ? ".\(fraction)" : "")
}

@Suite("Table clocks") struct TableClockTests {
  private let folder = TemporaryFolder()
  private let table = StampedTable()

  /// Returns the gyroscope's times since its first sample, and the log's description.
  private func read(_ text: String, _ set: (inout LogOptions) -> Void = { _ in }) throws(LogError) -> (
    times: [Double], description: LogDescription
  ) {
    var options = LogOptions()
    set(&options)
    let reader = try openLog(path: folder.write(text, to: "log.csv"), options: options)
    let description = reader.description
    let times = try readAll(reader)[.gyroscope].map(\.time)
    return (times.map { $0 - times[0] }, description)
  }

  private func expectRight(_ text: String, _ note: String, within tolerance: Double = 6e-4) throws {
    let (times, description) = try read(text)
    #expect(times.count == table.times.count)
    let worst = zip(times, table.times).map { abs($0 - $1) }.max() ?? .infinity
    #expect(worst < tolerance, "\(text.prefix(200))")
    #expect(description.notes.contains { $0.contains(note) }, "\(description.notes)")
  }

  @Test(
    "dates as text become seconds since the first row, across midnight",
    arguments: [
      "datetime|2024-03-05 |", "time|2024-03-05T|", "timestamp|2024-03-05T|Z",
      "timestamp|2024-03-05T|+01:00[Europe/Berlin]", "Date/Time|03/05/2024 |", "DateTime|05.03.2024 |",
      "utc|20240305T|", "Date/Time|05-Mar-2024 |", "Time (local)|5/3/24 |", "stamp|\"Tue, Mar 5, 2024 |\"",
    ])
  func dates(form: String) throws {
    let parts = form.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let isZoned = parts[2].hasPrefix("Z") || parts[2].hasPrefix("+")
    let text = table.text(parts[0]) { time in
      let isNextDay = 86_395.2 + time >= 86_399.9995
      var date = parts[1]
      if isNextDay, let day = date.range(of: date.contains("05") ? "05" : "5") {
        date.replaceSubrange(day, with: date.contains("05") ? "06" : "6")
      }
      return date + timeOfDay(86_395.2 + time) + parts[2]
    }
    try expectRight(text, isZoned ? "with the time zone in the text" : "without a time zone, interpreted as UTC")
  }

  @Test("two numbers and a fraction are the minutes and seconds of a stopwatch or a spreadsheet")
  func minutes() throws {
    try expectRight(table.text("time") { String(timeOfDay(95.2 + $0).dropFirst(3)) }, "times of day")
    #expect(throws: LogError.self) {
      try read(table.text("datetime") { "2024-03-05 " + timeOfDay(95.2 + $0).dropFirst(3) })
    }
  }

  @Test("the order of day and month is the one with consecutive days, and is noted if the log has one day only")
  func orderOfDayAndMonth() throws {
    let text = table.text("Date/Time") { time in
      let seconds = 86_395.2 + time
      return (seconds < 86_399.9995 ? "05/03/2024 " : "06/03/2024 ") + timeOfDay(seconds)
    }
    let (times, description) = try read(text)
    #expect(abs(times.last! - table.times.last!) < 1e-3)
    #expect(description.epoch == nil && description.notes.contains { $0.contains("month is assumed to come first") })
    let certain = try read(text.replacing("05/03/", with: "25/03/").replacing("06/03/", with: "26/03/"))
    #expect(try abs(#require(certain.description.epoch) - 1_711_411_195.2) < 1e-3)
  }

  @Test(
    "times of day continue across midnight, with milliseconds after a point or a colon, or omitted at full seconds",
    arguments: [".", ":", "full"])
  func timesOfDay(mark: String) throws {
    let text = table.text("Time of day") { time in
      let stamp = timeOfDay(86_395.2 + time)
      if mark == "full" { return stamp.hasSuffix(".000") ? String(stamp.dropLast(4)) : stamp }
      return stamp.replacing(".", with: mark)
    }
    try expectRight(text, "times of day")
    #expect(try read(text).description.clock?.origin == .timeOfDay)
  }

  @Test("PM is the afternoon")
  func afternoon() throws {
    let text = table.text("Date/Time") { time in
      let seconds = 43_195.2 + time
      let isMorning = seconds < 43_199.9995
      return "10/23/2023 \(timeOfDay(seconds)) \(isMorning ? "AM" : "PM")"
    }
    try expectRight(text, "dates")
  }

  @Test("a date and a time of day in two columns are one time, even if every date is followed by midnight")
  func twoColumns() throws {
    for midnight in ["", " 00:00:00"] {
      try expectRight(
        table.text("Date,Time") { "2024-02-07\(midnight),\(timeOfDay(58_831.48 + $0))" },
        "\"Date\" and \"Time\" together")
    }
    try expectRight(
      table.text("Time,Millis") { time in
        let milliseconds = Int((58_831.48 + time) * 1000 + 0.5)
        return "\(timeOfDay(Double(milliseconds / 1000), digits: 0)),\(milliseconds % 1000)"
      }, "fractions of seconds from \"Millis\"")
  }

  @Test(
    "numbers of days of spreadsheets and of MATLAB are recognized by their size and their steps",
    arguments: [45_356.0, 739_316])
  func days(day: Double) throws {
    let text = table.text("DateTime") { String(format: "%.11f", day + 0.588553 + $0 / 86_400) }
    try expectRight(text, "numbers of days")
    #expect(try abs(read(text).description.epoch! - 1_709_647_650.98) < 1)
    try expectRight(
      table.text("Date,Time") { "\(Int(day)),\(String(format: "%.11f", 0.588553 + $0 / 86_400))" }, "numbers of days")
    // The same numbers in steps of seconds are seconds.
    let (times, _) = try read(table.text("time") { String(format: "%.3f", day + $0) })
    #expect(abs(times.last! - table.times.last!) < 1e-3)
  }

  @Test(
    "seconds and fractions of a second in two columns are one timestamp",
    arguments: [
      ("secs,nsecs", 1e9), ("header.stamp.sec,header.stamp.nanosec", 1e9), ("sec,usec", 1e6), ("seconds,millis", 1e3),
    ])
  func secondsAndParts(header: String, parts: Double) throws {
    try expectRight(
      table.text(header) { time in
        let nanoseconds = 1_709_647_651_713_000_000 + Int((time * 1e9).rounded())
        return "\(nanoseconds / 1_000_000_000),\(nanoseconds % 1_000_000_000 / Int(1e9 / parts))"
      }, "together")
  }

  @Test(
    "a time without a unit is read in the only unit that yields a plausible sensor rate",
    arguments: [("ns", 1e9, 328_551.511918592), ("us", 1e6, 52.5), ("ms", 1e3, 1_709_647_651), ("s", 1, 12)])
  func units(unit: String, perSecond: Double, start: Double) throws {
    let text = table.text("timestamp") { time in
      unit == "s" ? String(format: "%.3f", start + time) : "\(Int(((start + time) * perSecond).rounded()))"
    }
    try expectRight(text, "interpreted as \(unit)")
  }

  @Test("row numbers are not a time")
  func rowNumbers() throws {
    let error = try #require(logError(of: try read(table.text("timestamp") { "\(Int($0 * 20 + 0.5))" })))
    #expect(error.problem.contains("does not specify its unit"))
  }

  @Test("minutes, hours and days are units of time", arguments: [("min", 60.0), ("hours", 3600), ("days", 86_400)])
  func longUnits(unit: String, seconds: Double) throws {
    try expectRight(table.text("time (\(unit))") { String(format: "%.10f", $0 / seconds) }, "in \(unit)")
    let (times, _) = try read(table.text("t") { String(format: "%.10f", $0 / 60) }) { $0.timeUnit = .minutes }
    #expect(abs(times.last! - table.times.last!) < 1e-3)
  }

  @Test("timestamps of whole seconds are spread evenly over the second", arguments: ["number", "text"])
  func wholeSeconds(kind: String) throws {
    let text = table.text("time") { time in
      let second = Int(201.02 + time)
      return kind == "number"
        ? "\(1_614_589_000 + second)" : "2021-03-01 \(timeOfDay(Double(32_400 + second), digits: 0))"
    }
    try expectRight(text, "spread evenly at 20.0 Hz", within: 0.06)
    let (times, _) = try read(text)
    #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 0.05) < 1e-6 })
  }

  @Test("fractions without their leading zeros are recognized by a clock that would step back")
  func unpadded() throws {
    func stamp(_ time: Double) -> String {
      let milliseconds = Int(((time + 0.005) * 1000).rounded())
      return "\(milliseconds / 1000).\(milliseconds % 1000)"
    }
    try expectRight(table.text("time (s)", stamp), "fractions lack leading zeros")
    let text = table.text("Date/Time") {
      "2024-03-05 14:07:\(10 + Int($0 + 0.005)).\(stamp($0).split(separator: ".")[1])"
    }
    try expectRight(text, "fractions lack leading zeros")
  }

  @Test("a log whose newest row comes first is sorted, with one warning")
  func newestFirst() throws {
    for (header, stamp) in [("time (s)", { "\($0)" }), ("time", { "2024-03-05 " + timeOfDay(50_000 + $0) })]
      as [(String, (Double) -> String)]
    {
      let path = folder.write(table.text(header, isReversed: true, stamp), to: "newest.csv")
      let log = try LogFeed(path: path).load()
      let times = log.samples[.gyroscope].map(\.time)
      #expect(times == times.sorted() && times.count == table.times.count)
      #expect(log.summary.warnings.first?.hasPrefix("the newest row comes first") == true)
      #expect(!log.summary.warnings.contains { $0.contains("out of order") })
      var strict = LogFeed(path: path)
      strict.isStrict = true
      #expect(logError(of: try strict.load()) != nil)
    }
  }

  @Test(
    "a clock ten times too slow or too fast causes a warning, by gravity against the rates of the rows",
    arguments: [0.1, 10])
  func wrongClock(factor: Double) throws {
    let table = StampedTable(count: 600, interval: 0.025)
    let path = folder.write(table.text("time (s)") { "\($0 / factor)" }, to: "wrong.csv")
    let log = try LogFeed(path: path).load()
    #expect(
      log.summary.faults.contains { $0.contains("10.0 times too") && $0.contains("--sample-rate 40") },
      "\(log.summary.faults)")
    let right = try LogFeed(path: folder.write(table.text("time (s)") { "\($0)" }, to: "right.csv")).load()
    #expect(right.summary.faults == [])
  }

  @Test("a row with an invalid date is left out and reported with its line")
  func badStamp() throws {
    let text = table.text("datetime") { $0 == 5 ? "2024-13-45" : "2024-03-05 " + timeOfDay(50_000 + $0) }
    var reader = try openLog(path: folder.write(text, to: "log.csv"))
    _ = try readAll(&reader)
    #expect(
      reader.description.lineWarnings == [
        "line 102, column 1: \"2024-13-45\" is not a date or time of day of this clock; this line is left out, as no row of the table"
      ])
  }

  @Test("an empty timestamp, or an incomplete one, is not a time")
  func emptyStamp() throws {
    let text = table.text("Date,Time") { "2024-02-07,\($0 == 5 ? "" : timeOfDay(58_831.48 + $0))" }
    let samples = try readAll(openLog(path: folder.write(text, to: "log.csv")))
    #expect(samples[.gyroscope].count { $0.time.isNaN } == 1)
  }

  @Test("files that count from their own first sample are aligned by the epoch that they share")
  func sharedEpoch() throws {
    for (name, start) in [("Accelerometer", 0.0), ("Gyroscope", 1.2)] {
      let unit = name == "Gyroscope" ? "deg/s" : "g"
      var text = "epoc (ms),timestamp (-0700),elapsed (s),x-axis (\(unit)),y-axis (\(unit)),z-axis (\(unit))\n"
      for row in 0..<40 {
        let time = start + Double(row) / 20
        text += "\(1_709_672_851_100 + Int((time * 1000).rounded())),2024-03-05T14.07.\(31 + Int(time)).000,"
        text += "\(Double(row) / 20),0,0,1\n"
      }
      folder.write(text, to: "board_\(name).csv")
    }
    let reader = try openLog(path: folder.path)
    #expect(reader.description.clock?.origin == .unix)
    let samples = try readAll(reader)
    #expect(abs(samples[.gyroscope][0].time - samples[.accelerometer][0].time - 1.2) < 1e-6)
  }

  @Test("seconds and nanoseconds of arrays in memory are one timestamp")
  func arrays() throws {
    let columns: [(String, [Int64])] = [
      ("sec", (0..<40).map { 1_709_647_651 + $0 / 20 }), ("nanosec", (0..<40).map { $0 % 20 * 50_000_000 }),
    ]
    let values = [0.0, 0, 1, 0, 0, 0.1]
    try withExtendedLifetime(columns) {
      let held = columns.map { name, numbers in
        let memory = UnsafeMutableBufferPointer<Int64>.allocate(capacity: numbers.count)
        _ = memory.initialize(from: numbers)
        return InMemoryTable.Column(name: name, kind: .int64, base: UnsafeRawPointer(memory.baseAddress!), stride: 8)
      }
      let memory = UnsafeMutableBufferPointer<Double>.allocate(capacity: 6)
      _ = memory.initialize(from: values)
      let sensors = StampedTable.sensors.enumerated().map { index, name in
        InMemoryTable.Column(name: name, kind: .float64, base: UnsafeRawPointer(memory.baseAddress! + index), stride: 0)
      }
      defer {
        held.forEach { $0.base.deallocate() }
        memory.deallocate()
      }
      let reader = try InMemoryTableReader(
        InMemoryTable(columns: held + sensors, rowCount: 40), path: "a", options: LogOptions())
      let times = try readAll(reader)[.gyroscope].map(\.time)
      #expect(zip(times, 0..<40).allSatisfy { abs($0 - Double($1) * 0.05) < 1e-9 }, "\(times.prefix(3))")
    }
  }

  @Test("dates of a stream's rows become seconds since its first row")
  func stream() throws {
    var parser = StreamLineParser(name: "stream", options: LogOptions())
    var (samples, others): ([SensorSample], [AuxiliarySample]) = ([], [])
    let lines = table.text("datetime") { "2024-03-05 " + timeOfDay(86_395.2 + $0) }.split(separator: "\n").prefix(60)
    for (number, line) in lines.enumerated() {
      try Array(line.utf8).withUnsafeBytes { bytes in
        try parser.parse(bytes, number: number + 1, into: &samples, auxiliary: &others)
      }
    }
    #expect(samples[.gyroscope].count == 59)
    #expect(zip(samples[.gyroscope], table.times).allSatisfy { abs($0.time - $1) < 6e-4 })
  }
}

@Suite("Dates as text") struct DateTextTests {
  private func date(_ text: String) -> DateText? {
    text.utf8.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { DateText($0) }
  }

  @Test(
    "other texts are neither dates nor times of day",
    arguments: [
      "", "12", "0.588553", "1709647651", "2024-02-30", "25:00:00", "12:60:00", "abc", "12:00:00 XYZABC",
      "2024-03-05 14", "1.2.3.4", "-5", "14:07:31.1234567890", "99999999999999999999", "13:00 PM",
    ])
  func none(text: String) { #expect(date(text) == nil) }

  @Test(
    "days, times and zones are parsed",
    arguments: [
      ("2024-03-05T14:07:31.020Z", 19_787, 50_851_020, 0),
      ("2024-03-05 14:07:31,02 -0700", 19_787, 50_851_020, -25_200),
      ("Tue Mar 5 2024 2:07:31 PM", 19_787, 50_851_000, nil), ("05-Mar-2024 14:07:31:020", 19_787, 50_851_020, nil),
      ("20240305_140731.02", 19_787, 50_851_020, nil), ("2024-03-05T14.07.31.020", 19_787, 50_851_020, nil),
      ("1970-01-01 00:00:00 GMT+01:00", 0, 0, 3600), ("2024-02-29", 19_782, nil, nil), ("14:07", nil, 50_820_000, nil),
    ] as [(String, Int64?, Int64?, Int64?)])
  func parts(text: String, day: Int64?, milliseconds: Int64?, zone: Int64?) throws {
    let date = try #require(self.date(text))
    #expect(date.dayMonthFirst == day && date.dayDayFirst == day)
    #expect(date.nanoseconds == milliseconds.map { $0 * 1_000_000 } && date.zone == zone)
  }
}
