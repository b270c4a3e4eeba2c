internal import InertialNumerics
public import InertialSensors

/// Estimates a person's posture from the angle between the current gravity and gravity during a walk, when the person
/// was upright.
///
/// The estimator needs acceleration with gravity at 15 Hz or more, and a device worn on the trunk or the thigh,
/// firmly enough that it rotates with the body. The posture is unknown before the first walk of about 5 s, after a
/// gap of more than 5 s, and after the device was upside down. No body does that, so the device was removed or moved,
/// and the next walk shows its new orientation. A smaller movement of the device on the body is not detected before
/// the next walk.
public struct PostureEstimator: Sendable, Codable {
  /// The thresholds of posture estimation.
  public struct Parameters: Sendable, Hashable, Codable {
    /// The maximum root mean square of the acceleration about its mean over a second at which an angle is measured,
    /// in g.
    package var stillness = 0.06
    /// The maximum duration of a motion other than a walk over which the posture is kept if the device does not
    /// rotate, in seconds.
    package var maximumMotionDuration = 3.0
    /// The minimum duration of a gap between samples in which the device may have been moved, in seconds.
    package var maximumGap = 5.0

    /// Creates the default parameters.
    public init() {}

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case stillness, maximumMotionDuration = "longestMotion", maximumGap = "longestGap"
    }
  }

  /// The complete state of the estimator.
  public struct State: Sendable, Hashable, Codable {
    var cells = AccelerationBins()
    /// The cells of the last second, or fewer at the start.
    var second: [AccelerationBin] = []
    /// The mean accelerations of the last half seconds, in g; at most five.
    var halves: [Vector3] = []
    var cellCount = 0
    var rhythm = GaitRhythm()
    var lastTime: Double?
    /// The sum and the number of the mean accelerations of the current walk.
    var walk = Vector3.zero
    var walkCount = 0
    /// Gravity while the person walked, as a unit vector in device axes.
    var upright: Vector3?
    /// The time at which the posture was last observed, in seconds.
    var lastSeen = 0.0
    var segment: PostureSegment?
    var angleCount = 0.0
    var rejectedCount = 0

    init() {}
  }

  private static let halfSecond = 25
  /// The minimum number of half seconds with steps that show the orientation of the device on the body.
  private static let minimumWalkCount = 4
  /// The maximum angle from upright that a trunk or a thigh can reach, in radians.
  private static let headFirst = 150 * Double.pi / 180
  /// The upper limit of a valid acceleration of a phone or a wearable, in g.
  private static let impossible = 200.0

  /// The body part that the device is worn on.
  public let placement: PosturePlacement
  /// The parameters of the estimator.
  public let parameters: Parameters
  /// The complete state: an estimator restored from it continues without interruption.
  public private(set) var state = State()

  /// Creates an estimator without any samples.
  public init(placement: PosturePlacement, parameters: Parameters = Parameters()) {
    (self.placement, self.parameters) = (placement, parameters)
  }

  /// Creates an estimator that continues from a saved state, which should have the same placement and parameters.
  public init(placement: PosturePlacement, parameters: Parameters = Parameters(), state: State) {
    self.init(placement: placement, parameters: parameters)
    self.state = state
  }

  /// The number of rejected samples: not finite, out of range, or not later than the previous sample.
  public var rejectedCount: Int { state.rejectedCount }
  /// The current posture, or `unknown` if it cannot be determined yet.
  public var posture: Posture { state.segment?.posture ?? .unknown }

  /// Adds a sample and returns the segment that it ends. Samples without an acceleration with gravity are ignored.
  public mutating func update(_ sample: MotionSample) -> PostureSegment? {
    guard let acceleration = sample.acceleration else { return nil }
    let norm = acceleration.norm
    // A comparison with NaN is false.
    guard norm < Self.impossible, sample.time.isFinite, state.lastTime.map({ sample.time > $0 }) ?? true
    else {
      state.rejectedCount += 1
      return nil
    }
    let gap = state.lastTime.map { sample.time - $0 } ?? 0
    let ended = gap > 1 ? endBefore(gap) : nil
    if state.segment == nil {
      state.segment = PostureSegment(start: sample.time, end: sample.time, posture: .unknown)
      state.lastSeen = sample.time
    }
    state.lastTime = sample.time
    var fresh: [AccelerationBin] = []
    state.cells.append(acceleration, norm: norm, at: sample.time) { fresh.append($0) }
    var changed: PostureSegment?
    for cell in fresh { changed = take(cell) ?? changed }
    return ended ?? changed
  }

  /// Ends the input and returns the last segment.
  public mutating func finish() -> PostureSegment? {
    defer { state.segment = nil }
    return state.segment.map { closed($0, at: state.lastTime ?? $0.end) }
  }

  /// Ends the current segment at a gap. Nothing is assumed about the time within the gap.
  private mutating func endBefore(_ gap: Double) -> PostureSegment? {
    let ended = finish()
    let upright = gap > parameters.maximumGap ? nil : state.upright
    let rejected = state.rejectedCount
    state = State()
    (state.upright, state.rejectedCount) = (upright, rejected)
    return ended
  }

  private mutating func take(_ cell: AccelerationBin) -> PostureSegment? {
    state.rhythm.append(cell.norm)
    if state.second.count == 2 * Self.halfSecond { state.second.removeFirst(Self.halfSecond) }
    state.second.append(cell)
    state.cellCount += 1
    guard state.cellCount % Self.halfSecond == 0 else { return nil }
    return look(at: state.cells.origin + Double(state.cellCount) * AccelerationBins.period)
  }

  /// Updates the posture, twice per second.
  private mutating func look(at time: Double) -> PostureSegment? {
    let cells = state.second
    let half = cells.suffix(Self.halfSecond).reduce(Vector3.zero) { $0 + $1.mean } / Double(Self.halfSecond)
    if state.halves.count == 5 { state.halves.removeFirst() }
    state.halves.append(half)
    let mean = cells.reduce(Vector3.zero) { $0 + $1.mean } / Double(cells.count)
    let angle = state.upright.flatMap { mean.norm > 0.5 ? mean.angle(to: $0) : nil }
    if state.rhythm.hasSteps { return walks(angle, until: time) }
    (state.walk, state.walkCount) = (.zero, 0)
    let power = cells.reduce(0) { $0 + ($1.mean - mean).squaredNorm } / Double(cells.count)
    guard let angle, cells.count == 2 * Self.halfSecond, power < parameters.stillness * parameters.stillness else {
      return moves(angle, until: time)
    }
    if angle > Self.headFirst {
      state.upright = nil
      return turn(to: .unknown, at: time - 1)
    }
    return rests(angle, until: time)
  }

  /// Handles a half second with steps. The steps were found in the last 2.56 s, so only the middle of that window is
  /// certainly part of the walk.
  private mutating func walks(_ angle: Double?, until time: Double) -> PostureSegment? {
    state.walk += state.halves[state.halves.count / 2]
    state.walkCount += 1
    if state.walkCount >= Self.minimumWalkCount, state.walk.norm > 0.5 * Double(state.walkCount) {
      state.upright = state.walk / state.walk.norm
    }
    // Fidgeting can look periodic once by chance, but not twice. The last steps are still in the window after a
    // person has sat down.
    guard state.upright != nil, state.walkCount > 1, placement.posture(angle ?? 0) == placement.posture(0) else {
      return moves(angle, until: time)
    }
    state.lastSeen = time
    return turn(to: placement.posture(0), at: time - 1.28)
  }

  private mutating func rests(_ angle: Double, until time: Double) -> PostureSegment? {
    state.lastSeen = time
    let ended = turn(to: placement.posture(angle), at: time - 1)
    state.angleCount += 1
    let mean = state.segment?.angle ?? 0
    state.segment?.angle = mean + (angle - mean) / state.angleCount
    return ended
  }

  /// Keeps the posture over a motion that is short and does not rotate the device.
  private mutating func moves(_ angle: Double?, until time: Double) -> PostureSegment? {
    if let angle, posture != .unknown, placement.posture(angle) != posture { return turn(to: .unknown, at: time - 0.5) }
    return time - state.lastSeen > parameters.maximumMotionDuration ? turn(to: .unknown, at: state.lastSeen) : nil
  }

  private mutating func turn(to posture: Posture, at time: Double) -> PostureSegment? {
    guard let before = state.segment, before.posture != posture else { return nil }
    let start = max(time, before.start)
    state.segment = PostureSegment(start: start, end: start, posture: posture)
    state.angleCount = 0
    return start > before.start ? closed(before, at: start) : nil
  }

  private func closed(_ segment: PostureSegment, at time: Double) -> PostureSegment {
    var segment = segment
    segment.end = max(time, segment.start)
    return segment
  }
}
