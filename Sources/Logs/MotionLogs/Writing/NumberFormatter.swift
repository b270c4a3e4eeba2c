internal import CInertialFastFloat

/// How rows of numbers are put as lines of text.
package struct TableStyle: Sendable, Equatable {
  /// An ASCII character between two fields.
  package var separator: UInt8
  /// What stands for NaN: at most 8 ASCII characters.
  package var missing: [UInt8]

  init(separator: Unicode.Scalar, missing: String) {
    self.separator = UInt8(ascii: separator)
    self.missing = Array(missing.utf8)
  }

  /// Commas, and nothing for NaN.
  package static let csv = TableStyle(separator: ",", missing: "")
  /// The tables of BIDS: tabs, and n/a for NaN.
  package static let bids = TableStyle(separator: "\t", missing: "n/a")
  /// The tables that numerical programs read: blanks, and nan.
  package static let spaced = TableStyle(separator: " ", missing: "nan")
}

/// Writes rows of numbers as lines of text into a buffer of bytes.
struct NumberFormatter {
  /// Bytes that a number and its separator need at most: 24 of a shortest one, and 7 more where it is written without an
  /// exponent; and 1.
  static let longestField = 32
  /// Magnitudes below this are 0 in a plain column.
  private static let leastPlain = 1e-9

  let columnCount: Int
  /// Significant digits; nil for the shortest text that reads back as the same number.
  let digits: Int?
  /// Whether a column is written exactly, whatever `digits` is.
  private let isExact: [Bool]
  private let style: TableStyle
  /// Whether a column is written without exponents; empty where none is.
  private let isPlain: [Bool]
  /// Whole numbers below this are written as such, without an exponent.
  private let wholeLimit: Double

  init(
    columnCount: Int, digits: Int?, exactColumns: Set<Int> = [], style: TableStyle = .csv, plainColumns: Set<Int> = []
  ) {
    self.columnCount = columnCount
    self.style = style
    isPlain = plainColumns.isEmpty ? [] : (0..<columnCount).map { plainColumns.contains($0) }
    self.digits = digits
    isExact = (0..<columnCount).map { digits == nil || exactColumns.contains($0) }
    wholeLimit = digits.map { digits in (0..<min(digits, 15)).reduce(1.0) { power, _ in power * 10 } } ?? 1e15
  }

  /// Writes rows and gives the number of bytes. The buffer has `longestField` bytes for each.
  func write(_ values: UnsafeBufferPointer<Double>, into buffer: UnsafeMutableBufferPointer<CChar>) -> Int {
    precondition(buffer.count >= values.count * Self.longestField)
    guard let base = buffer.baseAddress, !values.isEmpty else { return 0 }
    var place = base
    var column = 0
    for value in values {
      let start = place
      place = write(value, at: place, isExact: isExact[column])
      if !isPlain.isEmpty, isPlain[column] { place = plain(value, from: start, to: place) }
      column += 1
      if column == columnCount {
        place.pointee = 0x0A
        column = 0
      } else {
        place.pointee = CChar(style.separator)
      }
      place += 1
    }
    return place - base
  }

  @inline(__always)
  private func write(
    _ value: Double, at place: UnsafeMutablePointer<CChar>, isExact: Bool
  ) -> UnsafeMutablePointer<CChar> {
    if value.isNaN {
      guard !style.missing.isEmpty else { return place }
      for (index, byte) in style.missing.enumerated() { place[index] = CChar(byte) }
      return place + style.missing.count
    }
    if abs(value) < (isExact ? 1e15 : wholeLimit) {
      let whole = Int64(value)
      // −0 is not written as 0: it reads back as another number.
      if Double(whole) == value, whole != 0 || value.sign == .plus { return Self.write(whole, at: place) }
    }
    let end = place + Self.longestField - 1
    if !isExact, let digits { return cfastfloat_write_digits(place, end, value, Int32(digits))! }
    return cfastfloat_write(place, end, value)!
  }

  /// Puts a number that was written with an exponent, which is a small one, without: "1.5e-07" as "0.00000015".
  private func plain(
    _ value: Double, from start: UnsafeMutablePointer<CChar>, to end: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar> {
    let text = UnsafeBufferPointer(start: start, count: end - start).map(UInt8.init(bitPattern:))
    guard abs(value) < 1, let mark = text.firstIndex(of: UInt8(ascii: "e")) else { return end }
    guard abs(value) >= Self.leastPlain, let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) else {
      return Self.write(0 as Int64, at: start)
    }
    let digits = text[..<mark].filter { $0 >= UInt8(ascii: "0") }
    let zeros = Array(repeating: UInt8(ascii: "0"), count: -exponent - 1)
    var place = start
    for byte in (value < 0 ? Array("-0.".utf8) : Array("0.".utf8)) + zeros + digits {
      place.pointee = CChar(byte)
      place += 1
    }
    return place
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
