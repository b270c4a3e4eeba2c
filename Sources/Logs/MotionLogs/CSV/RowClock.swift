/// Converts the timestamps of a CSV's rows to seconds.
struct RowClock {
  /// The minimum timestamp that is UNIX time in nanoseconds: 10¹⁷ ns is the year 1973, or three years since a device's
  /// start.
  private static let unixNanoseconds = 1e17
  /// The UNIX times of the years 2001 to 2103, in seconds. No device runs for that long.
  static let unixSeconds = 1e9..<4.2e9

  /// Whether a timestamp can only be UNIX time in nanoseconds.
  static func isUNIXNanoseconds(_ stamp: FieldScanner.Integer) -> Bool {
    switch stamp {
    case .integer(let value): Double(value).magnitude >= unixNanoseconds
    case .value(let value): abs(value) >= unixNanoseconds && abs(value) < 1e19
    case .empty, .text, .end: false
    }
  }

  private enum Rule {
    case convert(UnitConversion)
    /// Nanoseconds since the first timestamp. UNIX time as a double would not resolve them.
    case sinceFirst(Int64)
    /// The row number divided by the rate.
    case rate(Double)
    case ticks(perSecond: Double, modulus: Int64)
    /// The sum of a row's parts, as specified by `parts`.
    case parts
  }

  private let rule: Rule
  /// Stored outside the rule, so that copying a rule for plain numbers does not copy the parts.
  private var parts: CSVLayout.Parts?
  private var row = 0
  /// The last value of a counter, and the sum of its increments.
  private var lastTick: Int64?
  private var tickSum: Int64 = 0
  /// The sum of the current row's parts, in nanoseconds, and whether a part is missing.
  private var partSum: Int64?
  private var lacksPart = false
  /// The day of the last row, in the assumed order and in the other order of day and month.
  private var lastDays: (taken: Int64, other: Int64)?
  /// The offset of days in the other order, from the row on that determines the order.
  private var dayShift: Int64 = 0
  /// The last whole second and the time assigned to its latest row.
  private var lastSecond: (stamp: Double, time: Double)?
  /// The inference from the timestamps.
  private(set) var note: String?
  /// The UNIX time of time 0, in seconds, if the timestamps determine it.
  private(set) var epoch: Double?

  /// The kind of clock.
  private(set) var kind = LogClock(.unstated)

  /// The first timestamp, in nanoseconds since 1970, if times count from it.
  var origin: Int64? {
    switch rule {
    case .sinceFirst(let origin): origin
    case .parts: parts?.origin
    default: nil
    }
  }

  /// Whether the rows have timestamps.
  var isColumn: Bool { if case .rate = rule { false } else { true } }

  /// Chooses the rule from the first timestamp.
  ///
  /// - Throws: ``LogError`` if the unit cannot be determined.
  init(_ clock: CSVLayout.Clock, firstStamp: FieldScanner.Integer, path: String) throws(LogError) {
    let first: Double =
      switch firstStamp {
      case .integer(let value): Double(value)
      case .value(let value): value
      case .empty, .text, .end: .nan
      }
    let isUNIXNanoseconds = Self.isUNIXNanoseconds(firstStamp)
    let unit: Dimension.TimeUnit
    switch clock {
    case .rate(let rate):
      rule = .rate(rate)
      kind = LogClock(.rows, rate: rate)
      return
    case .known(let known): unit = known
    case .ticks(let ticks):
      rule = .ticks(perSecond: ticks.perSecond, modulus: ticks.modulus)
      kind = LogClock(.ticks, rate: ticks.perSecond, modulus: Int(ticks.modulus))
      return
    case .parts(let parts):
      rule = .parts
      self.parts = parts
      kind = parts.kind
      epoch = parts.epoch
      return
    case .secondsOrUNIXNanoseconds: unit = isUNIXNanoseconds ? .nanoseconds : .seconds
    case .unknown(let line, let column, let name):
      guard isUNIXNanoseconds else {
        throw LogError(
          path: path, line: line, column: line == nil ? nil : column,
          problem: "column \"\(name)\" does not specify its unit",
          remedy: "give --time-unit s, ms, us or ns, or a header such as \"\(name) (s)\"")
      }
      unit = .nanoseconds
    }
    if unit == .nanoseconds, isUNIXNanoseconds, abs(first) < 9.2e18 {
      let origin: Int64 = if case .integer(let value) = firstStamp { value } else { Int64(first) }
      rule = .sinceFirst(origin)
      kind = LogClock(.unix, unit: .nanoseconds)
      epoch = Double(origin) / 1e9
      note = "time: UNIX nanoseconds, to seconds since the first sample"
    } else {
      rule = .convert(unit.conversion)
      if Self.unixSeconds.contains(unit.conversion(first)) { epoch = 0 }
      kind = LogClock(epoch == 0 ? .unix : .unstated, unit: unit)
    }
  }

