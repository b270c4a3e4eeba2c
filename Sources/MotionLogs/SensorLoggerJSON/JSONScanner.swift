/// Walks over a JSON text piece by piece, in memory that does not grow with it (RFC 8259).
///
/// Made for a long array of flat objects: values come as the bytes of their text.
final class JSONScanner {
  /// Bytes of a string or number.
  static let longestValue = 1 << 20
  private static let chunk = 1 << 18
  private static let deepest = 32

  /// A fault of the text and where it is; `isEnd` where the text only ends too early.
  struct Fault: Error {
    var byte: Int
    var isEnd: Bool
    var problem: String
  }

  private let file: InputFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 1)
  private var place = 0
  private var end = 0
  /// Bytes of the file before the buffer.
  private var before = 0
  /// An error of the file itself.
  private(set) var fileError: LogError?

  init(path: String) throws(LogError) { file = try InputFile(path: path) }

  deinit { buffer.deallocate() }

  /// Bytes read.
  var byte: Int { before + place }

  /// The next byte, without passing it; nil at the end.
  @inline(__always)
  private func peek() -> UInt8? {
    if place < end { return buffer[place] }
    return load() ? buffer[place] : nil
  }

  private func load() -> Bool {
    guard fileError == nil else { return false }
    before += end
    (place, end) = (0, 0)
    do throws(LogError) {
      end = try file.read(into: buffer)
    } catch {
      fileError = error
    }
    return end > 0
  }

  private func fault(_ problem: String) -> Fault { Fault(byte: byte, isEnd: false, problem: problem) }

  private var early: Fault { Fault(byte: byte, isEnd: true, problem: "the text ends early") }

  /// The next byte that is no blank, without passing it; nil at the end.
  func peekToken() -> UInt8? {
    while let next = peek() {
      guard next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 else { return next }
      place += 1
    }
    return nil
  }

  /// Passes over a mark.
  func expect(_ mark: UInt8) throws(Fault) {
    guard let next = peekToken() else { throw early }
    guard next == mark else { throw fault("\"\(Character(UnicodeScalar(mark)))\" expected") }
    place += 1
  }

  /// Passes over a byte order mark at the beginning.
  func skipByteOrderMark() {
    guard peek() == 0xEF else { return }
    for mark in [0xEF, 0xBB, 0xBF] as [UInt8] where peek() == mark { place += 1 }
  }

  /// Reads a string, number or word into `value`; false for an object or array, which is passed over.
  func readValue(into value: inout [UInt8]) throws(Fault) -> Bool {
    value.removeAll(keepingCapacity: true)
    guard let next = peekToken() else { throw early }
    switch next {
    case 0x22: try readString(into: &value)
    case 0x7B, 0x5B:
      try skipNested()
      return false
    default:
      while let next = peek(), isPlain(next) {
        guard value.count < 64 else { throw fault("a number of more than 64 digits") }
        value.append(next)
        place += 1
      }
      guard !value.isEmpty else { throw fault("a value expected") }
      guard peek() != nil else { throw early }
    }
    return true
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x2D
      || byte == 0x2B || byte == 0x2E
  }

  /// Reads a string without its quotes, escapes resolved.
  func readString(into value: inout [UInt8]) throws(Fault) {
    try expect(0x22)
    while true {
      guard let next = peek() else { throw early }
      guard value.count < Self.longestValue else { throw fault("a string of more than \(Self.longestValue) bytes") }
      place += 1
      switch next {
      case 0x22: return
      case 0x5C: try readEscape(into: &value)
      case 0..<0x20: throw fault("a control character in a string")
      default: value.append(next)
      }
    }
  }

  private func readEscape(into value: inout [UInt8]) throws(Fault) {
    guard let next = peek() else { throw early }
    place += 1
    switch next {
    case 0x22, 0x5C, 0x2F: value.append(next)
    // Line ends and the like are blanks in a table.
    case 0x62, 0x66, 0x6E, 0x72, 0x74: value.append(0x20)
    case 0x75:
      var code = try readHexadecimal()
      if (0xD800..<0xDC00).contains(code), peek() == 0x5C {
        place += 1
        guard peek() == 0x75 else { throw fault("half a character") }
        place += 1
        let low = try readHexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw fault("half a character") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      let scalar = code < 0x20 ? " " : UnicodeScalar(code) ?? "\u{FFFD}"
      value += Array(String(Character(scalar)).utf8)
    default: throw fault("an unknown escape")
    }
  }

  private func readHexadecimal() throws(Fault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let next = peek() else { throw early }
      guard let digit = Character(UnicodeScalar(next)).hexDigitValue else { throw fault("an unknown escape") }
      code = code << 4 | UInt32(digit)
      place += 1
    }
    return code
  }

  /// Passes over an object or array.
  private func skipNested() throws(Fault) {
    var depth = 0
    var text: [UInt8] = []
    repeat {
      guard let next = peekToken() else { throw early }
      switch next {
      case 0x7B, 0x5B:
        depth += 1
        guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) levels") }
        place += 1
      case 0x7D, 0x5D:
        depth -= 1
        place += 1
      case 0x22:
        text.removeAll(keepingCapacity: true)
        try readString(into: &text)
      case 0x2C, 0x3A: place += 1
      default:
        guard isPlain(next) else { throw fault("a value expected") }
        place += 1
      }
    } while depth > 0
  }
}
