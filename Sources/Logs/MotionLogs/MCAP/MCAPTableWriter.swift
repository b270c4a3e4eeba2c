internal import Synchronization

/// Writes a table of motion as messages of ROS 2 in an MCAP file (profile `ros2`), while the caller computes the next
/// rows.
///
/// A row becomes a `sensor_msgs/msg/Imu`, a `sensor_msgs/msg/MagneticField` if the table has a field, and a
/// `geometry_msgs/msg/PoseStamped` with the position 0 if the table has an attitude. Units and signs follow ROS (REP
/// 103, REP 145): rad/s, m/s² of specific force, tesla. Missing quantities are marked as specified by the definitions.
///
/// Chunks of some thousands of messages are indexed and compressed by zstd on background threads, so that memory does
/// not grow with the file; chunks, data and summary have their CRC. `close` creates the complete file; without it, no
/// file remains.
package final class MCAPTableWriter: TableWriter {
  package var rowCount: Int { pipeline.rowCount }
  private let width: Int
  private let path: String
  private let facts: () -> [(name: String, text: String)]
  private let pipeline: TablePipeline
  private let summary: MCAPSummary
  private let layout: ROSRowLayout
  private var isFinished = false

  private static let rowsInChunk = 1 << 11

  /// Creates a writer; an existing file is an error unless `force` is set.
  ///
  /// - `columns`: the names of the rows' numbers, of which messages contain the known ones. The first is `time`.
  /// - `epoch`: the UNIX time of time 0 in seconds; if unknown, timestamps count from time 0.
  /// - `turnsToEast`: whether the attitudes' reference frame has north for X and is rotated to ROS's, which has east
  ///   for X and north for Y.
  /// - `generator`: the program and its version.
  /// - `facts`: the file's metadata, written as a metadata record `inertial`; evaluated at the end.
  package init(
    path: String, columns: [String], epoch: Double?, turnsToEast: Bool = false, force: Bool = false,
    isOverlapped: Bool = true, generator: String, facts: @escaping () -> [(name: String, text: String)] = { [] }
  ) throws(OutputError) {
    (width, self.path, self.facts) = (columns.count, path, facts)
    let layout = ROSRowLayout(columns: columns, clock: NanosecondClock(epoch: epoch), turnsToEast: turnsToEast)
    self.layout = layout
    let output = try AtomicFile(path: path, force: force)
    let summary = MCAPSummary(topics: layout.topics)
    self.summary = summary
    try output.write(summary.start(generator: generator))
    pipeline = TablePipeline(
      output: output, width: width, rowsInBlock: Self.rowsInChunk, isOverlapped: isOverlapped, depth: 4
    ) {
      let compressor = Zstandard(level: 1)
      var chunk: MCAPSummary.Chunk?
      return TableBlock { rows in
        chunk = Self.chunk(of: rows, layout, compressor)
      } write: { _, file throws(OutputError) in
        guard let complete = chunk else { return }
        chunk = nil
        try file.write(summary.add(complete))
      }
    }
  }

  /// - Throws: ``OutputError``, also if a time exceeds the range of a message's seconds and nanoseconds.
  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    for start in stride(from: 0, to: rows.count, by: width) where layout.stamp(rows[start]) == nil {
      throw layout.error(rows[start], path: path)
    }
    try pipeline.append(rows)
  }

  /// Does nothing: chunks are written when they are full, and the last one at the end.
  package func flush() throws(OutputError) {}

  package func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    try pipeline.flush()
    try pipeline.append(summary.end(facts: facts()))
  }

  package func close() throws(OutputError) {
    try finish()
    try pipeline.commit()
  }

  /// Returns the chunk of the messages of some rows, or `nil` without messages.
  private static func chunk(
    of rows: UnsafeBufferPointer<Double>, _ layout: ROSRowLayout, _ compressor: Zstandard
  ) -> MCAPSummary.Chunk? {
    var messages: [UInt8] = []
    var index = [[(time: UInt64, offset: UInt64)]](repeating: [], count: layout.topics.count)
    for start in stride(from: 0, to: rows.count, by: layout.width) {
      let row = UnsafeBufferPointer(rebasing: rows[start..<start + layout.width])
      layout.forEachMessage(of: row) { topic, stamp, message in
        let time = UInt64(max(stamp, 0))
        index[topic].append((time, UInt64(messages.count)))
        messages.append(MCAPOpcode.message.rawValue)
        messages.add(UInt64(22 + message.count))
        messages.add(UInt16(topic + 1))
        messages.add(UInt32(0))
        messages.add(time)
        messages.add(time)
        messages += message
      }
    }
    guard !messages.isEmpty else { return nil }
    var compressed: [UInt8] = []
    compressor.compress(messages, into: &compressed)
    return (compressed, messages.count, CyclicChecksum(messages).value, index)
  }
}
