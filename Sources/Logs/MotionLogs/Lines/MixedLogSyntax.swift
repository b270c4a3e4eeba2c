internal import InertialSystem

/// The syntax of the lines of a mixed log.
struct MixedLogSyntax: Sendable {
  let separator: FieldSeparator
  /// The first byte of a comment line.
  let comment: UInt8
  /// The index of the field with the line's tag, counted from 0.
  let tagField: Int
  /// The byte between a sentence and the checksum of its bytes from the second on, in two hexadecimal digits (NMEA
  /// 0183); `nil` for lines without a checksum.
  var checksumMark: UInt8?

  func isComment(_ line: UnsafeRawBufferPointer) -> Bool { line.first == comment }

  /// Returns a line without its checksum, or `nil` if the checksum does not match.
  func sentence(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let checksumMark else { return line }
    guard let end = line.lastIndex(of: checksumMark), end > 0 else { return nil }
    let sum: UInt8 = line[1..<end].reduce(0, ^)
    // "XX" stands for a checksum that was not computed.
    let stated = String(decoding: line[(end + 1)...], as: UTF8.self).trimmed().uppercased()
    let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    guard stated == digits || stated == "XX" else { return nil }
    return UnsafeRawBufferPointer(rebasing: line[..<end])
  }

  /// Returns the tag of a line, or `nil` if the line ends before it.
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

/// The comments and the first line of each kind, from the beginning of a mixed log.
struct MixedLogSurvey {
  /// The maximum number of lines and bytes examined: enough for sensors that start late, and little for a log of hours.
  private static let maximumSize = (lines: 20_000, bytes: 1 << 22)
  private static let maximumCommentCount = 1000
  private static let maximumKindCount = 64

  let path: String
  private(set) var comments: [String] = []
  /// The tags in the order of their appearance.
  private(set) var tags: [String] = []
  private(set) var firstLines: [String: (line: Int, bytes: [UInt8])] = [:]
  let syntax: MixedLogSyntax

  /// Examines the beginning of a file.
  init(path: String, syntax: MixedLogSyntax) throws(LogError) {
    try self.init(LineScanner(path: path), path: path, syntax: syntax)
  }

  /// Examines the first bytes of a file. Returns `nil` for a folder, or if the bytes are not text.
  init?(_ candidate: LogCandidate, syntax: MixedLogSyntax) {
    guard candidate.folder == nil else { return nil }
    let lines = LineScanner(bytes: candidate.head, name: candidate.path)
    do throws(LogError) { try self.init(lines, path: candidate.path, syntax: syntax) } catch { return nil }
  }

  private init(_ lines: LineScanner, path: String, syntax: MixedLogSyntax) throws(LogError) {
    self.path = path
    self.syntax = syntax
    var count = 0
    while lines.lineNumber < Self.maximumSize.lines, count < Self.maximumSize.bytes, let line = try lines.next() {
      count += line.count + 1
      if syntax.isComment(line) {
        if comments.count < Self.maximumCommentCount {
          comments.append(String(decoding: line.dropFirst().prefix(4096), as: UTF8.self))
        }
      } else if let tag = syntax.tag(of: line), Self.isWord(tag), tags.count < Self.maximumKindCount {
        let word = String(decoding: tag, as: UTF8.self)
        if firstLines[word] == nil {
          tags.append(word)
          firstLines[word] = (lines.lineNumber, Array(line))
        }
      }
    }
  }

  func has(_ tag: String) -> Bool { firstLines[tag] != nil }

  /// Whether bytes are a valid tag: letters, digits and underscores.
  private static func isWord(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, bytes.count <= 48, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || $0 == 0x5F || ($0 >= 0x30 && $0 <= 0x39) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }

  /// Returns the number in a field (counted from 0) of the first line of a kind, or `nil` if it is missing.
  func firstStamp(_ tag: String, field: Int) -> FieldScanner.Integer? {
    guard let bytes = firstLines[tag]?.bytes else { return nil }
    return bytes.withUnsafeBytes { line in
      var fields = FieldScanner(line, separator: syntax.separator)
      for _ in 0..<field { _ = fields.skip() }
      return fields.nextInteger()
    }
  }

  /// Returns the error for a log without the kinds of lines that a motion recording has.
  func lacksAcceleration(_ wanted: [String]) -> LogError {
    let found = tags.prefix(12).joined(separator: ", ")
    return LogError(
      path: path, problem: "no lines of acceleration at its beginning (found: \(found.isEmpty ? "nothing" : found))",
      remedy: "give a log with lines of \(wanted.joined(separator: " or "))")
  }
}
