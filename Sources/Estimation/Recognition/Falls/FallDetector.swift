internal import InertialNumerics
public import InertialSensors

/// Finds the falls of a person in a stream of acceleration: a way down, a hit harder than the motion before, another
/// orientation than before, and then rest.
///
/// The phases are those of Noury et al. (2007) and Kangas et al. (2008); how they are measured is in `FallReason`.
/// Needs acceleration with gravity at 25 Hz or more (at 15 Hz it goes on, and misses a third), no gyroscope, and no known
/// place: trunk, thigh and pocket turn with the body. A fall is told when rest has lasted 0.8 s, at most 2.9 s after the
/// impact, or where the log ends in it. Whoever does not lie still within 2 s, or slides down slowly, is not found.
///
/// Told apart by their physics: shakes, steps and jolts (before and after they hit alike), jumps and stumbles (the same
/// orientation afterwards), running (no rest), sitting down and kneeling (too slow, too soft), a dropped device (a body
/// is never so weightless). A device that topples over or falls by less than 7 cm may pass for a fall, and a fall from
/// a ladder for a dropped device.
public struct FallDetector: Sendable {
  /// How much it takes for a fall.
  public struct Parameters: Sendable, Hashable, Codable {
    /// 0 to 1; bigger finds more, and more that is none.
    public var sensitivity = 0.5
    /// Seconds between two samples from which nothing is assumed about the time between.
    package var maximumGap = 0.5
    /// g, with gravity: a softer hit is not looked at, as `FallReason.force` has it.
    package var leastPeak = 2.0
    /// g: root mean square of the acceleration about its mean, below which somebody rests.
    package var stillness = 0.08
    /// Seconds of rest that a fall ends in.
    package var restDuration = 0.8
    /// Seconds from the impact within which rest has to begin.
    package var longestRestDelay = 2.0

    /// The defaults.
    public init() {}
  }

  /// Everything that changes.
  public struct State: Sendable, Hashable, Codable {
    var cells = AccelerationCells()
    var window: FallWindow
    var lastTime: Double?
    /// The hardest hit of late that no rest has followed yet, by its cell.
    var impact: Int?
    /// The cell behind the last one that is in no rest, whatever is about it.
    var calmSince = 0
    var rejectedCount = 0

    init(longestDelay: Double) { window = FallWindow(longestDelay: longestDelay) }
  }

  /// g: no accelerometer of a phone or a wearable reads so much.
  private static let impossible = 200.0
  /// Seconds after which a softer hit takes the place of a harder one.
  private static let lifeOfImpact = 1.5
  /// Seconds from a hit to the earliest rest.
  private static let leastRestDelay = 0.16

  /// What the detector was made with.
  public let parameters: Parameters
  /// Everything that changes: saved and restored, the detector goes on as if it had not been.
  public private(set) var state: State
  /// Of the impact that was judged last, fall or not: for whoever asks why. Not part of the state.
  package private(set) var reason: FallReason?
  private let rest: Int
  /// g: one cell alone that is further from 1 g makes the deviation of a whole rest too large.
  private let calm: Double

  /// A detector that has seen nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    state = State(longestDelay: parameters.longestRestDelay + parameters.restDuration)
    rest = max(1, FallWindow.count(parameters.restDuration))
    calm = parameters.stillness * Double(rest).squareRoot()
  }

  /// Goes on from a state that was kept; the parameters should be those it was made with.
  public init(parameters: Parameters = Parameters(), state: State) {
    self.init(parameters: parameters)
    self.state = state
  }

  /// Samples that were not finite, not possible, or not after the one before, and were not used.
  public var rejectedCount: Int { state.rejectedCount }

  /// Takes a sample and returns the fall that it completes. Samples without an acceleration with gravity are passed over.
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

  /// The fall that the log ends in: half the rest, at least, that one otherwise has to have.
  public mutating func finish() -> FallEvent? {
    guard let impact = state.impact else { return nil }
    defer { state.impact = nil }
    let end = state.window.end
    let first = max(state.calmSince, impact + FallWindow.count(Self.leastRestDelay))
    for start in stride(from: first, through: end - (rest + 1) / 2, by: 1) {
      if state.window.spread(start..<end).deviation < parameters.stillness { return judge(start..<end) }
    }
    return nil
  }

  private mutating func restart() {
    state.cells = AccelerationCells()
    state.window.removeAll()
    state.impact = nil
    state.calmSince = 0
  }

  /// Looks at a cell; gives the first one of the rest that it completes behind an impact.
  private mutating func follow(_ index: Int) -> Int? {
    let cell = state.window[index]
    if abs(cell.norm - 1) > calm { state.calmSince = index + 1 }
    if cell.force >= parameters.leastPeak, takesPlace(index, cell.force) {
      state.impact = index
      return nil
    }
    guard let impact = state.impact else { return nil }
    let start = index + 1 - rest
    guard start - impact <= FallWindow.count(parameters.longestRestDelay) else {
      state.impact = nil
      return nil
    }
    guard start >= max(state.calmSince, impact + FallWindow.count(Self.leastRestDelay)) else { return nil }
    return state.window.spread(start..<(index + 1)).deviation < parameters.stillness ? start : nil
  }

  private func takesPlace(_ index: Int, _ force: Double) -> Bool {
    guard let impact = state.impact else { return true }
    return force >= state.window[impact].force || index - impact > FallWindow.count(Self.lifeOfImpact)
  }

  /// Judges the impact that a rest has followed.
  private mutating func judge(_ rest: Range<Int>) -> FallEvent? {
    guard let impact = state.impact else { return nil }
    state.impact = nil
    reason = state.window.reason(impact: impact, rest: rest.lowerBound, after: state.window.spread(rest).mean)
    guard let reason, reason.exclusion == nil,
      reason.evidence > FallReason.threshold(sensitivity: parameters.sensitivity)
    else { return nil }
    let descent = state.window.descent(before: impact)
    func time(_ index: Int) -> Double { state.cells.origin + Double(index) * AccelerationCells.period }
    return FallEvent(
      start: time(descent.start), impact: time(impact), end: time(rest.lowerBound), peak: reason.peak,
      freeFall: descent.freeFall,
      orientationChange: reason.orientationChange, score: reason.score, reason: reason)
  }
}
