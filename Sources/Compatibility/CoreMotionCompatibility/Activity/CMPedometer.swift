public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// What takes counts of steps, or an error.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void
/// What takes pauses and resumptions, or an error.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Counts steps, distance and floors, live and of the past, by the toolkit's pedometer and altimeter.
///
/// Live, everything since the start is told each 2.56 s while somebody steps. Handlers are called one after the other on
/// a queue of the pedometer's own. A recording is its own past: queries see all of it, played or not. Of a stream the
/// past is what came while updates were on; live updates count from their start, however early a date they are asked
/// from. Without an accelerometer or permission (`MotionPermission`) handlers get an error.
open class CMPedometer: NSObject, @unchecked Sendable {
  private enum User: Int { case updates, events }

  private let monitor = Monitor()
  private let updates: UpdateStream<PedometerData>
  private let events: UpdateStream<PedometerEvent>
  private let queue = OperationQueue()
  private let work = OperationQueue()
  private var listener: SourceListener?
  private var counter = StepCounter(hasBarometer: false)
  private var calendar: SourceCalendar
  private var startDate = Date()

  /// A pedometer of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A pedometer of a source of its own; nil: of the process's. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    updates = UpdateStream(interval: 0, monitor: monitor)
    events = UpdateStream(interval: 0, monitor: monitor)
    calendar = SourceCalendar(source)
    queue.maxConcurrentOperationCount = 1
    work.maxConcurrentOperationCount = 1
    super.init()
    listener = SourceListener(source: source, monitor: monitor) { [weak self] in self?.take($0, token: $1) }
  }

  deinit {
    stopUpdates()
    stopEventUpdates()
  }

  private class var hasAccelerometer: Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Whether the source has what steps are counted from.
  open class func isStepCountingAvailable() -> Bool { hasAccelerometer }
  /// Whether distances are told: as steps are.
  open class func isDistanceAvailable() -> Bool { hasAccelerometer }
  /// Whether paces are told: as steps are.
  open class func isPaceAvailable() -> Bool { hasAccelerometer }
  /// Whether cadences are told: as steps are.
  open class func isCadenceAvailable() -> Bool { hasAccelerometer }
  /// Whether pauses are told: as steps are.
  open class func isPedometerEventTrackingAvailable() -> Bool { hasAccelerometer }
  /// Floors need a barometer, and a gyroscope to know up from down.
  open class func isFloorCountingAvailable() -> Bool {
    MotionSensors.defaultSource.map { hasAccelerometer && $0.auxiliaryChannels.contains(.barometer) } ?? false
  }
  /// Whether the app may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Begins to tell what was walked since now, with `start` as its start date. One handler: a new start replaces it.
  open func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    nonisolated(unsafe) let handler = handler
    guard let source = counted(otherwise: CMErrorMotionActivityNotAvailable, { handler(nil, $0) }) else { return }
    let fresh = fresh(source)
    let subscription = UpdateSubscription<PedometerData>(queue: queue, monitor: monitor) { [weak self] update in
      if case .value(let data, _) = update, let self { handler(self.item(data), nil) }
    }
    listener?.start(User.updates.rawValue, to: source) {
      begin(fresh)
      startDate = start
      return updates.start(subscription, of: source)
    }
  }

  /// Ends the updates.
  open func stopUpdates() {
    _ = listener?.stop(User.updates.rawValue) { updates.stop() }
  }

  /// Begins to tell when somebody stops and begins to walk. One handler: a new start replaces it.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    nonisolated(unsafe) let handler = handler
    guard let source = counted(otherwise: CMErrorNotAvailable, { handler(nil, $0) }) else { return }
    let fresh = fresh(source)
    let subscription = UpdateSubscription<PedometerEvent>(queue: queue, monitor: monitor) { [weak self] update in
      guard case .value(let event, _) = update, let self else { return }
      handler(CMPedometerEvent(event, date: self.date(event.time)), nil)
    }
    listener?.start(User.events.rawValue, to: source) {
      begin(fresh)
      return events.start(subscription, of: source)
    }
  }

  /// Ends the updates.
  open func stopEventUpdates() {
    _ = listener?.stop(User.events.rawValue) { events.stop() }
  }

  /// What was walked from one date up to another.
  open func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    nonisolated(unsafe) let handler = handler
    guard let source = counted(otherwise: CMErrorMotionActivityNotAvailable, { handler(nil, $0) }) else { return }
    let (own, ownCalendar) = monitor.withLock { (counter.history, calendar) }
    work.addOperation { [queue] in
      let calendar = source is RecordingSource ? SourceCalendar(source) : ownCalendar
      let history = (source as? RecordingSource).map(Self.history) ?? own
      let data = history.query(from: calendar.time(start) ?? -.infinity, to: calendar.time(end) ?? .infinity)
      queue.addOperation { handler(CMPedometerData(data, startDate: start, endDate: end), nil) }
    }
  }

  private static func history(of recording: RecordingSource) -> PedometerHistory {
    var counter = StepCounter(hasBarometer: recording.auxiliaryChannels.contains(.barometer), isLive: false)
    recording.recorded { _ = counter.take($0) }
    return counter.history
  }

  /// The source, where it has what is counted with and the app may know of it; else a handler is told why not.
  private func counted(
    otherwise missing: CMError, _ refuse: @escaping @Sendable (any Error) -> Void
  ) -> (any SensorSource)? {
    guard let source = listener?.source, source.channels.contains(.accelerometer) else {
      queue.addOperation { refuse(missing.nsError) }
      return nil
    }
    guard MotionPermission.isGranted() else {
      queue.addOperation { refuse(CMErrorMotionActivityNotAuthorized.nsError) }
      return nil
    }
    return source
  }

  private func fresh(_ source: any SensorSource) -> (StepCounter, SourceCalendar) {
    (StepCounter(hasBarometer: source.auxiliaryChannels.contains(.barometer)), SourceCalendar(source))
  }

  /// Begins a count, unless one goes on.
  private func begin(_ fresh: (StepCounter, SourceCalendar)) {
    guard !updates.isActive, !events.isActive else { return }
    (counter, calendar) = fresh
  }

  private func date(_ time: Double) -> Date { monitor.withLock { calendar.date(time) } }

  private func item(_ data: PedometerData) -> CMPedometerData {
    CMPedometerData(data, startDate: monitor.withLock { startDate }, endDate: date(data.end))
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    let waits = listener?.source?.waitsForReceivers ?? false
    let (outputs, ofUpdates, ofEvents) = monitor.withLock { () -> ([PedometerOutput], Int, Int) in
      let isListened = listener?.isCurrent(token) == true
      return (isListened ? counter.take(event) : [], updates.generation, events.generation)
    }
    for output in outputs {
      // One by one: the next may have to wait for room that this makes.
      let operation: Operation? = monitor.withLock {
        switch output {
        case .update(let data): updates.offer(data, at: data.end, generation: ofUpdates, waits: waits)
        case .event(let event): events.offer(event, at: event.time, generation: ofEvents, waits: waits)
        case .step: nil
        }
      }
      if let operation { queue.addOperation(operation) }
    }
  }
}
