public import InertialSensors

/// A detector of gestures in a stream, as the registry makes it.
///
/// Saved and read back, also in another process, it goes on as if it had not been; `SavedShakeDetector` does that
/// whatever kind it is.
public protocol GestureDetector: Sendable, Codable {
  /// The detector's name in the registry.
  var name: String { get }
  /// Gestures that have ended.
  var count: Int { get }
  /// Samples that the rule has reported a shake with; several may belong to one gesture.
  var detections: Int { get }
  /// What the rule said about the last sample it was given.
  var reading: ShakeReading { get }
  /// What the reference detector saw last; nil for the others.
  var reason: ShakeReason? { get }
  /// Whether it ignores samples.
  var isPaused: Bool { get }
  /// Whether a one-shot detector has had its gesture.
  var isStopped: Bool { get }

  /// What happened last: the event that `advance` or another step told of.
  var lastEvent: GestureEvent? { get }

  /// Takes a sample and tells what it changed; `lastEvent` then has the whole of it. Samples out of order or not finite
  /// change nothing.
  mutating func advance(_ sample: MotionSample) -> GesturePhase?
  /// Stops detection until `resume`; an open gesture is cancelled.
  mutating func pause(at time: Double) -> GestureEvent?
  /// Goes on; nothing from before the pause is used.
  mutating func resume()
  /// Begins anew, as if just made.
  mutating func restart()
  /// The stream is over: an open gesture ends with it.
  mutating func finish() -> GestureEvent?
}

extension GestureDetector {
  /// Takes a sample and returns what it changed. Samples out of order or not finite change nothing.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> GestureEvent? {
    // An event is large, and most samples have none.
    advance(sample) == nil ? nil : lastEvent
  }
}

/// Follows a rule's shakes: thinning, one-shot use, pauses, gaps, and the events with their duration and count.
///
/// A gesture begins with a detection, goes on while the rule's condition holds, and has ended `quietTime` after it
/// held last. The count rises with the end only: a cancelled gesture does not count.
public struct ShakeDetector<Rule: ShakeRule>: GestureDetector {
  /// The rule's numbers.
  public let parameters: Rule.Parameters
  /// Quiet time, least interval and longest duration of a gesture.
  public let options: GestureOptions
  public private(set) var count = 0
  public private(set) var detections = 0
  public private(set) var reading = ShakeReading()
  public private(set) var lastEvent: GestureEvent?
  public private(set) var isPaused = false
  public private(set) var isStopped = false

  private var rule: Rule
  private var thinner: SampleThinner
  private var lastTime: Double?
  private var gesture: Gesture?
  private var lastEnd: Double?
  /// After a gesture that was too long: its motion must stop before another may begin. When it was seen last.
  private var overlongMotion: Double?

  private struct Gesture: Sendable, Codable {
    var start: Double
    var end: Double
    /// When the rule's condition held last; the motion's own end may be earlier.
    var lastActive: Double
    var best: ShakeReading
    var bestReason: ShakeReason?
  }

  /// A detector that has seen nothing yet.
  public init(parameters: Rule.Parameters = Rule.Parameters(), options: GestureOptions = GestureOptions()) {
    self.parameters = parameters
    self.options = options
    rule = Rule(parameters: parameters)
    thinner = SampleThinner(interval: parameters.updateInterval)
  }

  public var name: String { Rule.name }
  public var reason: ShakeReason? { rule.reason }

  private var isOneShot: Bool { options.isOneShot ?? Rule.Parameters.isOneShot }

  // Through the protocol the rule is not known: without these every step of it would be looked up.
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
  @specialized(where Rule == StrongShareRule)
  @specialized(where Rule == AxisExcursionsRule)
  @specialized(where Rule == MagnitudeChangeRule)
  @specialized(where Rule == ForceCountRule)
  public mutating func advance(_ sample: MotionSample) -> GesturePhase? {
    guard let phase = follow(sample) else { return nil }
    if phase == .began { lastEvent = event(.began, at: sample.time) } else { close(phase, at: sample.time) }
    return phase
  }

  /// What a sample changes.
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
    // A motion that has belonged to the gesture before does not belong to this one too.
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

/// Takes one sample an interval, on a grid that starts at the first: so the mean rate stays what it should be.
struct SampleThinner: Sendable, Codable {
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
