internal import InertialNumerics

/// The rate of a device at rest, ω = b_g + n: equation (9) of docs/theory/error-state.md with the gyroscope's bias as the
/// only error.
extension FootTracker {
  /// Takes the mean rate of an epoch as the gyroscope's bias, after the minimum duration of rest.
  ///
  /// A device rests if the rate is within `quietRate` and three standard deviations of the bias, and the force within
  /// `quietForce`. Half of the bias uncertainty may equally be a slow rotation of the foot, so a quarter of its variance
  /// adds to the noise. There is no gate: the test of rest is one.
  ///
  /// - Parameters:
  ///   - duration: The duration of the epoch, in seconds.
  ///   - repeats: The number of epochs over which the error persists.
  mutating func takeRestRate(over duration: Double, repeats: Double) {
    let known = navigator!.kalman.variances(.gyroscopeBias)
    let unknown = (known.x + known.y + known.z) / 3
    let largest = Self.quietRate + 3 * unknown.squareRoot()
    guard epoch.turning < largest * largest, epoch.shaking < Self.quietForce * Self.quietForce else {
      quietSince = nil
      return
    }
    let since = quietSince ?? navigator!.time - duration
    quietSince = since
    guard navigator!.time - since > parameters.restTime else { return }
    let variance = (parameters.restRate * parameters.restRate + unknown / 4) * repeats
    navigator!.take(
      ErrorMeasurement(
        .gyroscopeBias, residual: epoch.rate / epoch.count - navigator!.state.gyroscopeBias,
        variance: Vector3(repeating: variance)))
  }
}
