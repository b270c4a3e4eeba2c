public import Foundation
public import InertialLive

/// A handler of the number of steps in an interval, or an error.
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void
/// A handler of the number of steps since the start, with the time of the latest, or an error.
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// The step counter that preceded `CMPedometer`, whose steps it counts; deprecated by Core Motion since iOS 8.
open class CMStepCounter: NSObject, @unchecked Sendable {
  private let pedometer: CMPedometer
  private let monitor = Monitor()
  private var reported = 0

  /// Creates a counter for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a counter for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) { pedometer = CMPedometer(source: source) }

  /// Returns whether the source has the sensors for counting steps.
  open class func isStepCountingAvailable() -> Bool { CMPedometer.isStepCountingAvailable() }

  /// Queries the number of steps between two dates.
  @preconcurrency open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping @Sendable (Int, (any Error)?) -> Void
  ) {
    pedometer.queryPedometerData(from: start, to: end) { data, error in
      let count = data?.numberOfSteps.intValue ?? 0
      queue.addOperation { handler(count, error) }
    }
  }

  /// Starts updates of the number of steps since the start.
  ///
  /// - Parameters:
  ///   - queue: The queue for the handler.
  ///   - stepCounts: The number of further steps after which the handler is called, at least 1. Steps are reported every
  ///     2.56 s, so a call can have more.
  ///   - handler: The handler; a new start replaces it.
  @preconcurrency open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping @Sendable (Int, Date, (any Error)?) -> Void
  ) {
    monitor.withLock { reported = 0 }
    pedometer.startUpdates(from: Date()) { [weak self] data, error in
      guard let self, let data else { return queue.addOperation { handler(0, Date(), error) } }
      let (count, date) = (data.numberOfSteps.intValue, data.endDate)
      let isDue = monitor.withLock {
        guard count - reported >= max(1, stepCounts) else { return false }
        reported = count
        return true
      }
      if isDue { queue.addOperation { handler(count, date, nil) } }
    }
  }

  /// Stops the updates.
  open func stopStepCountingUpdates() { pedometer.stopUpdates() }
}
