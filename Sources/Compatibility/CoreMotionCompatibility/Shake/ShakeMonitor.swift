public import Foundation
public import InertialLive
public import InertialRecognition
internal import InertialSensors

/// Detects shakes as a phone does: each begins, and then ends or is cancelled.
///
/// It uses the samples of a source and the reference detector, as `inertial shake` does for the same samples. It is
/// attached to its source only while it is started. `UIKitCompatibility` sends shakes to responders.
public final class ShakeMonitor: @unchecked Sendable {
  private let source: any SensorSource
  private let queue: OperationQueue?
  private let handler: @Sendable (GestureEvent) -> Void

  private let monitor = Monitor()
  private let hold: SourceAttachment
  // Protected by the monitor.
  private var detector: any GestureDetector
  private var feed: RecognitionFeed
  private var isStarted = false
  private var lastTime = 0.0
  private var isPaused = false
  private var endedCount = 0

  /// Creates a monitor.
  ///
  /// - Parameters:
  ///   - source: The source, or `nil` for the process's (`MotionSensors`); without a source the initializer fails.
  ///   - queue: The queue for the handler, or `nil` to call it on the source's thread.
  ///   - detector: A detector from the registry, in place of the reference detector.
  ///   - handler: A closure that is called with each phase of each shake, in order.
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
    hold = SourceAttachment(monitor: monitor)
  }

  /// The number of shakes that have ended.
  public var count: Int { monitor.withLock { endedCount } }

  /// Starts or restarts the detection.
  public func start() {
    hold.start(source, receiver: { Receiver(self, token: $0) }, isNeeded: { isStarted }) {
      if !isStarted { beginAnew() }
      isStarted = true
    }
  }

  /// Stops the detection; a shake in progress is cancelled.
  public func stop() {
    let event: GestureEvent? = hold.stop(isNeeded: { isStarted }) {
      guard isStarted else { return nil }
      isStarted = false
      return detector.pause(at: lastTime)
    }
    if let event { deliver(event) }
  }

  /// Pauses the detection until `resume` without detaching; a shake in progress is cancelled.
  public func pause() {
    let event = monitor.withLock {
      isPaused = true
      return detector.pause(at: lastTime)
    }
    if let event { deliver(event) }
  }

  /// Resumes the detection.
  public func resume() {
    monitor.withLock {
      isPaused = false
      detector.resume()
    }
  }

  /// Resets all state, as times may go back.
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
      if let last { deliver(last) }
    case .end:
      take(token) { $0.finish($1) }
      if let event = monitor.withLock({ isStarted && hold.isCurrent(token) ? detector.finish() : nil }) {
        deliver(event)
      }
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
    for event in events { deliver(event) }
  }

  private func deliver(_ event: GestureEvent) {
    monitor.withLock { if event.phase == .ended { endedCount += 1 } }
    let (source, handler) = (source, handler)
    let call: @Sendable () -> Void = { HandledUpdate.handle(of: source, at: event.time) { handler(event) } }
    if let queue { queue.addOperation(call) } else { call() }
  }

  /// Forwards the source's events to a monitor without retaining it.
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