  /// Returns a timestamp in seconds.
  @inline(__always)
  mutating func seconds(_ stamp: FieldScanner.Integer) -> Double {
    switch (rule, stamp) {
    case (.sinceFirst(let origin), .integer(let value)): return timestampDifference(from: origin, to: value) / 1e9
    case (.sinceFirst(let origin), .value(let value)): return (value - Double(origin)) / 1e9
    case (.convert(let conversion), .integer(let value)): return conversion(Double(value))
    case (.convert(let conversion), .value(let value)): return conversion(value)
    case (.ticks(let perSecond, let modulus), .integer(let tick)): return count(tick, perSecond, modulus)
    case (.ticks(let perSecond, let modulus), .value(let value)):
      return Int64(exactly: value).map { count($0, perSecond, modulus) } ?? .nan
    default: return .nan
    }
  }

  /// Returns a counter's value in seconds. The counter restarts after its largest value: each increment is the shorter
  /// one of the two possible, so that rows out of order stay out of order.
  private mutating func count(_ tick: Int64, _ perSecond: Double, _ modulus: Int64) -> Double {
    guard tick >= 0, tick < max(1 << 32, modulus) else { return .nan }
    if let last = lastTick {
      var step = (tick - last) % modulus
      if step < 0 { step += modulus }
      if step > modulus / 2 { step -= modulus }
      tickSum += step
    } else {
      tickSum = tick
    }
    lastTick = tick
    return Double(tickSum) / perSecond
  }

  /// Returns the time of the next row in a log without timestamps, in seconds.
  @inline(__always)
  mutating func nextRow() -> Double {
    defer { row += 1 }
    if case .rate(let rate) = rule { return Double(row) / rate }
    return .nan
  }
}

extension RowClock {
  /// The counts of rows of numbers.
  struct Counts: Codable {
    fileprivate var row: Int
    fileprivate var lastTick: Int64?
    fileprivate var tickSum: Int64
    fileprivate var lastSecond: [Double]
  }

  /// The counts, with which a clock of the same rule continues. Those of dates in texts are not included.
  var counts: Counts {
    get {
      Counts(row: row, lastTick: lastTick, tickSum: tickSum, lastSecond: lastSecond.map { [$0.stamp, $0.time] } ?? [])
    }
    set {
      (row, lastTick, tickSum) = (newValue.row, newValue.lastTick, newValue.tickSum)
      lastSecond = newValue.lastSecond.count == 2 ? (newValue.lastSecond[0], newValue.lastSecond[1]) : nil
    }
  }
}

// MARK: Parts

extension RowClock {
  /// Clears the parts of the last row.
  mutating func beginRow() { (partSum, lacksPart) = (nil, false) }

  /// The sum of a row's parts, in nanoseconds, or `nil` if a part is missing.
  var sum: Int64? { lacksPart ? nil : partSum }

  /// Adds a field to the row's time and returns the kind of the field.
  mutating func take(_ part: CSVLayout.StampPart, from fields: inout FieldScanner) -> FieldScanner.Integer {
    if case .number(let nanoseconds, let zero) = part {
      let number = fields.nextInteger()
      switch number {
      case .integer(let value): return add(Double(value) - zero, nanoseconds)
      case .value(let value): return add(value - zero, nanoseconds)
      case .empty: lacksPart = true
      case .text, .end: break
      }
      return number
    }
    guard let bytes = fields.nextBytes() else { return .end }
    guard !bytes.isEmpty else {
      lacksPart = true
      return .empty
    }
    if case .unpadded(let digits) = part { return Self.unpadded(bytes, digits).map { add($0) } ?? .text }
    guard let parts, let text = DateText(bytes, unpadded: parts.unpadded),
      let nanoseconds = nanoseconds(text, parts)
    else { return .text }
    return add(nanoseconds)
  }

