public import InertialSensors

/// A detector of gestures in a stream, created by the registry.
///
/// A detector that is saved and restored, possibly in another process, continues without interruption.
public protocol GestureDetector: Sendable, Codable {
  /// The detector's name in the registry.
  var name: String { get }
  /// The number of gestures that have ended.
  var count: Int { get }
  /// The number of samples for which the rule has reported a shake; several can belong to one gesture.
  var detections: Int { get }
  /// The rule's result for its last sample.
  var reading: ShakeReading { get }
  /// The last measurements of the reference detector, or `nil` for other detectors.
  var reason: ShakeReason? { get }
  /// Whether the detector ignores samples.
  var isPaused: Bool { get }
  /// Whether a one-shot detector has detected its gesture.
  var isStopped: Bool { get }

  /// The last event, reported by `advance` or another method.
  var lastEvent: GestureEvent? { get }

  /// Adds a sample and returns the new phase, or `nil`; `lastEvent` then contains the complete event. Samples that
  /// are out of order or not finite are ignored.
  mutating func advance(_ sample: MotionSample) -> GesturePhase?
  /// Stops detection until `resume` and cancels an open gesture.
  mutating func pause(at time: Double) -> GestureEvent?
  /// Resumes detection without using samples from before the pause.
  mutating func resume()
  /// Resets the detector to its initial state.
  mutating func restart()
  /// Ends the input and an open gesture.
  mutating func finish() -> GestureEvent?
}

extension GestureDetector {
  /// Adds a sample and returns the event that it causes, or `nil`. Samples that are out of order or not finite are
  /// ignored.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> GestureEvent? {
    // An event is large, and most samples do not cause one.
    advance(sample) == nil ? nil : lastEvent
  }
}

/// Tracks the shakes of a rule: decimation, one-shot use, pauses, gaps, and the events with their duration and count.
///
/// A gesture begins with a detection, continues while the rule's condition holds, and ends `quietTime` after the
/// condition last held. Only an end increments the count: a cancelled gesture does not count.
public struct ShakeDetector<Rule: ShakeRule>: GestureDetector {
  /// The parameters of the rule.
  public let parameters: Rule.Parameters
  /// The options of gesture tracking.
  public let options: GestureOptions
  public private(set) var count = 0
  public private(set) var detections = 0
  public private(set) var reading = ShakeReading()
  public private(set) var lastEvent: GestureEvent?
  public private(set) var isPaused = false
  public private(set) var isStopped = false

  private var rule: Rule
  private var thinner: SampleDecimator
  private var lastTime: Double?
  private var gesture: Gesture?
  private var lastEnd: Double?
  /// The last time of motion after an overlong gesture, or `nil`. The motion must stop before another gesture can
  /// begin.
  private var overlongMotion: Double?

  private struct Gesture: Sendable, Codable {
    var start: Double
    var end: Double
    /// The last time at which the rule's condition held. The motion itself can end earlier.
    var lastActive: Double
    var best: ShakeReading
    var bestReason: ShakeReason?
  }

  /// Creates a detector without any samples.
  public init(parameters: Rule.Parameters = Rule.Parameters(), options: GestureOptions = GestureOptions()) {
    self.parameters = parameters
    self.options = options
    rule = Rule(parameters: parameters)
    thinner = SampleDecimator(interval: parameters.updateInterval)
  }

  public var name: String { Rule.name }
  public var reason: ShakeReason? { rule.reason }

  private var isOneShot: Bool { options.isOneShot ?? Rule.Parameters.isOneShot }

  // The protocol hides the rule's type. Without these specialisations every call of the rule would be dispatched
  // dynamically.
  @specialized(where Rule == ReferenceRule)
  @specialized(where Rule == AxisThresholdRule)
  @specialized(where Rule == LowPassDifferenceRule)
  @specialized(where Rule == MagnitudeRule<SlowMagnitude>)
  @specialized(where Rule == MagnitudeRule<FastMagnitude>)
  @specialized(where Rule == MagnitudeRule<CountingMagnitude>)
  @specialized(where Rule == UserAxisRule)
  @specialized(where Rule == LegacyRule)
  @specialized(where Rule == DirectionReversalRule)
  @specialized(where Rule == DisplacementGateRule)
  @specialized(where Rule == StrongFractionRule)
  @specialized(where Rule == AxisExcursionsRule)
  @specialized(where Rule == MagnitudeChangeRule)
  @specialized(where Rule == ForceCountRule)
  public mutating func advance(_ sample: MotionSample) -> GesturePhase? {
    guard let phase = follow(sample) else { return nil }
    if phase == .began { lastEvent = event(.began, at: sample.time) } else { close(phase, at: sample.time) }
    return phase
  }

