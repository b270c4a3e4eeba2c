internal import CInertialFastFloat

/// The format of rows of numbers as lines of text.
package struct TableStyle: Sendable, Equatable {
  /// The ASCII character between two fields.
  package var separator: UInt8
  /// The representation of NaN: at most 8 ASCII characters.
  package var missing: [UInt8]

  init(separator: Unicode.Scalar, missing: String) {
    self.separator = UInt8(ascii: separator)
    self.missing = Array(missing.utf8)
  }

  /// Commas, and empty fields for NaN.
  package static let csv = TableStyle(separator: ",", missing: "")
  /// The tables of BIDS: tabs, and n/a for NaN.
  package static let bids = TableStyle(separator: "\t", missing: "n/a")
  /// The tables of numerical programs: blanks, and nan.
  package static let spaced = TableStyle(separator: " ", missing: "nan")
}

/// Writes rows of numbers as lines of text to a buffer of bytes.
struct NumberFormatter {
  /// The maximum length of a number and its separator in bytes: 24 for the shortest representation, 7 more without an
  /// exponent, and 1 for the separator.
  static let maximumFieldLength = 32
  /// The magnitude below which a number in a plain column is written as 0.
  private static let minimumPlainMagnitude = 1e-9

  let columnCount: Int
  /// The number of significant digits; 17 for the shortest text that reads back as the same number.
  let digits: Int
  /// Whether each column is written exactly, regardless of `digits`.
  private let isExact: [Bool]
  private let style: TableStyle
  /// Whether each column is written without exponents; empty if no column is.
  private let isPlain: [Bool]
  /// The clock of the first column's times, which are written as whole nanoseconds; `nil` for seconds.
  let clock: NanosecondClock?
  /// The limit below which whole numbers are written without a fraction and an exponent.
  private let wholeLimit: Double

  init(
    columnCount: Int, digits: Int = 17, exactColumns: Set<Int> = [], style: TableStyle = .csv,
    plainColumns: Set<Int> = [], clock: NanosecondClock? = nil
  ) {
    precondition(columnCount > 0, "a table needs columns")
    precondition((1...17).contains(digits), "digits are 1 to 17, not \(digits)")
    (self.columnCount, self.style, self.clock) = (columnCount, style, clock)
    isPlain = plainColumns.isEmpty ? [] : (0..<columnCount).map { plainColumns.contains($0) }
    self.digits = digits
    isExact = (0..<columnCount).map { digits == 17 || exactColumns.contains($0) }
    wholeLimit = (0..<min(digits, 15)).reduce(1) { power, _ in power * 10 }
  }

  /// Writes rows and returns the number of bytes. The buffer must have `maximumFieldLength` bytes per number.
  func write(_ values: UnsafeBufferPointer<Double>, into buffer: UnsafeMutableBufferPointer<CChar>) -> Int {
    precondition(buffer.count >= values.count * Self.maximumFieldLength)
    guard let base = buffer.baseAddress, !values.isEmpty else { return 0 }
    var position = base
    var column = 0
    // The starts of the last fields: a number that is repeated in the next row has the same text. The copy has
    // `maximumFieldLength` bytes, and the next field overwrites those after the separator.
    var starts = [UnsafeMutablePointer<CChar>](repeating: base, count: columnCount)
    for (index, value) in values.enumerated() {
      let (start, before) = (position, starts[column])
      let next = column + 1 == columnCount ? 0 : column + 1
      starts[column] = start
      if index >= columnCount, values[index - columnCount].bitPattern == value.bitPattern {
        let field = UnsafeRawPointer(before).loadUnaligned(as: SIMD32<UInt8>.self)
        UnsafeMutableRawPointer(start).storeBytes(of: field, as: SIMD32<UInt8>.self)
        position += starts[next] - before
      } else {
        if column == 0, let stamp = clock?.stamp(value) {
          position = Self.write(stamp, at: position)
        } else {
          position = write(value, at: position, isExact: isExact[column])
        }
        if !isPlain.isEmpty, isPlain[column] { position = plain(value, from: start, to: position) }
        position.pointee = next == 0 ? 0x0A : CChar(style.separator)
        position += 1
      }
      column = next
    }
    return position - base
  }

  @inline(__always)
  private func write(
    _ value: Double, at position: UnsafeMutablePointer<CChar>, isExact: Bool
  ) -> UnsafeMutablePointer<CChar> {
    if value.isNaN {
      guard !style.missing.isEmpty else { return position }
      for (index, byte) in style.missing.enumerated() { position[index] = CChar(byte) }
      return position + style.missing.count
    }
    if abs(value) < (isExact ? 1e15 : wholeLimit) {
      let whole = Int64(value)
      // −0 is not written as 0, which reads back as a different number.
      if Double(whole) == value, whole != 0 || value.sign == .plus { return Self.write(whole, at: position) }
    }
    let end = position + Self.maximumFieldLength - 1
    if !isExact { return cfastfloat_write_digits(position, end, value, Int32(digits))! }
    return cfastfloat_write(position, end, value)!
  }

  /// Rewrites a small number without its exponent: "1.5e-07" as "0.00000015".
  private func plain(
    _ value: Double, from start: UnsafeMutablePointer<CChar>, to end: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar> {
    let text = UnsafeBufferPointer(start: start, count: end - start).map(UInt8.init(bitPattern:))
    guard abs(value) < 1, let mark = text.firstIndex(of: UInt8(ascii: "e")) else { return end }
    guard abs(value) >= Self.minimumPlainMagnitude,
      let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self))
    else {
      return Self.write(0 as Int64, at: start)
    }
    let digits = text[..<mark].filter { $0 >= UInt8(ascii: "0") }
    let zeros = Array(repeating: UInt8(ascii: "0"), count: -exponent - 1)
    var position = start
    for byte in (value < 0 ? Array("-0.".utf8) : Array("0.".utf8)) + zeros + digits {
      position.pointee = CChar(byte)
      position += 1
    }
    return position
  }

  @inline(__always)
  private static func write(
    _ value: Int64, at position: UnsafeMutablePointer<CChar>
  ) -> UnsafeMutablePointer<CChar> {
    var position = position
    var rest = value.magnitude
    if value < 0 {
      position.pointee = 0x2D
      position += 1
    }
    var length = 1
    var power: UInt64 = 10
    while rest >= power {
      length += 1
      power *= 10
    }
    var digit = position + length
    repeat {
      digit -= 1
      digit.pointee = CChar(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    } while rest > 0
    return position + length
  }
}
