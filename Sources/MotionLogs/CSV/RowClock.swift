/// Turns the time stamps of a CSV's rows into seconds.
struct RowClock {
  /// Stamps from here on are UNIX time in nanoseconds: 10¹⁷ ns is the year 1973, or three years since a device's start.
  private static let unixNanoseconds = 1e17
  /// UNIX times of the years 2001 to 2100, in seconds; no device runs for so long.
  private static let unixSeconds = 1e9..<4.2e9

  /// Whether a stamp can only be UNIX time in nanoseconds.
  static func isUNIXNanoseconds(_ stamp: FieldScanner.Integer) -> Bool {
    switch stamp {
    case .integer(let value): Double(value).magnitude >= unixNanoseconds
    case .value(let value): abs(value) >= unixNanoseconds && abs(value) < 1e19
    case .empty, .text, .end: false
    }
  }

  private enum Rule {
    case divide(Double)
    /// Nanoseconds since the first stamp, which a double of UNIX time could not tell apart.
    case sinceFirst(Int64)
    /// Row number / rate.
    case rate(Double)
    case ticks(perSecond: Double, modulus: Int64)
  }

  private let rule: Rule
  private var row = 0
  /// The last value of a counter, and the sum of its steps.
  private var lastTick: Int64?
  private var tickSum: Int64 = 0
  /// What was inferred.
  private(set) var note: String?
  /// UNIX time in seconds of time 0, where the stamps tell.
  private(set) var epoch: Double?

  /// What the stamps count.
  private(set) var kind = LogClock(.unstated)

  /// The first stamp, where times count from it: nanoseconds since 1970.
  var origin: Int64? { if case .sinceFirst(let origin) = rule { origin } else { nil } }

  /// Whether the rows have stamps.
  var isColumn: Bool { if case .rate = rule { false } else { true } }

  /// Decides by the first stamp; an error where the unit cannot be told.
  init(_ clock: CSVLayout.Clock, firstStamp: FieldScanner.Integer, path: String) throws(LogError) {
    let first: Double =
      switch firstStamp {
      case .integer(let value): Double(value)
      case .value(let value): value
      case .empty, .text, .end: .nan
      }
    let column: CSVLayout.ColumnClock
    switch clock {
    case .rate(let rate):
      rule = .rate(rate)
      kind = LogClock(.rows, rate: rate)
      return
    case .column(let found): column = found
    }
    let isUNIXNanoseconds = Self.isUNIXNanoseconds(firstStamp)
    let unit: Dimension.TimeUnit
    switch column {
    case .known(let known): unit = known
    case .ticks(let ticks):
      rule = .ticks(perSecond: ticks.perSecond, modulus: ticks.modulus)
      kind = LogClock(.ticks, rate: ticks.perSecond, modulus: Int(ticks.modulus))
      return
    case .secondsOrUNIXNanoseconds: unit = isUNIXNanoseconds ? .nanoseconds : .seconds
    case .unknown(let line, let column, let name):
      guard isUNIXNanoseconds else {
        throw LogError(
          path: path, line: line, column: line == nil ? nil : column,
          problem: "column \"\(name)\" does not say its unit",
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
      rule = .divide(unit.rawValue)
      if Self.unixSeconds.contains(first / unit.rawValue) { epoch = 0 }
      kind = LogClock(epoch == 0 ? .unix : .unstated, unit: unit.option)
    }
  }

  /// Seconds of a stamp.
  @inline(__always)
  mutating func seconds(_ stamp: FieldScanner.Integer) -> Double {
    switch (rule, stamp) {
    case (.sinceFirst(let origin), .integer(let value)): return stampDifference(from: origin, to: value) / 1e9
    case (.sinceFirst(let origin), .value(let value)): return (value - Double(origin)) / 1e9
    case (.divide(let divisor), .integer(let value)): return Double(value) / divisor
    case (.divide(let divisor), .value(let value)): return value / divisor
    case (.ticks(let perSecond, let modulus), .integer(let tick)): return count(tick, perSecond, modulus)
    case (.ticks(let perSecond, let modulus), .value(let value)):
      return Int64(exactly: value).map { count($0, perSecond, modulus) } ?? .nan
    default: return .nan
    }
  }

  /// Seconds of a counter that begins anew after its largest value: each step is the shorter way round, so that rows
  /// out of order stay so.
  private mutating func count(_ tick: Int64, _ perSecond: Double, _ modulus: Int64) -> Double {
    guard tick >= 0, tick < 1 << 32 else { return .nan }
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

  /// Seconds of the next row of a log without stamps.
  @inline(__always)
  mutating func nextRow() -> Double {
    defer { row += 1 }
    if case .rate(let rate) = rule { return Double(row) / rate }
    return .nan
  }
}
