internal import InertialNumerics
internal import InertialSystem

/// A path of steps, of strides or without any, corrected by position fixes.
///
/// The path's displacements are rotated and scaled into east and north by two numbers estimated from the fixes, so that
/// neither north nor the step length has to be known. A decaying velocity covers motion that the path lacks. Three
/// filters differ by the size of that velocity: errors of steps, a person without detected steps, a ride. The fixes
/// select between them (a bank of filters: Magill 1965), so a path without steps follows the fixes alone.
package struct FixedPath: Sendable {
  fileprivate typealias Smoother = FixedRauchTungStriebelSmoother<6>

  /// The state: east and north in metres; the numbers a and b that transform a displacement (x, y) into a (x, y) + b
  /// (-y, x); and the additional velocity, east and north, in m/s.
  fileprivate struct Filter: Sendable {
    let sigma: Double
    var x = FixedVector<6>()
    var p = FixedMatrix<6, 6>()
    /// The logarithm of the likelihood of the fixes.
    var evidence = 0.0
    var trace: [Smoother.Step] = []
  }

  /// The standard deviations of the additional velocity, in m/s: a walker with steps, one without, a ride.
  private static let velocities = [0.15, 1.5, 15]
  /// The time constant of the additional velocity, in seconds.
  fileprivate static let fading = 10.0
  /// The duration for which a fix's error persists, in seconds: more frequent fixes together count as one.
  private static let correlation = 10.0
  /// The time constant of the fixes' likelihood in a causal path, in seconds.
  private static let memory = 60.0
  /// The interval between predictions, in seconds.
  private static let step = 0.5

  private let keepsTrace: Bool
  private var filters: [Filter] = []
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
    guard let first = path.first, var fix = fixes.first else { return path }
    // Before the first fix, the device may have been anywhere nearby.
    let far = 10 + velocities[1] * max(0, fix.time - first.time)
    fix.positionSigma = Vector3(far, far, fix.positionSigma.z)
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
    guard !filters.isEmpty else { return begin(fix) }
    if latest.time > knot!.time { advance(to: latest) }
    let since = lastFix.map { fix.time - $0.time } ?? .infinity
    let fraction = max(1, Self.correlation / max(since, 0.1))
    for index in filters.indices {
      if !keepsTrace, since.isFinite { filters[index].evidence *= exp(-max(since, 0) / Self.memory) }
      filters[index].fuse(fix, fraction: fraction, velocity: latest.velocity)
    }
  }

  private mutating func begin(_ fix: PositionFix) {
    filters = Self.velocities.map { Filter(fix, sigma: $0) }
    guard let latest else { return }
    knot = latest
    guard keepsTrace else { return }
    knots = [latest]
    for index in filters.indices { filters[index].note(FixedMatrix { $0 == $1 ? 1 : 0 }) }
  }

  /// Adds the next estimate of the path and returns it corrected by the fixes, or unchanged before the first fix.
  package mutating func update(_ estimate: TrackEstimate) -> TrackEstimate {
    latest = estimate
    guard let knot else { return estimate }
    if estimate.time - knot.time >= Self.step { advance(to: estimate) }
    let best = filters.max { $0.evidence < $1.evidence }!
    return levelled(Self.estimate(estimate, since: self.knot!, best.x, best.p))
  }

  private mutating func advance(to estimate: TrackEstimate) {
    let (way, dt) = (estimate.position - knot!.position, max(estimate.time - knot!.time, 0))
    for index in filters.indices { filters[index].predict(way, over: dt, keepsTrace: keepsTrace) }
    knot = estimate
    if keepsTrace { knots.append(estimate) }
  }

  private static func estimate(
    _ own: TrackEstimate, since knot: TrackEstimate, _ x: FixedVector<6>, _ p: FixedMatrix<6, 6>
  ) -> TrackEstimate {
    let (way, dt) = (own.position - knot.position, own.time - knot.time)
    func turned(_ v: Vector3) -> (east: Double, north: Double) {
      (x[2] * v.x - x[3] * v.y, x[3] * v.x + x[2] * v.y)
    }
    func variance(_ place: Int) -> Double {
      p[place, place] + 2 * dt * p[place, place + 4] + dt * dt * p[place + 4, place + 4]
        + (way.x * way.x + way.y * way.y) * p[2, 2]
    }
    func speedVariance(_ place: Int) -> Double {
      let v = own.velocity
      return p[place, place] + (v.x * v.x + v.y * v.y) * p[2, 2]
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
    guard let best = filters.max(by: { $0.evidence < $1.evidence }),
      let smooth = try? Smoother.smooth(best.trace, on: .fixed)
    else { return path }
    var index = 0
    return path.map { estimate in
      while index + 1 < knots.count, knots[index + 1].time <= estimate.time { index += 1 }
      return levelled(Self.estimate(estimate, since: knots[index], smooth[index].mean, smooth[index].covariance))
    }
  }

  /// Returns the estimate with the last fix's height, if the path has no height.
  private func levelled(_ estimate: TrackEstimate) -> TrackEstimate {
    guard let lastFix, estimate.positionSigma.z == .infinity else { return estimate }
    var estimate = estimate
    (estimate.position.z, estimate.positionSigma.z) = (lastFix.position.z, lastFix.positionSigma.z)
    return estimate
  }
}

