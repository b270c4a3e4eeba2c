internal import CInertialFastFloat

/// Scans a JSON file (RFC 8259) token by token, in bounded memory.
///
/// A file that ends before its value does is not an error; `isComplete` is then `false`.
final class JSONScanner {
  /// The kind of a token; the value of a number is in `number`, that of a string or a member's name in `text`.
  enum Kind {
    case beginObject, endObject, beginArray, endArray, key, string, number, yes, no, null
  }

  private enum Expectation {
    case value, firstValueOrEnd, key, firstKeyOrEnd, colon, commaOrEnd, nothing
  }

  private static let chunk = 1 << 16
  /// The maximum nesting depth of objects and arrays; no log needs more.
  private static let deepest = 64
  /// The maximum length of a string or number, in bytes.
  private static let maximumLength = 1 << 20

  let name: String
  /// The line of the last byte read, counted from 1; `column` is its column in the line.
  private(set) var line = 1
  private(set) var column = 0
  /// The bytes of the last key, string, number or literal, with escapes resolved.
  private(set) var text: [UInt8] = []
  /// The last key or string.
  var string: String { String(decoding: text, as: UTF8.self) }
  /// The value of the last number.
  private(set) var number = 0.0
  /// Whether the value of the file is complete.
  var isComplete: Bool { expectation == .nothing }
  /// The number of open objects and arrays.
  var depth: Int { containers.count }

  private let file: InputFile?
  private var buffer: [UInt8]
  private var position = 0
  private var end: Int
  private var bytesLoaded = 0
  /// The open containers; `true` for an object.
  private var containers: [Bool] = []
  private var expectation = Expectation.value

  init(path: String) throws(LogError) {
    let file = try InputFile(path: path)
    self.file = file
    name = file.name
    buffer = [UInt8](repeating: 0, count: Self.chunk)
    end = 0
    if try peek() == 0xEF { for byte in [0xEF, 0xBB, 0xBF] as [UInt8] where try peek() == byte { _ = try take() } }
  }

  /// Scans bytes in memory, for example the head of a file.
  init(bytes: [UInt8], name: String) {
    file = nil
    self.name = name
    buffer = bytes
    end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The fraction of the file scanned so far, 0 to 1.
  var progress: Double {
    guard let size = file?.size, size > 0 else { return isComplete ? 1 : 0 }
    return min(1, Double(bytesLoaded - (end - position)) / Double(size))
  }

  /// Returns the next token, or `nil` at the end of the file. Throws ``LogError`` if the file is not valid JSON.
  func advance() throws(LogError) -> Kind? {
    while let byte = try peek() {
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        _ = try take()
        continue
      }
      switch expectation {
      case .nothing: throw failure("there is text after the end of the JSON value")
      case .colon:
        guard byte == 0x3A else { throw failure("a colon is missing") }
        _ = try take()
        expectation = .value
      case .commaOrEnd:
        if byte == 0x2C {
          _ = try take()
          expectation = containers.last == true ? .key : .value
        } else {
          return try close(byte)
        }
      case .firstKeyOrEnd where byte == 0x7D, .firstValueOrEnd where byte == 0x5D: return try close(byte)
      case .key, .firstKeyOrEnd:
        guard byte == 0x22 else { throw failure("a member's name is missing") }
        guard try readString() else { return nil }
        expectation = .colon
        return .key
      case .value, .firstValueOrEnd: return try value(byte)
      }
    }
    return nil
  }

  /// Skips the rest of a value that began with `kind`; returns `false` if the file ends within the value.
  func skip(_ kind: Kind) throws(LogError) -> Bool {
    kind == .beginObject || kind == .beginArray ? try skipNested() : true
  }

  /// Skips the rest of the object or array that just began; returns `false` if the file ends within it.
  func skipNested() throws(LogError) -> Bool {
    let outside = depth - 1
    while depth > outside { guard try advance() != nil else { return false } }
    return true
  }

  /// Reads the object that just began and returns its numbers, located by key paths such as `rotationRate.x`; NaN if a
  /// number is missing. Returns `nil` if the file ends within the object.
  func record(_ places: [String: Int]) throws(LogError) -> [Double]? {
    var values = [Double](repeating: .nan, count: (places.values.max() ?? -1) + 1)
    var group = ""
    var key = ""
    let outside = depth - 1
    var outer = ""
    while depth > outside {
      guard let kind = try advance() else { return nil }
      switch kind {
      case .key: key = string
      case .beginObject:
        if depth == outside + 2 { outer = key + "." }
        group = depth == outside + 2 ? outer : "?"
      case .endObject: group = depth == outside + 2 ? outer : depth > outside + 2 ? "?" : ""
      case .number: if let position = places[group + key] { values[position] = number }
      case .beginArray: guard try skipNested() else { return nil }
      default: break
      }
    }
    return values
  }

  /// Advances into an array among the members of the object that just began, by default the first; returns `false`
  /// without such a member.
  ///
  /// - Parameter member: A function that is called for each preceding member, with its name and the kind of its value.
  func enterArray(named name: String? = nil, _ member: (String, Kind) -> Void = { _, _ in }) throws(LogError) -> Bool {
    while try advance() == .key {
      let key = string
      guard let value = try advance() else { return false }
      if name == nil ? value == .beginArray : key == name { return value == .beginArray }
      member(key, value)
      guard try skip(value) else { return false }
    }
    return false
  }

  /// Whether the first object of the array that was just entered has a member with this name, at any depth.
  func firstRecordHas(_ name: String) -> Bool {
    while let kind = (try? advance()) ?? nil {
      if kind == .key, string == name { return true }
      if kind == .endObject, depth < 3 { return false }
    }
    return false
  }

