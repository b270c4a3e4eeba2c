internal import Dispatch
internal import InertialSystem
internal import Synchronization

/// Some rows, and the bytes that they become. Belongs to one thread at a time, which is why it may be sent.
protocol TableBlock: AnyObject, Sendable {
  /// How many numbers fit: whole rows.
  var capacity: Int { get }
  var values: [Double] { get set }
  /// Makes the bytes of the values, which are then empty. Blocks are encoded beside one another, in any order.
  func encode()
  /// Writes the bytes. Blocks are written one after another, in their order.
  func write(to file: any OutputFile) throws(OutputError)
}

/// Blocks of rows on their way to a file: encoded at the same time, written in order.
///
/// Where nothing is to be done in the background, a block is encoded and written by whoever submits it: the same bytes.
final class TablePipeline: Sendable {

  private struct State {
    /// Blocks encoded before their turn.
    var ready: [Int: any TableBlock] = [:]
    var submitted = 0
    var written = 0
    /// Whether a thread is writing: it takes what becomes ready meanwhile.
    var isWriting = false
    var error: OutputError?
    /// Blocks to use again.
    var idle: [any TableBlock] = []
  }

  private let state = Mutex(State())
  /// Held by one thread at a time, and never by one that holds the state.
  private let file: Mutex<any OutputFile>
  private let makeBlock: @Sendable () -> any TableBlock
  private let depth: Int
  private let slots: DispatchSemaphore
  /// nil where nothing is done in the background.
  private let queue: DispatchQueue?

  /// - `depth`: blocks in flight at most: one for each of two threads that encode, and some that wait for them or for the
  ///   disk.
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

  /// Takes a block, waiting while too many are in flight.
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

  /// Writes what comes behind all blocks, once they are written.
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
    // Without the lock on the state while the disk is busy: others go on meanwhile.
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

  /// The block whose turn it is, for the one thread that is to write it. After an error blocks are let go unwritten.
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

/// Rows on their way into blocks, and the full ones into a pipeline.
struct TableFiller {
  private let pipeline: TablePipeline
  /// Rows not yet handed to a background thread.
  private var pending: any TableBlock

  init(_ pipeline: TablePipeline) {
    self.pipeline = pipeline
    pending = pipeline.emptyBlock()
  }

  mutating func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
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

  /// Waits until everything appended is written.
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
