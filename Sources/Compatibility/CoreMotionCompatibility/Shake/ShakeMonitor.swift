public import Foundation
public import InertialLive
public import InertialRecognition

/// Detects shakes as a phone does: each begins, and then ends or is cancelled.
///
/// It uses the samples of a source and the reference detector, as `inertial shake` does for the same samples. It is
/// attached to its source only while it is started. `UIKitCompatibility` sends shakes to responders.
public final class ShakeMonitor: @unchecked Sendable {
  private let source: any SensorSource
  private let queue: OperationQueue?
  private let handler: @Sendable (GestureEvent) -> Void

  private let monitor = Monitor()
  private var listener: SourceListener?
  // Protected by the monitor.
  private var detector: any GestureDetector
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
    listener = SourceListener(source: source, monitor: monitor) { [weak self] in self?.take($0, token: $1) }
  }

  /// The number of shakes that have ended.
  public var count: Int { monitor.withLock { endedCount } }

  /// Starts or restarts the detection.
  public func start() {
    listener?.start(self, to: source) {
      if !isStarted { beginAnew() }
      isStarted = true
      return nil
    }
  }

  /// Stops the detection; a shake in progress is cancelled.
  public func stop() {
    let event = listener?.stop(self) { () -> GestureEvent? in
      guard isStarted else { return nil }
      isStarted = false
      return detector.pause(at: lastTime)
    }
    if let event = event ?? nil { deliver(event) }
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
    detector.restart()
    if isPaused { _ = detector.pause(at: 0) }
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    let gesture: GestureEvent? = monitor.withLock {
      guard listener?.isCurrent(token) == true else { return nil }
      switch event {
      case .input(.motion(let sample)):
        lastTime = sample.time
        return detector.update(sample)
      case .input(.other): return nil
      case .discontinuity:
        defer { beginAnew() }
        return detector.pause(at: lastTime)
      case .end: return detector.finish()
      }
    }
    if let gesture { deliver(gesture) }
  }

  private func deliver(_ event: GestureEvent) {
    monitor.withLock { if event.phase == .ended { endedCount += 1 } }
    let (source, handler) = (source, handler)
    let call: @Sendable () -> Void = { source.handleUpdate(at: event.time) { handler(event) } }
    if let queue { queue.addOperation(call) } else { call() }
  }
}
