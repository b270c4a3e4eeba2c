/// Human-readable times of rows, as written by apps: "2017-06-23 15:42:42.144 +0200", "2024-08-22T14:12:07.869+02:00".
enum LoggingTime {
  /// Returns the UNIX time in seconds, or `nil` if the string is not a time.
  ///
  /// Without an offset from UTC the time is local, in an unknown time zone.
  static func seconds(_ text: String) -> (seconds: Double, hasOffset: Bool)? {
    var reader = Reader(text: Array(text.utf8))
    guard let year = reader.digits(4), reader.skip(0x2D), let month = reader.digits(2), reader.skip(0x2D),
      let day = reader.digits(2), reader.skip(0x20) || reader.skip(0x54), let hour = reader.digits(2),
      reader.skip(0x3A), let minute = reader.digits(2), reader.skip(0x3A), let second = reader.digits(2),
      (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 60, second < 61
    else { return nil }
    let fraction = reader.fraction()
    let whole = Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    _ = reader.skip(0x20)
    if reader.isAtEnd { return (whole + fraction, false) }
    if reader.skip(0x5A) { return reader.isAtEnd ? (whole + fraction, true) : nil }
    let isEast = reader.skip(0x2B)
    guard isEast || reader.skip(0x2D), let hours = reader.digits(2) else { return nil }
    _ = reader.skip(0x3A)
    guard let minutes = reader.digits(2), reader.isAtEnd, hours < 24, minutes < 60 else { return nil }
    let offset = Double(hours * 3600 + minutes * 60)
    return (whole - (isEast ? offset : -offset) + fraction, true)
  }

  /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar.
  ///
  /// If the year begins in March, the leap day is its last day, and the months before a date add up to whole numbers of
  /// 30.6 days.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  private struct Reader {
    let text: [UInt8]
    var position = 0

    init(text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ byte: UInt8) -> Bool {
      guard position < text.count, text[position] == byte else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard position + count <= text.count else { return nil }
      var value = 0
      for byte in text[position..<(position + count)] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = 10 * value + Int(byte - 0x30)
      }
      position += count
      return value
    }

    /// Returns the decimals after a point or comma, if any.
    mutating func fraction() -> Double {
      guard skip(0x2E) || skip(0x2C) else { return 0 }
      var (value, scale) = (0.0, 0.1)
      while position < text.count, (0x30...0x39).contains(text[position]) {
        value += Double(text[position] - 0x30) * scale
        scale /= 10
        position += 1
      }
      return value
    }
  }
}
