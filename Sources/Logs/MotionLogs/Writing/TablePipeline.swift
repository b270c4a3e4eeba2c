internal import Dispatch
internal import InertialSystem
internal import Synchronization

/// A block of rows, with buffers of its own. It is sendable because it belongs to one thread at a time.
final class TableBlock: @unchecked Sendable {
  fileprivate var values: [Double] = []
  fileprivate let encode: (_ rows: UnsafeBufferPointer<Double>) -> Void
  fileprivate let write: (_ rows: UnsafeBufferPointer<Double>, _ file: any OutputFile) throws(OutputError) -> Void

  /// - Parameters:
  ///   - encode: Encodes rows into the block's buffers. Blocks are encoded concurrently, in any order.
  ///   - write: Writes the encoded rows. Blocks are written one after another, in order.
  init(
    encode: @escaping (_ rows: UnsafeBufferPointer<Double>) -> Void,
    write: @escaping (_ rows: UnsafeBufferPointer<Double>, _ file: any OutputFile) throws(OutputError) -> Void
  ) {
    (self.encode, self.write) = (encode, write)
  }
}

/// A pipeline of rows to a file: full blocks of rows are encoded concurrently and written in order.
///
/// Without background threads, the appending thread encodes and writes a block, with the same result. Only one thread
/// may append.
final class TablePipeline: @unchecked Sendable {
  /// The number of rows appended so far.
  private(set) var rowCount = 0
  /// The rows not yet submitted to a background thread.
  private var pending: TableBlock
  /// The number of values of a row.
  private let width: Int
  /// The maximum number of values of a block, in complete rows.
  private let capacity: Int

  private struct State {
    /// The encoded blocks that are not next in order.
    var ready: [Int: TableBlock] = [:]
    var submitted = 0
    var written = 0
    /// Whether a thread is writing; it also writes the blocks that become ready meanwhile.
    var isWriting = false
    var error: OutputError?
    /// The blocks for reuse.
    var idle: [TableBlock] = []
  }

  private let state = Mutex(State())
  /// The file. A thread that holds the state's lock never locks it.
  private let file: Mutex<any OutputFile>
  private let makeBlock: @Sendable () -> TableBlock
  private let depth: Int
  private let slots: DispatchSemaphore
  /// The queue of the background threads, or `nil` without background threads.
  private let queue: DispatchQueue?

  /// - Parameters:
  ///   - width: The number of values of a row.
  ///   - rowsInBlock: The maximum number of rows of a block.
  ///   - depth: The maximum number of blocks in flight: one for each of two encoding threads, and some that are pending
  ///     for encoding or writing.
  init(
    output: sending any OutputFile, width: Int, rowsInBlock: Int, isOverlapped: Bool, depth: Int = 8,
    makeBlock: @escaping @Sendable () -> TableBlock
  ) {
    file = Mutex(output)
    (self.width, capacity) = (width, rowsInBlock * width)
    self.makeBlock = makeBlock
    pending = makeBlock()
    self.depth = depth
    slots = DispatchSemaphore(value: depth)
    queue =
      isOverlapped && BackgroundThreads.areAvailable
      ? DispatchQueue(label: "inertial.table", attributes: .concurrent) : nil
  }

  /// Appends rows, and waits while too many blocks are in flight.
  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(rows.count % width == 0, "\(rows.count) numbers do not fill rows of \(width) columns")
    rowCount += rows.count / width
    if rows.count < capacity - pending.values.count {
      pending.values.append(contentsOf: rows)
      return
    }
    var rest = rows[...]
    while !rest.isEmpty {
      let room = capacity - pending.values.count
      pending.values.append(contentsOf: rest.prefix(room))
      rest = rest.dropFirst(room)
      if pending.values.count == capacity { try submit() }
    }
  }

  /// Waits until all appended rows are written.
  func flush() throws(OutputError) {
    if !pending.values.isEmpty { try submit() }
    try drain()
  }

  private func submit() throws(OutputError) {
    let block = pending
    pending = state.withLock { $0.idle.popLast() } ?? makeBlock()
    pending.values.removeAll(keepingCapacity: true)
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

  /// Waits until every submitted block is written.
  func drain() throws(OutputError) {
    for _ in 0..<depth { slots.wait() }
    for _ in 0..<depth { slots.signal() }
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Writes bytes after all blocks are written.
  func append(_ bytes: [UInt8]) throws(OutputError) {
    try file.withLock { (file) throws(OutputError) in try file.write(bytes) }
  }

  func prepare() throws(OutputError) {
    try file.withLock { (file) throws(OutputError) in try file.prepare() }
  }

  func commit() throws(OutputError) {
    try file.withLock { (file) throws(OutputError) in try file.commit() }
  }

  private func encode(_ block: TableBlock, number: Int) {
    block.values.withUnsafeBufferPointer(block.encode)
    state.withLock { $0.ready[number] = block }
    // The state is not locked during disk access, so that other threads can continue.
    while let next = nextToWrite() {
      var failure: OutputError?
      do throws(OutputError) {
        try file.withLock { (file) throws(OutputError) in
          try next.values.withUnsafeBufferPointer { (rows) throws(OutputError) in try next.write(rows, file) }
        }
      } catch {
        failure = error
      }
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
  private func nextToWrite() -> TableBlock? {
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
}
