/// The messages of ROS 2 in an MCAP file, in CDR, including those of chunks; only one record is held in memory at a time.
///
/// Checks the file's checksums, if present, and that the file is complete.
struct MCAPMessages: ROSRecordSource {
  /// The maximum size of a record, in bytes. Chunks and messages outside of chunks are smaller; a larger size is
  /// damage.
  private static let largestRecord = 1 << 28
  /// The number of bytes before a record's content: the opcode and the content's length.
  private static let prefixSize = 9

  private var file: ContainerBytes
  private var checksum = CyclicChecksum()
  /// The unread records of the chunk.
  private var chunk: ArraySlice<UInt8> = []
  private var isAtEnd = false
  private var schemas: [UInt16: String] = [:]
  private(set) var topics: [Int: String] = [:]
  /// The kinds of messages to read, by channel.
  private var kinds: [UInt16: ROSMessage] = [:]

  init(path: String) throws(LogError) {
    file = ContainerBytes(try InputFile(path: path))
    do throws(ContainerError) {
      guard try take(MCAPOpcode.magic.count).elementsEqual(MCAPOpcode.magic) else {
        throw .damaged("its first bytes are not those of MCAP")
      }
    } catch {
      throw logError(error)
    }
  }

  var progress: Double { file.progress }
  var hasLocation: Bool { kinds.values.contains(.position) }

  func logError(_ error: ContainerError) -> LogError {
    error.logError(
      path: file.name, file: "MCAP file",
      recovery: "fetch or copy the file again, or save what it has with 'mcap recover FILE -o whole.mcap'",
      conversion: "convert it with 'ros2 bag convert', in CDR and compressed by zstd, lz4 or not at all")
  }

  mutating func next() throws(ContainerError) -> ROSRecord? {
    while !isAtEnd {
      if chunk.isEmpty { try readRecord() }
      guard !chunk.isEmpty else { continue }
      var fields = ContainerFields(chunk)
      let opcode = MCAPOpcode(rawValue: try fields.number(UInt8.self))
      let length = try fields.number(UInt64.self)
      let content = try fields.bytes(Int(clamping: length))
      chunk = fields.rest
      if let message = try read(opcode, content) { return message }
    }
    return nil
  }

  /// Registers the topics of a record, or returns its message if it is to be read.
  private mutating func read(
    _ opcode: MCAPOpcode?, _ content: ArraySlice<UInt8>
  ) throws(ContainerError) -> ROSRecord? {
    var fields = ContainerFields(content)
    switch opcode {
    case .schema:
      let id = try fields.number(UInt16.self)
      schemas[id] = try fields.text()
      _ = try fields.text()
    case .channel:
      let id = try fields.number(UInt16.self)
      let schema = schemas[try fields.number(UInt16.self)]
      topics[Int(id)] = try fields.text()
      kinds[id] = try fields.text() == "cdr" ? schema.flatMap { ROSMessage(rawValue: $0) } : nil
    case .message:
      let id = try fields.number(UInt16.self)
      _ = try fields.number(UInt32.self)
      let logTime = Int64(clamping: try fields.number(UInt64.self))
      _ = try fields.number(UInt64.self)
      guard let kind = kinds[id], kind != .pose else { return nil }
      return try ROSRecord(cdr: fields.rest, topic: Int(id), kind: kind, logTime: logTime)
    default: break
    }
    return nil
  }

  /// Reads a record of the file. A wanted record, or the records of a chunk, become the new `chunk`.
  private mutating func readRecord() throws(ContainerError) {
    let before = checksum
    let prefix = Array(try take(Self.prefixSize))
    var fields = ContainerFields(prefix[...])
    let opcode = MCAPOpcode(rawValue: try fields.number(UInt8.self))
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
      guard try take(MCAPOpcode.magic.count).elementsEqual(MCAPOpcode.magic) else {
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
    case "lz4": records = try expandLZ4(bytes, count: size)
    default:
      let known = compression.prefix(20).allSatisfy { $0.isASCII && !$0.isNewline }
      throw .unsupported("a chunk is compressed by \(known ? String(compression.prefix(20)) : "an unknown method")")
    }
    guard storedChecksum == 0 || storedChecksum == CyclicChecksum(records).value else {
      throw .damaged("the checksum of a chunk does not match")
    }
    return records[...]
  }

  private mutating func take(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    let bytes = try file.take(count)
    bytes.withUnsafeBytes { checksum.add($0) }
    return bytes
  }

  private mutating func skip(_ count: Int) throws(ContainerError) {
    var rest = count
    while rest > 0 { rest -= try take(min(rest, 1 << 16)).count }
  }
}

extension LogFormat {
  static var mcap: LogFormat {
    LogFormat(
      id: "mcap", title: "recording of ROS 2 (MCAP)",
      recognition: "a file that begins with the bytes of MCAP (89 4D 43 41 50 30 0D 0A)",
      units: ROSLogReader.units,
      recognizes: { $0.head.starts(with: MCAPOpcode.magic) },
      open: { path, options throws(LogError) in
        try ROSLogReader(
          MCAPMessages(path: path), path: path, format: "mcap", summary: "recording of ROS 2 (MCAP)",
          recorder: "ros2 bag record -s mcap /imu", options: options)
      })
  }
}
