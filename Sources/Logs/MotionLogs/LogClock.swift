/// The origin and unit of a log's own timestamps. Sample times are always in seconds.
package struct LogClock: Sendable, Equatable, Codable {
  /// The origin of a clock.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// The device's start: a monotonic clock that changes to the time of day do not affect.
    case deviceStart = "device-start"
    /// 1970-01-01, UTC.
    case unix
    /// 2001-01-01, UTC, the epoch of Apple's reference dates.
    case year2001 = "2001"
    /// The start of the experiment or of the app's recording.
    case recordingStart = "recording-start"
    /// Unspecified by the log: the times are used unchanged.
    case unstated
    /// Row numbers: the log has no timestamps, and the time is the row's number divided by the rate.
    case rows
    /// Dates, as text or as numbers of days, that state their time zone or are taken as UTC.
    case date
    /// Midnight: times of day without a date.
    case timeOfDay = "time-of-day"
    /// A device's counter, unwrapped at overflows.
    case ticks
  }

  package var origin: Origin
  /// The unit of the timestamps in the log; `nil` for rows and ticks.
  package var unit: LogOptions.TimeUnit?
  /// The rate of rows or ticks, in Hz.
  package var rate: Double?
  /// The number of ticks after which the counter overflows.
  package var modulus: Int?
  /// The channels on other clocks within the log and how they were aligned with this clock, one sentence each.
  package var others: [String] = []

  package init(_ origin: Origin, unit: LogOptions.TimeUnit? = nil, rate: Double? = nil, modulus: Int? = nil) {
    self.origin = origin
    self.unit = unit
    self.rate = rate
    self.modulus = modulus
  }
}

extension LogClock: CustomStringConvertible {
  package var description: String {
    let unit = unit.map { " in \($0)" } ?? ""
    let rate = rate.map { " at \($0) Hz" } ?? ""
    let text =
      switch origin {
      case .deviceStart: "time since the device's start\(unit)"
      case .unix: "UNIX time\(unit)"
      case .year2001: "time since 2001\(unit)"
      case .recordingStart: "time since the recording's start\(unit)"
      case .unstated: "time\(unit) from an unspecified origin"
      case .rows: "none: rows\(rate)"
      case .date: unit.isEmpty ? "dates and times of day" : "dates\(unit)"
      case .timeOfDay: "time of day, continued over midnight"
      case .ticks:
        "the device's ticks\(rate)" + (modulus.map { ", which wrap after \($0) and were unwrapped" } ?? "")
      }
    return ([text] + others).joined(separator: "; ")
  }
}
