internal import InertialNumerics
internal import InertialSystem

/// A path of steps, of strides or without any, corrected by position fixes.
///
/// The path's displacements are rotated and scaled into east and north by two numbers estimated from the fixes, so that
/// neither north nor the step length has to be known. A decaying velocity covers motion that the path lacks. Three
/// filters differ by the size of that velocity: errors of steps, a person without detected steps, a ride. The fixes
/// select between them (a bank of filters: Magill 1965), so a path without steps follows the fixes alone.
package struct FixedPath: Sendable, Codable {
  /// The standard deviations of the additional velocity, in m/s: a walker with steps, one without, a ride.
  private static let velocities = [0.15, 1.5, 15]
  /// The time constant of the fixes' likelihood in a causal path, in seconds.
  private static let memory = 60.0
  /// The interval between predictions, in seconds.
  private static let step = 0.5

  private let keepsTrace: Bool
  private var filters: [FixedPathFilter] = []
  /// The estimates of the path at which the filters' epochs end.
  private var knots: [TrackEstimate] = []
  private var knot: TrackEstimate?
  private var latest: TrackEstimate?
  private var lastFix: PositionFix?

  package init() { self.init(keepsTrace: false) }

  private init(keepsTrace: Bool) { self.keepsTrace = keepsTrace }

  /// Whether there was a fix, so that positions are known.
  package var isKnown: Bool { !filters.isEmpty }

  /// Returns the path corrected by all fixes, with axes north, west and up from the origin of the fixes.
  ///
  /// - Parameter fixes: The fixes in chronological order, at least one.
  package static func joined(_ path: [TrackEstimate], with fixes: [PositionFix]) -> [TrackEstimate] {
    var joined = FixedPath(keepsTrace: true)
    guard let first = path.first, let fix = fixes.first else { return path }
    joined.latest = first
    joined.begin(fix)
    var next = 0
    for estimate in path {
      while next < fixes.count, fixes[next].time <= estimate.time {
        joined.update(fixes[next])
        next += 1
      }
      _ = joined.update(estimate)
    }
    return joined.smoothed(path)
  }

  /// Adds a fix. Fixes are in chronological order, and each precedes the first later estimate.
  package mutating func update(_ fix: PositionFix) {
    guard let latest else { return }
    defer { lastFix = fix }
    if filters.isEmpty {
      begin(fix)
    } else if latest.time > knot!.time {
      advance(to: latest)
    }
    let since = lastFix.map { fix.time - $0.time } ?? .infinity
    let repeats = PositionFix.repeats(every: max(since, 0.1))
    for index in filters.indices {
      if !keepsTrace, since.isFinite { filters[index].evidence *= exp(-max(since, 0) / Self.memory) }
      filters[index].take(fix, repeats: repeats, velocity: latest.velocity)
    }
  }

  private mutating func begin(_ fix: PositionFix) {
    guard let latest else { return }
    // Before the first fix, the device may have been anywhere nearby.
    let sigma = max(fix.positionSigma.x, fix.positionSigma.y)
    let far = 10 + Self.velocities[1] * max(0, fix.time - latest.time) + 3 * sigma
    filters = Self.velocities.map { FixedPathFilter(fix, within: far, sigma: $0, keepsTrace: keepsTrace) }
    knot = latest
    if keepsTrace { knots = [latest] }
  }

  /// Adds the next estimate of the path and returns it corrected by the fixes, or unchanged before the first fix.
  package mutating func update(_ estimate: TrackEstimate) -> TrackEstimate {
    latest = estimate
    guard let knot else { return estimate }
    if estimate.time - knot.time >= Self.step { advance(to: estimate) }
    let best = filters.max { $0.evidence < $1.evidence }!
    return levelled(Self.estimate(estimate, since: self.knot!, best.state) { best.kalman[$0, $1] })
  }

  private mutating func advance(to estimate: TrackEstimate) {
    let (way, dt) = (estimate.position - knot!.position, max(estimate.time - knot!.time, 0))
    for index in filters.indices { filters[index].predict(way, over: dt) }
    knot = estimate
    if keepsTrace { knots.append(estimate) }
  }

  private static func estimate(
    _ own: TrackEstimate, since knot: TrackEstimate, _ x: ErrorValues, _ covariance: (Int, Int) -> Double
  ) -> TrackEstimate {
    let (way, dt) = (own.position - knot.position, own.time - knot.time)
    func turned(_ v: Vector3) -> (east: Double, north: Double) {
      (x[2] * v.x - x[3] * v.y, x[3] * v.x + x[2] * v.y)
    }
    func variance(_ place: Int) -> Double {
      covariance(place, place) + 2 * dt * covariance(place, place + 4) + dt * dt * covariance(place + 4, place + 4)
        + (way.x * way.x + way.y * way.y) * covariance(2, 2)
    }
    func speedVariance(_ place: Int) -> Double {
      let v = own.velocity
      return covariance(place, place) + (v.x * v.x + v.y * v.y) * covariance(2, 2)
    }
    let (moved, velocity) = (turned(way), turned(own.velocity))
    var result = own
    result.position.x = x[1] + moved.north + dt * x[5]
    result.position.y = -(x[0] + moved.east + dt * x[4])
    result.velocity.x = velocity.north + x[5]
    result.velocity.y = -(velocity.east + x[4])
    (result.positionSigma.x, result.positionSigma.y) = (variance(1).standardDeviation, variance(0).standardDeviation)
    (result.velocitySigma.x, result.velocitySigma.y) = (
      speedVariance(5).standardDeviation, speedVariance(4).standardDeviation
    )
    return result
  }

  private func smoothed(_ path: [TrackEstimate]) -> [TrackEstimate] {
    guard let best = filters.max(by: { $0.evidence < $1.evidence }), let trace = best.kalman.trace else { return path }
    var adjoint = ErrorAdjoint(trace.layout)
    var (epoch, result) = (trace.count - 1, [TrackEstimate]())
    var knot = knots.count - 1
    for estimate in path.reversed() {
      while knot > 0, knots[knot].time > estimate.time { knot -= 1 }
      while epoch > best.ends[knot].epoch {
        adjoint.cross(trace, epoch)
        epoch -= 1
      }
      var state = best.ends[knot].state
      for index in 0..<best.kalman.count { state[index] += adjoint.error(index, trace, epoch) }
      result.append(
        levelled(
          Self.estimate(estimate, since: knots[knot], state) { adjoint.covariance($0, $1, trace, epoch) }))
    }
    return result.reversed()
  }

  /// Returns the estimate with the last fix's height, if the path has no height.
  private func levelled(_ estimate: TrackEstimate) -> TrackEstimate {
    guard let lastFix, estimate.positionSigma.z == .infinity else { return estimate }
    var estimate = estimate
    (estimate.position.z, estimate.positionSigma.z) = (lastFix.position.z, lastFix.positionSigma.z)
    return estimate
  }
}

extension TrackEstimate {
  /// Creates an estimate with unknown position and velocity.
  package init(unknownAt time: Double) {
    let none = Vector3(repeating: .infinity)
    self.init(time: time, position: .zero, velocity: .zero, positionSigma: none, velocitySigma: none)
  }
}
