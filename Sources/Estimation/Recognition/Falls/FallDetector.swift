internal import InertialNumerics
public import InertialSensors

/// Detects the falls of a person from acceleration: a descent, an impact harder than the previous motion, a change of
/// orientation, and then rest.
///
/// The phases follow Noury et al. (2007) and Kangas et al. (2008); `FallReason` documents how they are measured. The
/// detector needs acceleration with gravity at 25 Hz or more (it works at 15 Hz, but misses a third of the falls). It
/// needs no gyroscope and no known placement: trunk, thigh and pocket rotate with the body. A fall is reported after
/// 0.8 s of rest, at most 2.9 s after the impact, or at the end of a log that ends within this rest. If the person
/// does not lie still within 2 s, or slides down slowly, the fall is not detected.
///
/// Other motions differ physically: shakes, steps and jolts (similar impacts before and after), jumps and stumbles
/// (the same orientation afterwards), running (no rest), sitting down and kneeling (too slow, too soft), a dropped
/// device (a falling body is never so close to free fall). A device that topples over or falls by less than 7 cm may
/// be detected as a fall, and a fall from a ladder may be rejected as a dropped device.
public struct FallDetector: Sendable, Codable {
  /// The thresholds of fall detection.
  public struct Parameters: Sendable, Hashable, Codable {
    /// The sensitivity, 0...1. Higher values find more falls and more false positives.
    public var sensitivity = 0.5
    /// The maximum interval between samples, in seconds. After a longer gap the detector restarts.
    package var maximumGap = 0.5
    /// The minimum force of an impact (`FallReason.force`), in g, with gravity.
    package var minimumPeak = 2.0
    /// The maximum root mean square of the acceleration about its mean during rest, in g.
    package var stillness = 0.08
    /// The duration of the rest at the end of a fall, in seconds.
    package var restDuration = 0.8
    /// The maximum time from the impact to the start of the rest, in seconds.
    package var maximumRestDelay = 2.0

    /// Creates the default parameters.
    public init() {}

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case sensitivity, maximumGap, minimumPeak = "leastPeak", stillness, restDuration
      case maximumRestDelay = "longestRestDelay"
    }
  }

  /// The complete state of the detector.
  public struct State: Sendable, Hashable, Codable {
    var cells = AccelerationBins()
    var window: FallWindow
    var lastTime: Double?
    /// The cell of the hardest recent impact that no rest has followed yet.
    var impact: Int?
    /// The index after the last cell whose norm rules out a rest that contains it.
    var calmSince = 0
    var rejectedCount = 0

    init(maximumDelay: Double) { window = FallWindow(maximumDelay: maximumDelay) }
  }

  /// The upper limit of a valid acceleration of a phone or a wearable, in g.
  private static let impossible = 200.0
  /// The time after which a softer impact replaces a harder one, in seconds.
  private static let lifeOfImpact = 1.5
  /// The minimum time from an impact to the start of a rest, in seconds.
  private static let minimumRestDelay = 0.16

  /// The parameters of the detector.
  public let parameters: Parameters
  /// The complete state: a detector restored from it continues without interruption.
  public private(set) var state: State
  /// The reason for the decision about the last evaluated impact, whether it was a fall or not. Not part of the
  /// state.
  package private(set) var reason: FallReason?
  private let rest: Int
  /// The deviation of a cell's norm from 1 g that alone exceeds the maximum deviation of a rest, in g.
  private let calm: Double

  /// Creates a detector without any samples.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    state = State(maximumDelay: parameters.maximumRestDelay + parameters.restDuration)
    rest = max(1, FallWindow.count(parameters.restDuration))
    calm = parameters.stillness * Double(rest).squareRoot()
  }

  /// Creates a detector that continues from a saved state, which should have the same parameters.
  public init(parameters: Parameters = Parameters(), state: State) {
    self.init(parameters: parameters)
    self.state = state
  }

  /// The number of rejected samples: not finite, out of range, or not later than the previous sample.
  public var rejectedCount: Int { state.rejectedCount }

  /// Adds a sample and returns the fall that it completes. Samples without an acceleration with gravity are ignored.
  public mutating func update(_ sample: MotionSample) -> FallEvent? {
    guard let acceleration = sample.acceleration else { return nil }
    let norm = acceleration.norm
    // A comparison with NaN is false.
    guard norm < Self.impossible, sample.time.isFinite, state.lastTime.map({ sample.time > $0 }) ?? true else {
      state.rejectedCount += 1
      return nil
    }
    let interval = state.lastTime.map { sample.time - $0 } ?? 0
    if interval > parameters.maximumGap { restart() }
    state.lastTime = sample.time
    let start = state.window.end
    state.cells.append(acceleration, norm: norm, at: sample.time, after: interval) { state.window.append($0) }
    var event: FallEvent?
    for index in start..<state.window.end {
      if let rest = follow(index) { event = judge(rest..<(index + 1)) }
    }
    return event
  }

  /// Ends the input and returns a fall at its end. Half of the usual rest is sufficient.
  public mutating func finish() -> FallEvent? {
    guard let impact = state.impact else { return nil }
    defer { state.impact = nil }
    let end = state.window.end
    let first = max(state.calmSince, impact + FallWindow.count(Self.minimumRestDelay))
    for start in stride(from: first, through: end - (rest + 1) / 2, by: 1) {
      if state.window.spread(start..<end).deviation < parameters.stillness { return judge(start..<end) }
    }
    return nil
  }

  private mutating func restart() {
    state.cells = AccelerationBins()
    state.window.removeAll()
    state.impact = nil
    state.calmSince = 0
  }

  /// Processes a cell and returns the first cell of the rest that it completes after an impact.
  private mutating func follow(_ index: Int) -> Int? {
    let cell = state.window[index]
    if abs(cell.norm - 1) > calm { state.calmSince = index + 1 }
    if cell.force >= parameters.minimumPeak, takesPlace(index, cell.force) {
      state.impact = index
      return nil
    }
    guard let impact = state.impact else { return nil }
    let start = index + 1 - rest
    guard start - impact <= FallWindow.count(parameters.maximumRestDelay) else {
      state.impact = nil
      return nil
    }
    guard start >= max(state.calmSince, impact + FallWindow.count(Self.minimumRestDelay)) else { return nil }
    return state.window.spread(start..<(index + 1)).deviation < parameters.stillness ? start : nil
  }

  private func takesPlace(_ index: Int, _ force: Double) -> Bool {
    guard let impact = state.impact else { return true }
    return force >= state.window[impact].force || index - impact > FallWindow.count(Self.lifeOfImpact)
  }

  /// Evaluates the impact before a rest.
  private mutating func judge(_ rest: Range<Int>) -> FallEvent? {
    guard let impact = state.impact else { return nil }
    state.impact = nil
    reason = state.window.reason(impact: impact, rest: rest.lowerBound, after: state.window.spread(rest).mean)
    guard let reason, reason.exclusion == nil,
      reason.evidence > FallReason.threshold(sensitivity: parameters.sensitivity)
    else { return nil }
    let descent = state.window.descent(before: impact)
    func time(_ index: Int) -> Double { state.cells.origin + Double(index) * AccelerationBins.period }
    return FallEvent(
      start: time(descent.start), impact: time(impact), end: time(rest.lowerBound), peak: reason.peak,
      freeFall: descent.freeFall,
      orientationChange: reason.orientationChange, score: reason.score, reason: reason)
  }
}