  /// Returns the phase change caused by a sample.
  @inline(__always)
  private mutating func follow(_ sample: MotionSample) -> GesturePhase? {
    guard !isPaused, sample.isFinite else { return nil }
    if let lastTime {
      guard sample.time > lastTime else { return nil }
      if sample.time - lastTime > max(options.maximumGap, 5 * parameters.updateInterval) {
        self.lastTime = sample.time
        forgetSamples()
        if gesture != nil { return .cancelled }
      }
    }
    lastTime = sample.time
    guard !isStopped || gesture != nil, thinner.takes(sample.time) else { return nil }
    reading = rule.update(sample)
    if reading.isDetected && !isStopped { detections += 1 }
    return gesture == nil ? begin(at: sample.time) : goOn(at: sample.time)
  }

  public mutating func pause(at time: Double) -> GestureEvent? {
    guard !isPaused else { return nil }
    isPaused = true
    forgetSamples()
    return close(.cancelled, at: time)
  }

  public mutating func resume() {
    isPaused = false
    lastTime = nil
  }

  public mutating func restart() { self = ShakeDetector(parameters: parameters, options: options) }

  public mutating func finish() -> GestureEvent? {
    guard let lastTime else { return nil }
    forgetSamples()
    return close(.ended, at: lastTime)
  }

  private mutating func forgetSamples() {
    rule.forgetSamples()
    thinner.restart()
    reading = ShakeReading()
    overlongMotion = nil
  }

  private mutating func begin(at time: Double) -> GesturePhase? {
    if let seen = overlongMotion {
      if reading.isActive {
        overlongMotion = time
        return nil
      }
      guard Clock.isMore(time - seen, than: options.quietTime) else { return nil }
      overlongMotion = nil
    }
    guard reading.isDetected, !isStopped else { return nil }
    if let lastEnd, !Clock.isAtLeast(time - lastEnd, options.minimumInterval) { return nil }
    // A motion that belongs to the previous gesture does not also belong to this one.
    let start = max(reading.start ?? time, lastEnd ?? -.infinity)
    gesture = Gesture(
      start: start, end: max(reading.end ?? time, start), lastActive: time, best: reading, bestReason: reason)
    if isOneShot { isStopped = true }
    return .began
  }

  private mutating func goOn(at time: Double) -> GesturePhase? {
    guard let start = gesture?.start, let lastActive = gesture?.lastActive else { return nil }
    guard reading.isActive else {
      return Clock.isAtLeast(time - lastActive, options.quietTime) ? .ended : nil
    }
    gesture!.lastActive = time
    gesture!.end = max(gesture!.end, reading.end ?? time)
    if reading.score > gesture!.best.score { (gesture!.best, gesture!.bestReason) = (reading, reason) }
    guard let maximum = options.maximumDuration, Clock.isMore(time - start, than: maximum) else { return nil }
    overlongMotion = time
    return .cancelled
  }

  @discardableResult
  private mutating func close(_ phase: GesturePhase, at time: Double) -> GestureEvent? {
    guard let open = gesture else { return nil }
    if phase == .ended { count += 1 }
    lastEvent = event(phase, at: time)
    lastEnd = open.end
    gesture = nil
    return lastEvent
  }

  private func event(_ phase: GesturePhase, at time: Double) -> GestureEvent? {
    gesture.map {
      GestureEvent(
        detector: name, phase: phase, time: time, start: $0.start, end: $0.end, score: $0.best.score,
        axis: $0.best.axis, count: count, reason: $0.bestReason)
    }
  }
}

/// Selects one sample per interval, on a grid that starts at the first sample, so that the mean rate is exact.
struct SampleDecimator: Sendable, Codable {
  let interval: Double
  private var due: Double?

  init(interval: Double) { self.interval = interval }

  mutating func takes(_ time: Double) -> Bool {
    guard interval > 0 else { return true }
    guard let next = due else {
      due = time + interval
      return true
    }
    guard Clock.isAtLeast(time, next) else { return false }
    due = Clock.isMore(time, than: next + interval) ? time + interval : next + interval
    return true
  }

  mutating func restart() { due = nil }
}
