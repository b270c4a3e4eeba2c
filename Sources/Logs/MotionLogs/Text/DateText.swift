/// A date, a time of day, or both, in a common text format.
///
/// Dates: `2024-03-05`, `20240305`, `5/3/2024`, `05.03.24`, `05-Mar-2024`, `Mar 5, 2024`, each with or without the time of day.
/// Times of day: `14:07:31.020`, `14:07:31,020`, `14:07:31:020`, `14.07.31.020`, `140731.020`, `2:07:31 PM`, `14:07`.
/// Time zones after the time: `Z`, `UTC`, `GMT`, `+01:00`, `-0700`, and `[Europe/Berlin]` after one of these.
struct DateText: Equatable {
  /// The days since 1970-01-01 if the month precedes the day; `nil` without a date, or if it does not exist.
  var dayMonthFirst: Int64?
  /// The days since 1970-01-01 if the day precedes the month; equal to `dayMonthFirst` if the order is certain.
  var dayDayFirst: Int64?
  /// The nanoseconds since midnight; `nil` without a time of day.
  var nanoseconds: Int64?
  /// The offset of the zone from UTC in seconds, positive to the east; `nil` without a zone.
  var zone: Int64?
  /// The number of digits of the seconds' fraction; 0 without a fraction.
  var fractionDigits = 0
  /// Whether slashes separate the numbers of the date.
  var hasSlashes = false

  var hasDate: Bool { dayMonthFirst != nil || dayDayFirst != nil }
  /// Whether the order of day and month is ambiguous.
  var isAmbiguous: Bool { dayMonthFirst != nil && dayDayFirst != nil && dayMonthFirst != dayDayFirst }

  /// The maximum length of a date and time, in bytes.
  private static let maximumLength = 64

  /// - Parameter unpadded: The number of digits of a fraction without leading zeros (`31.5` is 31 s and 5 of its
  ///   units); `nil` for a decimal fraction.
  init?(_ bytes: UnsafeBufferPointer<CChar>, unpadded: Int? = nil) {
    guard (4...Self.maximumLength).contains(bytes.count) else { return nil }
    var cursor = Cursor(bytes: bytes)
    guard cursor.readDateAndTime(into: &self, unpadded: unpadded), hasDate || nanoseconds != nil else { return nil }
  }

  /// Returns the offset of `UTC`, `+01:00`, `-0700` and similar zones from UTC in seconds, or `nil` for any other text.
  static func zone(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var cursor = Cursor(bytes: bytes)
        guard let zone = cursor.readZone(), cursor.isAtEnd else { return nil }
        return zone
      }
    }
  }

  /// Returns the days from 1970-01-01 to a Gregorian date, or `nil` if there is no such day from 1700 to 2250.
  static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard (1700...2250).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    guard day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1] else { return nil }
    // Years begin in March, so that the leap day is the last day.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

// MARK: Bytes

private struct Cursor {
  let bytes: UnsafeBufferPointer<CChar>
  var place = 0

