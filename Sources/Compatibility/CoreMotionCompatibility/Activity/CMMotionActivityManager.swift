public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// What takes activities as they change.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// What takes the activities of a query, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// Tells what a person does, live and of the past, by the toolkit's classifier.
///
/// Live, the current activity is told first, `unknown` until 2.56 s are seen, and then each change of a flag or of the
/// confidence. While somebody shakes the device no flag is set. The past is smoother and surer. A recording is its own
/// past: queries see all of it, played or not. Of a stream the past is what came while the manager's updates were on.
open class CMMotionActivityManager: NSObject, @unchecked Sendable {
  private let monitor = Monitor()
  private let stream: UpdateStream<MotionActivity>
  private let ownSource: (any SensorSource)?
  private let work = OperationQueue()
  private var listener: SourceListener?
  private var pass = ActivityPass()
  private var calendar: SourceCalendar
  private var last: MotionActivity?

  /// A manager of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A manager of a source of its own; nil: of the process's. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    ownSource = source
    stream = UpdateStream(interval: 0, monitor: monitor)
    calendar = SourceCalendar(source)
    work.maxConcurrentOperationCount = 1
    super.init()
    listener = SourceListener(source: source, monitor: monitor) { [weak self] in self?.take($0, token: $1) }
  }

  deinit { stopActivityUpdates() }

  /// Whether the source has what activities are told from.
  open class func isActivityAvailable() -> Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Whether the app may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// One handler: a new start replaces it. Ignored without an accelerometer or permission (`MotionPermission`).
  open func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
    guard let source = listener?.source, source.channels.contains(.accelerometer), MotionPermission.isGranted() else {
      return
    }
    nonisolated(unsafe) let handler = handler
    let fresh = SourceCalendar(source)
    let subscription = UpdateSubscription<MotionActivity>(queue: queue, monitor: monitor) { [weak self] update in
      if case .value(let activity, _) = update, let self { handler(self.item(activity)) }
    }
    listener?.start(0, to: source) {
      calendar = fresh
      (pass, last) = (ActivityPass(), nil)
      return stream.start(subscription, of: source)
    }
  }

  /// Ends the updates.
  open func stopActivityUpdates() {
    let last = listener?.stop(0) { stream.stop() }
    last?.queue.cancelAllOperations()
  }

  /// The activities between two dates, in order, each as long as its flags stay; the first may have begun before.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    nonisolated(unsafe) let handler = handler
    guard let source = listener?.source, source.channels.contains(.accelerometer) else {
      queue.addOperation { handler(nil, CMErrorMotionActivityNotAvailable.nsError) }
      return
    }
    guard MotionPermission.isGranted() else {
      queue.addOperation { handler(nil, CMErrorMotionActivityNotAuthorized.nsError) }
      return
    }
    let (own, ownCalendar) = monitor.withLock { (pass.history, calendar) }
    work.addOperation {
      var calendar = source is RecordingSource ? SourceCalendar(source) : ownCalendar
      let history = (source as? RecordingSource).map(Self.history) ?? own
      let segments = history.segments(
        from: calendar.time(start) ?? -.infinity, to: calendar.time(end) ?? .infinity)
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
