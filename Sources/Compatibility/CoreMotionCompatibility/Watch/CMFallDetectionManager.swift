public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// A fall of a person.
open class CMFallDetectionEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The answer of a person to the question of the watch. The raw values are Core Motion's.
  public enum UserResolution: Int, Sendable {
    /// The person has confirmed the fall and wants help.
    case confirmed = 0
    /// The person has dismissed the question.
    case dismissed = 1
    /// The person says that there was no fall.
    case rejected = 2
    /// The person has not answered.
    case unresponsive = 3
  }

  /// The time of the impact.
  open private(set) var date = Date(timeIntervalSinceReferenceDate: 0)
  /// The answer of the person; always `unresponsive` for a fall that was detected in a recording.
  open private(set) var resolution = UserResolution.unresponsive

  /// Creates an event at the reference date.
  public override init() {}

  /// Creates an event. Added to Apple's interface.
  public init(date: Date, resolution: UserResolution) { (self.date, self.resolution) = (date, resolution) }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    date = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    resolution = UserResolution(rawValue: coder.decodeInteger(forKey: "resolution")) ?? .unresponsive
  }

  open func encode(with coder: NSCoder) {
    coder.encode(date.timeIntervalSinceReferenceDate, forKey: "date")
    coder.encode(resolution.rawValue, forKey: "resolution")
  }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A delegate for falls. Both functions are optional.
public protocol CMFallDetectionDelegate: AnyObject {
  /// Called when a fall has been detected; the delegate calls the handler when it has processed the event.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void)
  /// Called when the person has changed the permission.
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager)
}

extension CMFallDetectionDelegate {
  /// Calls the handler.
  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) { handler() }
  /// Does nothing.
  public func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager) {}
}

/// Detects falls with the toolkit's detector, as `inertial fuse --with falls` does.
///
/// While it has a delegate and permission (`MotionPermission`), it listens to the accelerometer of the source. The
/// delegate is called on a serial queue of the manager, at most 2.9 s after the impact.
open class CMFallDetectionManager: NSObject, @unchecked Sendable {
  private let monitor = Monitor()
  private let stream: UpdateStream<FallEvent>
  private let queue = OperationQueue()
  private var listener: SourceListener?
  private var detector = FallDetector()
  private var calendar: SourceCalendar
  private weak var currentDelegate: (any CMFallDetectionDelegate)?

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    stream = UpdateStream(interval: 0, monitor: monitor)
    calendar = SourceCalendar(source)
    queue.maxConcurrentOperationCount = 1
    super.init()
    listener = SourceListener(source: source, monitor: monitor) { [weak self] in self?.take($0, token: $1) }
  }

  deinit { stop() }

  /// Whether the process's source has an accelerometer.
  open class var isAvailable: Bool { MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false }

  /// Whether the app may read falls.
  open var authorizationStatus: CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// The receiver of falls; `nil` ends the detection.
  open weak var delegate: (any CMFallDetectionDelegate)? {
    get { monitor.withLock { currentDelegate } }
    set {
      monitor.withLock { currentDelegate = newValue }
      if newValue == nil { stop() } else if authorizationStatus == .authorized { start() }
    }
  }

  /// Prompts the person for permission if needed, and calls the handler with the result.
  @preconcurrency open func requestAuthorization(handler: @escaping @Sendable (CMAuthorizationStatus) -> Void) {
    let before = authorizationStatus
    if MotionPermission.isGranted(), delegate != nil { start() }
    let status = authorizationStatus
    queue.addOperation { [weak self] in
      handler(status)
      if status != before, let self { delegate?.fallDetectionManagerDidChangeAuthorization(self) }
    }
  }

  private func start() {
    guard let source = listener?.source, source.channels.contains(.accelerometer),
      !monitor.withLock({ stream.isActive })
    else { return }
    let fresh = SourceCalendar(source)
    let subscription = UpdateSubscription<FallEvent>(queue: queue, monitor: monitor) { [weak self] update in
      if case .value(let fall, _) = update { self?.report(fall) }
    }
    listener?.start(stream, to: source) {
      (calendar, detector) = (fresh, FallDetector())
      return stream.start(subscription, of: source)
    }
  }

  private func stop() {
    let last = listener?.stop(stream) { stream.stop() }
    last?.queue.cancelAllOperations()
  }

  private func report(_ fall: FallEvent) {
    let date = monitor.withLock { calendar.date(fall.impact) }
    let event = CMFallDetectionEvent(date: date, resolution: .unresponsive)
    delegate?.fallDetectionManager(self, didDetect: event) {}
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    let waits = listener?.source?.waitsForReceivers ?? false
    let operation: UpdateOperation<FallEvent>? = monitor.withLock {
      guard listener?.isCurrent(token) == true, let fall = fall(by: event) else { return nil }
      return stream.offer(fall, at: fall.end, waits: waits)
    }
    operation?.enqueue()
  }

  private func fall(by event: RecognitionEvent) -> FallEvent? {
    switch event {
    case .input(.motion(let sample)): return detector.update(sample)
    case .input(.other): break
    case .discontinuity: detector = FallDetector()
    case .end: return detector.finish()
    }
    return nil
  }
}
