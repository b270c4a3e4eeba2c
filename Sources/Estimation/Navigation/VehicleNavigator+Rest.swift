internal import InertialNumerics

/// The rest of a vehicle: 0 = v + n and ω = b_g + n, equation (9) of docs/theory/error-state.md.
extension VehicleNavigator {
  /// The standard deviation of a standing vehicle's velocity, in m/s, and of its rotation rate, in rad/s.
  private static let speed = 0.02
  private static let rate = 0.002
  /// The duration for which the errors of a rest count as constant, in seconds.
  private static let correlation = 1.0

  /// Takes the zero velocity, and the mean rate as the gyroscope's bias, if the device rests.
  ///
  /// The velocity has a gate; beyond it, the vehicle may move steadily, and the velocity has less weight. Half of the
  /// bias uncertainty may equally be a slow rotation, so a quarter of its variance adds to the noise of the rate.
  ///
  /// - Parameter duration: The duration of the epoch, in seconds.
  mutating func takeRest(over duration: Double) {
    guard let mean = rest.mean else { return }
    let repeats = max(1, Self.correlation / duration)
    var velocity = ErrorMeasurement(
      .velocity, residual: -navigator.state.velocity,
      variance: Vector3(repeating: Self.speed * Self.speed * repeats))
    velocity.gate = .weaken(above: Self.gates.three)
    navigator.take(velocity)
    navigator.take(
      ErrorMeasurement(
        .gyroscopeBias, residual: mean - navigator.state.gyroscopeBias,
        variance: Vector3(repeating: (Self.rate * Self.rate + unknownBias / 4) * repeats)))
  }
}
