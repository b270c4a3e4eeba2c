internal import DequeModule
internal import Foundation
internal import InertialLive

/// The argument of a handler.
enum Update<Value: Sendable>: Sendable {
  /// A value, and its time on the source's clock.
  case value(Value, time: Double)
  case error(CMError)
}

/// A handler that has ended. It may own the caller and is released outside the monitor, because its deallocation may
/// stop other streams.
typealias EndedSubscription = (queue: OperationQueue, handler: Any)

/// A handler with its queue, and the updates that are pending for it.
///
/// Handler calls are sequential on any queue. The order does not block a concurrent queue, as an operation that finds a
/// call in progress leaves its update to that call's thread. Used under `monitor`.
final class UpdateSubscription<Value: Sendable>: @unchecked Sendable {
  let queue: OperationQueue
  fileprivate let monitor: Monitor
  /// The source of the updates, whose clock returns an update's time while the handler is called.
  weak var source: (any SensorSource)?
  /// The handler, or `nil` after the end.
  private var call: ((Update<Value>) -> Void)?
  /// The pending updates. Each has an operation in the queue that has not begun, or is counted in `owedCount`.
  var pending: Deque<Update<Value>> = []
  /// Whether the handler has ended and receives no more updates.
  private(set) var isOver = false
  private var isCalling = false
  /// The number of updates whose operations have begun; the thread that is calling the handler delivers them.
  private var owedCount = 0

  init(queue: OperationQueue, monitor: Monitor, call: @escaping (Update<Value>) -> Void) {
    self.queue = queue
    self.monitor = monitor
    self.call = call
  }

  /// Creates a subscription from a handler in Apple's form.
  ///
  /// - Parameter item: A closure that converts a value to the handler's argument.
  convenience init<Item>(
    queue: OperationQueue, monitor: Monitor, handler: @escaping (Item?, (any Error)?) -> Void,
    item: @escaping (Value) -> Item
  ) {
    self.init(queue: queue, monitor: monitor) { update in
      switch update {
      case .value(let value, _): handler(item(value), nil)
      case .error(let error): handler(nil, error.nsError)
      }
    }
  }

  func end() -> EndedSubscription {
    isOver = true
    pending.removeAll()
    defer { call = nil }
    return (queue, call as Any)
  }

  /// Performs one operation: delivers the next update, which is the oldest. Acquires the monitor itself.
  fileprivate func deliverNext() {
    let isFirst = monitor.withLock {
      owedCount += 1
      defer { isCalling = true }
      return !isCalling
    }
    guard isFirst else { return }
    // The handler that was called is released after each call, outside the monitor.
    while let (call, update, source) = monitor.withLock({ next() }) {
      if let source, case .value(_, let time) = update {
        source.handleUpdate(at: time) { call(update) }
      } else {
        call(update)
      }
    }
  }

  /// Passes an error to the handler of a start that was rejected; not called under the monitor.
  func refuse(_ error: CMError) {
    monitor.withLock { pending.append(.error(error)) }
    UpdateOperation(self).enqueue()
  }

  private func next() -> (call: (Update<Value>) -> Void, update: Update<Value>, source: (any SensorSource)?)? {
    guard owedCount > 0, let call, let update = pending.popFirst() else {
      (isCalling, owedCount) = (false, 0)
      return nil
    }
    owedCount -= 1
    monitor.broadcast()
    return (call, update, source)
  }

  /// Drops the update of an operation that was cancelled in the queue and will not run.
  fileprivate func dropNext() {
    monitor.withLock {
      _ = pending.popFirst()
      monitor.broadcast()
    }
  }
}

/// The operation in a queue for one update.
final class UpdateOperation<Value: Sendable>: Operation, @unchecked Sendable {
  private let subscription: UpdateSubscription<Value>
  private var hasBegun = false
  private var isLost = false

  init(_ subscription: UpdateSubscription<Value>) { self.subscription = subscription }

  /// Enqueues the operation; not called under the monitor.
  func enqueue() { subscription.queue.addOperation(self) }

  override func main() {
    let isDue = subscription.monitor.withLock {
      hasBegun = true
      return !isLost
    }
    if isDue { subscription.deliverNext() }
  }

  override func cancel() {
    super.cancel()
    let isNew = subscription.monitor.withLock {
      defer { isLost = true }
      return !hasBegun && !isLost
    }
    if isNew { subscription.dropNext() }
  }
}
