internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Corrects a drifting direction by the paths in buildings and towns, which mostly are straight and meet at right
/// angles.
///
/// Based on Borenstein and Ojeda, "Heuristic drift elimination for personnel tracking systems", J. Navigation 63 (2010),
/// with an additional decision: the angle between the segments and the grid is tracked from segment to segment with its
/// drift, and the grid is used only if it makes the segments 20 times as likely as chance does. Other paths are unchanged.
struct HeuristicDriftElimination: Sendable, Codable {
  /// The direction error at a step, in radians, with its standard deviation.
  struct Correction: Sendable, Equatable, Codable {
    var angle: Double
    var sigma: Double
  }

  /// The minimum number of steps in a segment, and the maximum deviation of a step from its median direction, in
  /// radians.
  private static let minimumStepCount = 8
  private static let width = 0.2
  /// The number of steps in the median, and the maximum number of steps in a segment, after which another begins.
  private static let recent = 40
  private static let maximumStepCount = 200
  /// The logarithm of the minimum likelihood ratio of the grid to chance: 20.
  private static let evidence = 3.0
  /// The minimum number of segments for a decision.
  private static let minimumSegmentCount = 3

  private var belief: GridAngle?
  /// The direction at the path's start.
  private var origin = 0.0
  /// The directions of the steps in the current segment.
  private var directions: [Double] = []
  /// The times of the first and the last step in the current segment, in seconds.
  private var (firstTime, lastTime) = (0.0, 0.0)

  /// The time of a segment's middle, in seconds, and its angle to the grid, in radians.
  private struct Segment: Codable {
    var time: Double
    var angle: Double
  }

  /// The past segments, for the backward pass.
  private var segments: [Segment] = []
  private let keepsTrace: Bool

  init(keepsTrace: Bool = false) { self.keepsTrace = keepsTrace }

  /// Adds the next step.
  ///
  /// - Returns: Whether the step starts a new segment.
  mutating func add(_ step: StepTracker.Step) -> Bool {
    let isOther = !directions.isEmpty && !goesOn(step.direction)
    if isOther { close() }
    if directions.isEmpty { firstTime = step.time }
    directions.append(step.direction)
    lastTime = step.time
    return isOther
  }

  /// The current direction error, and whether the segments follow a grid, or `nil` before the first segment.
  var latest: (correction: Correction, isBelieved: Bool)? {
    guard var now = belief else { return nil }
    if directions.count >= Self.minimumStepCount {
      now.propagate(to: middle)
      now.take(direction)
    } else {
      now.propagate(to: lastTime)
    }
    return (
      Correction(angle: now.angle - origin, sigma: now.sigma),
      now.segmentCount >= Self.minimumSegmentCount && now.evidence > Self.evidence
    )
  }

  /// The decision to use the grid, or `nil` if the segments do not follow one.
  var decision: AutomaticDecision? {
    var whole = self
    if keepsTrace { whole.close() }
    guard let belief = whole.belief, belief.segmentCount >= Self.minimumSegmentCount, belief.evidence > Self.evidence
    else { return nil }
    return AutomaticDecision(
      "straight segments",
      "\(belief.segmentCount) segments, whose directions differ by multiples of 90°, correct the direction",
      basis: String(cFormat: "evidence for right angles %.1f nats", belief.evidence),
      values: ["segments": Double(belief.segmentCount), "evidence": belief.evidence])
  }

  private var middle: Double { (firstTime + lastTime) / 2 }
  private var direction: Double { directions.sorted()[directions.count / 2] }

  private func goesOn(_ direction: Double) -> Bool {
    guard directions.count < Self.maximumStepCount else { return false }
    let latest = (directions.suffix(Self.recent) + [direction]).sorted()
    return abs(direction - latest[latest.count / 2]) < Self.width
  }

  /// Ends a segment.
  private mutating func close() {
    defer { directions = [] }
    guard directions.count >= Self.minimumStepCount else { return }
    let (time, direction) = (middle, direction)
    if belief == nil {
      belief = GridAngle(time: time, direction: direction, keepsTrace: keepsTrace)
      origin = direction
    } else {
      belief?.propagate(to: time)
      belief?.take(direction)
    }
    if keepsTrace, let belief { segments.append(Segment(time: belief.time, angle: belief.angle)) }
  }

  // MARK: The whole recording

  /// Returns the correction of each step, or `nil` if the segments follow no grid or the trace was not kept.
  func corrections(of steps: [StepTracker.Step]) -> [Correction]? {
    var whole = self
    whole.close()
    guard let last = whole.belief, let trace = last.kalman.trace, trace.count >= Self.minimumSegmentCount,
      last.evidence > Self.evidence
    else { return nil }
    var adjoint = ErrorAdjoint(trace.layout)
    var corrections: [Correction] = []
    for (index, segment) in whole.segments.enumerated().reversed() {
      corrections.append(
        Correction(
          angle: segment.angle + adjoint.error(0, trace, index),
          sigma: adjoint.covariance(0, 0, trace, index).standardDeviation))
      adjoint.cross(trace, index)
    }
    return Self.spread(corrections.reversed(), at: whole.segments.map(\.time), to: steps)
  }

  /// Interpolates the corrections by time. The path starts with the first segment's direction.
  private static func spread(
    _ corrections: [Correction], at times: [Double], to steps: [StepTracker.Step]
  ) -> [Correction] {
    let origin = corrections[0].angle
    var index = 0
    return steps.map { step in
      while index + 1 < times.count, times[index + 1] < step.time { index += 1 }
      let (a, b) = (corrections[index], corrections[min(index + 1, times.count - 1)])
      let span = times[min(index + 1, times.count - 1)] - times[index]
      let fraction = span > 0 ? min(max((step.time - times[index]) / span, 0), 1) : 0
      return Correction(
        angle: a.angle + fraction * (b.angle - a.angle) - origin, sigma: a.sigma + fraction * (b.sigma - a.sigma))
    }
  }
}
