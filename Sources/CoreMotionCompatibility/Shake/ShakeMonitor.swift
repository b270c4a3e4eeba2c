public import DeviceMotionEstimation
public import Foundation
public import Gestures
internal import Sensors

/// Tells a responder of shakes, as a phone tells its app.
///
/// Fed by a source and judged by the reference detector, on device motion where there is a gyroscope, else on the raw
/// acceleration. It keeps neither its responder nor, while it is not started, its source's attention.
public final class ShakeMonitor: @unchecked Sendable {
  private let source: any SensorSource
  private let queue: OperationQueue?

  private let monitor = Monitor()
  private let hold: SourceHold
  // Under the monitor.
  private weak var responder: (any MotionResponder)?
  private var detector: any GestureDetector
  private var intake: MotionIntake
  private var isStarted = false
  private var lastTime = 0.0
  private var isInFront = true
  private var endedCount = 0
  private var feedbackHandler: (@Sendable (FeedbackStyle) -> Void)?
  private var style: FeedbackStyle? = .medium

  /// - Parameters:
  ///   - source: nil is the process's (`MotionSensors`); without one there is no monitor.
  ///   - responder: told of events; not kept.
  ///   - queue: where it is told; nil: on the source's thread.
  ///   - detector: another than the reference, from the registry.
  public init?(
    source: (any SensorSource)? = nil, responder: any MotionResponder, queue: OperationQueue? = nil,
    detector: (any GestureDetector)? = nil
  ) {
    guard let source = source ?? MotionSensors.defaultSource, source.channels.contains(.accelerometer) else {
      return nil
    }
    self.source = source
    self.responder = responder
    self.queue = queue
    self.detector = detector ?? ShakeDetector<ReferenceRule>()
    intake = MotionIntake(source.channels)
    hold = SourceHold(monitor: monitor)
  }

  /// Called where an app would play haptics or a sound: with `feedbackStyle`, when a shake begins, where the responder is
  /// told. There is no such hardware here.
  public var onFeedback: (@Sendable (FeedbackStyle) -> Void)? {
    get { monitor.withLock { feedbackHandler } }
    set {
      let last = monitor.withLock {
        defer { feedbackHandler = newValue }
        return feedbackHandler
      }
      // It may own whoever calls: not under the monitor.
      withExtendedLifetime(last) {}
    }
  }

  /// How it is to feel; nil: not at all. Default: medium.
  public var feedbackStyle: FeedbackStyle? {
    get { monitor.withLock { style } }
    set { monitor.withLock { style = newValue } }
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

  /// The app is not in front any more: a shake that goes on is cancelled, and none is recognised until
  /// `applicationDidBecomeActive`.
  public func applicationWillResignActive() {
    let event = monitor.withLock {
      isInFront = false
      return detector.pause(at: lastTime)
    }
    if let event { tell(event) }
  }

  public func applicationDidBecomeActive() {
    monitor.withLock {
      isInFront = true
      detector.resume()
    }
  }

  /// Nothing from before is used: times may go back.
  private func beginAnew() {
    intake.restart()
    detector.restart()
    if !isInFront { _ = detector.pause(at: 0) }
  }

  private func receive(_ event: SensorEvent, token: Int) {
    switch event {
    case .samples(let samples): for sample in samples { take(token) { $0.append(sample, $1) } }
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

  private func take(_ token: Int, _ change: (inout MotionIntake, (MotionSample) -> Void) -> Void) {
    var events: [GestureEvent] = []
    monitor.withLock {
      guard isStarted, hold.isCurrent(token) else { return }
      change(&intake) { sample in
        lastTime = sample.time
        if let event = detector.update(sample) { events.append(event) }
      }
    }
    for event in events { tell(event) }
  }

  private func tell(_ gesture: GestureEvent) {
    let (responder, feedback, style) = monitor.withLock {
      if gesture.phase == .ended { endedCount += 1 }
      return (self.responder, feedbackHandler, self.style)
    }
    let event = MotionEvent(subtype: .motionShake, timestamp: gesture.time, gesture: gesture)
    nonisolated(unsafe) let target = responder
    let call: @Sendable () -> Void = {
      switch gesture.phase {
      case .began:
        target?.motionBegan(.motionShake, with: event)
        if let style { feedback?(style) }
      case .ended: target?.motionEnded(.motionShake, with: event)
      case .cancelled: target?.motionCancelled(.motionShake, with: event)
      }
    }
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
