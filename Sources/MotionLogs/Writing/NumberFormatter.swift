internal import CFastFloat

/// Writes rows of numbers as lines of CSV into a buffer of bytes.
struct NumberFormatter {
  /// Bytes that a number and its separator need at most: 24 and 1.
  static let longestField = 25

  let columnCount: Int
  /// Significant digits; nil for the shortest text that reads back as the same number.
  let digits: Int?
  /// Whether a column is written exactly, whatever `digits` is.
  private let isExact: [Bool]
  /// Whole numbers below this are written as such, without an exponent.
  private let wholeLimit: Double

  init(columnCount: Int, digits: Int?, exactColumns: Set<Int> = []) {
    self.columnCount = columnCount
    self.digits = digits
    isExact = (0..<columnCount).map { digits == nil || exactColumns.contains($0) }
    wholeLimit = digits.map { digits in (0..<min(digits, 15)).reduce(1.0) { power, _ in power * 10 } } ?? 1e15
  }

  /// Writes rows, NaN as an empty field, and gives the number of bytes. The buffer has `longestField` bytes for each.
  func write(_ values: UnsafeBufferPointer<Double>, into buffer: UnsafeMutableBufferPointer<CChar>) -> Int {
    precondition(buffer.count >= values.count * Self.longestField)
    guard let base = buffer.baseAddress, !values.isEmpty else { return 0 }
    var place = base
    var column = 0
    for value in values {
      place = write(value, at: place, isExact: isExact[column])
      column += 1
      if column == columnCount {
        place.pointee = 0x0A
        column = 0
      } else {
        place.pointee = 0x2C
      }
      place += 1
    }
    return place - base
  }

  @inline(__always)
  private func write(
    _ value: Double, at place: UnsafeMutablePointer<CChar>, isExact: Bool
  ) -> UnsafeMutablePointer<CChar> {
    if value.isNaN { return place }
    if abs(value) < (isExact ? 1e15 : wholeLimit) {
      let whole = Int64(value)
      // −0 is not written as 0: it reads back as another number.
      if Double(whole) == value, whole != 0 || value.sign == .plus { return Self.write(whole, at: place) }
    }
    let end = place + Self.longestField - 1
    if !isExact, let digits { return cfastfloat_write_digits(place, end, value, Int32(digits))! }
    return cfastfloat_write(place, end, value)!
  }

  @inline(__always)
  private static func write(
    _ value: Int64, at place: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar> {
    var place = place
    var rest = value.magnitude
    if value < 0 {
      place.pointee = 0x2D
      place += 1
    }
    var length = 1
    var power: UInt64 = 10
    while rest >= power {
      length += 1
      power *= 10
    }
    var digit = place + length
    repeat {
      digit -= 1
      digit.pointee = CChar(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    } while rest > 0
    return place + length
  }
}
