/// A text encoding with more than one byte per character.
///
/// Such text is converted to UTF-8 while it is read, so that all readers process only one encoding.
struct TextEncoding: Equatable {
  /// The size of a code unit in bytes: 2 for UTF-16, 4 for UTF-32.
  let unitSize: Int
  let isBigEndian: Bool

  /// The number of bytes that determine the encoding.
  static let headSize = 8

  /// Determines the encoding by a file's first bytes: by the byte order mark, or by zero bytes next to ASCII
  /// characters. Returns `nil` for UTF-8 and for binary data.
  init?(head bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(Self.headSize))
    func has(_ unitSize: Int, isBigEndian: Bool) -> Bool {
      head.count == Self.headSize
        && head.indices.allSatisfy { position in
          let isLow = position % unitSize == (isBigEndian ? unitSize - 1 : 0)
          return isLow
            ? (0x20..<0x7F).contains(head[position]) || (0x09...0x0D).contains(head[position]) : head[position] == 0
        }
    }
    if head.starts(with: [0xFF, 0xFE, 0, 0]) || has(4, isBigEndian: false) {
      (unitSize, isBigEndian) = (4, false)
    } else if head.starts(with: [0, 0, 0xFE, 0xFF]) || has(4, isBigEndian: true) {
      (unitSize, isBigEndian) = (4, true)
    } else if head.starts(with: [0xFF, 0xFE]) || has(2, isBigEndian: false) {
      (unitSize, isBigEndian) = (2, false)
    } else if head.starts(with: [0xFE, 0xFF]) || has(2, isBigEndian: true) {
      (unitSize, isBigEndian) = (2, true)
    } else {
      return nil
    }
  }

  /// Appends the UTF-8 of the complete characters at the start of some bytes and returns the number of bytes used.
  ///
  /// - Parameter isAtEnd: Whether no bytes follow, so that an incomplete character becomes U+FFFD.
  func decode(_ bytes: some RandomAccessCollection<UInt8>, into text: inout [UInt8], isAtEnd: Bool) -> Int {
    var used = 0
    func unit(_ offset: Int) -> UInt32? {
      guard offset + unitSize <= bytes.count else { return nil }
      let start = bytes.index(bytes.startIndex, offsetBy: offset)
      let unit = bytes[start..<bytes.index(start, offsetBy: unitSize)]
      return isBigEndian
        ? unit.reduce(0) { $0 << 8 | UInt32($1) } : unit.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    while let first = unit(used) {
      var (value, size) = (first, unitSize)
      if unitSize == 2, (0xD800..<0xDC00).contains(first) {
        guard let second = unit(used + 2) else { break }
        if (0xDC00..<0xE000).contains(second) {
          (value, size) = (0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), 4)
        }
      }
      text.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
      used += size
    }
    if isAtEnd, used < bytes.count {
      text.append(contentsOf: "\u{FFFD}".utf8)
      used = bytes.count
    }
    return used
  }

  /// Returns the text of bytes that are not UTF-8, decoded as Windows-1252 (Western Europe).
  static func western(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let isAssigned = (0x80..<0xA0).contains(byte)
      text.append(isAssigned ? highControls[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(text)
  }

  private static let highControls = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
