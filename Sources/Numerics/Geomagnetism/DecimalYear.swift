internal import InertialSystem

/// Dates in the format of the World Magnetic Model: the year plus its elapsed fraction, such as 2024.5.
public enum DecimalYear {
  /// Returns the decimal year of a date in the Gregorian calendar, or `nil` if the date does not exist.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: The month, 1...12.
  ///   - day: The day of the month, from 1.
  ///   - secondsOfDay: The seconds since midnight, universal time.
  public static func of(year: Int, month: Int, day: Int, secondsOfDay: Double = 0) -> Double? {
    guard (1...12).contains(month), (1...daysInMonth(month, of: year)).contains(day) else { return nil }
    let passed = (1..<month).reduce(day - 1) { $0 + daysInMonth($1, of: year) }
    return Double(year) + (Double(passed) + secondsOfDay / 86_400) / Double(daysIn(year))
  }

  /// Returns the decimal year of a UNIX time: seconds since 1970-01-01 00:00 UTC, without leap seconds.
  public static func of(unixTime: Double) -> Double {
    let days = (unixTime / 86_400).rounded(.down)
    // 146,097 days are exactly 400 Gregorian years; from 1970, the remaining years are counted one by one.
    let cycles = (days / 146_097).rounded(.down)
    var remaining = Int(days - cycles * 146_097)
    var year = 1970
    while remaining >= daysIn(year) {
      remaining -= daysIn(year)
      year += 1
    }
    let passed = Double(remaining) + (unixTime / 86_400 - days)
    return Double(year) + cycles * 400 + passed / Double(daysIn(year))
  }

  /// Parses a date `2024-05-17` or a decimal year `2024.37`, and returns the decimal year, or `nil` for other texts.
  public static func parse(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]) {
      return of(year: year, month: month, day: day)
    }
    guard let year = Double(text), year.isFinite else { return nil }
    return year
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func daysIn(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
