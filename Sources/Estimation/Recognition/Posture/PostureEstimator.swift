internal import InertialNumerics
public import InertialSensors

/// Tells a person's posture from the angle between gravity now and gravity while the person walked, which is that of
/// upright.
///
/// Needs acceleration with gravity at 15 Hz or more and a device worn on the trunk or the thigh, fixed enough that it
/// turns with the body. Nothing is known before the first walk of about 5 s, after a gap of more than 5 s, and after
/// the device stood on its head, which no body does: then it was taken off or moved, and the next walk shows how it is
/// worn. A device that is moved in its place by less is not noticed before that.
public struct PostureEstimator: Sendable {
  /// Where the device is worn, and the limits between postures.
  public struct Parameters: Sendable, Hashable, Codable {
    /// g: root mean square of the acceleration about its mean in a second, below which an angle is measured.
    package var stillness = 0.06
    /// Seconds of motion that is no walk, over which the posture before stays where the device does not turn.
    package var longestMotion = 3.0
    /// Seconds between two samples from which the device may have been moved.
    package var longestGap = 5.0

    /// The defaults.
    public init() {}
  }

  /// Everything that changes.
  public struct State: Sendable, Hashable, Codable {
    var cells = AccelerationCells()
    /// Cells of the last second, or fewer.
    var second: [AccelerationCell] = []
    /// Mean acceleration of the last half seconds, g; five at most.
    var halves: [Vector3] = []
    var cellCount = 0
    var rhythm = GaitRhythm()
    var lastTime: Double?
    /// Sum of the walk's mean accelerations that goes on, and how many they are.
    var walk = Vector3.zero
    var walkCount = 0
    /// Gravity while the person walked, unit vector, device axes.
    var upright: Vector3?
    /// When posture was last seen, seconds.
    var lastSeen = 0.0
    var segment: PostureSegment?
    var angleCount = 0.0
    var rejectedCount = 0

    init() {}
  }

  private static let halfSecond = 25
  /// Half seconds with steps that show how the device is worn.
  private static let leastWalk = 4
  /// rad: further from upright no trunk and no thigh goes.
  private static let headFirst = 150 * Double.pi / 180
  /// g: more is no sample of a phone or a wearable.
  private static let impossible = 200.0

  /// Where the device is worn.
  public let placement: PosturePlacement
  /// What the estimator was made with.
  public let parameters: Parameters
  /// Everything that changes: saved and restored, the estimator goes on as if it had not been.
  public private(set) var state = State()

  /// An estimator that has seen nothing yet.
  public init(placement: PosturePlacement, parameters: Parameters = Parameters()) {
    (self.placement, self.parameters) = (placement, parameters)
  }

  /// Goes on from a state that was kept; placement and parameters should be those it was made with.
  public init(placement: PosturePlacement, parameters: Parameters = Parameters(), state: State) {
    self.init(placement: placement, parameters: parameters)
    self.state = state
  }

  /// Samples that were not finite, not possible, or not after the one before, and were not used.
  public var rejectedCount: Int { state.rejectedCount }
  /// The posture as far as it is known now.
  public var posture: Posture { state.segment?.posture ?? .unknown }

  /// Takes a sample and returns the segment that ends by it. Samples without an acceleration with gravity are passed over.
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
    var fresh: [AccelerationCell] = []
    state.cells.append(acceleration, norm: norm, at: sample.time) { fresh.append($0) }
    var changed: PostureSegment?
    for cell in fresh { changed = take(cell) ?? changed }
    return ended ?? changed
  }

  /// The segment that the log ends in.
  public mutating func finish() -> PostureSegment? {
    defer { state.segment = nil }
    return state.segment.map { closed($0, at: state.lastTime ?? $0.end) }
  }

  /// Nothing is assumed about the time between.
  private mutating func endBefore(_ gap: Double) -> PostureSegment? {
    let ended = finish()
    let upright = gap > parameters.longestGap ? nil : state.upright
    let rejected = state.rejectedCount
    state = State()
    (state.upright, state.rejectedCount) = (upright, rejected)
    return ended
  }

  private mutating func take(_ cell: AccelerationCell) -> PostureSegment? {
    state.rhythm.append(cell.norm)
    if state.second.count == 2 * Self.halfSecond { state.second.removeFirst(Self.halfSecond) }
    state.second.append(cell)
    state.cellCount += 1
    guard state.cellCount % Self.halfSecond == 0 else { return nil }
    return look(at: state.cells.origin + Double(state.cellCount) * AccelerationCells.period)
  }

  /// Twice a second.
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

  /// The steps are those of the last 2.56 s, so their middle is what is surely in them.
  private mutating func walks(_ angle: Double?, until time: Double) -> PostureSegment? {
    state.walk += state.halves[state.halves.count / 2]
    state.walkCount += 1
    if state.walkCount >= Self.leastWalk, state.walk.norm > 0.5 * Double(state.walkCount) {
      state.upright = state.walk / state.walk.norm
    }
    // Fidgeting repeats once by chance, not twice; and the last steps are still seen when a person sits already.
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

  /// A posture stays over a motion that is short and in which the device does not turn.
  private mutating func moves(_ angle: Double?, until time: Double) -> PostureSegment? {
    if let angle, posture != .unknown, placement.posture(angle) != posture { return turn(to: .unknown, at: time - 0.5) }
    return time - state.lastSeen > parameters.longestMotion ? turn(to: .unknown, at: state.lastSeen) : nil
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
