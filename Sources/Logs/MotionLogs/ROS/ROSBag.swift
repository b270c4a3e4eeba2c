/// Reads the messages of a ROS 1 bag, version 2.0 (wiki.ros.org/Bags/Format/2.0). Records consist of a header, which is
/// a list of NAME=VALUE, and data. Chunks, uncompressed or in LZ4, contain connections and messages.
struct ROSBag: ROSRecordSource {
  static let magic = Array("#ROSBAG V2.0\n".utf8)

  /// The types of records that are read.
  private static let (message, bagHeader, chunk, connection): (UInt8, UInt8, UInt8, UInt8) = (2, 3, 5, 7)

  /// The maximum size of a record, in bytes. Messages and chunks are smaller; a larger size is damage.
  private static let largestRecord: UInt32 = 1 << 28
  private static let maximumTopicCount = 1000

  private var file: ContainerBytes
  private(set) var topics: [Int: String] = [:]
  /// The connections whose messages are read; a topic may have several.
  private var kinds: [UInt32: (topic: Int, kind: ROSMessage)] = [:]
  private var chunk = ContainerFields([])
  /// The offset of the index; a bag that ends before it was cut off.
  private var indexPlace: UInt64 = 0

  init(path: String) throws(LogError) {
    file = ContainerBytes(try InputFile(path: path))
    do throws(ContainerError) {
      guard try file.take(Self.magic.count).elementsEqual(Self.magic) else {
        throw .damaged("its first bytes are not those of a bag")
      }
    } catch {
      throw logError(error)
    }
  }

  var progress: Double { file.progress }
  var hasLocation: Bool { kinds.values.contains { $0.kind == .position } }

  func logError(_ error: ContainerError) -> LogError {
    error.logError(
      path: file.name, file: "bag", recovery: "copy the file again, or save what it has with 'rosbag reindex FILE'",
      conversion: "write it without compression: rosbag decompress FILE")
  }

  mutating func next() throws(ContainerError) -> ROSRecord? {
    while true {
      while !chunk.rest.isEmpty {
        let head = try Self.header(try chunk.bytes(Int(try chunk.number(UInt32.self))))
        let data = try chunk.bytes(Int(try chunk.number(UInt32.self)))
        if let message = try take(head, data) { return message }
      }
      guard try !file.isAtEnd else {
        guard UInt64(file.readCount) >= indexPlace else { throw .damaged("it ends before its index") }
        return nil
      }
      let head = try Self.header(try block())
      let data = try block()
      if let message = try take(head, data) { return message }
    }
  }

  /// Reads a length and that many bytes.
  private mutating func block() throws(ContainerError) -> ArraySlice<UInt8> {
    var fields = ContainerFields(try file.take(4))
    let count = try fields.number(UInt32.self)
    guard count <= Self.largestRecord else { throw .damaged("a record of \(count) bytes") }
    return try file.take(Int(count))
  }

  /// Returns the values of a record's header, by name.
  private static func header(_ bytes: ArraySlice<UInt8>) throws(ContainerError) -> [String: ArraySlice<UInt8>] {
    var fields = ContainerFields(bytes)
    var values: [String: ArraySlice<UInt8>] = [:]
    while !fields.rest.isEmpty {
      let field = try fields.bytes(Int(try fields.number(UInt32.self)))
      guard let mark = field.firstIndex(of: 0x3D) else { throw .damaged("a field of a record has no name") }
      values[String(decoding: field[..<mark], as: UTF8.self)] = field[(mark + 1)...]
    }
    return values
  }

  private static func number<Number: FixedWidthInteger>(
    _ head: [String: ArraySlice<UInt8>], _ name: String
  ) throws(ContainerError) -> Number {
    guard let bytes = head[name] else { throw .damaged("a record has no \(name)") }
    var fields = ContainerFields(bytes)
    return try fields.number()
  }

  /// Registers the topics of a record, opens its chunk, or returns its message if it is to be read.
  private mutating func take(
    _ head: [String: ArraySlice<UInt8>], _ data: ArraySlice<UInt8>
  ) throws(ContainerError) -> ROSRecord? {
    switch try Self.number(head, "op") as UInt8 {
    case Self.bagHeader: indexPlace = try Self.number(head, "index_pos")
    case Self.connection:
      let id: UInt32 = try Self.number(head, "conn")
      guard kinds[id] == nil, topics.count < Self.maximumTopicCount else { return nil }
      let facts = try Self.header(data)
      let name = (head["topic"] ?? facts["topic"]).map { String(decoding: $0.prefix(256), as: UTF8.self) } ?? ""
      let topic = topics.first { $0.value == name }?.key ?? Int(id)
      topics[topic] = name
      guard let type = facts["type"], let kind = ROSMessage(ros1: String(decoding: type.prefix(256), as: UTF8.self))
      else { return nil }
      kinds[id] = (topic, kind)
    case Self.chunk: try open(head, data)
    case Self.message:
      let id: UInt32 = try Self.number(head, "conn")
      guard let (topic, kind) = kinds[id], kind != .pose else { return nil }
      let stamp: UInt64 = try Self.number(head, "time")
      let logTime = Int64(stamp & 0xFFFF_FFFF) * 1_000_000_000 + Int64(stamp >> 32)
      return try ROSRecord(ros1: data, topic: topic, kind: kind, logTime: logTime)
    default: break
    }
    return nil
  }

  private mutating func open(_ head: [String: ArraySlice<UInt8>], _ data: ArraySlice<UInt8>) throws(ContainerError) {
    guard chunk.rest.isEmpty else { throw .damaged("a chunk within a chunk") }
    let size: UInt32 = try Self.number(head, "size")
    switch head["compression"].map({ String(decoding: $0.prefix(20), as: UTF8.self) }) {
    case "none"?:
      guard data.count == size else { throw .damaged("a chunk does not have its declared size") }
      chunk = ContainerFields(data)
    case "lz4"?:
      guard size <= Self.largestRecord else { throw .damaged("a chunk of \(size) bytes") }
      chunk = ContainerFields(try expandLZ4(data, count: Int(size))[...])
    case "bz2"?: throw .unsupported("a chunk is compressed by bz2")
    default: throw .unsupported("a chunk is compressed by an unknown method")
    }
  }
}

extension LogFormat {
  static var rosBag: LogFormat {
    LogFormat(
      id: "ros-bag", title: "bag of ROS 1 (version 2.0)",
      recognition: "a file that begins with #ROSBAG V2.0",
      units: ROSLogReader.units,
      recognizes: { $0.head.starts(with: ROSBag.magic) },
      open: { path, options throws(LogError) in
        try ROSLogReader(
          ROSBag(path: path), path: path, format: "ros-bag", summary: "bag of ROS 1", recorder: "rosbag record /imu",
          options: options)
      })
  }
}
