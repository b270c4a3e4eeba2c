internal import InertialNumerics

/// The zero velocity of a foot on the ground, 0 = v + n: equation (9) of docs/theory/error-state.md with the velocity as
/// the only error.
extension FootTracker {
  /// The normalised innovation squared (three components) above which a zero velocity has less weight: 0.1 %. Beyond
  /// this gate the foot is more likely to move than the model says, but a diverged velocity must converge again.
  private static let gate = 16.0

  /// Takes the zero velocity of an epoch.
  ///
  /// The noise n is the speed of a foot that rotates about a point some centimetres away, or accelerates from rest: its
  /// variance is σ² = σ₀² + (l ω)² + (t a)², multiplied by 1 + σ²/σ_lift² for a foot that is more likely in the air.
  ///
  /// - Parameter repeats: The number of epochs over which the velocity error of a standing foot persists; the noise of
  ///   each is larger by this factor, because correlated errors do not average out.
  /// - Returns: σ² in m²/s², without the factor for repetition: small for a stance.
  mutating func takeZeroVelocity(repeats: Double) -> Double {
    let still = parameters.stillSpeed * parameters.stillSpeed
    let rotating = parameters.lever * parameters.lever * epoch.turning
    let accelerating = parameters.settling * parameters.settling * epoch.shaking
    var square = still + rotating + accelerating
    square *= 1 + square / (parameters.liftSpeed * parameters.liftSpeed)
    var measurement = ErrorMeasurement(
      .velocity, residual: -navigator!.state.velocity, variance: Vector3(repeating: square * repeats))
    measurement.gate = .weaken(above: Self.gate)
    navigator!.take(measurement)
    return square
  }
}
