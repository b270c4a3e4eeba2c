internal import InertialNumerics
internal import InertialSystem

/// Corrects a drifting direction by the ways of buildings and towns, which mostly are straight and meet at right angles.
///
/// Borenstein and Ojeda, "Heuristic drift elimination for personnel tracking systems", J. Navigation 63 (2010), with a
/// decision on top: the angle between the ways and the grid is followed from way to way with its drift, and the hypothesis
/// is used only where the ways are 20 times as likely by it as by chance. Where people walk as they like, nothing is changed.
struct StraightWays: Sendable {
  /// What the direction is off by at a step, rad, and how well that is known.
  struct Correction: Sendable, Equatable {
    var angle: Double
    var sigma: Double
  }

  /// Fewest steps of a way, and how far a step of it is off its middle, rad.
  private static let fewestSteps = 8
  private static let width = 0.2
  /// Steps that the middle is of, and most steps of a way: a longer one is several.
  private static let recent = 40
  private static let mostSteps = 200
  private static let grid = Double.pi / 2
  /// Noise of a way's direction, rad; drift at the start, rad/s; its random walk, rad/s/√s; random walk of the angle, rad/√s.
  private static let wayNoise = 0.07
  private static let drift = 0.005
  private static let driftNoise = 3.5e-4
  private static let angleNoise = 0.005
  /// Logarithm of how much likelier the ways must be by the grid than by chance: 20.
  private static let evidence = 3.0
  /// Fewest ways that can be evidence.
  private static let fewestWays = 3
  /// How many ways are no part of the grid.
  private static let stray = 0.1

  /// The angle of the grid to the ways and its drift, with their covariance, and what the ways so far say for the grid.
  private struct Belief: Sendable {
    var time: Double
    var x: (angle: Double, rate: Double)
    var p: (aa: Double, ar: Double, rr: Double)
    var evidence = 0.0
    var ways = 1

    var correction: Correction { Correction(angle: x.angle, sigma: p.aa.standardDeviation) }
  }

  private var belief: Belief?
  /// The direction that the path begins with.
  private var origin = 0.0
  /// The steps of the way that is being walked.
  private var directions: [Double] = []
  private var span = (first: 0.0, last: 0.0)
  /// For the backward pass: each way's belief before and after it.
  private var trace: [(predicted: Belief, filtered: Belief)] = []
  private let keepsTrace: Bool

  init(keepsTrace: Bool = false) { self.keepsTrace = keepsTrace }

  /// Takes the next step.
  ///
  /// - Returns: whether it is the first of another way.
  mutating func add(_ step: StepTracker.Step) -> Bool {
    let isOther = !directions.isEmpty && !goesOn(step.direction)
    if isOther { close() }
    if directions.isEmpty { span.first = step.time }
    directions.append(step.direction)
    span.last = step.time
    return isOther
  }

  /// What the direction is off by now, by the ways so far, and whether they show a grid; nil before the first way.
  var latest: (correction: Correction, isBelieved: Bool)? {
    guard let belief else { return nil }
    let now =
      directions.count >= Self.fewestSteps
      ? Self.follow(belief, to: middle, direction: direction).filtered : Self.predict(belief, to: span.last)
    let correction = now.correction
    return (
      Correction(angle: correction.angle - origin, sigma: correction.sigma),
      now.ways >= Self.fewestWays && now.evidence > Self.evidence
    )
  }

  private var middle: Double { (span.first + span.last) / 2 }
  private var direction: Double { directions.sorted()[directions.count / 2] }

  private func goesOn(_ direction: Double) -> Bool {
    guard directions.count < Self.mostSteps else { return false }
    let latest = (directions.suffix(Self.recent) + [direction]).sorted()
    return abs(direction - latest[latest.count / 2]) < Self.width
  }

  /// Ends a way.
  private mutating func close() {
    defer { directions = [] }
    guard directions.count >= Self.fewestSteps else { return }
    guard let before = belief else {
      let first = Belief(
        time: middle, x: (direction, 0), p: (Self.wayNoise * Self.wayNoise, 0, Self.drift * Self.drift))
      (belief, origin) = (first, direction)
      if keepsTrace { trace.append((first, first)) }
      return
    }
    let step = Self.follow(before, to: middle, direction: direction)
    belief = step.filtered
    if keepsTrace { trace.append(step) }
  }

  private static func predict(_ belief: Belief, to time: Double) -> Belief {
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

  /// By a further way of a direction.
  private static func follow(_ belief: Belief, to time: Double, direction: Double)
    -> (predicted: Belief, filtered: Belief)
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

  // MARK: By the whole recording

  /// For each step; nil where the ways show no grid, or the trace was not kept.
  func corrections(of steps: [StepTracker.Step]) -> [Correction]? {
    var whole = self
    whole.close()
    guard whole.trace.count >= Self.fewestWays, let last = whole.belief, last.evidence > Self.evidence else {
      return nil
    }
    return Self.spread(Self.smoothed(whole.trace), at: whole.trace.map(\.filtered.time), to: steps)
  }

  /// Rauch, Tung and Striebel's backward pass over two states.
  private static func smoothed(_ trace: [(predicted: Belief, filtered: Belief)]) -> [Correction] {
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

  /// By time between the ways; the first way's direction is what the path begins with.
  private static func spread(
    _ corrections: [Correction], at times: [Double], to steps: [StepTracker.Step]
  ) -> [Correction] {
    let origin = corrections[0].angle
    var index = 0
    return steps.map { step in
      while index + 1 < times.count, times[index + 1] < step.time { index += 1 }
      let (a, b) = (corrections[index], corrections[min(index + 1, times.count - 1)])
      let span = times[min(index + 1, times.count - 1)] - times[index]
      let share = span > 0 ? min(max((step.time - times[index]) / span, 0), 1) : 0
      return Correction(
        angle: a.angle + share * (b.angle - a.angle) - origin, sigma: a.sigma + share * (b.sigma - a.sigma))
    }
  }
}
