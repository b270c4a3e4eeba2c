internal import InertialNumerics
internal import InertialSystem

/// Corrects a drifting direction by the paths in buildings and towns, which mostly are straight and meet at right
/// angles.
///
/// Based on Borenstein and Ojeda, "Heuristic drift elimination for personnel tracking systems", J. Navigation 63 (2010),
/// with an additional decision: the angle between the segments and the grid is tracked from segment to segment with its
/// drift, and the grid is used only if it makes the segments 20 times as likely as chance does. Other paths are unchanged.
struct HeuristicDriftElimination: Sendable {
  /// The direction error at a step, in radians, with its standard deviation.
  struct Correction: Sendable, Equatable {
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
  private static let grid = Double.pi / 2
  /// The noise of a segment's direction, rad; drift at the start, rad/s; its random walk, rad/s/√s; random walk of the
  /// angle, rad/√s.
  private static let wayNoise = 0.07
  private static let drift = 0.005
  private static let driftNoise = 3.5e-4
  private static let angleNoise = 0.005
  /// The logarithm of the minimum likelihood ratio of the grid to chance: 20.
  private static let evidence = 3.0
  /// The minimum number of segments for a decision.
  private static let minimumSegmentCount = 3
  /// The fraction of segments that do not follow the grid.
  private static let stray = 0.1

  /// The angle of the grid to the segments and its drift, with their covariance, and the evidence for the grid.
  private struct State: Sendable {
    var time: Double
    var x: (angle: Double, rate: Double)
    var p: (aa: Double, ar: Double, rr: Double)
    var evidence = 0.0
    var ways = 1

    var correction: Correction { Correction(angle: x.angle, sigma: p.aa.standardDeviation) }
  }

  private var belief: State?
  /// The direction at the path's start.
  private var origin = 0.0
  /// The directions of the steps in the current segment.
  private var directions: [Double] = []
  private var span = (first: 0.0, last: 0.0)
  /// The predicted and filtered states at each segment, for the backward pass.
  private var trace: [(predicted: State, filtered: State)] = []
  private let keepsTrace: Bool

  init(keepsTrace: Bool = false) { self.keepsTrace = keepsTrace }

  /// Adds the next step.
  ///
  /// - Returns: Whether the step starts a new segment.
  mutating func add(_ step: StepTracker.Step) -> Bool {
    let isOther = !directions.isEmpty && !goesOn(step.direction)
    if isOther { close() }
    if directions.isEmpty { span.first = step.time }
    directions.append(step.direction)
    span.last = step.time
    return isOther
  }

  /// The current direction error, and whether the segments follow a grid, or `nil` before the first segment.
  var latest: (correction: Correction, isBelieved: Bool)? {
    guard let belief else { return nil }
    let now =
      directions.count >= Self.minimumStepCount
      ? Self.follow(belief, to: middle, direction: direction).filtered : Self.predict(belief, to: span.last)
    let correction = now.correction
    return (
      Correction(angle: correction.angle - origin, sigma: correction.sigma),
      now.ways >= Self.minimumSegmentCount && now.evidence > Self.evidence
    )
  }

  private var middle: Double { (span.first + span.last) / 2 }
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
    guard let before = belief else {
      let first = State(
        time: middle, x: (direction, 0), p: (Self.wayNoise * Self.wayNoise, 0, Self.drift * Self.drift))
      (belief, origin) = (first, direction)
      if keepsTrace { trace.append((first, first)) }
      return
    }
    let step = Self.follow(before, to: middle, direction: direction)
    belief = step.filtered
    if keepsTrace { trace.append(step) }
  }

  private static func predict(_ belief: State, to time: Double) -> State {
    var next = belief
    let (dt, p, walk) = (max(0, time - belief.time), belief.p, driftNoise * driftNoise)
    next.time = time
    next.x.angle += belief.x.rate * dt
    next.p = (
      aa: p.aa + 2 * dt * p.ar + dt * dt * p.rr + angleNoise * angleNoise * dt + walk * dt * dt * dt / 3,
      ar: p.ar + dt * p.rr + walk * dt * dt / 2, rr: p.rr + walk * dt
    )
    return next
  }

  /// Returns the state after another segment with a direction.
  private static func follow(_ belief: State, to time: Double, direction: Double)
    -> (predicted: State, filtered: State)
  {
    let predicted = predict(belief, to: time)
    var next = predicted
    let (x, p) = (predicted.x, predicted.p)
    let residual = (direction - x.angle).remainder(dividingBy: grid)
    let s = p.aa + wayNoise * wayNoise
    let likelihood = exp(-residual * residual / (2 * s)) / (2 * Double.pi * s).squareRoot()
    next.evidence += log((1 - stray) * likelihood * grid + stray)
    next.ways += 1
    if residual * residual < 9 * s {
      let gain = (angle: p.aa / s, rate: p.ar / s)
      next.x = (x.angle + gain.angle * residual, x.rate + gain.rate * residual)
      next.p = (p.aa - gain.angle * p.aa, p.ar - gain.angle * p.ar, p.rr - gain.rate * p.ar)
    }
    return (predicted, next)
  }

  // MARK: The whole recording

  /// Returns the correction of each step, or `nil` if the segments follow no grid or the trace was not kept.
  func corrections(of steps: [StepTracker.Step]) -> [Correction]? {
    var whole = self
    whole.close()
    guard whole.trace.count >= Self.minimumSegmentCount, let last = whole.belief, last.evidence > Self.evidence else {
      return nil
    }
    return Self.spread(Self.smoothed(whole.trace), at: whole.trace.map(\.filtered.time), to: steps)
  }

  /// Returns the corrections by the Rauch-Tung-Striebel backward pass with two states.
  private static func smoothed(_ trace: [(predicted: State, filtered: State)]) -> [Correction] {
    var next = trace[trace.count - 1].filtered
    var result = [next.correction]
    for index in (0..<trace.count - 1).reversed() {
      let (own, later) = (trace[index].filtered, trace[index + 1].predicted)
      let dt = later.time - own.time
      // C = P Fᵀ P'⁻¹.
      let f = Matrix3(
        rows: Vector3(own.p.aa + dt * own.p.ar, own.p.ar, 0), Vector3(own.p.ar + dt * own.p.rr, own.p.rr, 0), .unitZ)
      let ahead = Matrix3(rows: Vector3(later.p.aa, later.p.ar, 0), Vector3(later.p.ar, later.p.rr, 0), .unitZ)
      guard let inverse = ahead.inverse else { continue }
      let c = f * inverse
      let change = c * Vector3(next.x.angle - later.x.angle, next.x.rate - later.x.rate, 0)
      let less = Matrix3(
        rows: Vector3(next.p.aa - later.p.aa, next.p.ar - later.p.ar, 0),
        Vector3(next.p.ar - later.p.ar, next.p.rr - later.p.rr, 0), .zero)
      let spread = c * less * c.transpose
      next = own
      next.x = (own.x.angle + change.x, own.x.rate + change.y)
      next.p = (own.p.aa + spread.m11, own.p.ar + spread.m12, own.p.rr + spread.m22)
      result.append(next.correction)
    }
    return result.reversed()
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
