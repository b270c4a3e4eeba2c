import Foundation
import Inertial
import InertialNumerics

/// A custom Kalman filter: heading and turn rate from a compass alone, by the constant-turn model
///
///     ψ' = ω,  ω' = w
///
/// with white noise w. A compass reading is the heading plus an error. A gate rejects outliers.
struct CompassTracker {
  /// The spectral density of w, in rad²/s³. Larger values follow turns faster and smooth less.
  var turnDensity = 0.2
  /// The standard deviation of a compass reading, in radians.
  var compassSigma = 0.05
  /// The 99.99 % quantile of χ² with one degree of freedom, the limit for valid readings.
  var gate = 15.1
  var core = KalmanCore.fixed

  /// The heading ψ, in radians counter-clockwise from north, and the turn rate ω, in rad/s.
  private(set) var mean = FixedVector<2>()
  private(set) var covariance = FixedMatrix<2, 2>(diagonal: FixedVector([10, 1]))
  /// The input of the smoother.
  private(set) var steps: [FixedRauchTungStriebelSmoother<2>.Step] = []
  private var time: Double?

  var heading: Double { mean[0] }

  /// Adds a compass reading, in radians, at a time, in seconds. Returns `false` if the gate rejects it.
  @discardableResult
  mutating func update(compass: Double, at newTime: Double) throws -> Bool {
    let transition = predict(to: newTime)
    let (predictedMean, predictedCovariance) = (mean, covariance)
    // The shorter direction: 359° and 1° differ by 2°.
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

  /// Propagates mean and covariance to a time and returns F.
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

  /// Returns the headings estimated from all readings, including later ones.
  func smoothedHeadings() throws -> [Double] {
    try FixedRauchTungStriebelSmoother.smooth(steps, on: core).map { $0.mean[0] }
  }
}
