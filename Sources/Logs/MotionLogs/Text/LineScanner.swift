internal import InertialSystem

/// Reads a text file line by line, in bounded memory.
///
/// Lines end with LF, CR LF (with one CR or more) or, if a file has no LF, with CR; the last line needs no line end.
/// UTF-16 and UTF-32 are converted to UTF-8; a byte order mark is removed. A line longer than `maximumLineLength` and a zero
/// byte are errors, unless `toleratesZeros`: such a file is not a text log.
final class LineScanner {
  /// The maximum length of a line, in bytes.
  static let maximumLineLength = 1 << 20
  private static let chunk = 1 << 18

  /// The name of the file in messages.
  let name: String
  /// The number of the last returned line, counted from 1; 0 before the first line.
  private(set) var lineNumber = 0
  /// Whether the last returned line is the file's last and has no line end, as if cut off.
  private(set) var isUnterminated = false
  /// The change applied to each line, or `nil`.
  var edit: LineEdit?
  /// Whether zero bytes, as left on a card by a loss of power, are removed at the ends of lines, and other lines with
  /// zero bytes are left out.
  var toleratesZeros = false
  /// The first line with zero bytes, and the number of these bytes, if they are tolerated.
  private(set) var zeros: (line: Int, count: Int)?

  private let file: InputFile?
  private let size: Int?
  private var buffer: UnsafeMutableRawBufferPointer
  /// The unread range of the buffer.
  private var start = 0
  private var end = 0
  private var isAtEnd: Bool
  private var bytesLoaded = 0
  private var hasNUL = false
  /// LF, or CR for a file without any LF.
  private var terminator: Int32 = 0x0A
  /// The encoding if it is not UTF-8; `undecoded` are the bytes that are not yet converted.
  private var encoding: TextEncoding?
  private var undecoded: [UInt8] = []
  /// The last changed line; `edited` are its bytes before they are copied to stable memory.
  private var changedLine = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
  private var edited: [UInt8] = []

  /// Opens a file ("-" is standard input), or a stream if `mayBeStream` is set.
  convenience init(path: String, mayBeStream: Bool = false) throws(LogError) {
    try self.init(InputFile(path: path, mayBeStream: mayBeStream))
  }

  /// Continues a file of which some bytes, the head, were already read.
  init(_ file: InputFile, after head: [UInt8] = []) throws(LogError) {
    self.file = file
    name = file.name
    size = file.size
    isAtEnd = false
    buffer = .allocate(byteCount: max(Self.chunk, head.count), alignment: 1)
    buffer.copyBytes(from: head)
    end = head.count
    bytesLoaded = end
    while end < TextEncoding.headSize, !isAtEnd { try load() }
    decodeAll()
  }

  /// Scans bytes in memory, for example the head of a file.
  init(bytes: some Collection<UInt8>, name: String) {
    file = nil
    self.name = name
    size = bytes.count
    isAtEnd = true
    buffer = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
    buffer.copyBytes(from: bytes)
    end = bytes.count
    bytesLoaded = end
    decodeAll()
  }

  deinit {
    buffer.deallocate()
    changedLine.deallocate()
  }

  /// The fraction of the file read so far, 0 to 1; 0 if its size is unknown.
  var progress: Double {
    guard let size, size > 0 else { return size == 0 ? 1 : 0 }
    return min(1, Double(bytesLoaded - (end - start)) / Double(size))
  }

  /// Whether the next line may block: the file is a pipe, and no complete line is buffered.
  var mayWait: Bool {
    size == nil && !isAtEnd && (start == end || memchr(buffer.baseAddress! + start, terminator, end - start) == nil)
  }