  /// Accepts another value after a complete one, as in a file with one value per line.
  func beginNext() {
    if isComplete { expectation = .value }
  }

  func failure(_ problem: String) -> LogError {
    LogError(path: name, line: line, column: column, problem: problem, remedy: "give the file as the app wrote it")
  }

  // MARK: Values

  private func close(_ byte: UInt8) throws(LogError) -> Kind {
    guard let isObject = containers.last, byte == (isObject ? 0x7D : 0x5D) else {
      throw failure("a comma or the end of an object or array is missing")
    }
    _ = try take()
    containers.removeLast()
    expectation = containers.isEmpty ? .nothing : .commaOrEnd
    return isObject ? .endObject : .endArray
  }

  private func value(_ byte: UInt8) throws(LogError) -> Kind? {
    if byte == 0x7B || byte == 0x5B {
      guard containers.count < Self.deepest else { throw failure("objects are nested too deeply") }
      _ = try take()
      containers.append(byte == 0x7B)
      expectation = byte == 0x7B ? .firstKeyOrEnd : .firstValueOrEnd
      return byte == 0x7B ? .beginObject : .beginArray
    }
    let kind = byte == 0x22 ? try readString() ? .string : nil : try word()
    if kind != nil { expectation = containers.isEmpty ? .nothing : .commaOrEnd }
    return kind
  }

  /// Reads a number or a literal; returns `nil` if the file ends within it.
  private func word() throws(LogError) -> Kind? {
    text.removeAll(keepingCapacity: true)
    let isEnded = try takeText { $0 == 0x2C || $0 == 0x7D || $0 == 0x5D || $0 <= 0x20 }
    if !isEnded, !containers.isEmpty { return nil }
    if let number = Self.number(text) {
      self.number = number
      return .number
    }
    for (word, kind) in Self.literals where text.elementsEqual(word.utf8) { return kind }
    throw failure("is not a JSON value")
  }

  private static let literals: [(String, Kind)] = [("true", .yes), ("false", .no), ("null", .null)]

  /// Returns the value of a JSON number, or `nil` if the bytes are not a JSON number.
  static func number(_ bytes: [UInt8]) -> Double? {
    guard let first = bytes.first, first == 0x2D || (0x30...0x39).contains(first) else { return nil }
    var value = 0.0
    let isNumber = bytes.withUnsafeBytes { raw in
      let start = raw.baseAddress!.assumingMemoryBound(to: CChar.self)
      return cfastfloat_parse(start, start + raw.count, &value) == start + raw.count
    }
    return isNumber ? value : nil
  }

  /// Reads a string into `text`; returns `false` if the file ends within the string.
  private func readString() throws(LogError) -> Bool {
    _ = try take()
    text.removeAll(keepingCapacity: true)
    while try takeText(until: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }), let byte = try take() {
      if byte == 0x22 { return true }
      if byte == 0x5C {
        guard try escape() else { return false }
      } else {
        // Control characters could break the line of a message.
        text.append(0x3F)
      }
    }
    return false
  }

  private func escape() throws(LogError) -> Bool {
    guard let mark = try take() else { return false }
    switch mark {
    case 0x22, 0x5C, 0x2F: text.append(mark)
    // Line ends and similar characters become blanks in a table.
    case 0x62, 0x66, 0x6E, 0x72, 0x74: text.append(0x20)
    case 0x75:
      guard var code = try hexadecimal() else { return false }
      if (0xD800..<0xDC00).contains(code), try peek() == 0x5C {
        _ = try take()
        guard let mark = try take() else { return false }
        guard mark == 0x75 else { throw failure("a string contains half of a surrogate pair") }
        guard let low = try hexadecimal() else { return false }
        guard (0xDC00..<0xE000).contains(low) else { throw failure("a string contains half of a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      let scalar = code < 0x20 ? " " : Unicode.Scalar(code) ?? "\u{FFFD}"
      text += Array(String(Character(scalar)).utf8)
    default: throw failure("a string contains an invalid escape")
    }
    return true
  }

  /// Reads the four digits of an escape; returns `nil` if the file ends within them.
  private func hexadecimal() throws(LogError) -> UInt32? {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = try take() else { return nil }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("a string contains an invalid escape")
      }
      code = code << 4 | UInt32(digit)
    }
    return code
  }

  // MARK: Bytes

  private func peek() throws(LogError) -> UInt8? {
    if position < end { return buffer[position] }
    guard let file else { return nil }
    let count = try buffer.withUnsafeMutableBufferPointer { bytes throws(LogError) in
      try file.read(into: UnsafeMutableRawBufferPointer(bytes))
    }
    (position, end) = (0, count)
    bytesLoaded += count
    return count > 0 ? buffer[0] : nil
  }

  /// Appends the bytes up to, but without, the next terminator to `text`; returns `false` if the file ends first.
  ///
  /// Works on runs of bytes because each access to a class property has a cost.
  private func takeText(until isEnd: (UInt8) -> Bool) throws(LogError) -> Bool {
    while try peek() != nil {
      let (start, limit) = (position, end)
      let stop = buffer.withUnsafeBufferPointer { bytes in
        var stop = start
        while stop < limit, !isEnd(bytes[stop]) { stop += 1 }
        return stop
      }
      text += buffer[start..<stop]
      position = stop
      // A run contains no line ends, as they are terminators.
      column += stop - start
      guard text.count <= Self.maximumLength else { throw failure("a string or number is too long") }
      if stop < limit { return true }
    }
    return false
  }

  private func take() throws(LogError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    if byte == 0x0A { (line, column) = (line + 1, 0) } else { column += 1 }
    return byte
  }
}
