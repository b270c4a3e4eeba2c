public import Foundation
public import InertialLive
internal import InertialSensors

/// The activity of a person and the connection, by headphones with sensors. The source delivers their samples.
///
/// Headphones are connected while the source has an accelerometer and a gyroscope and has not ended. The activities are
/// those of `CMMotionActivityManager`. Without permission (`MotionPermission`) a handler receives
/// `CMErrorNotAuthorized`, and without the sensors `CMErrorNotAvailable`.
open class CMHeadphoneActivityManager: NSObject, @unchecked Sendable {
  /// The connection of headphones. The raw values are Core Motion's.
  public enum Status: Int, Sendable {
    /// No headphones are connected.
    case disconnected = 0
    /// Headphones are connected.
    case connected = 1
  }

  /// A handler of activity changes, or an error.
  public typealias ActivityHandler = (CMMotionActivity?, (any Error)?) -> Void
  /// A handler of connections, or an error with the status `disconnected`.
  public typealias StatusHandler = (Status, (any Error)?) -> Void

  private let activities: CMMotionActivityManager
  private let monitor = Monitor()
  private let stream: UpdateStream<Status>
  private var listener: SourceListener?

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    activities = CMMotionActivityManager(source: source)
    stream = UpdateStream(interval: 0, monitor: monitor)
    super.init()
    listener = SourceListener(source: source, monitor: monitor, wantsMotion: false) { [weak self] in
      self?.take($0, token: $1)
    }
  }

  deinit { stopStatusUpdates() }

  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  // MARK: Activity

  /// Whether the source has the sensors for activities.
  open var isActivityAvailable: Bool { isStatusAvailable }

  /// Whether the activity updates are active.
  open var isActivityActive: Bool { activities.isActive }

  /// Starts the updates, which begin with the current activity. There is a single handler: a new start replaces it.
  @preconcurrency open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMMotionActivity?, (any Error)?) -> Void
  ) {
    if let error = refusal() { return queue.addOperation { handler(nil, error.nsError) } }
    activities.startActivityUpdates(to: queue) { handler($0, nil) }
  }

  /// Stops the updates.
  open func stopActivityUpdates() { activities.stopActivityUpdates() }

  // MARK: Connection

  /// Whether the source has the sensors of headphones.
  open var isStatusAvailable: Bool {
    listener?.source?.channels.isSuperset(of: [.accelerometer, .gyroscope]) ?? false
  }

  /// Whether the status updates are active.
  open var isStatusActive: Bool { monitor.withLock { stream.isActive } }

  /// Starts the updates, which begin with the current status. There is a single handler: a new start replaces it.
  @preconcurrency open func startStatusUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (Status, (any Error)?) -> Void
  ) {
    let subscription = UpdateSubscription<Status>(queue: queue, monitor: monitor) { update in
      switch update {
      case .value(let status, _): handler(status, nil)
      case .error(let error): handler(.disconnected, error.nsError)
      }
    }
    if let error = refusal() { return subscription.refuse(error) }
    guard let source = listener?.source else { return }
    listener?.start(stream, to: source) { stream.start(subscription, of: source) }
    report(source.isOver ? .disconnected : .connected, at: source.time ?? 0)
  }

  /// Stops the updates.
  open func stopStatusUpdates() {
    let last = listener?.stop(stream) { stream.stop() }
    last?.queue.cancelAllOperations()
  }

  /// Returns the reason for which no updates can start, or `nil` if they can.
  private func refusal() -> CMError? {
    guard isStatusAvailable else { return CMErrorNotAvailable }
    return MotionPermission.isGranted() ? nil : CMErrorNotAuthorized
  }

  private func report(_ status: Status, at time: Double) {
    monitor.withLock { stream.offer(status, at: time, waits: false) }?.enqueue()
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    guard case .end = event, monitor.withLock({ listener?.isCurrent(token) == true }) else { return }
    report(.disconnected, at: listener?.source?.time ?? 0)
  }
}

extension SensorSource {
  /// Whether the source is a recording that has been played to its end.
  fileprivate var isOver: Bool { (self as? RecordingSource)?.isAtEnd ?? false }
}
