/// The records of an MCAP file in order, including those of chunks; only one record is held in memory at a time.
///
/// Checks the file's checksums, if present, and that the file is complete.
final class MCAPRecordSource {
  struct Record {
    var opcode: MCAPFormat.Opcode
    var content: ArraySlice<UInt8>
  }

  /// The maximum size of a record, in bytes. Chunks and messages outside of chunks are smaller; a larger size is
  /// damage.
  private static let largestRecord = 1 << 28

  private var file: ContainerBytes
  private var checksum = CyclicChecksum()
  /// The unread records of the chunk.
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false

  init(_ file: InputFile) throws(LogError) {
    self.file = ContainerBytes(file)
    do throws(ContainerError) {
      guard try take(MCAPFormat.magic.count).elementsEqual(MCAPFormat.magic) else {
        throw .damaged("its first bytes are not those of MCAP")
      }
    } catch {
      throw logError(error)
    }
  }

  /// The fraction read so far, 0 to 1.
  var progress: Double { file.progress }

  /// Returns the next schema, channel or message, or `nil` at the end of the data.
  func next() throws(LogError) -> Record? {
    do throws(ContainerError) {
      while !isAtEnd {
        if chunk.isEmpty { try readRecord() }
        guard !chunk.isEmpty else { continue }
        var fields = ContainerFields(chunk)
        let opcode = MCAPFormat.Opcode(rawValue: try fields.number(UInt8.self))
        let length = try fields.number(UInt64.self)
        let content = try fields.bytes(Int(clamping: length))
        chunk = fields.rest
        if let opcode, [.schema, .channel, .message].contains(opcode) {
          return Record(opcode: opcode, content: content)
        }
      }
      return nil
    } catch {
      throw logError(error)
    }
  }

  func logError(_ error: ContainerError) -> LogError {
    error.logError(
      path: file.name, file: "MCAP file",
      recovery: "fetch or copy the file again, or save what it has with 'mcap recover FILE -o whole.mcap'",
      conversion: "convert it with 'ros2 bag convert', in CDR and compressed by zstd, lz4 or not at all")
  }

  /// Reads a record of the file. A wanted record, or the records of a chunk, become the new `chunk`.
  private func readRecord() throws(ContainerError) {
    let before = checksum
    let prefix = Array(try take(MCAPFormat.prefixSize))
    var fields = ContainerFields(prefix[...])
    let opcode = MCAPFormat.Opcode(rawValue: try fields.number(UInt8.self))
    let length = Int(clamping: try fields.number(UInt64.self))
    switch opcode {
    case .schema, .channel, .message: chunk = prefix[...] + (try take(limited(length)))
    case .chunk: chunk = try records(ofChunk: try take(limited(length)))
    case .dataEnd:
      var fields = ContainerFields(try take(limited(length)))
      let storedChecksum = try fields.number(UInt32.self)
      guard storedChecksum == 0 || storedChecksum == before.value else {
        throw .damaged("the checksum of its data does not match")
      }
    case .footer:
      try skip(length)
      guard try take(MCAPFormat.magic.count).elementsEqual(MCAPFormat.magic) else {
        throw .damaged("its last bytes are not those of MCAP")
      }
      isAtEnd = true
    default: try skip(length)
    }
  }

  private func limited(_ length: Int) throws(ContainerError) -> Int {
    guard length <= Self.largestRecord else { throw .damaged("a record of \(length) bytes") }
    return length
  }

  private func records(ofChunk content: ArraySlice<UInt8>) throws(ContainerError) -> ArraySlice<UInt8> {
    var fields = ContainerFields(content)
    _ = try fields.bytes(16)
    let size = try limited(Int(clamping: try fields.number(UInt64.self)))
    let storedChecksum = try fields.number(UInt32.self)
    let compression = try fields.text()
    let bytes = try fields.bytes(Int(clamping: try fields.number(UInt64.self)))
    let records: [UInt8]
    switch compression {
    case "":
      guard bytes.count == size else { throw .damaged("a chunk does not have its declared size") }
      records = Array(bytes)
    case "zstd":
      guard let expanded = Zstandard.expand(bytes, count: size) else {
        throw .damaged("a chunk that cannot be decompressed")
      }
      records = expanded
    case "lz4": records = try LZ4Frame.expand(bytes, count: size)
    default:
      let known = compression.prefix(20).allSatisfy { $0.isASCII && !$0.isNewline }
      throw .unsupported("a chunk is compressed by \(known ? String(compression.prefix(20)) : "an unknown method")")
    }
    guard storedChecksum == 0 || storedChecksum == CyclicChecksum(records).value else {
      throw .damaged("the checksum of a chunk does not match")
    }
    return records[...]
  }

  // MARK: Bytes

  private func take(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    let bytes = try file.take(count)
    bytes.withUnsafeBytes { checksum.add($0) }
    return bytes
  }

  private func skip(_ count: Int) throws(ContainerError) {
    var rest = count
    while rest > 0 { rest -= try take(min(rest, 1 << 16)).count }
  }
}
