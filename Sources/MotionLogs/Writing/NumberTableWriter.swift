internal import Dispatch
internal import Synchronization

/// Writes a table of numbers as CSV, while the caller computes the next rows.
///
/// A header, then a line for each row; NaN is an empty field; numbers are written with the fewest digits that read
/// back as the same number, or with `digits` significant digits; whole numbers as such. Rows are formatted on
/// background threads in blocks, a few of them in flight: a caller that is faster than the disk waits. An error of
/// the disk is thrown by the next `append`, `flush` or `close`. The file appears with `close`, whole; a writer that is
/// dropped without it leaves nothing.
public final class NumberTableWriter {
  public let columns: [String]
  /// Rows taken so far.
  public private(set) var rowCount = 0

  private let pipeline: TablePipeline
  /// Rows not yet handed to a background thread.
  private var pending: TableBlock

  /// Begins a file ("-" is standard output); an existing one is an error unless `force`.
  ///
  /// - Parameters:
  ///   - digits: significant digits, 1 to 17; nil for the shortest exact text.
  ///   - exactColumns: the places of columns that are written exactly all the same.
  public init(
    path: String, columns: [String], digits: Int? = nil, exactColumns: Set<Int> = [], force: Bool = false
  ) throws(OutputError) {
    precondition(!columns.isEmpty, "a table needs columns")
    precondition(digits.map { (1...17).contains($0) } ?? true, "digits are 1 to 17, not \(digits!)")
    self.columns = columns
    pipeline = try TablePipeline(
      path: path, header: columns.joined(separator: ",") + "\n", force: force,
      formatter: NumberFormatter(columnCount: columns.count, digits: digits, exactColumns: exactColumns))
    pending = pipeline.emptyBlock()
  }

  /// Appends rows: their numbers one after another, as many as columns for each row.
  public func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(
      rows.count % columns.count == 0, "\(rows.count) numbers are no rows of \(columns.count) columns")
    rowCount += rows.count / columns.count
    var rest = rows[...]
    while !rest.isEmpty {
      let room = pending.capacity - pending.values.count
      pending.values.append(contentsOf: rest.prefix(room))
      rest = rest.dropFirst(room)
      if pending.values.count == pending.capacity { try submit() }
    }
  }

  /// Appends rows: their numbers one after another, as many as columns for each row.
  public func append(_ rows: [Double]) throws(OutputError) {
    try rows.withUnsafeBufferPointer { rows throws(OutputError) in try append(rows) }
  }

  /// Waits until everything appended is written: for output that somebody watches.
  public func flush() throws(OutputError) {
    if !pending.values.isEmpty { try submit() }
    try pipeline.drain()
  }

  /// Writes the rest and puts the file in its place. Nothing can be appended after it.
  public func close() throws(OutputError) {
    try flush()
    try pipeline.commit()
  }

  private func submit() throws(OutputError) {
    let full = pending
    pending = pipeline.emptyBlock()
    try pipeline.submit(full)
  }
}

/// Some rows and their text. Belongs to one thread at a time, which is why it may be sent.
private final class TableBlock: @unchecked Sendable {
  /// How many numbers fit: whole rows, a few hundred kilobytes of text.
  let capacity: Int
  var values: [Double] = []
  private let text: UnsafeMutableBufferPointer<CChar>
  private var textCount = 0

  init(columnCount: Int) {
    capacity = max(1, (1 << 15) / columnCount) * columnCount
    values.reserveCapacity(capacity)
    text = .allocate(capacity: capacity * NumberFormatter.longestField)
  }

  deinit { text.deallocate() }

  func format(by formatter: NumberFormatter) {
    textCount = values.withUnsafeBufferPointer { formatter.write($0, into: text) }
    values.removeAll(keepingCapacity: true)
  }

  func write(to file: AtomicFile) throws(OutputError) {
    try file.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[..<textCount])))
  }
}

/// Blocks of rows on their way to a file: formatted at the same time, written in order.
private final class TablePipeline: Sendable {
  /// Blocks in flight: one for each of two formatting threads, and two that wait for them or for the disk.
  private static let depth = 4

  private struct State {
    var file: AtomicFile
    /// Blocks formatted before their turn.
    var ready: [Int: TableBlock] = [:]
    var submitted = 0
    var written = 0
    var error: OutputError?
    /// Blocks to use again.
    var idle: [TableBlock] = []
  }

  private let state: Mutex<State>
  private let formatter: NumberFormatter
  private let slots = DispatchSemaphore(value: TablePipeline.depth)
  private let queue = DispatchQueue(label: "inertial.table", attributes: .concurrent)

  init(path: String, header: String, force: Bool, formatter: NumberFormatter) throws(OutputError) {
    let file = try AtomicFile(path: path, force: force)
    try file.write(header)
    self.formatter = formatter
    state = Mutex(State(file: file))
  }

  func emptyBlock() -> TableBlock {
    state.withLock { $0.idle.popLast() } ?? TableBlock(columnCount: formatter.columnCount)
  }

  /// Takes a block, waiting while too many are in flight.
  func submit(_ block: TableBlock) throws(OutputError) {
    if let error = state.withLock({ $0.error }) { throw error }
    slots.wait()
    let number = state.withLock { state in
      defer { state.submitted += 1 }
      return state.submitted
    }
    queue.async { self.format(block, number: number) }
  }

  /// Waits until every block is written.
  func drain() throws(OutputError) {
    for _ in 0..<Self.depth { slots.wait() }
    for _ in 0..<Self.depth { slots.signal() }
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func commit() throws(OutputError) {
    let failure: OutputError? = state.withLock { state in
      do throws(OutputError) {
        try state.file.commit()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private func format(_ block: TableBlock, number: Int) {
    block.format(by: formatter)
    state.withLock { state in
      state.ready[number] = block
      while let next = state.ready.removeValue(forKey: state.written) {
        state.written += 1
        if state.error == nil {
          do throws(OutputError) {
            try next.write(to: state.file)
          } catch {
            state.error = error
          }
        }
        state.idle.append(next)
        slots.signal()
      }
    }
  }
}
