// The container MCAP, version 0 (mcap.dev/spec): records of an opcode, the length of what follows, and that. Numbers have
// the least byte first; texts, maps and lists begin with their length in bytes.

enum MCAPFormat {
  static let magic: [UInt8] = [0x89] + Array("MCAP0\r\n".utf8)

  /// What a record is.
  enum Opcode: UInt8 {
    case header = 1
    case footer, schema, channel, message, chunk, messageIndex, chunkIndex, attachment, attachmentIndex, statistics
    case metadata, metadataIndex, summaryOffset, dataEnd
  }

  /// Bytes before what a record holds.
  static let prefixSize = 9

  static func record(_ opcode: Opcode, _ content: [UInt8]) -> [UInt8] {
    var record = [opcode.rawValue]
    record.add(UInt64(content.count))
    return record + content
  }
}

extension [UInt8] {
  /// A text of MCAP.
  mutating func addText(_ text: String) {
    add(UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// A map of MCAP from texts to texts.
  mutating func addMap(_ map: [(name: String, text: String)]) {
    var bytes: [UInt8] = []
    for (name, text) in map {
      bytes.addText(name)
      bytes.addText(text)
    }
    add(UInt32(bytes.count))
    append(contentsOf: bytes)
  }
}

/// What is wrong with a file.
enum MCAPError: Error {
  case damaged(String)
  case unsupported(String)
}

/// Takes the fields of a record from its bytes, one after the other.
struct MCAPFields {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MCAPError) -> Number {
    let size = MemoryLayout<Number>.size
    let bytes = try bytes(size)
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  mutating func text() throws(MCAPError) -> String {
    String(decoding: try bytes(Int(try number(UInt32.self))), as: UTF8.self)
  }

  mutating func bytes(_ count: Int) throws(MCAPError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damaged("a record is shorter than what it should hold") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
