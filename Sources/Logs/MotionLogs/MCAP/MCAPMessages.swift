/// The messages of ROS 2 in an MCAP file, in CDR.
struct MCAPMessages: ROSRecordSource {
  private let source: MCAPRecordSource
  private var schemas: [UInt16: String] = [:]
  private(set) var topics: [Int: String] = [:]
  /// The kinds of messages to read, by channel.
  private var kinds: [UInt16: ROSMessage] = [:]

  init(path: String) throws(LogError) { source = try MCAPRecordSource(InputFile(path: path)) }

  var progress: Double { source.progress }
  var hasLocation: Bool { kinds.values.contains(.position) }

  func logError(_ error: ContainerError) -> LogError { source.logError(error) }

  mutating func next() throws(LogError) -> ROSRecord? {
    while let record = try source.next() {
      do throws(ContainerError) {
        if let message = try take(record) { return message }
      } catch {
        throw source.logError(error)
      }
    }
    return nil
  }

  /// Registers the topics of a record, or returns its message if it is to be read.
  private mutating func take(_ record: MCAPRecordSource.Record) throws(ContainerError) -> ROSRecord? {
    var fields = ContainerFields(record.content)
    switch record.opcode {
    case .schema:
      let id = try fields.number(UInt16.self)
      schemas[id] = try fields.text()
      _ = try fields.text()
    case .channel:
      let id = try fields.number(UInt16.self)
      let schema = schemas[try fields.number(UInt16.self)]
      topics[Int(id)] = try fields.text()
      kinds[id] = try fields.text() == "cdr" ? schema.flatMap { ROSMessage(rawValue: $0) } : nil
    default:
      let id = try fields.number(UInt16.self)
      _ = try fields.number(UInt32.self)
      let logTime = Int64(clamping: try fields.number(UInt64.self))
      _ = try fields.number(UInt64.self)
      guard let kind = kinds[id], kind != .pose else { return nil }
      return ROSRecord(topic: Int(id), kind: kind, logTime: logTime, reader: try ROSMessageReader(cdr: fields.rest))
    }
    return nil
  }
}

extension LogFormat {
  static var mcap: LogFormat {
    LogFormat(
      id: "mcap", title: "recording of ROS 2 (MCAP)",
      recognition: "a file that begins with the bytes of MCAP (89 4D 43 41 50 30 0D 0A)",
      units: ROSLogReader.units,
      isFolder: false,
      recognizes: { $0.head.starts(with: MCAPFormat.magic) },
      open: { path, options throws(LogError) in
        try ROSLogReader(
          MCAPMessages(path: path), path: path, format: "mcap", summary: "recording of ROS 2 (MCAP)",
          recorder: "ros2 bag record -s mcap /imu", options: options)
      })
  }
}
