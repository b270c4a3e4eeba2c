internal import Synchronization

/// The parts of an MCAP file other than the chunks: its start, the index of each chunk, and the summary at its end.
final class MCAPSummary: Sendable {
  /// A compressed chunk of messages, with the size and checksum of the uncompressed records, and the times of each
  /// topic's messages and their offsets in the uncompressed records.
  typealias Chunk = (
    records: [UInt8], uncompressedSize: Int, checksum: UInt32, index: [[(time: UInt64, offset: UInt64)]]
  )

  private struct State {
    /// The number of bytes of the file so far.
    var offset: UInt64 = 0
    var checksum = CyclicChecksum()
    var chunkIndexes: [[UInt8]] = []
    var messageCounts: [UInt64]
    var times: ClosedRange<UInt64>?

    mutating func add(_ bytes: [UInt8]) -> [UInt8] {
      offset += UInt64(bytes.count)
      checksum.add(bytes)
      return bytes
    }
  }

  private static let compression = "zstd"
  private let topics: [ROSRowLayout.Topic]
  private let messages: [ROSMessage]
  private let state: Mutex<State>

  init(topics: [ROSRowLayout.Topic]) {
    self.topics = topics
    messages = ROSMessage.allCases.filter { message in topics.contains { $0.message == message } }
    state = Mutex(State(messageCounts: Array(repeating: 0, count: topics.count)))
  }

  func start(generator: String) -> [UInt8] {
    var header: [UInt8] = []
    header.addText("ros2")
    header.addText(generator)
    let bytes = MCAPOpcode.magic + MCAPOpcode.header.record(header) + (schemas + channels).joined()
    return state.withLock { $0.add(bytes) }
  }

  private var schemas: [[UInt8]] {
    messages.enumerated().map { number, message in
      var content: [UInt8] = []
      content.add(UInt16(number + 1))
      content.addText(message.rawValue)
      content.addText("ros2msg")
      content.addText(message.definition)
      return MCAPOpcode.schema.record(content)
    }
  }

  private var channels: [[UInt8]] {
    topics.enumerated().map { number, topic in
      var content: [UInt8] = []
      content.add(UInt16(number + 1))
      content.add(UInt16(messages.firstIndex(of: topic.message)! + 1))
      content.addText(topic.name)
      content.addText("cdr")
      content.addMap([("offered_qos_profiles", "")])
      return MCAPOpcode.channel.record(content)
    }
  }

  /// Returns the bytes of a chunk and its index, to be appended to the file.
  func add(_ chunk: Chunk) -> [UInt8] {
    let times = chunk.index.joined().map(\.time)
    let (first, last) = (times.min() ?? 0, times.max() ?? 0)
    var content: [UInt8] = []
    content.reserveCapacity(chunk.records.count + 64)
    for time in [first, last] { content.add(time) }
    content.add(UInt64(chunk.uncompressedSize))
    content.add(chunk.checksum)
    content.addText(Self.compression)
    content.add(UInt64(chunk.records.count))
    content += chunk.records
    var bytes = MCAPOpcode.chunk.record(content)
    let chunkLength = bytes.count
    var offsets: [UInt8] = []
    return state.withLock { state in
      for (topic, entries) in chunk.index.enumerated() where !entries.isEmpty {
        offsets.add(UInt16(topic + 1))
        offsets.add(state.offset + UInt64(bytes.count))
        var index: [UInt8] = []
        index.add(UInt16(topic + 1))
        index.add(UInt32(16 * entries.count))
        for entry in entries {
          index.add(entry.time)
          index.add(entry.offset)
        }
        bytes += MCAPOpcode.messageIndex.record(index)
        state.messageCounts[topic] += UInt64(entries.count)
      }
      var entry: [UInt8] = []
      for value in [first, last, state.offset, UInt64(chunkLength)] { entry.add(value) }
      entry.add(UInt32(offsets.count))
      entry += offsets
      entry.add(UInt64(bytes.count - chunkLength))
      entry.addText(Self.compression)
      entry.add(UInt64(chunk.records.count))
      entry.add(UInt64(chunk.uncompressedSize))
      state.chunkIndexes.append(MCAPOpcode.chunkIndex.record(entry))
      state.times = min(state.times?.lowerBound ?? first, first)...max(state.times?.upperBound ?? last, last)
      return state.add(bytes)
    }
  }

  /// Returns the bytes of the file after the chunks.
  func end(facts: [(name: String, text: String)]) -> [UInt8] {
    state.withLock { state in
      var metadata: [UInt8] = []
      metadata.addText("inertial")
      metadata.addMap(facts)
      let metadataRecord = MCAPOpcode.metadata.record(metadata)
      var metadataIndex: [UInt8] = []
      metadataIndex.add(state.offset)
      metadataIndex.add(UInt64(metadataRecord.count))
      metadataIndex.addText("inertial")
      var bytes = state.add(metadataRecord)
      var dataEnd: [UInt8] = []
      dataEnd.add(state.checksum.value)
      bytes += state.add(MCAPOpcode.dataEnd.record(dataEnd))

      let summaryStart = state.offset
      let groups: [(opcode: MCAPOpcode, records: [[UInt8]])] = [
        (.schema, schemas), (.channel, channels), (.statistics, [statistics(state)]),
        (.chunkIndex, state.chunkIndexes), (.metadataIndex, [MCAPOpcode.metadataIndex.record(metadataIndex)]),
      ]
      var summary: [UInt8] = []
      var offsets: [UInt8] = []
      for group in groups where !group.records.isEmpty {
        let records = Array(group.records.joined())
        var offset = [group.opcode.rawValue]
        offset.add(summaryStart + UInt64(summary.count))
        offset.add(UInt64(records.count))
        offsets += MCAPOpcode.summaryOffset.record(offset)
        summary += records
      }
      let offsetStart = summaryStart + UInt64(summary.count)
      summary += offsets
      summary.append(MCAPOpcode.footer.rawValue)
      for value in [20, summaryStart, offsetStart] { summary.add(value) }
      summary.add(CyclicChecksum(summary).value)
      return bytes + summary + MCAPOpcode.magic
    }
  }

  private func statistics(_ state: State) -> [UInt8] {
    var content: [UInt8] = []
    content.add(state.messageCounts.reduce(0, +))
    content.add(UInt16(messages.count))
    content.add(UInt32(topics.count))
    content.add(UInt32(0))
    content.add(UInt32(1))
    content.add(UInt32(state.chunkIndexes.count))
    content.add(state.times?.lowerBound ?? 0)
    content.add(state.times?.upperBound ?? 0)
    content.add(UInt32(10 * topics.count))
    for (topic, count) in state.messageCounts.enumerated() {
      content.add(UInt16(topic + 1))
      content.add(count)
    }
    return MCAPOpcode.statistics.record(content)
  }
}