extension FixedPath.Filter {
  /// The standard deviation of each of the two numbers that rotate and scale a path of unknown direction.
  private static let anySigma = 0.75

  init(_ fix: PositionFix, sigma: Double) {
    self.sigma = sigma
    (x[0], x[1]) = (fix.position.x, fix.position.y)
    let s = fix.positionSigma
    let sigmas = [s.x, s.y, Self.anySigma, Self.anySigma, sigma, sigma]
    p = FixedMatrix { $0 == $1 ? sigmas[$0] * sigmas[$0] : 0 }
  }

  /// - Parameter way: The path's displacement, in metres.
  mutating func predict(_ way: Vector3, over dt: Double, keepsTrace: Bool) {
    let left = exp(-dt / FixedPath.fading)
    var transition = FixedMatrix<6, 6> { $0 == $1 ? 1 : 0 }
    (transition[0, 2], transition[0, 3]) = (way.x, -way.y)
    (transition[1, 2], transition[1, 3]) = (way.y, way.x)
    (transition[0, 4], transition[1, 5]) = (dt, dt)
    (transition[4, 4], transition[5, 5]) = (left, left)
    // The process noise is at least 1 cm/√s for positions and 0.001/√s for the two numbers.
    let noise = [1e-4 * dt, 1e-4 * dt, 1e-6 * dt, 1e-6 * dt, 0, 0]
    let fresh = sigma * sigma * (1 - left * left)
    let (before, mean) = (p, x)
    x = transition * mean
    p = before
    FixedKalman.predict(
      &p, transition: transition,
      processNoise: FixedMatrix { $0 == $1 ? noise[$0] + ($0 > 3 ? fresh : 0) : 0 }, on: .fixed)
    if keepsTrace { note(transition) }
  }

  /// Starts a step of the trace with the prediction.
  mutating func note(_ transition: FixedMatrix<6, 6>) {
    trace.append(
      .init(transition: transition, predictedMean: x, predictedCovariance: p, filteredMean: x, filteredCovariance: p))
  }

  mutating func fuse(_ fix: PositionFix, fraction: Double, velocity: Vector3) {
    for place in 0..<2 {
      let (position, sigma) = (fix.position[place], fix.positionSigma[place])
      var h = FixedVector<6>()
      h[place] = 1
      fuse(position, h, variance: sigma * sigma * fraction)
      guard let speed = fix.velocity else { continue }
      h[place] = 0
      (h[2], h[3]) = place == 0 ? (velocity.x, -velocity.y) : (velocity.y, velocity.x)
      h[4 + place] = 1
      fuse(speed[place], h, variance: fix.velocitySigma * fix.velocitySigma)
    }
    guard !trace.isEmpty else { return }
    (trace[trace.count - 1].filteredMean, trace[trace.count - 1].filteredCovariance) = (x, p)
  }

  private mutating func fuse(_ value: Double, _ h: FixedVector<6>, variance: Double) {
    let innovation = value - h.dot(x)
    guard
      let update = try? FixedKalman.update(&p, innovation: innovation, observation: h, variance: variance, on: .fixed)
    else { return }
    x = x + update.correction
    evidence -= 0.5 * (update.normalizedInnovationSquared + log(update.innovationCovariance[0, 0]))
  }
}

extension TrackEstimate {
  /// Creates an estimate with unknown position and velocity.
  package init(unknownAt time: Double) {
    let none = Vector3(repeating: .infinity)
    self.init(time: time, position: .zero, velocity: .zero, positionSigma: none, velocitySigma: none)
  }
}
