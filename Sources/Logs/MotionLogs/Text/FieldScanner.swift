internal import CInertialFastFloat

/// The separator of the fields of a line. Messages contain the names of the cases.
enum FieldSeparator: UInt8, CaseIterable {
  case comma = 0x2C
  case semicolon = 0x3B
  case tab = 0x09
  /// Runs of blanks and tabs; blanks at the ends of the line are ignored.
  case blanks = 0x20

  /// The separators that split a line differently: those that the line contains, and one that leaves it in one piece.
  static func splitting(_ line: UnsafeRawBufferPointer) -> [FieldSeparator] {
    var isWhole = false
    return allCases.filter { separator in
      let isPresent = line.contains { $0 == separator.rawValue || separator == .blanks && $0 == tab.rawValue }
      if isPresent { return true }
      defer { isWhole = true }
      return !isWhole
    }
  }
}

/// Iterates over the fields of a line without copying them.
///
/// A field may be in double quotes, with a doubled quote for a quote. Blanks around a field are ignored. Words for a
/// missing value ("null", "NA", "n/a", "none", "-" and similar) are empty fields; "nan" and "inf" are numbers. The
/// minus sign U+2212 and dashes used as minus signs are signs. If commas separate the fields, only a number in quotes
/// can have a decimal comma.
struct FieldScanner {
  enum Number: Equatable {
    case value(Double)
    /// An empty field, or a word for a missing value.
    case empty
    /// A field that is not a number.
    case text
    /// The line has no more fields.
    case end
  }

  enum Integer: Equatable {
    /// A whole number, exact.
    case integer(Int64)
    /// A number with a fraction or an exponent, or beyond 64 bits.
    case value(Double)
    case empty
    case text
    case end
  }

  /// The number of the last field read, counted from 1.
  private(set) var column = 0
  private let separator: FieldSeparator
  private let hasDecimalComma: Bool
  /// Whether a number without quotes may have a decimal comma.
  private let hasBareComma: Bool
  private let begin: UnsafePointer<CChar>
  private var cursor: UnsafePointer<CChar>
  private let end: UnsafePointer<CChar>
  /// Whether the last field of the line was read.
  private var isFinished: Bool
  /// The start of the last field read, including quotes.
  private var fieldStart: UnsafePointer<CChar>

  /// Creates a scanner before the first field of a line; the line's bytes must outlive the scanner.
  init(_ line: UnsafeRawBufferPointer, separator: FieldSeparator, hasDecimalComma: Bool = false) {
    self.separator = separator
    self.hasDecimalComma = hasDecimalComma
    hasBareComma = hasDecimalComma && separator != .comma
    // An empty line may have no address; any address will do.
    let base = line.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
    begin = base.assumingMemoryBound(to: CChar.self)
    cursor = begin
    end = cursor + line.count
    fieldStart = cursor
    isFinished = false
    if separator == .blanks { skipBlanks() }
  }

  /// Reads the next field as a number.
  @inline(__always)
  mutating func nextNumber() -> Number {
    guard !isFinished else { return .end }
    column += 1
    fieldStart = cursor
    var value = 0.0
    // The common case: a bare number up to the separator.
    if cursor < end, let stop = Self.parse(cursor, end, &value, hasBareComma), finishField(at: stop) {
      return .value(value)
    }
    return otherNumber()
  }

  /// Reads the next field as a whole number, for timestamps that a double cannot represent.
  mutating func nextInteger() -> Integer {
    guard !isFinished else { return .end }
    let start = cursor
    var hasFraction = false
    if let (value, stop) = Self.digits(cursor, end) {
      if finishField(at: stop) {
        column += 1
        fieldStart = start
        return .integer(value)
      }
      hasFraction = stop < end && stop.pointee == 0x2E
    }
    switch nextNumber() {
    case .value(let value):
      if hasFraction { return .value(value) }
      // Digits within blanks or quotes.
      var copy = self
      copy.cursor = start
      copy.isFinished = false
      let field = copy.takeField()
      if let begin = field.baseAddress, let (whole, stop) = Self.digits(begin, begin + field.count),
        stop == begin + field.count
      {
        return .integer(whole)
      }
      return .value(value)
    case .empty: return .empty
    case .text: return .text
    case .end: return .end
    }
  }

  /// Skips the next field; returns `false` if there is no field.
  @inline(__always)
  mutating func skip() -> Bool {
    guard !isFinished else { return false }
    column += 1
    fieldStart = cursor
    _ = takeField()
    return true
  }

