internal import Foundation
internal import InertialLive

/// A stream of a manager: its interval, latest value and handler. Used under the manager's monitor.
final class UpdateStream<Value: Sendable>: @unchecked Sendable {
  /// The maximum number of buffered updates. If the buffer is full, the oldest is dropped and counted.
  static var capacity: Int { 1024 }
  /// The maximum number of buffered updates of a source that waits for room.
  static var room: Int { 64 }

  /// The interval as set, in seconds.
  var interval: TimeInterval
  private(set) var isActive = false
  /// The latest value, or `nil` before the first one and after the end.
  private(set) var latest: Value?
  private(set) var droppedCount = 0
  /// Increases with every start and end, so that updates of an earlier start are recognised.
  private(set) var generation = 0
  private let monitor: Monitor
  private var subscription: UpdateSubscription<Value>?
  private var grid = UpdateGrid()

  init(interval: TimeInterval, monitor: Monitor) {
    self.interval = interval
    self.monitor = monitor
  }

  /// Starts the stream, or replaces its handler.
  ///
  /// - Returns: The previous handler, to be released outside the monitor.
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

  /// Stops the stream.
  ///
  /// - Returns: The ended handler, with the queue whose operations are to be cancelled.
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

  /// Restarts the grid after a jump of the source.
  func forgetTimes() { grid = UpdateGrid() }

  /// Accepts a value if it is due according to the interval.
  ///
  /// - Parameters:
  ///   - generation: The start that the value belongs to, or `nil` if it does not belong to a particular start.
  ///   - waits: Whether to wait until the handler has room; the monitor is released meanwhile.
  /// - Returns: The operation to enqueue.
  func offer(_ value: Value, at time: Double, generation: Int? = nil, waits: Bool) -> UpdateOperation<Value>? {
    guard isActive, generation ?? self.generation == self.generation, grid.selects(time, interval: interval) else {
      return nil
    }
    latest = value
    return enqueue(.value(value, time: time), waits: waits)
  }

  func fail(_ error: CMError) -> UpdateOperation<Value>? { enqueue(.error(error), waits: false) }

  private func enqueue(_ update: Update<Value>, waits: Bool) -> UpdateOperation<Value>? {
    guard let subscription else { return nil }
    while waits, subscription.pending.count >= Self.room, !subscription.isOver { monitor.wait() }
    guard !subscription.isOver else { return nil }
    subscription.pending.append(update)
    if subscription.pending.count > Self.capacity {
      // The operation of the dropped update handles the new one.
      subscription.pending.removeFirst()
      droppedCount += 1
      return nil
    }
    return UpdateOperation(subscription)
  }
}
