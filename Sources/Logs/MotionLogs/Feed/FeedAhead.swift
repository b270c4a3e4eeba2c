internal import Dispatch
internal import InertialSensors
internal import Synchronization

/// What a reading thread tells the thread that uses the samples, in order.
private enum FeedMessage: Sendable {
  /// The samples come, or come once more in better order.
  case start(LogDescription)
  case samples([SensorSample], progress: Double)
  case auxiliary([AuxiliarySample])
  case end(Result<LogSummary, LogError>)
}

/// Why a reading thread ends early.
private enum FeedStop: LogFailure {
  /// Nobody listens any more.
  case cancelled
  case failed(LogError)

  init(_ error: LogError) { self = .failed(error) }
}

extension LogFeed {
  /// As `run`, with the reading and judging on a thread of its own. Memory is bounded by the few blocks between the threads.
  func runAhead<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void,
    progress: (Double) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: ([SensorSample]) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    let messages = FeedQueue(depth: options.held == nil ? FeedQueue.fewBlocks : FeedQueue.manyBlocks)
    let ended = DispatchSemaphore(value: 0)
    // A reader that waits for a pipe is not waited for when the consumer has given up. One of borrowed memory is, and soon
    // ends: the memory is the caller's again once this returns.
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
      case .samples(let block, let share):
        progress(share)
        try consume(block)
        messages.recycle(block)
      case .auxiliary(let block): try auxiliary(block)
      case .end(.success(let summary)): return summary
      case .end(.failure(let error)): throw Failure(error)
      }
    }
  }

  private func read(into messages: FeedQueue) {
    do throws(FeedStop) {
      let summary = try read(
        start: { (description) throws(FeedStop) in try messages.send(.start(description)) },
        auxiliary: { (block) throws(FeedStop) in try messages.send(.auxiliary(block)) },
        consume: { (block, share) throws(FeedStop) in
          try messages.send(.samples(block, progress: share))
          block = messages.emptyBlock()
        })
      try messages.send(.end(.success(summary)))
    } catch {
      // Where nobody listens any more, this goes nowhere, as it should.
      if case .failed(let error) = error { try? messages.send(.end(.failure(error))) }
    }
  }
}

/// Messages from one thread to another, a few at a time.
private final class FeedQueue: Sendable {
  /// Blocks of a file on their way.
  static let fewBlocks = 6
  /// Of a log that is in memory anyway: what is judged at its end is judged while the last blocks are used.
  static let manyBlocks = 32

  private struct State {
    var messages: [FeedMessage] = []
    var isCancelled = false
    /// Memory of blocks to use again.
    var idle: [[SensorSample]] = []
  }

  private let state = Mutex(State())
  // From 0: a semaphore must not end below the value that it began with, as one with messages left would.
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  /// - Parameter depth: messages that wait at most.
  init(depth: Int) {
    for _ in 0..<depth { free.signal() }
  }

  /// Waits while the queue is full.
  ///
  /// - Throws: where nobody takes messages any more.
  func send(_ message: FeedMessage) throws(FeedStop) {
    free.wait()
    let isCancelled = state.withLock { state in
      state.messages.append(message)
      return state.isCancelled
    }
    filled.signal()
    if isCancelled {
      free.signal()
      throw .cancelled
    }
  }

  /// Waits for the next message.
  func next() -> FeedMessage {
    filled.wait()
    defer { free.signal() }
    return state.withLock { $0.messages.removeFirst() }
  }

  /// Lets the sender go, and makes its next message its last.
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
