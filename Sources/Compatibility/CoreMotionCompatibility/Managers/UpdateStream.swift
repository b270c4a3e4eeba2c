internal import Foundation
internal import InertialLive

/// One of a manager's streams: its interval, its latest value, and who is told. Used under the manager's monitor.
final class UpdateStream<Value: Sendable>: @unchecked Sendable {
  /// Updates that may wait for a handler. When one more comes, the oldest is dropped and counted.
  static var capacity: Int { 1024 }
  /// Updates that may wait where the source waits for more room.
  static var room: Int { 64 }

  /// Seconds, as set.
  var interval: TimeInterval
  private(set) var isActive = false
  /// The latest value; nil until the first, and after the end.
  private(set) var latest: Value?
  private(set) var droppedCount = 0
  /// Rises with every start and end, so that what is on its way from before is known.
  private(set) var generation = 0
  private let monitor: Monitor
  private var subscription: UpdateSubscription<Value>?
  private var grid = UpdateGrid()

  init(interval: TimeInterval, monitor: Monitor) {
    self.interval = interval
    self.monitor = monitor
  }

  /// Starts, or goes on with another handler in place of the one before.
  ///
  /// - Returns: what is left of the one before.
  func start(_ subscription: UpdateSubscription<Value>?, of source: any SensorSource) -> EndedSubscription? {
    let last = self.subscription?.end()
    subscription?.source = source
    self.subscription = subscription
    generation += 1
    isActive = true
    grid = UpdateGrid()
    monitor.broadcast()
    return last
  }

  /// - Returns: what is left of the handler, with the queue whose operations are to be cancelled.
  func stop() -> EndedSubscription? {
    guard isActive else { return nil }
    let last = subscription?.end()
    subscription = nil
    generation += 1
    isActive = false
    latest = nil
    monitor.broadcast()
    return last
  }

  /// Begins anew after a jump of the source.
  func forgetTimes() { grid = UpdateGrid() }

  /// Takes a value where the interval asks for one.
  ///
  /// - Parameters:
  ///   - generation: the start that the value is of; nil for what is of none.
  ///   - waits: whether to wait until the handler has room; the monitor is given up meanwhile.
  /// - Returns: what is to be put into the queue.
  func offer(_ value: Value, at time: Double, generation: Int? = nil, waits: Bool) -> UpdateOperation<Value>? {
    guard isActive, generation ?? self.generation == self.generation, grid.takes(time, interval: interval) else {
      return nil
    }
    latest = value
    return enqueue(.value(value, time: time), waits: waits)
  }

  func fail(_ error: CMError) -> UpdateOperation<Value>? { enqueue(.error(error), waits: false) }

  private func enqueue(_ update: Update<Value>, waits: Bool) -> UpdateOperation<Value>? {
    guard let subscription else { return nil }
    while waits, subscription.waiting.count >= Self.room, !subscription.isOver { monitor.wait() }
    guard !subscription.isOver else { return nil }
    subscription.waiting.append(update)
    if subscription.waiting.count > Self.capacity {
      // The operation of the one that is dropped serves the new one.
      subscription.waiting.removeFirst()
      droppedCount += 1
      return nil
    }
    return UpdateOperation(subscription, monitor: monitor)
  }
}
