/// What a log's own stamps count, and in which unit; the samples' times are seconds whatever it is.
package struct LogClock: Sendable, Equatable, Codable {
  /// What the clock counts from.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// The device's start: a clock that only goes forward and that no setting of the time of day moves.
    case deviceStart = "device-start"
    /// 1970-01-01, UTC.
    case unix
    /// 2001-01-01, UTC, from which Apple's reference dates count.
    case year2001 = "2001"
    /// The start of the experiment or of the app's recording.
    case recordingStart = "recording-start"
    /// The log does not say: its times are taken as they are.
    case unstated
    /// There are no stamps: the row's number divided by the rate.
    case rows
    /// Dates, as text or as numbers of days, that state their time zone or are taken as UTC.
    case date
    /// Midnight: times of day without a date.
    case timeOfDay = "time-of-day"
    /// A device's counter, unwound where it began anew.
    case ticks
  }

  package var origin: Origin
  /// Of the stamps as they stand in the log; nil for rows and ticks.
  package var unit: LogOptions.TimeUnit?
  /// Of rows and ticks, in Hz.
  package var rate: Double?
  /// After how many ticks the counter begins anew.
  package var modulus: Int?
  /// Channels on other clocks within the log, and how they were put on this one, a sentence each.
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
    let unit = unit.map { " in \($0.words)" } ?? ""
    let rate = rate.map { " at \($0) Hz" } ?? ""
    let text =
      switch origin {
      case .deviceStart: "time since the device's start\(unit)"
      case .unix: "UNIX time\(unit)"
      case .year2001: "time since 2001\(unit)"
      case .recordingStart: "time since the recording's start\(unit)"
      case .unstated: "time\(unit) from an origin that the log does not say"
      case .rows: "none: rows\(rate)"
      case .date: unit.isEmpty ? "dates and times of day" : "dates\(unit)"
      case .timeOfDay: "time of day, continued over midnight"
      case .ticks:
        "the device's ticks\(rate)" + (modulus.map { ", which begin anew after \($0) and were unwound" } ?? "")
      }
    return ([text] + others).joined(separator: "; ")
  }
}

extension LogOptions.TimeUnit {
  fileprivate var words: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    case .minutes: "minutes"
    case .hours: "hours"
    case .days: "days"
    }
  }
}
