internal import SystemLibrary

/// Hands out a text file line by line, in memory that does not grow with the file.
///
/// Lines end with LF or CR LF; the last one may end with neither. A UTF-8 byte order mark is left out. A line
/// longer than `longestLine` and a NUL byte are errors: such a file is not a text log.
final class LineScanner {
  /// Bytes.
  static let longestLine = 1 << 20
  private static let chunk = 1 << 18

  /// As messages name the file.
  let name: String
  /// The number of the line handed out last, counted from 1; 0 before the first.
  private(set) var lineNumber = 0
  /// Whether the line handed out last is the file's last and has no line end: perhaps cut off.
  private(set) var isUnterminated = false

  private let file: InputFile?
  private let size: Int?
  private var buffer: UnsafeMutableRawBufferPointer
  /// What of the buffer has not been handed out.
  private var start = 0
  private var end = 0
  private var isAtEnd: Bool
  private var bytesLoaded = 0
  private var hasNUL = false

  /// Opens a file ("-" is standard input), or a stream where it may be one; an error where that fails.
  convenience init(path: String, mayBeStream: Bool = false) throws(LogError) {
    try self.init(InputFile(path: path, mayBeStream: mayBeStream))
  }

  /// Goes on with a file of which some bytes, the head, have been read.
  init(_ file: InputFile, after head: [UInt8] = []) throws(LogError) {
    self.file = file
    name = file.name
    size = file.size
    isAtEnd = false
    buffer = .allocate(byteCount: max(Self.chunk, head.count), alignment: 1)
    buffer.copyBytes(from: head)
    end = head.count
    bytesLoaded = end
    hasNUL = head.contains(0)
    try skipByteOrderMark()
  }

  /// Scans bytes in memory, for instance the head of a file.
  init(bytes: some Collection<UInt8>, name: String) {
    file = nil
    self.name = name
    size = bytes.count
    isAtEnd = true
    buffer = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
    buffer.copyBytes(from: bytes)
    end = bytes.count
    bytesLoaded = end
    hasNUL = memchr(buffer.baseAddress!, 0, end) != nil
    // Nothing is read here, so nothing can fail.
    try? skipByteOrderMark()
  }

  deinit { buffer.deallocate() }

  /// The share of the file handed out so far, 0 to 1; 0 where its size is not known.
  var progress: Double {
    guard let size, size > 0 else { return size == 0 ? 1 : 0 }
    return min(1, Double(bytesLoaded - (end - start)) / Double(size))
  }

  /// Whether the next line may be long in coming: the file is a pipe, and no whole line of it is here.
  var mayWait: Bool {
    size == nil && !isAtEnd && (start == end || memchr(buffer.baseAddress! + start, 0x0A, end - start) == nil)
  }

  /// The whole lines within the file's first 64 KiB that are loaded and have not been handed out. Waits for nothing, and a
  /// file, a pipe and the head of a file have the same. At most `limit` lines.
  func linesAhead(_ limit: Int) -> [[UInt8]] {
    let handedOut = bytesLoaded - (end - start)
    let stop = min(end, start + max(0, LogCandidate.headSize - handedOut))
    guard let last = buffer[start..<stop].lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [] }
    let rest = LineScanner(bytes: buffer[start...last], name: name)
    var lines: [[UInt8]] = []
    while lines.count < limit, let line = (try? rest.next()) ?? nil { lines.append(Array(line)) }
    return lines
  }

  /// The next line without its end, or nil at the end of the file. The bytes are good until the next call.
  func next() throws(LogError) -> UnsafeRawBufferPointer? {
    var searched = 0
    while true {
      let base = buffer.baseAddress!
      if let hit = memchr(base + start + searched, 0x0A, end - start - searched) {
        let stop = UnsafeMutableRawPointer(hit) - base
        defer { start = stop + 1 }
        return try line(upTo: stop)
      }
      searched = end - start
      guard searched <= Self.longestLine else {
        throw LogError(
          path: name, line: lineNumber + 1, problem: "the line is longer than \(Self.longestLine) bytes",
          remedy: "give a text log with one row on each line")
      }
      if isAtEnd {
        guard searched > 0 else { return nil }
        isUnterminated = true
        defer { start = end }
        return try line(upTo: end)
      }
      try load()
    }
  }

  private func line(upTo stop: Int) throws(LogError) -> UnsafeRawBufferPointer {
    lineNumber += 1
    var stop = stop
    if stop > start, buffer[stop - 1] == 0x0D { stop -= 1 }
    let line = UnsafeRawBufferPointer(start: buffer.baseAddress! + start, count: stop - start)
    if hasNUL, !line.isEmpty, memchr(line.baseAddress!, 0, line.count) != nil {
      throw LogError(
        path: name, line: lineNumber, problem: "is not text: the line has a zero byte",
        remedy: "give a text log, saved as UTF-8")
    }
    return line
  }

  /// Appends the next piece of the file to the buffer, after dropping what has been handed out.
  private func load() throws(LogError) {
    guard let file else { return }
    if start > 0 {
      memmove(buffer.baseAddress!, buffer.baseAddress! + start, end - start)
      end -= start
      start = 0
    }
    if end == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 1)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    if count == 0 { isAtEnd = true }
    if !hasNUL { hasNUL = memchr(buffer.baseAddress! + end, 0, count) != nil }
    end += count
    bytesLoaded += count
  }

  private func skipByteOrderMark() throws(LogError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while end < mark.count, !isAtEnd { try load() }
    if buffer[..<end].starts(with: mark) { start = mark.count }
    if let encoding = TextEncoding.wide(UnsafeRawBufferPointer(rebasing: buffer[..<end])) {
      throw LogError(
        path: name, line: 1, problem: "is text in \(encoding), and logs are read in UTF-8",
        remedy: "save it as UTF-8: iconv -f \(encoding) -t UTF-8 \(name) > NEW.csv")
    }
  }
}

/// Text whose characters take more than one byte each.
enum TextEncoding {
  /// The number of bytes that determine the encoding.
  static let headSize = 8

  /// The encoding that the first bytes of a file are in, as `iconv` names it: by the byte order mark, or by the zero bytes
  /// beside characters of ASCII; nil for UTF-8 and for binary data.
  static func wide(_ bytes: UnsafeRawBufferPointer) -> String? {
    let head = Array(bytes.prefix(headSize))
    if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard head.count == headSize else { return nil }
    func has(_ pattern: [Bool]) -> Bool { head.indices.allSatisfy { (head[$0] != 0) == pattern[$0 % pattern.count] } }
    if has([true, false, false, false]) { return "UTF-32LE" }
    if has([false, false, false, true]) { return "UTF-32BE" }
    if has([true, false]) { return "UTF-16LE" }
    return has([false, true]) ? "UTF-16BE" : nil
  }
}
