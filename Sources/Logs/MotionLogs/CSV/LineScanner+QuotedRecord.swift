extension LineScanner {
  /// The maximum length of a record, in bytes. A longer record has an unclosed quote.
  private static let maximumRecordLength = 1 << 16

  /// Returns the record of a CSV that begins with the last returned line. Quoted texts may contain line ends (RFC 4180,
  /// section 2, rule 6): if the line ends within a quoted field, the lines up to the closing quote are appended.
  ///
  /// - Throws: ``LogError`` if the quote is not closed.
  func quotedRecord(_ line: [UInt8], separator: UInt8) throws(LogError) -> [UInt8] {
    var isOpen = Self.ends(line, inQuotes: false, separator: separator)
    guard isOpen else { return line }
    let number = lineNumber
    var record = line
    while isOpen {
      guard record.count <= Self.maximumRecordLength, let next = try next() else {
        throw LogError(
          path: name, line: number, problem: "a quote is opened and not closed",
          remedy: "close it, or double a quote within a field")
      }
      record.append(0x0A)
      record += next
      isOpen = Self.ends(next, inQuotes: true, separator: separator)
    }
    return record
  }

  /// Whether a line ends within a quoted field.
  private static func ends(_ line: some Sequence<UInt8>, inQuotes startsQuoted: Bool, separator: UInt8) -> Bool {
    var isQuoted = startsQuoted
    // A quote opens a field at the field's start. After a closing quote it is an escaped quote.
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