  /// Returns at most `limit` complete, loaded and unread lines within the file's first 64 KiB. Never blocks; the result
  /// is the same for a file, a pipe and the head of a file.
  func linesAhead(_ limit: Int) -> [[UInt8]] {
    let handedOut = bytesLoaded - (end - start)
    let stop = min(end, start + max(0, LogCandidate.headSize - handedOut))
    guard let last = buffer[start..<stop].lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [] }
    let rest = LineScanner(bytes: buffer[start...last], name: name)
    rest.edit = edit
    rest.toleratesZeros = true
    var lines: [[UInt8]] = []
    while lines.count < limit, let line = (try? rest.next()) ?? nil { lines.append(Array(line)) }
    return lines
  }

  /// Returns the next line without its end, or `nil` at the end of the file. The bytes are valid until the next call.
  func next() throws(LogError) -> UnsafeRawBufferPointer? {
    var searched = 0
    while true {
      let base = buffer.baseAddress!
      if let hit = memchr(base + start + searched, terminator, end - start - searched) {
        let first = start
        let stop = UnsafeMutableRawPointer(hit) - base
        start = stop + 1
        searched = 0
        if let line = try line(first, upTo: stop) { return line }
        continue
      }
      searched = end - start
      if hasOnlyCarriageReturns {
        terminator = 0x0D
        searched = 0
        continue
      }
      guard searched <= Self.maximumLineLength else {
        throw LogError(
          path: name, line: lineNumber + 1, problem: "the line is longer than \(Self.maximumLineLength) bytes",
          remedy: "give a text log with one row on each line")
      }
      if isAtEnd {
        guard searched > 0 else { return nil }
        isUnterminated = true
        let first = start
        start = end
        if let line = try line(first, upTo: end) { return line }
        return nil
      }
      try load()
    }
  }

  /// Returns the fields of the next line as texts, or `nil` at the end of the file.
  func nextTexts(_ separator: FieldSeparator) throws(LogError) -> [String]? {
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(self) {} }
    return try next().map { FieldScanner.texts($0, separator) }
  }

  /// Returns the comma-separated names in a file's first line, or no names if the file cannot be read.
  static func firstNames(_ path: String) -> [String] {
    (try? LineScanner(path: path).nextTexts(.comma)) ?? []
  }

  /// Whether the loaded bytes contain a CR but no LF. A CR at their end may belong to a LF.
  private var hasOnlyCarriageReturns: Bool {
    guard terminator == 0x0A, lineNumber == 0, let hit = memchr(buffer.baseAddress! + start, 0x0D, end - start) else {
      return false
    }
    let last = UnsafeMutableRawPointer(hit) - buffer.baseAddress!
    return last + 1 < end && buffer[last + 1] != 0x0D || isAtEnd
  }

  /// Returns the line between two offsets, or `nil` if it is left out.
  @inline(__always)
  private func line(_ first: Int, upTo end: Int) throws(LogError) -> UnsafeRawBufferPointer? {
    lineNumber += 1
    var stop = end
    while stop > first, buffer[stop - 1] == 0x0D { stop -= 1 }
    let line = UnsafeRawBufferPointer(start: buffer.baseAddress! + first, count: stop - first)
    guard hasNUL || edit != nil else { return line }
    return try changed(line)
  }

  private func changed(_ whole: UnsafeRawBufferPointer) throws(LogError) -> UnsafeRawBufferPointer? {
    var line = whole
    if hasNUL, !line.isEmpty, memchr(line.baseAddress!, 0, line.count) != nil {
      guard toleratesZeros else {
        throw LogError(
          path: name, line: lineNumber, problem: "is not text: the line has a zero byte",
          remedy: "give a text log, saved as UTF-8")
      }
      zeros = (zeros?.line ?? lineNumber, (zeros?.count ?? 0) + line.count { $0 == 0 })
      guard let first = line.firstIndex(where: { $0 != 0 }), let last = line.lastIndex(where: { $0 != 0 }) else {
        return nil
      }
      line = UnsafeRawBufferPointer(rebasing: line[first...last])
      if memchr(line.baseAddress!, 0, line.count) != nil { return nil }
    }
    guard let edit, edit.apply(line, into: &edited) else { return line }
    if changedLine.count < edited.count {
      changedLine.deallocate()
      changedLine = .allocate(byteCount: 2 * edited.count, alignment: 1)
    }
    changedLine.copyBytes(from: edited)
    return UnsafeRawBufferPointer(rebasing: changedLine[..<edited.count])
  }

  /// Appends the next block of the file to the buffer, after removing the returned lines.
  private func load() throws(LogError) {
    guard let file else { return }
    if start > 0 {
      memmove(buffer.baseAddress!, buffer.baseAddress! + start, end - start)
      end -= start
      start = 0
    }
    if end == buffer.count { grow(to: 2 * buffer.count) }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    if count == 0 { isAtEnd = true }
    bytesLoaded += count
    if let encoding { return append(encoding, count) }
    if !hasNUL { hasNUL = memchr(buffer.baseAddress! + end, 0, count) != nil }
    end += count
  }

  private func grow(to size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
    buffer.deallocate()
    buffer = larger
  }

  /// Converts the last `count` bytes read, which follow the loaded bytes.
  private func append(_ encoding: TextEncoding, _ count: Int) {
    undecoded += buffer[end..<(end + count)]
    var text: [UInt8] = []
    let used = encoding.decode(undecoded, into: &text, isAtEnd: isAtEnd)
    undecoded.removeFirst(used)
    if end + text.count > buffer.count { grow(to: max(2 * buffer.count, end + text.count)) }
    UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyBytes(from: text)
    if !hasNUL { hasNUL = text.contains(0) }
    end += text.count
  }

  /// Determines the encoding by the first bytes, converts the loaded bytes, and removes the byte order mark.
  private func decodeAll() {
    encoding = TextEncoding(head: buffer[..<end])
    if let encoding {
      let count = end
      end = 0
      append(encoding, count)
    }
    if buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    if encoding == nil { hasNUL = memchr(buffer.baseAddress!, 0, end) != nil }
  }
}
