/// A record of a CSV whose quoted texts have line ends in them (RFC 4180, section 2, rule 6).
enum QuotedRecord {
  /// Bytes; what is longer is a quote that somebody forgot to close.
  private static let longest = 1 << 16

  /// A line, and where it ends within a quoted field the lines behind it, up to the one that closes it.
  /// - Throws: where none does.
  static func whole(_ line: [UInt8], separator: UInt8, from scanner: LineScanner) throws(LogError) -> [UInt8] {
    var isOpen = ends(line, inQuotes: false, separator: separator)
    guard isOpen else { return line }
    let number = scanner.lineNumber
    var record = line
    while isOpen {
      guard record.count <= longest, let next = try scanner.next() else {
        throw LogError(
          path: scanner.name, line: number, problem: "a quote is opened and not closed",
          remedy: "close it, or double a quote that is part of a text")
      }
      record.append(0x0A)
      record += next
      isOpen = ends(next, inQuotes: true, separator: separator)
    }
    return record
  }

  /// Whether a line ends within a quoted field.
  private static func ends(_ line: some Sequence<UInt8>, inQuotes startsQuoted: Bool, separator: UInt8) -> Bool {
    var isQuoted = startsQuoted
    // Where a quote opens a field: at its beginning, and behind a quote that closed it, which makes one of the text.
    var mayOpen = true
    for byte in line {
      if isQuoted {
        if byte == 0x22 { (isQuoted, mayOpen) = (false, true) }
      } else if byte == 0x22, mayOpen {
        isQuoted = true
      } else {
        mayOpen = byte == separator || mayOpen && (byte == 0x20 || byte == 0x09)
      }
    }
    return isQuoted
  }
}
