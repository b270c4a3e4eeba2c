internal import CFastFloat

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of a text file, line by line: owns the descriptor and a buffer that holds the current line.
final class TextTableFile {
  /// A line longer than this is not text.
  private static let longestLine = 1 << 20

  let path: String
  let size: Int
  private let descriptor: Int32
  /// Plain memory and not an array: growing and zeroing one costs more than the reading, in debug builds.
  private var buffer: UnsafeMutableRawBufferPointer
  /// How many bytes of the buffer are from the file.
  private var filled = 0
  /// Where the next line begins in the buffer.
  private var next = 0
  private var lineStart = 0
  private var isAtEnd = false
  private var bytesLoaded = 0
  /// Whether the current line is the last one and has no line end.
  private(set) var isUnterminated = false

  init(path: String) throws(LogError) {
    self.path = path
    // Asked before opening: to open a pipe waits for its other end.
    var status = stat()
    let found = stat(path, &status) == 0
    guard !found || status.st_mode & S_IFMT == S_IFREG else {
      throw LogError(
        path: path, problem: "is not a regular file", remedy: "remove it or put the log's file there")
    }
    let descriptor = found ? open(path, O_RDONLY) : -1
    guard descriptor >= 0 else {
      throw LogError(
        path: path, problem: "cannot be opened: \(String(cString: strerror(errno)))",
        remedy: "check the path and its permissions")
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    buffer = .allocate(byteCount: min(max(size, 64), 1 << 16), alignment: 1)
    try load()
    if filled >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { next = 3 }
  }

  deinit {
    _ = close(descriptor)
    buffer.deallocate()
  }

  var bytesRead: Int { bytesLoaded - (filled - next) }

  func failure(
    line: Int?, column: Int? = nil, _ problem: String, remedy: String = "give the file as the app wrote it"
  ) -> LogError {
    LogError(path: path, line: line, column: column, problem: problem, remedy: remedy)
  }

  /// Moves what is left to the front of the buffer, doubles it where it is full, and reads on.
  private func load() throws(LogError) {
    let left = filled - next
    if left == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 1)
      memcpy(larger.baseAddress!, buffer.baseAddress! + next, left)
      buffer.deallocate()
      buffer = larger
    } else {
      memmove(buffer.baseAddress!, buffer.baseAddress! + next, left)
    }
    next = 0
    filled = left
    let count = read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
    guard count >= 0 else {
      throw failure(
        line: nil, "cannot be read: \(String(cString: strerror(errno)))",
        remedy: "check the disk and try again")
    }
    filled += count
    bytesLoaded += count
    isAtEnd = count == 0
  }

  /// The place in the buffer of the next line, without its end; nil at the end of the file.
  func nextLine() throws(LogError) -> Range<Int>? {
    var searched = 0
    while true {
      if let hit = memchr(buffer.baseAddress! + next + searched, 0x0A, filled - next - searched) {
        let end = UnsafeRawPointer(hit) - UnsafeRawPointer(buffer.baseAddress!)
        lineStart = next
        next = end + 1
        isUnterminated = false
        return lineStart..<(end > lineStart && buffer[end - 1] == 0x0D ? end - 1 : end)
      }
      if isAtEnd {
        guard next < filled else { return nil }
        lineStart = next
        next = filled
        isUnterminated = true
        return lineStart..<filled
      }
      searched = filled - next
      guard searched <= Self.longestLine else {
        throw failure(line: nil, "a line is longer than \(Self.longestLine) bytes: this is not a text log")
      }
      try load()
    }
  }

  /// Puts the line read last back; only before anything more is read.
  func rewindLine() { next = lineStart }

  func isComment(_ line: Range<Int>) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: buffer[line])
    return text.starts(with: "#".utf8) || text.starts(with: "Created at".utf8)
  }

  /// The places of a line's fields, without blanks around them.
  func split(_ line: Range<Int>, at delimiter: TextTable.Delimiter, into fields: inout [Range<Int>]) {
    fields.removeAll(keepingCapacity: true)
    var start = line.lowerBound
    var position = start
    while position <= line.upperBound {
      let isEnd = position == line.upperBound
      let isBreak = isEnd || (delimiter == .comma ? buffer[position] == 0x2C : isBlank(position))
      if isBreak {
        if delimiter == .comma || position > start { fields.append(trimmed(start, position)) }
        start = position + 1
      }
      position += 1
    }
  }

  private func isBlank(_ position: Int) -> Bool { buffer[position] == 0x20 || buffer[position] == 0x09 }

  private func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
    var (start, end) = (start, end)
    while start < end, isBlank(start) { start += 1 }
    while end > start, isBlank(end - 1) { end -= 1 }
    return start..<end
  }

  /// Text for people: control characters, which could break a message's line, become question marks.
  func text(_ field: Range<Int>) -> String {
    String(decoding: buffer[field].map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self)
  }

  /// The field as a number, all of it.
  func number(_ field: Range<Int>) -> Double? {
    var value = 0.0
    let text = UnsafeRawPointer(buffer.baseAddress!).assumingMemoryBound(to: CChar.self)
    let end = text + field.upperBound
    return cfastfloat_parse(text + field.lowerBound, end, &value) == end ? value : nil
  }

  /// The field as a whole number, all of it, where it has only digits and a sign and fits.
  func integer(_ field: Range<Int>) -> Int64? {
    var position = field.lowerBound
    let isNegative = position < field.upperBound && buffer[position] == 0x2D
    if isNegative { position += 1 }
    guard position < field.upperBound else { return nil }
    var value: Int64 = 0
    while position < field.upperBound {
      let digit = Int64(buffer[position]) - 0x30
      guard (0...9).contains(digit) else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tens.addingReportingOverflow(digit)
      guard !overflow, !overflow2 else { return nil }
      value = sum
      position += 1
    }
    return isNegative ? -value : value
  }
}