  init(bytes: UnsafeBufferPointer<CChar>) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  func byte(_ ahead: Int = 0) -> UInt8 {
    place + ahead < bytes.count ? UInt8(bitPattern: bytes[place + ahead]) : 0
  }
  private func isDigit(_ ahead: Int = 0) -> Bool { (0x30...0x39).contains(byte(ahead)) }
  private func isLetter(_ ahead: Int = 0) -> Bool { (0x61...0x7A).contains(byte(ahead) | 0x20) }

  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard (0..<count).allSatisfy({ byte($0) | 0x20 == text.utf8Start[$0] | 0x20 }) else { return false }
    place += count
    return true
  }

  private mutating func skipBlanks() { while byte() == 0x20 || byte() == 0x09 { place += 1 } }

  /// Reads at most nine digits.
  private mutating func number() -> (value: Int64, digits: Int)? {
    let start = place
    var value: Int64 = 0
    while isDigit(), place - start < 9 {
      value = value * 10 + Int64(byte() - 0x30)
      place += 1
    }
    return place > start && !isDigit() ? (value, place - start) : nil
  }

  private mutating func word() -> String {
    let start = place
    while isLetter() { place += 1 }
    return String(decoding: bytes[start..<place].lazy.map { UInt8(bitPattern: $0) | 0x20 }, as: UTF8.self)
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private mutating func month() -> Int64? {
    let word = word()
    guard word.count >= 3, let index = Self.months.firstIndex(of: String(word.prefix(3))) else { return nil }
    if byte() == 0x2E { place += 1 }
    return Int64(index + 1)
  }

  mutating func readDateAndTime(into text: inout DateText, unpadded: Int?) -> Bool {
    skipBlanks()
    skipWeekday()
    let start = place
    if !readDate(into: &text) {
      place = start
      text.dayMonthFirst = nil
      text.dayDayFirst = nil
    }
    if text.hasDate {
      guard !isAtEnd else { return true }
      // The separator of date and time: a blank, T, an underscore, a comma, a dash, a colon.
      let separator = byte()
      guard [0x20, 0x54, 0x74, 0x5F, 0x2C, 0x2D, 0x3A].contains(separator) else { return false }
      place += 1
      skipBlanks()
      if isAtEnd { return separator == 0x20 }
    }
    guard readTime(into: &text, unpadded: unpadded) else { return false }
    skipBlanks()
    if let zone = readZone() { text.zone = zone }
    skipBlanks()
    // Skips the letters of an ambiguous zone, such as CST, and a city.
    if isLetter(), word().count > 5 { return false }
    skipBlanks()
    if byte() == 0x5B {
      while !isAtEnd, byte() != 0x5D { place += 1 }
      if !isAtEnd { place += 1 }
    }
    return isAtEnd
  }

  private mutating func skipWeekday() {
    let start = place
    let found = word()
    guard found.count >= 3, Self.weekdays.contains(String(found.prefix(3))) else { return place = start }
    if byte() == 0x2C { place += 1 }
    skipBlanks()
  }

  private mutating func readDate(into text: inout DateText) -> Bool {
    if isLetter() {
      // Mar 5, 2024
      guard let month = month() else { return false }
      skipBlanks()
      guard let day = number() else { return false }
      if byte() == 0x2C { place += 1 }
      skipBlanks()
      guard let year = number(), year.digits == 4 else { return false }
      return set(DateText.day(year.value, month, day.value), into: &text)
    }
    guard let first = number() else { return false }
    if first.digits == 8 {
      return set(DateText.day(first.value / 10_000, first.value / 100 % 100, first.value % 100), into: &text)
    }
    let separator = byte()
    guard [0x2D, 0x2F, 0x2E, 0x20].contains(separator), first.digits <= 4 else { return false }
    place += 1
    if separator == 0x20 { skipBlanks() }
    if isLetter() {
      // 05-Mar-2024
      guard let month = month(), [0x2D, 0x2F, 0x2E, 0x20].contains(byte()) else { return false }
      place += 1
      guard let year = number() else { return false }
      if first.digits == 4 { return set(DateText.day(first.value, month, year.value), into: &text) }
      return set(DateText.day(Self.fullYear(year), month, first.value), into: &text)
    }
    guard separator != 0x20, let second = number(), second.digits <= 2, byte() == separator else { return false }
    place += 1
    guard let third = number() else { return false }
    if first.digits == 4 {
      return third.digits <= 2 && set(DateText.day(first.value, second.value, third.value), into: &text)
    }
    guard first.digits <= 2, third.digits == 2 || third.digits == 4 else { return false }
    text.dayMonthFirst = DateText.day(Self.fullYear(third), first.value, second.value)
    text.dayDayFirst = DateText.day(Self.fullYear(third), second.value, first.value)
    text.hasSlashes = separator == 0x2F
    return text.hasDate
  }

  private static func fullYear(_ year: (value: Int64, digits: Int)) -> Int64 {
    year.digits > 2 ? year.value : year.value + (year.value < 70 ? 2000 : 1900)
  }

  private func set(_ day: Int64?, into text: inout DateText) -> Bool {
    text.dayMonthFirst = day
    text.dayDayFirst = day
    return day != nil
  }

  private mutating func readTime(into text: inout DateText, unpadded: Int?) -> Bool {
    guard let first = number() else { return false }
    var (hour, minute, second): (Int64, Int64, Int64) = (first.value, 0, 0)
    var separator: UInt8 = 0
    if first.digits == 6 {
      // Six digits without a date are a plain number.
      guard text.hasDate else { return false }
      (hour, minute, second) = (first.value / 10_000, first.value / 100 % 100, first.value % 100)
    } else {
      separator = byte()
      // Points and dashes separate hours and minutes only after a date.
      guard first.digits <= 2, separator == 0x3A || text.hasDate && (separator == 0x2E || separator == 0x2D) else {
        return false
      }
      place += 1
      guard let next = number(), next.digits <= 2 else { return false }
      minute = next.value
      if byte() == separator, isDigit(1) {
        place += 1
        guard let next = number(), next.digits <= 2 else { return false }
        second = next.value
      } else {
        guard separator == 0x3A else { return false }
        // A fraction belongs to seconds: a stopwatch's minutes and seconds, or a spreadsheet's mm:ss.0.
        if byte() == 0x2E || byte() == 0x2C, isDigit(1) {
          guard !text.hasDate, minute < 60 else { return false }
          (hour, minute, second) = (hour / 60, hour % 60, minute)
        }
      }
    }
    guard hour <= 24, minute < 60, second <= 60 else { return false }
    guard let fraction = readFraction(into: &text, separator: separator, unpadded: unpadded) else { return false }
    skipBlanks()
    if skip("am") || skip("a.m.") {
      guard hour <= 12 else { return false }
      hour %= 12
    } else if skip("pm") || skip("p.m.") {
      guard hour <= 12 else { return false }
      hour = hour % 12 + 12
    }
    text.nanoseconds = ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction
    return true
  }

  /// Reads the fraction of the second, in nanoseconds.
  private mutating func readFraction(into text: inout DateText, separator: UInt8, unpadded: Int?) -> Int64? {
    let mark = byte()
    guard mark == 0x2E || mark == 0x2C || mark == separator && separator != 0, isDigit(1) else { return 0 }
    place += 1
    guard var found = number() else { return nil }
    text.fractionDigits = found.digits
    // After a colon or a dash follows a number of milliseconds, microseconds or nanoseconds.
    let isCount = mark == 0x3A || mark == 0x2D
    let width = isCount ? (found.digits + 2) / 3 * 3 : max(found.digits, unpadded ?? 0)
    guard width <= 9 else { return nil }
    for _ in width..<9 { found.value *= 10 }
    return found.value
  }

  /// Reads a zone and returns its offset from UTC in seconds, or `nil` if there is no zone here.
  mutating func readZone() -> Int64? {
    let start = place
    var zone: Int64?
    if skip("utc") || skip("gmt") || skip("z") { zone = 0 }
    if byte() == 0x2B || byte() == 0x2D, isDigit(1) {
      let sign: Int64 = byte() == 0x2D ? -1 : 1
      place += 1
      guard let hours = number() else { return nil }
      var (hour, minute) = (hours.value, Int64(0))
      if hours.digits > 2 { (hour, minute) = (hours.value / 100, hours.value % 100) }
      if byte() == 0x3A {
        place += 1
        guard let minutes = number() else { return nil }
        minute = minutes.value
      }
      guard hour <= 15, minute < 60 else { return nil }
      zone = sign * (hour * 3600 + minute * 60)
    }
    if zone == nil { place = start }
    return zone
  }
}
