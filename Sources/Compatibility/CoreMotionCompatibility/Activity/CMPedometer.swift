public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// A handler of pedometer data, or an error.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void
/// A handler of pauses and resumptions, or an error.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Counts steps, distance and floors, live and in the past, with the toolkit's pedometer and altimeter.
///
/// While the person is walking, live updates report the totals since the start, every 2.56 s. Handlers are called
/// sequentially on the pedometer's own queue. For a recording, queries cover all of it, played or not; for a stream,
/// they cover the time in which updates were active. Live updates count from their start, even if an earlier date is
/// requested. Without an accelerometer or permission (`MotionPermission`), handlers get an error.
open class CMPedometer: NSObject, @unchecked Sendable {
  private let monitor = Monitor()
  private let updates: UpdateStream<PedometerData>
  private let events: UpdateStream<PedometerEvent>
  private let queue = OperationQueue()
  private let work = OperationQueue()
  private var listener: SourceListener?
  private var counter = StepCounter(hasBarometer: false)
  private var calendar: SourceCalendar
  private var startDate = Date()

  /// Creates a pedometer for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a pedometer for the given source, or for the process's if `nil`. Added to Apple's interface.
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

  /// Returns whether the source has the sensors for counting steps.
  open class func isStepCountingAvailable() -> Bool { hasAccelerometer }
  /// Returns whether distances are reported, which requires step counting.
  open class func isDistanceAvailable() -> Bool { hasAccelerometer }
  /// Returns whether paces are reported, which requires step counting.
  open class func isPaceAvailable() -> Bool { hasAccelerometer }
  /// Returns whether cadences are reported, which requires step counting.
  open class func isCadenceAvailable() -> Bool { hasAccelerometer }
  /// Returns whether pauses are reported, which requires step counting.
  open class func isPedometerEventTrackingAvailable() -> Bool { hasAccelerometer }
  /// Returns whether floors are reported, which requires a barometer, and a gyroscope to distinguish up from down.
  open class func isFloorCountingAvailable() -> Bool {
    MotionSensors.defaultSource.map { hasAccelerometer && $0.auxiliaryChannels.contains(.barometer) } ?? false
  }
  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Starts updates that count from now, with `start` as the reported start date. There is a single handler: a new
  /// start replaces it.
  @preconcurrency open func startUpdates(
    from start: Date, withHandler handler: @escaping @Sendable (CMPedometerData?, (any Error)?) -> Void
  ) {
    guard let source = counted(otherwise: CMErrorMotionActivityNotAvailable, { handler(nil, $0) }) else { return }
    let fresh = fresh(source)
    let subscription = UpdateSubscription<PedometerData>(queue: queue, monitor: monitor) { [weak self] update in
      if case .value(let data, _) = update, let self { handler(self.item(data), nil) }
    }
    listener?.start(updates, to: source) {
      begin(fresh)
      startDate = start
      return updates.start(subscription, of: source)
    }
  }

  /// Stops the updates.
  open func stopUpdates() {
    _ = listener?.stop(updates) { updates.stop() }
  }

  /// Starts updates when the person stops and resumes walking. There is a single handler: a new start replaces it.
  @preconcurrency open func startEventUpdates(handler: @escaping @Sendable (CMPedometerEvent?, (any Error)?) -> Void) {
    guard let source = counted(otherwise: CMErrorNotAvailable, { handler(nil, $0) }) else { return }
    let fresh = fresh(source)
    let subscription = UpdateSubscription<PedometerEvent>(queue: queue, monitor: monitor) { [weak self] update in
      guard case .value(let event, _) = update, let self else { return }
      handler(CMPedometerEvent(event, date: self.date(event.time)), nil)
    }
    listener?.start(events, to: source) {
      begin(fresh)
      return events.start(subscription, of: source)
    }
  }

  /// Stops the updates.
  open func stopEventUpdates() {
    _ = listener?.stop(events) { events.stop() }
  }

  /// Queries the data between two dates.
  @preconcurrency open func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping @Sendable (CMPedometerData?, (any Error)?) -> Void
  ) {
    guard let source = counted(otherwise: CMErrorMotionActivityNotAvailable, { handler(nil, $0) }) else { return }
    let (own, ownCalendar) = monitor.withLock { (counter.history, calendar) }
    work.addOperation { [queue] in
      let calendar = source is RecordingSource ? SourceCalendar(source) : ownCalendar
      let history = (source as? RecordingSource).map(Self.history) ?? own
      let interval = calendar.interval(from: start, to: end, of: source)
      let data = history.query(from: interval.start, to: interval.end)
      queue.addOperation { handler(CMPedometerData(data, startDate: start, endDate: end), nil) }
    }
  }

  private static func history(of recording: RecordingSource) -> PedometerHistory {
    var counter = StepCounter(hasBarometer: recording.auxiliaryChannels.contains(.barometer), isLive: false)
    recording.recorded { _ = counter.take($0) }
    return counter.history
  }

  /// Returns the source if it can be used; otherwise passes an error to the handler on its queue.
  private func counted(
    otherwise missing: CMError, _ refuse: @escaping @Sendable (any Error) -> Void
  ) -> (any SensorSource)? {
    listener?.usableSource(otherwise: missing) { error in queue.addOperation { refuse(error) } }
  }

  private func fresh(_ source: any SensorSource) -> (StepCounter, SourceCalendar) {
    (StepCounter(hasBarometer: source.auxiliaryChannels.contains(.barometer)), SourceCalendar(source))
  }

  /// Begins a count, unless one is active.
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
      // One by one: the next output may have to wait for the room that this one makes.
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