  /// Returns the bytes of the next field without quotes and surrounding blanks, empty for a missing value, or `nil` if
  /// there is no field.
  mutating func nextBytes() -> UnsafeBufferPointer<CChar>? {
    guard !isFinished else { return nil }
    column += 1
    fieldStart = cursor
    let field = takeField()
    return Self.isMissingWord(field) ? UnsafeBufferPointer(rebasing: field[..<0]) : field
  }

  /// Reads the next field as text, without quotes and surrounding blanks; returns `nil` if there is no field.
  mutating func nextText() -> String? {
    guard skip() else { return nil }
    return fieldText
  }

  /// Reads the next field unchanged: same as `nextText`, but with the blanks and line ends within quotes.
  mutating func nextContent() -> String? {
    guard !isFinished else { return nil }
    var copy = self
    while copy.cursor < end, Self.isBlank(copy.cursor.pointee), !isSeparator(copy.cursor.pointee) { copy.cursor += 1 }
    guard copy.cursor < end, copy.cursor.pointee == 0x22 else { return nextText() }
    column += 1
    fieldStart = cursor
    let start = copy.cursor + 1
    _ = takeField()
    let content = UnsafeBufferPointer(start: start, count: closingQuote(after: start) - start)
    // Keeps blanks and line ends that a writer may use; other control characters could break the line of a message.
    let bytes = content.lazy.map { UInt8(bitPattern: $0) }
    let kept = bytes.map { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x7F ? 0x3F : $0 }
    return String(decoding: kept, as: UTF8.self).replacing("\"\"", with: "\"")
  }

  /// The text of the last field read.
  var fieldText: String {
    var copy = self
    copy.cursor = fieldStart
    copy.isFinished = false
    return Self.text(copy.takeField())
  }

  /// A scanner before the line's first field.
  var fromStart: FieldScanner {
    FieldScanner(
      UnsafeRawBufferPointer(start: begin, count: end - begin), separator: separator, hasDecimalComma: hasDecimalComma)
  }

  /// The number of fields of the line, read or not.
  var totalCount: Int {
    var copy = self
    while copy.skip() {}
    return copy.column
  }

  /// Returns the fields of a line as texts, at most `limit`.
  static func texts(
    _ line: UnsafeRawBufferPointer, _ separator: FieldSeparator, limit: Int = .max
  ) -> [String] {
    var scanner = FieldScanner(line, separator: separator)
    var texts: [String] = []
    while texts.count < limit, let text = scanner.nextText() { texts.append(text) }
    return texts
  }

  /// Whether the numbers of a line have a decimal comma, or `nil` if the line has neither a point nor a comma.
  @inline(__always)
  static func decimalComma(in line: UnsafeRawBufferPointer) -> Bool? {
    line.contains(0x2E) ? false : line.contains(0x2C) ? true : nil
  }

  // MARK: Fields

  @inline(__always)
  private static func parse(
    _ begin: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>, _ value: inout Double, _ hasDecimalComma: Bool
  ) -> UnsafePointer<CChar>? {
    hasDecimalComma ? cfastfloat_parse_comma(begin, end, &value) : cfastfloat_parse(begin, end, &value)
  }

  /// Advances past a field that ends at `stop`; returns `false` if the field does not end there.
  @inline(__always)
  private mutating func finishField(at stop: UnsafePointer<CChar>) -> Bool {
    if stop == end {
      cursor = end
      isFinished = true
      return true
    }
    if separator == .blanks {
      guard Self.isBlank(stop.pointee) else { return false }
      cursor = stop
      skipBlanks()
      return true
    }
    guard UInt8(bitPattern: stop.pointee) == separator.rawValue else { return false }
    cursor = stop + 1
    return true
  }

  @inline(never)
  private mutating func otherNumber() -> Number {
    if separator == .blanks, cursor == end {
      column -= 1
      isFinished = true
      return .end
    }
    let field = takeField()
    if field.isEmpty || Self.isMissingWord(field) { return .empty }
    let begin = field.baseAddress!
    let stop = begin + field.count
    var value = 0.0
    if Self.parse(begin, stop, &value, hasDecimalComma) == stop { return .value(value) }
    return otherSign(field)
  }

  /// Parses a number with a non-ASCII minus sign.
  private func otherSign(_ field: UnsafeBufferPointer<CChar>) -> Number {
    guard field.count <= 64, field.contains(where: { $0 < 0 }) else { return .text }
    var bytes: [CChar] = []
    var position = 0
    let whole = UnsafeRawBufferPointer(field)
    while position < whole.count {
      if let sign = Self.minusSigns.first(where: { whole[position...].starts(with: $0) }) {
        bytes.append(0x2D)
        position += sign.count
      } else {
        bytes.append(field[position])
        position += 1
      }
    }
    var value = 0.0
    let isNumber = bytes.withUnsafeBufferPointer { bytes in
      let begin = bytes.baseAddress!
      return Self.parse(begin, begin + bytes.count, &value, hasDecimalComma) == begin + bytes.count
    }
    return isNumber ? .value(value) : .text
  }

