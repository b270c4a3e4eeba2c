public import Sensors

/// A detector of gestures in a stream, as the registry makes it.
public protocol GestureDetector: Sendable {
  var name: String { get }
  /// Gestures that have ended.
  var count: Int { get }
  /// Samples that the rule has reported a shake with; several may belong to one gesture.
  var detections: Int { get }
  /// What the rule said about the last sample it was given.
  var reading: ShakeReading { get }
  var isPaused: Bool { get }
  /// Whether a one-shot detector has had its gesture.
  var isStopped: Bool { get }

  /// Takes a sample and returns what it changed. Samples out of order or not finite change nothing.
  mutating func update(_ sample: MotionSample) -> GestureEvent?
  /// Stops detection until `resume`; an open gesture is cancelled.
  mutating func pause(at time: Double) -> GestureEvent?
  /// Goes on; nothing from before the pause is used.
  mutating func resume()
  /// Begins anew, as if just made.
  mutating func restart()
  /// The stream is over: an open gesture ends with it.
  mutating func finish() -> GestureEvent?
}

/// Follows a rule's shakes: thinning, one-shot use, pauses, gaps, and the events with their duration and count.
///
/// A gesture begins with a detection, goes on while the rule's condition holds, and has ended `quietTime` after it
/// held last. The count rises with the end only: a cancelled gesture does not count.
public struct ShakeDetector<Rule: ShakeRule>: GestureDetector {
  public let parameters: Rule.Parameters
  public let options: GestureOptions
  public private(set) var count = 0
  public private(set) var detections = 0
  public private(set) var reading = ShakeReading()
  public private(set) var isPaused = false
  public private(set) var isStopped = false

  private var rule: Rule
  private var thinner: SampleThinner
  private var lastTime: Double?
  private var gesture: Gesture?
  private var lastEnd: Double?
  /// After a gesture that was too long: its motion must stop before another may begin. When it was seen last.
  private var overlongMotion: Double?

  private struct Gesture {
    var start: Double
    var end: Double
    /// When the rule's condition held last; the motion's own end may be earlier.
    var lastActive: Double
    var best: ShakeReading
  }

  public init(parameters: Rule.Parameters = Rule.Parameters(), options: GestureOptions = GestureOptions()) {
    self.parameters = parameters
    self.options = options
    rule = Rule(parameters: parameters)
    thinner = SampleThinner(interval: parameters.updateInterval)
  }

  public var name: String { Rule.name }

  private var isOneShot: Bool { options.isOneShot ?? Rule.Parameters.isOneShot }

  public mutating func update(_ sample: MotionSample) -> GestureEvent? {
    guard !isPaused, sample.isFinite else { return nil }
    if let lastTime, sample.time <= lastTime { return nil }
    let gap = lastTime.map { sample.time - $0 } ?? 0
    lastTime = sample.time
    if gap > max(options.maximumGap, 5 * parameters.updateInterval) {
      forgetSamples()
      if let event = close(.cancelled, at: sample.time) { return event }
    }
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

  private mutating func begin(at time: Double) -> GestureEvent? {
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
    gesture = Gesture(start: start, end: max(reading.end ?? time, start), lastActive: time, best: reading)
    if isOneShot { isStopped = true }
    return event(.began, at: time)
  }

  private mutating func goOn(at time: Double) -> GestureEvent? {
    guard var open = gesture else { return nil }
    if reading.isActive {
      open.lastActive = time
      open.end = max(open.end, reading.end ?? time)
      if reading.score > open.best.score { open.best = reading }
      gesture = open
      guard let maximum = options.maximumDuration, Clock.isMore(time - open.start, than: maximum) else { return nil }
      overlongMotion = time
      return close(.cancelled, at: time)
    }
    guard Clock.isAtLeast(time - open.lastActive, options.quietTime) else { return nil }
    return close(.ended, at: time)
  }

  private mutating func close(_ phase: GesturePhase, at time: Double) -> GestureEvent? {
    guard let open = gesture else { return nil }
    if phase == .ended { count += 1 }
    let closing = event(phase, at: time)
    lastEnd = open.end
    gesture = nil
    return closing
  }

  private func event(_ phase: GesturePhase, at time: Double) -> GestureEvent? {
    gesture.map {
      GestureEvent(
        detector: name, phase: phase, time: time, start: $0.start, end: $0.end, score: $0.best.score,
        axis: $0.best.axis, count: count, reason: $0.best.reason)
    }
  }
}

/// Takes one sample an interval, on a grid that starts at the first: so the mean rate stays what it should be.
struct SampleThinner: Sendable {
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
