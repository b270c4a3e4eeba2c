internal import Dispatch
internal import InertialSystem
internal import Synchronization

/// A block of rows and their encoded bytes. It is sendable because it belongs to one thread at a time.
protocol TableBlock: AnyObject, Sendable {
  /// The maximum number of values, in complete rows.
  var capacity: Int { get }
  var values: [Double] { get set }
  /// Encodes the values to bytes and removes the values. Blocks are encoded concurrently, in any order.
  func encode()
  /// Writes the bytes. Blocks are written one after another, in order.
  func write(to file: any OutputFile) throws(OutputError)
}

/// A pipeline of blocks of rows to a file: blocks are encoded concurrently and written in order.
///
/// Without background threads, the submitting thread encodes and writes a block, with the same result.
final class TablePipeline: Sendable {

  private struct State {
    /// The encoded blocks that are not next in order.
    var ready: [Int: any TableBlock] = [:]
    var submitted = 0
    var written = 0
    /// Whether a thread is writing; it also writes the blocks that become ready meanwhile.
    var isWriting = false
    var error: OutputError?
    /// The blocks for reuse.
    var idle: [any TableBlock] = []
  }

  private let state = Mutex(State())
  /// The file. A thread that holds the state's lock never locks it.
  private let file: Mutex<any OutputFile>
  private let makeBlock: @Sendable () -> any TableBlock
  private let depth: Int
  private let slots: DispatchSemaphore
  /// The queue of the background threads, or `nil` without background threads.
  private let queue: DispatchQueue?

  /// - `depth`: the maximum number of blocks in flight: one for each of two encoding threads, and some that are pending
  ///   for encoding or writing.
  init(
    output: sending any OutputFile, isOverlapped: Bool, depth: Int = 8,
    makeBlock: @escaping @Sendable () -> any TableBlock
  ) {
    file = Mutex(output)
    self.makeBlock = makeBlock
    self.depth = depth
    slots = DispatchSemaphore(value: depth)
    queue =
      isOverlapped && BackgroundThreads.areAvailable
      ? DispatchQueue(label: "inertial.table", attributes: .concurrent) : nil
  }

  func emptyBlock() -> any TableBlock { state.withLock { $0.idle.popLast() } ?? makeBlock() }

  /// Accepts a block, and waits while too many blocks are in flight.
  func submit(_ block: any TableBlock) throws(OutputError) {
    if let error = state.withLock({ $0.error }) { throw error }
    slots.wait()
    let number = state.withLock { state in
      defer { state.submitted += 1 }
      return state.submitted
    }
    guard let queue else {
      encode(block, number: number)
      return
    }
    queue.async { self.encode(block, number: number) }
  }

  /// Waits until every block is written.
  func drain() throws(OutputError) {
    for _ in 0..<depth { slots.wait() }
    for _ in 0..<depth { slots.signal() }
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Writes bytes after all blocks are written.
  func append(_ bytes: [UInt8]) throws(OutputError) {
    let failure = attempt { (file) throws(OutputError) in try file.write(bytes) }
    if let failure { throw failure }
  }

  func prepare() throws(OutputError) {
    if let failure = attempt({ (file) throws(OutputError) in try file.prepare() }) { throw failure }
  }

  func commit() throws(OutputError) {
    if let failure = attempt({ (file) throws(OutputError) in try file.commit() }) { throw failure }
  }

  private func encode(_ block: any TableBlock, number: Int) {
    block.encode()
    state.withLock { $0.ready[number] = block }
    // The state is not locked during disk access, so that other threads can continue.
    while let next = nextToWrite() {
      let failure = attempt { (file) throws(OutputError) in try next.write(to: file) }
      state.withLock { state in
        state.isWriting = false
        state.written += 1
        state.error = state.error ?? failure
        state.idle.append(next)
      }
      slots.signal()
    }
  }

  /// Returns the next block in order for the only writing thread. After an error, blocks are discarded unwritten.
  private func nextToWrite() -> (any TableBlock)? {
    state.withLock { state in
      while !state.isWriting, let next = state.ready.removeValue(forKey: state.written) {
        guard state.error != nil else {
          state.isWriting = true
          return next
        }
        state.written += 1
        state.idle.append(next)
        slots.signal()
      }
      return nil
    }
  }

  private func attempt(_ work: (any OutputFile) throws(OutputError) -> Void) -> OutputError? {
    file.withLock { file in
      do throws(OutputError) {
        try work(file)
        return nil
      } catch {
        return error
      }
    }
  }
}

/// Fills blocks with rows and submits full blocks to a pipeline.
struct TableFiller {
  /// The number of rows appended so far.
  private(set) var rowCount = 0
  private let pipeline: TablePipeline
  /// The number of values of a row.
  private let width: Int
  /// The rows not yet submitted to a background thread.
  private var pending: any TableBlock

  init(_ pipeline: TablePipeline, width: Int) {
    (self.pipeline, self.width) = (pipeline, width)
    pending = pipeline.emptyBlock()
  }

  mutating func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(rows.count % width == 0, "\(rows.count) numbers do not fill rows of \(width) columns")
    rowCount += rows.count / width
    if rows.count < pending.capacity - pending.values.count {
      pending.values.append(contentsOf: rows)
      return
    }
    var rest = rows[...]
    while !rest.isEmpty {
      let room = pending.capacity - pending.values.count
      pending.values.append(contentsOf: rest.prefix(room))
      rest = rest.dropFirst(room)
      if pending.values.count == pending.capacity { try submit() }
    }
  }

  /// Waits until all appended rows are written.
  mutating func flush() throws(OutputError) {
    if !pending.values.isEmpty { try submit() }
    try pipeline.drain()
  }

  private mutating func submit() throws(OutputError) {
    let full = pending
    pending = pipeline.emptyBlock()
    try pipeline.submit(full)
  }
}
