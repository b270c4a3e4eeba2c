public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// A handler of activity changes.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// A handler of the activities of a query, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Classifies a person's activity, live and in the past, with the toolkit's classifier.
///
/// Live updates begin with the current activity, which is `unknown` during the first 2.56 s, followed by each change of
/// a flag or of the confidence. While the device is shaken, no flag is set. Past activities are smoother and more
/// certain. For a recording, queries cover all of it, played or not; for a stream, they cover the time in which the
/// manager's updates were active.
open class CMMotionActivityManager: NSObject, @unchecked Sendable {
  private let monitor = Monitor()
  private let stream: UpdateStream<MotionActivity>
  private let work = OperationQueue()
  private var listener: SourceListener?
  private var pass = ActivityPass()
  private var calendar: SourceCalendar
  private var last: MotionActivity?

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    stream = UpdateStream(interval: 0, monitor: monitor)
    calendar = SourceCalendar(source)
    work.maxConcurrentOperationCount = 1
    super.init()
    listener = SourceListener(source: source, monitor: monitor) { [weak self] in self?.take($0, token: $1) }
  }

  deinit { stopActivityUpdates() }

  /// Returns whether the source has the sensors for activities.
  open class func isActivityAvailable() -> Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Starts the updates, with a single handler: a new start replaces it. Ignored without an accelerometer or permission
  /// (`MotionPermission`).
  @preconcurrency open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMMotionActivity?) -> Void
  ) {
    guard let source = listener?.source, source.channels.contains(.accelerometer), MotionPermission.isGranted() else {
      return
    }
    let fresh = SourceCalendar(source)
    let subscription = UpdateSubscription<MotionActivity>(queue: queue, monitor: monitor) { [weak self] update in
      if case .value(let activity, _) = update, let self { handler(self.item(activity)) }
    }
    listener?.start(stream, to: source) {
      calendar = fresh
      (pass, last) = (ActivityPass(), nil)
      return stream.start(subscription, of: source)
    }
  }

  /// Stops the updates.
  open func stopActivityUpdates() {
    let last = listener?.stop(stream) { stream.stop() }
    last?.queue.cancelAllOperations()
  }

  /// Whether the updates are active.
  var isActive: Bool { monitor.withLock { stream.isActive } }

  /// Queries the activities between two dates, in chronological order, each as long as its flags are unchanged; the
  /// first may have begun earlier.
  @preconcurrency open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping @Sendable ([CMMotionActivity]?, (any Error)?) -> Void
  ) {
    let refuse = { (error: any Error) in queue.addOperation { handler(nil, error) } }
    guard let source = listener?.usableSource(otherwise: CMErrorMotionActivityNotAvailable, refuse) else { return }
    let (own, ownCalendar) = monitor.withLock { (pass.history, calendar) }
    work.addOperation {
      var calendar = source is RecordingSource ? SourceCalendar(source) : ownCalendar
      let history = (source as? RecordingSource).map(Self.history) ?? own
      let interval = calendar.interval(from: start, to: end, of: source)
      // Each with its own start, which may be before the interval's.
      let segments = history.segments().filter { $0.start < interval.end && $0.end > interval.start }
      let items = segments.map { CMMotionActivity($0, startDate: calendar.date($0.start)) }
      queue.addOperation { handler(items, nil) }
    }
  }

  private static func history(of recording: RecordingSource) -> ActivityHistory {
    var pass = ActivityPass()
    recording.recorded { event in _ = take(event, &pass) }
    return pass.history
  }

  private func item(_ activity: MotionActivity) -> CMMotionActivity {
    monitor.withLock { CMMotionActivity(activity, startDate: calendar.date(activity.start)) }
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    let waits = listener?.source?.waitsForReceivers ?? false
    let operation: UpdateOperation<MotionActivity>? = monitor.withLock {
      guard listener?.isCurrent(token) == true, let activity = Self.take(event, &pass) else { return nil }
      let isNews = activity.flags != last?.flags || activity.confidence != last?.confidence
      last = activity
      return isNews ? stream.offer(activity, at: activity.end, waits: waits) : nil
    }
    operation?.enqueue()
  }

  private static func take(_ event: RecognitionEvent, _ pass: inout ActivityPass) -> MotionActivity? {
    switch event {
    case .input(.motion(let sample)): return pass.update(sample)
    case .input(.other(let sample)): pass.add(sample)
    case .discontinuity: pass = ActivityPass()
    case .end: _ = pass.finish()
    }
    return nil
  }
}