  /// U+2212, the hyphens and dashes U+2010 to U+2014, the full-width and the small sign, and the dash of Windows-1252.
  private static let minusSigns: [[UInt8]] =
    ["\u{2212}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{FF0D}", "\u{FE63}"].map {
      Array($0.utf8)
    }
    + [[0x96]]

  /// Returns the bytes of the next field without quotes and surrounding blanks, and advances past the field.
  private mutating func takeField() -> UnsafeBufferPointer<CChar> {
    while cursor < end, Self.isBlank(cursor.pointee), !isSeparator(cursor.pointee) { cursor += 1 }
    if cursor < end, cursor.pointee == 0x22 { return takeQuotedField() }
    let start = cursor
    var stop = cursor
    while stop < end, !isSeparator(stop.pointee) { stop += 1 }
    _ = finishField(at: stop)
    return Self.trimmed(start, stop)
  }

  private mutating func takeQuotedField() -> UnsafeBufferPointer<CChar> {
    let start = cursor + 1
    let stop = closingQuote(after: start)
    var next = stop < end ? stop + 1 : end
    while next < end, !isSeparator(next.pointee) { next += 1 }
    _ = finishField(at: next)
    return Self.trimmed(start, stop)
  }

  /// Returns the first quote that is not doubled, or the end of the line.
  private func closingQuote(after start: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    var stop = start
    while stop < end {
      if stop.pointee == 0x22 {
        guard stop + 1 < end, stop[1] == 0x22 else { break }
        stop += 1
      }
      stop += 1
    }
    return stop
  }

  private mutating func skipBlanks() {
    while cursor < end, Self.isBlank(cursor.pointee) { cursor += 1 }
    if cursor == end { isFinished = true }
  }

  @inline(__always)
  private func isSeparator(_ byte: CChar) -> Bool {
    separator == .blanks ? Self.isBlank(byte) : UInt8(bitPattern: byte) == separator.rawValue
  }

  private static func isBlank(_ byte: CChar) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(
    _ start: UnsafePointer<CChar>, _ stop: UnsafePointer<CChar>
  ) -> UnsafeBufferPointer<CChar> {
    var (start, stop) = (start, stop)
    while start < stop, isBlank(start.pointee) { start += 1 }
    while stop > start, isBlank(stop[-1]) { stop -= 1 }
    return UnsafeBufferPointer(start: start, count: stop - start)
  }

  // MARK: Words

  private static let missingWords =
    ["null", "na", "n/a", "none", "nil", "-", "--", "---", "#n/a", "n.a.", "missing"].map { Array($0.utf8) }

  private static func isMissingWord(_ field: UnsafeBufferPointer<CChar>) -> Bool {
    field.count <= 7 && missingWords.contains { $0.elementsEqual(field.lazy.map(lowered)) }
  }

  private static func lowered(_ byte: CChar) -> UInt8 {
    let byte = UInt8(bitPattern: byte)
    return byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Parses a signed whole number that fits 64 bits, and returns it with its end.
  private static func digits(
    _ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>
  ) -> (Int64, UnsafePointer<CChar>)? {
    var position = start
    var isNegative = false
    if position < end, position.pointee == 0x2D || position.pointee == 0x2B {
      isNegative = position.pointee == 0x2D
      position += 1
    }
    let first = position
    var value: Int64 = 0
    while position < end, position.pointee >= 0x30, position.pointee <= 0x39 {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tens.subtractingReportingOverflow(Int64(position.pointee - 0x30))
      if overflow || overflow2 { return nil }
      // Accumulates negative values, so that the smallest number fits.
      value = sum
      position += 1
    }
    if position == first || (!isNegative && value == .min) { return nil }
    return (isNegative ? value : -value, position)
  }

  /// Decodes human-readable text: control characters, which could break the line of a message, become question marks.
  /// Bytes that are not UTF-8 are decoded as Windows-1252.
  private static func text(_ field: UnsafeBufferPointer<CChar>) -> String {
    let bytes = field.map { UInt8(bitPattern: $0) }.map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }
    let text = String(validating: bytes, as: UTF8.self) ?? TextEncoding.western(bytes)
    return text.replacing("\"\"", with: "\"")
  }
}
