internal import Dispatch
internal import InertialSensors
internal import Synchronization

/// A message from the reading thread to the consuming thread.
private enum FeedMessage: Sendable {
  /// The samples follow, for the first time or again in better order.
  indirect case start(LogDescription)
  case samples([SensorSample], progress: Double)
  case auxiliary([AuxiliarySample])
  indirect case end(Result<LogSummary, LogError>)
}

extension LogFeed {
  /// Same as `run`, but reads and validates on a separate thread. A bounded number of blocks between the threads limits
  /// memory.
  func runReadingAhead<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void,
    progress: (Double) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: ([SensorSample]) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    let messages = FeedQueue(depth: options.held == nil ? FeedQueue.fewBlocks : FeedQueue.manyBlocks)
    let ended = DispatchSemaphore(value: 0)
    // If the consumer stops early, a reader that waits for a pipe is left running. A reader of borrowed memory is
    // awaited, as the caller may release the memory after this function returns.
    defer {
      messages.cancel()
      if options.held != nil { ended.wait() }
    }
    DispatchQueue(label: "inertial.feed").async { [self] in
      read(into: messages)
      ended.signal()
    }
    while true {
      switch messages.next() {
      case .start(let description): try start(description)
      case .samples(let block, let fraction):
        progress(fraction)
        try consume(block)
        messages.recycle(block)
      case .auxiliary(let block): try auxiliary(block)
      case .end(.success(let summary)): return summary
      case .end(.failure(let error)): throw Failure(error)
      }
    }
  }

  private func read(into messages: FeedQueue) {
    do throws(LogError) {
      let summary = try read(
        start: { (description) throws(LogError) in try messages.send(.start(description)) },
        auxiliary: { (block) throws(LogError) in try messages.send(.auxiliary(block)) },
        consume: { (block, fraction) throws(LogError) in
          try messages.send(.samples(block, progress: fraction))
          block = messages.emptyBlock()
        })
      try messages.send(.end(.success(summary)))
    } catch {
      // If the consumer has stopped, the error is discarded.
      try? messages.send(.end(.failure(error)))
    }
  }
}

/// A queue of a few messages from one thread to another.
private final class FeedQueue: Sendable {
  /// The capacity for the blocks of a file.
  static let fewBlocks = 6
  /// The capacity for a log in memory. The checks at its end run while the consumer processes the last blocks.
  static let manyBlocks = 32

  /// The messages, whether the consumer has stopped, and the memory of blocks for reuse.
  private let state: Mutex<(messages: [FeedMessage], isCancelled: Bool, idle: [[SensorSample]])> =
    Mutex(([], false, []))
  // The initial value is 0, as a semaphore must not be deallocated with a value below its initial value.
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  /// - Parameter depth: The maximum number of pending messages.
  init(depth: Int) {
    for _ in 0..<depth { free.signal() }
  }

  /// Appends a message, and waits while the queue is full.
  ///
  /// - Throws: ``LogError``, which is discarded, if the consumer has stopped.
  func send(_ message: FeedMessage) throws(LogError) {
    free.wait()
    let isCancelled = state.withLock { state in
      state.messages.append(message)
      return state.isCancelled
    }
    filled.signal()
    if isCancelled {
      free.signal()
      throw LogError(path: "", problem: "the consumer has stopped", remedy: "read the log again")
    }
  }

  /// Waits for the next message.
  func next() -> FeedMessage {
    filled.wait()
    defer { free.signal() }
    return state.withLock { $0.messages.removeFirst() }
  }

  /// Releases a waiting sender and makes its next message its last.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    free.signal()
  }

  func recycle(_ block: consuming [SensorSample]) {
    block.removeAll(keepingCapacity: true)
    state.withLock { [block] in $0.idle.append(block) }
  }

  func emptyBlock() -> [SensorSample] { state.withLock { $0.idle.popLast() } ?? [] }
}
