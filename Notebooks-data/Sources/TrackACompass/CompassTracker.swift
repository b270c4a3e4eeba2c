import Foundation
import Inertial
import InertialNumerics

/// A Kalman filter of one's own: heading and turn rate from a compass alone, by the constant-turn model
///
///     ψ' = ω,  ω' = w
///
/// with white noise w. A compass reading is the heading plus an error; one that is too far off to be noise is refused.
struct CompassTracker {
  /// Spectral density of the turn rate's changes w, rad²/s³: bigger follows a turn sooner and smooths less.
  var turnDensity = 0.2
  /// Standard deviation of a compass reading, rad.
  var compassSigma = 0.05
  /// χ² of one degree of freedom that 99.99 % of good readings stay below.
  var gate = 15.1
  var core = KalmanCore.fixed

  /// ψ, rad counter-clockwise from north, and ω, rad/s.
  private(set) var mean = FixedVector<2>()
  private(set) var covariance = FixedMatrix<2, 2>(diagonal: FixedVector([10, 1]))
  /// What the smoother needs.
  private(set) var steps: [FixedRauchTungStriebelSmoother<2>.Step] = []
  private var time: Double?

  var heading: Double { mean[0] }

  /// Takes a compass reading, rad, of a time, s; false where the gate has refused it.
  @discardableResult
  mutating func update(compass: Double, at newTime: Double) throws -> Bool {
    let transition = predict(to: newTime)
    let (predictedMean, predictedCovariance) = (mean, covariance)
    // The shorter way round: 359° and 1° are 2° apart.
    let innovation = remainder(compass - mean[0], 2 * .pi)
    let update = try FixedKalman.update(
      &covariance, innovation: innovation, observation: FixedVector([1, 0]), variance: compassSigma * compassSigma,
      gate: gate, on: core)
    mean = mean + update.correction
    steps.append(
      .init(
        transition: transition, predictedMean: predictedMean, predictedCovariance: predictedCovariance,
        filteredMean: mean, filteredCovariance: covariance))
    return update.isAccepted
  }

  /// Carries mean and covariance to a time; returns F.
  private mutating func predict(to newTime: Double) -> FixedMatrix<2, 2> {
    let dt = newTime - (time ?? newTime)
    time = newTime
    let transition = FixedMatrix<2, 2> { $0 == $1 ? 1 : ($0 < $1 ? dt : 0) }
    // ∫ g gᵀ dt with g = (dt, 1), times the density.
    let noise = FixedMatrix<2, 2> { turnDensity * pow(dt, Double(3 - $0 - $1)) / Double(3 - $0 - $1) }
    mean = transition * mean
    FixedKalman.predict(&covariance, transition: transition, processNoise: noise, on: core)
    return transition
  }

  /// The headings from all readings, those that came later included.
  func smoothedHeadings() throws -> [Double] {
    try FixedRauchTungStriebelSmoother.smooth(steps, on: core).map { $0.mean[0] }
  }
}
