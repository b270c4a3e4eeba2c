/// The type of a record of an MCAP file.
///
/// The container MCAP, version 0 (mcap.dev/spec): records of an opcode, the length of the content, and the content.
/// Numbers are little-endian; strings, maps and lists begin with their length in bytes.
enum MCAPOpcode: UInt8 {
  case header = 1
  case footer, schema, channel, message, chunk, messageIndex, chunkIndex, attachment, attachmentIndex, statistics
  case metadata, metadataIndex, summaryOffset, dataEnd

  /// The first and last bytes of a file.
  static let magic: [UInt8] = [0x89] + Array("MCAP0\r\n".utf8)

  /// Returns a record of this type.
  func record(_ content: [UInt8]) -> [UInt8] {
    var record = [rawValue]
    record.add(UInt64(content.count))
    return record + content
  }
}

extension [UInt8] {
  /// Appends an MCAP string.
  mutating func addText(_ text: String) {
    add(UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// Appends an MCAP map from strings to strings.
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