  /// Adds a number from another file or an array.
  mutating func take(_ part: CSVLayout.StampPart, _ value: Double) {
    guard case .number(let nanoseconds, let zero) = part, value.isFinite, add(value - zero, nanoseconds) != .text else {
      return lacksPart = true
    }
  }

  /// Returns the time of the row from its parts, in seconds.
  mutating func secondsOfParts() -> Double {
    guard let parts, let sum else { return .nan }
    var time = Double(sum) / 1e9
    if parts.isTimeOfDay {
      time = count(sum, 1e9, 86_400_000_000_000)
    } else if let origin = parts.origin {
      time = timestampDifference(from: origin, to: sum) / 1e9
    }
    guard let spread = parts.wholeSeconds else { return time }
    guard let last = lastSecond else {
      // The log begins within a second, so its rows fill the end of that second.
      let start = time + max(0, 1 - Double(spread.first) / spread.rate)
      lastSecond = (time, start)
      return start
    }
    var next = time
    if time == last.stamp || time - last.stamp <= 1, time >= last.stamp {
      next = max(time, last.time + 1 / spread.rate)
      // More rows than usual share the rest of the second.
      if next >= time + 1 { next = 0.5 * (last.time + time + 1) }
    }
    lastSecond = (time, next)
    return next
  }

  /// Adds a number in a unit. Whole numbers of any unit, and fractions of days to a microsecond, are exact.
  private mutating func add(_ value: Double, _ nanoseconds: Double) -> FieldScanner.Integer {
    if let whole = Int64(exactly: value), let scale = Int64(exactly: nanoseconds) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
      return overflow ? .text : add(product)
    }
    let product = (value * nanoseconds).rounded()
    return abs(product) < 9e18 ? add(Int64(product)) : .text
  }

  private mutating func add(_ nanoseconds: Int64) -> FieldScanner.Integer {
    let (total, overflow) = (partSum ?? 0).addingReportingOverflow(nanoseconds)
    guard !overflow else { return .text }
    partSum = total
    return .integer(nanoseconds)
  }

  private mutating func nanoseconds(_ text: DateText, _ parts: CSVLayout.Parts) -> Int64? {
    var seconds: Int64 = 0
    if text.hasDate {
      guard let day = day(text, parts) else { return nil }
      seconds = day * 86_400
    }
    // If date and time of day are in two columns, the time has the time zone.
    if text.nanoseconds != nil, !parts.isTimeOfDay { seconds -= text.zone ?? parts.zone }
    return seconds * 1_000_000_000 + (text.nanoseconds ?? 0)
  }

  /// Returns the day of a date. If the order of day and month is unknown, the order with the smaller step is used.
  private mutating func day(_ text: DateText, _ parts: CSVLayout.Parts) -> Int64? {
    let (taken, other) =
      parts.isMonthFirst ? (text.dayMonthFirst, text.dayDayFirst) : (text.dayDayFirst, text.dayMonthFirst)
    guard !parts.isOrderCertain, let last = lastDays else {
      if let taken { lastDays = (taken, other ?? taken) }
      return taken.map { $0 + dayShift }
    }
    let isNearer = other.map { other in
      taken.map { abs(other - last.other) < abs($0 - last.taken) } ?? true
    }
    if isNearer == true, let other {
      // Earlier times do not change.
      self.parts?.isMonthFirst.toggle()
      self.parts?.isOrderCertain = true
      dayShift = last.taken - last.other
      return other + dayShift
    }
    if let taken { lastDays = (taken, other ?? taken) }
    return taken
  }

  /// Parses seconds and a fraction without leading zeros, such as 1.5 for 1.005.
  private static func unpadded(_ bytes: UnsafeBufferPointer<CChar>, _ digits: Int) -> Int64? {
    var (whole, fraction): (Int64, Int64?) = (0, nil)
    var count = 0
    for byte in bytes.lazy.map({ UInt8(bitPattern: $0) }) {
      if byte == 0x2E || byte == 0x2C, fraction == nil {
        fraction = 0
      } else if (0x30...0x39).contains(byte), whole < 1_000_000_000, count < digits {
        let digit = Int64(byte - 0x30)
        if let so = fraction { (fraction, count) = (so * 10 + digit, count + 1) } else { whole = whole * 10 + digit }
      } else {
        return nil
      }
    }
    var scale: Int64 = 1_000_000_000
    for _ in 0..<digits { scale /= 10 }
    let (seconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : seconds + (fraction ?? 0) * scale
  }
}
