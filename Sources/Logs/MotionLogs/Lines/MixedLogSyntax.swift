/// How the lines of a mixed log are written.
struct MixedLogSyntax: Sendable {
  let separator: FieldSeparator
  /// A line that begins with it tells about the log.
  let comment: UInt8
  /// The field that tells a line's kind, counted from 0.
  let tagField: Int
  /// The byte between a sentence and the checksum of its bytes from the second on, in two hexadecimal digits (NMEA 0183); nil
  /// for lines without one.
  var checksumMark: UInt8?

  func isComment(_ line: UnsafeRawBufferPointer) -> Bool { line.first == comment }

  /// A line without its checksum; nil if that is not the one of its bytes.
  func sentence(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let checksumMark else { return line }
    guard let end = line.lastIndex(of: checksumMark), end > 0 else { return nil }
    let sum: UInt8 = line[1..<end].reduce(0, ^)
    // "XX" stands for a sum that was not made.
    let stated = String(decoding: line[(end + 1)...], as: UTF8.self).withoutBlanks.uppercased()
    let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    guard stated == digits || stated == "XX" else { return nil }
    return UnsafeRawBufferPointer(rebasing: line[..<end])
  }

  /// The word that tells a line's kind; nil where the line ends before it.
  func tag(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var start = 0
    for _ in 0..<tagField {
      guard let next = line[start...].firstIndex(of: separator.rawValue) else { return nil }
      start = next + 1
    }
    let end = line[start...].firstIndex(of: separator.rawValue) ?? line.count
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
  }
}

/// What the beginning of a mixed log shows: its comments, and the first line of each kind.
struct MixedLogSurvey {
  /// Looked at: enough for sensors that start late, and little for a log of hours.
  private static let longest = (lines: 20_000, bytes: 1 << 22)
  private static let mostComments = 1000
  private static let mostKinds = 64

  let path: String
  private(set) var comments: [String] = []
  /// The words in the order in which they come.
  private(set) var tags: [String] = []
  private(set) var firstLines: [String: (line: Int, bytes: [UInt8])] = [:]
  let syntax: MixedLogSyntax

  /// Looks at the beginning of a file.
  init(path: String, syntax: MixedLogSyntax) throws(LogError) {
    try self.init(LineScanner(path: path), path: path, syntax: syntax)
  }

  /// Looks at the first lines of a scanner.
  init(_ lines: LineScanner, path: String, syntax: MixedLogSyntax) throws(LogError) {
    self.path = path
    self.syntax = syntax
    var count = 0
    while lines.lineNumber < Self.longest.lines, count < Self.longest.bytes, let line = try lines.next() {
      count += line.count + 1
      if syntax.isComment(line) {
        if comments.count < Self.mostComments {
          comments.append(String(decoding: line.dropFirst().prefix(4096), as: UTF8.self))
        }
      } else if let tag = syntax.tag(of: line), Self.isWord(tag), tags.count < Self.mostKinds {
        let word = String(decoding: tag, as: UTF8.self)
        if firstLines[word] == nil {
          tags.append(word)
          firstLines[word] = (lines.lineNumber, Array(line))
        }
      }
    }
  }

  func has(_ tag: String) -> Bool { firstLines[tag] != nil }

  /// What tells a kind of line has letters, digits and low lines.
  private static func isWord(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, bytes.count <= 48, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || $0 == 0x5F || ($0 >= 0x30 && $0 <= 0x39) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }

  /// The number in a field, counted from 0, of the first line of a kind; nil where there is none.
  func firstStamp(_ tag: String, field: Int) -> FieldScanner.Integer? {
    guard let bytes = firstLines[tag]?.bytes else { return nil }
    return bytes.withUnsafeBytes { line in
      var fields = FieldScanner(line, separator: syntax.separator)
      for _ in 0..<field { _ = fields.skip() }
      return fields.nextInteger()
    }
  }

  /// The error for a log without the kinds that a recording of motion has.
  func lacksAcceleration(_ wanted: [String]) -> LogError {
    let found = tags.prefix(12).joined(separator: ", ")
    return LogError(
      path: path, problem: "no lines of acceleration at its beginning (found: \(found.isEmpty ? "nothing" : found))",
      remedy: "give a log with lines of \(wanted.joined(separator: " or "))")
  }
}

extension StringProtocol {
  /// Without the blanks at its ends.
  var withoutBlanks: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[first...last])
  }
}
