internal import Dispatch
internal import Synchronization

/// Some rows and their text. Belongs to one thread at a time, which is why it may be sent.
final class TableBlock: @unchecked Sendable {
  /// How many numbers fit: whole rows whose text stays in a core's own cache until it is written.
  let capacity: Int
  var values: [Double] = []
  private let text: UnsafeMutableBufferPointer<CChar>
  private var textCount = 0

  init(columnCount: Int) {
    capacity = max(1, (1 << 13) / columnCount) * columnCount
    values.reserveCapacity(capacity)
    text = .allocate(capacity: capacity * NumberFormatter.longestField)
  }

  deinit { text.deallocate() }

  func format(by formatter: NumberFormatter) {
    textCount = values.withUnsafeBufferPointer { formatter.write($0, into: text) }
    values.removeAll(keepingCapacity: true)
  }

  func write(to file: any OutputFile) throws(OutputError) {
    try file.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[..<textCount])))
  }
}

/// Blocks of rows on their way to a file: formatted at the same time, written in order.
///
/// Where nothing is to be done in the background, a block is formatted and written by whoever submits it: the same
/// bytes.
final class TablePipeline: Sendable {
  /// Blocks in flight: one for each of two formatting threads, and some that wait for them or for the disk.
  private static let depth = 8

  private struct State {
    /// Blocks formatted before their turn.
    var ready: [Int: TableBlock] = [:]
    var submitted = 0
    var written = 0
    /// Whether a thread is writing: it takes what becomes ready meanwhile.
    var isWriting = false
    var error: OutputError?
    /// Blocks to use again.
    var idle: [TableBlock] = []
  }

  private let state = Mutex(State())
  /// Held by one thread at a time, and never by one that holds the state.
  private let file: Mutex<any OutputFile>
  private let formatter: NumberFormatter
  private let slots = DispatchSemaphore(value: TablePipeline.depth)
  /// nil where nothing is done in the background.
  private let queue: DispatchQueue?

  init(output: sending any OutputFile, formatter: NumberFormatter, isOverlapped: Bool) {
    file = Mutex(output)
    self.formatter = formatter
    queue = isOverlapped ? DispatchQueue(label: "inertial.table", attributes: .concurrent) : nil
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
    guard let queue else {
      format(block, number: number)
      return
    }
    queue.async { self.format(block, number: number) }
  }

  /// Waits until every block is written.
  func drain() throws(OutputError) {
    for _ in 0..<Self.depth { slots.wait() }
    for _ in 0..<Self.depth { slots.signal() }
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func prepare() throws(OutputError) {
    if let failure = attempt({ (file) throws(OutputError) in try file.prepare() }) { throw failure }
  }

  func commit() throws(OutputError) {
    if let failure = attempt({ (file) throws(OutputError) in try file.commit() }) { throw failure }
  }

  private func format(_ block: TableBlock, number: Int) {
    block.format(by: formatter)
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
