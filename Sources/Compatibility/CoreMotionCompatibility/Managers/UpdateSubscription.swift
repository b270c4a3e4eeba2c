internal import DequeModule
internal import Foundation
internal import InertialLive

/// What a handler is called with.
enum Update<Value: Sendable>: Sendable {
  /// A value, and its time on the source's clock.
  case value(Value, time: Double)
  case error(CMError)
}

/// What is left of a handler that has ended. It may own whoever started it, and is let go without the monitor: what goes
/// with it may stop other streams.
struct EndedSubscription {
  let queue: OperationQueue
  fileprivate let handler: Any
}

/// A handler on its queue, and the updates that wait for it.
///
/// Handler calls are in order and never at the same time, on whatever queue; the order costs a queue of many threads
/// nothing, as an operation that finds a call going on leaves its update to that one's thread. Used under `monitor`.
final class UpdateSubscription<Value: Sendable>: @unchecked Sendable {
  let queue: OperationQueue
  private let monitor: Monitor
  /// Where the updates come from, whose clock stands at an update's time while the handler is called.
  weak var source: (any SensorSource)?
  /// nil when it is over.
  private var call: ((Update<Value>) -> Void)?
  /// Each has an operation in the queue that has not begun, or is owed to one that has.
  var waiting: Deque<Update<Value>> = []
  /// Whether the handler is done with: nothing more is handed to it.
  private(set) var isOver = false
  private var isCalling = false
  /// Updates whose operations have begun; the one that is calling hands them over.
  private var owedCount = 0

  init(queue: OperationQueue, monitor: Monitor, call: @escaping (Update<Value>) -> Void) {
    self.queue = queue
    self.monitor = monitor
    self.call = call
  }

  func end() -> EndedSubscription {
    isOver = true
    waiting.removeAll()
    defer { call = nil }
    return EndedSubscription(queue: queue, handler: call as Any)
  }

  /// The work of one operation: hands over the oldest update. Takes the monitor itself.
  fileprivate func handOver() {
    let isFirst = monitor.withLock {
      owedCount += 1
      defer { isCalling = true }
      return !isCalling
    }
    guard isFirst else { return }
    // The handler that was called is let go with each turn, without the monitor.
    while let (call, update, source) = monitor.withLock({ next() }) {
      if let source, case .value(_, let time) = update {
        HandledUpdate.handle(of: source, at: time) { call(update) }
      } else {
        call(update)
      }
    }
  }

  /// Tells the handler why nothing will come; not to be called under the monitor.
  func refuse(_ error: CMError) {
    monitor.withLock { waiting.append(.error(error)) }
    UpdateOperation(self, monitor: monitor).enqueue()
  }

  private func next() -> (call: (Update<Value>) -> Void, update: Update<Value>, source: (any SensorSource)?)? {
    guard owedCount > 0, let call, let update = waiting.popFirst() else {
      (isCalling, owedCount) = (false, 0)
      return nil
    }
    owedCount -= 1
    monitor.broadcast()
    return (call, update, source)
  }

  /// An operation will not run: somebody has cancelled what is in the queue.
  fileprivate func loseOne() {
    monitor.withLock {
      _ = waiting.popFirst()
      monitor.broadcast()
    }
  }
}

/// Stands in a queue for one update.
final class UpdateOperation<Value: Sendable>: Operation, @unchecked Sendable {
  private let subscription: UpdateSubscription<Value>
  private let monitor: Monitor
  private var hasBegun = false
  private var isLost = false

  init(_ subscription: UpdateSubscription<Value>, monitor: Monitor) {
    self.subscription = subscription
    self.monitor = monitor
  }

  /// Puts itself into the queue; not to be called under the monitor.
  func enqueue() { subscription.queue.addOperation(self) }

  override func main() {
    let goesOn = monitor.withLock {
      hasBegun = true
      return !isLost
    }
    if goesOn { subscription.handOver() }
  }

  override func cancel() {
    super.cancel()
    let isNew = monitor.withLock {
      defer { isLost = true }
      return !hasBegun && !isLost
    }
    if isNew { subscription.loseOne() }
  }
}
