public import Foundation
public import InertialLive
public import InertialRecognition
internal import InertialSensors

/// Tells of shakes as a phone recognises them: begun, then ended or cancelled.
///
/// Fed by a source and judged by the reference detector, on what `inertial shake` takes of the same samples. While it is not started it keeps no attention of its source. `UIKitCompatibility` tells responders of
/// them.
public final class ShakeMonitor: @unchecked Sendable {
  private let source: any SensorSource
  private let queue: OperationQueue?
  private let handler: @Sendable (GestureEvent) -> Void

  private let monitor = Monitor()
  private let hold: SourceHold
  // Under the monitor.
  private var detector: any GestureDetector
  private var feed: RecognitionFeed
  private var isStarted = false
  private var lastTime = 0.0
  private var isPaused = false
  private var endedCount = 0

  /// - Parameters:
  ///   - source: nil is the process's (`MotionSensors`); without one there is no monitor.
  ///   - queue: where the handler is called; nil: on the source's thread.
  ///   - detector: another than the reference, from the registry.
  ///   - handler: called with each phase of each shake, in order.
  public init?(
    source: (any SensorSource)? = nil, queue: OperationQueue? = nil, detector: (any GestureDetector)? = nil,
    handler: @escaping @Sendable (GestureEvent) -> Void
  ) {
    guard let source = source ?? MotionSensors.defaultSource, source.channels.contains(.accelerometer) else {
      return nil
    }
    self.source = source
    self.queue = queue
    self.handler = handler
    self.detector = detector ?? ShakeDetector<ReferenceRule>()
    feed = RecognitionFeed(source)
    hold = SourceHold(monitor: monitor)
  }

  /// Shakes that have ended.
  public var count: Int { monitor.withLock { endedCount } }

  /// Begins to listen, anew after a stop.
  public func start() {
    hold.start(source, receiver: { Receiver(self, token: $0) }, isNeeded: { isStarted }) {
      if !isStarted { beginAnew() }
      isStarted = true
    }
  }

  /// Ends listening; a shake that goes on is cancelled.
  public func stop() {
    let event: GestureEvent? = hold.stop(isNeeded: { isStarted }) {
      guard isStarted else { return nil }
      isStarted = false
      return detector.pause(at: lastTime)
    }
    if let event { tell(event) }
  }

  /// Goes on listening, but recognises nothing until `resume`; a shake that goes on is cancelled.
  public func pause() {
    let event = monitor.withLock {
      isPaused = true
      return detector.pause(at: lastTime)
    }
    if let event { tell(event) }
  }

  /// Recognises shakes again, from now on.
  public func resume() {
    monitor.withLock {
      isPaused = false
      detector.resume()
    }
  }

  /// Nothing from before is used: times may go back.
  private func beginAnew() {
    feed.restart()
    detector.restart()
    if isPaused { _ = detector.pause(at: 0) }
  }

  private func receive(_ event: SensorEvent, token: Int) {
    switch event {
    case .samples(let samples):
      for sample in samples { take(token) { $0.append(sample, $1) } }
      if let last = samples.last { take(token) { $0.close(through: last.time, $1) } }
    case .discontinuity:
      let last: GestureEvent? = monitor.withLock {
        guard isStarted, hold.isCurrent(token) else { return nil }
        defer { beginAnew() }
        return detector.pause(at: lastTime)
      }
      if let last { tell(last) }
    case .end:
      take(token) { $0.finish($1) }
      if let event = monitor.withLock({ isStarted && hold.isCurrent(token) ? detector.finish() : nil }) { tell(event) }
    case .auxiliary, .silence: break
    }
  }

  private func take(_ token: Int, _ change: (inout RecognitionFeed, (RecognitionInput) -> Void) -> Void) {
    var events: [GestureEvent] = []
    monitor.withLock {
      guard isStarted, hold.isCurrent(token) else { return }
      change(&feed) { input in
        guard case .motion(let sample) = input else { return }
        lastTime = sample.time
        if let event = detector.update(sample) { events.append(event) }
      }
    }
    for event in events { tell(event) }
  }

  private func tell(_ event: GestureEvent) {
    monitor.withLock { if event.phase == .ended { endedCount += 1 } }
    let (source, handler) = (source, handler)
    let call: @Sendable () -> Void = { HandledUpdate.handle(of: source, at: event.time) { handler(event) } }
    if let queue { queue.addOperation(call) } else { call() }
  }

  /// Takes what the source tells for a monitor that it does not keep.
  private final class Receiver: SensorReceiver {
    private nonisolated(unsafe) weak var owner: ShakeMonitor?
    private let token: Int

    init(_ owner: ShakeMonitor, token: Int) {
      self.owner = owner
      self.token = token
    }

    func receive(_ event: SensorEvent) { owner?.receive(event, token: token) }
  }
}
