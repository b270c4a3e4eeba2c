internal import InertialNumerics
internal import InertialSystem

extension MotionPriorKalman {
  /// T_f and T_S, the times in which the measurements gain the weight of the prior of the accelerometer bias and of the
  /// gyroscope's scale, and the interval between measurements, in seconds.
  private static let constantErrors = (forceBias: 30.0, scale: 3000.0, interval: 5.0)

  /// Measures the accelerometer bias and the gyroscope's scale as 0 with the noise of their priors: equations (25) and
  /// (26) of docs/theory/flagship.md.
  ///
  /// The motion prior treats the errors of a gait as white, and they are not: in hours of walk, the estimates of constant
  /// errors would follow them to many times their standard deviations.
  mutating func takeConstantErrors(after duration: Double) {
    state.sinceConstantErrors += duration
    let elapsed = state.sinceConstantErrors
    guard elapsed >= Self.constantErrors.interval else { return }
    state.sinceConstantErrors = 0
    func take(_ block: ErrorLayout.Block, _ value: Vector3, variance: Double) {
      state.kalman.take(
        ErrorMeasurement(block, residual: -1 * value, variance: Vector3(repeating: variance)))
    }
    let bias = MotionErrors.accelerometerBias
    let timesTaken = elapsed / Self.constantErrors.forceBias
    if let change = considerForceBiasPrior() {
      take(bias, state.accelerometerBias, variance: 1 / change)
    }
    if let information = state.forceBiasPrior?.information {
      take(bias, state.accelerometerBias, variance: 1 / (information * timesTaken))
      state.forceBiasPriorCount += timesTaken
    }
    updateHiddenForceBias()
    guard coefficients.scale > 0 else { return }
    for axis in 0..<3 {
      take(
        MotionErrors.scale[3 * axis..<3 * axis + 3], state.gyroscopeScale.column(axis),
        variance: coefficients.scale * Self.constantErrors.scale / elapsed)
    }
  }

  /// Updates the covariance of the accelerometer bias that the repeated measurements hide: with P⁻¹ = J + n λ, the
  /// information J of the motion and that of a typical device's bias, λ_d, leave (J + λ_d)⁻¹. Equation (28) of
  /// docs/theory/flagship.md.
  private mutating func updateHiddenForceBias() {
    guard let prior = state.forceBiasPrior else { return }
    let covariance = state.kalman[MotionErrors.accelerometerBias, MotionErrors.accelerometerBias]
    let typical = exp(prior.typicalLogPrecision)
    let removed = state.forceBiasPriorCount * prior.information - typical
    guard let information = covariance.inverse,
      let open = (information + Matrix3(diagonal: Vector3(repeating: -removed))).inverse
    else { return }
    let hidden = open + -1 * covariance
    // Rounding can leave less information than that of the device.
    let isPossible = (0..<3).allSatisfy { hidden[$0, $0] >= 0 && open[$0, $0] <= 1.001 / typical }
    if isPossible { state.hiddenForceBias = hidden }
  }

  /// Narrows or widens the prior of the accelerometer bias according to the measurements: equation (27) of
  /// docs/theory/flagship.md.
  ///
  /// - Returns: The information to add about each axis, or `nil` if the prior does not change.
  private mutating func considerForceBiasPrior() -> Double? {
    let n = state.forceBiasPriorCount
    let covariance = state.kalman[MotionErrors.accelerometerBias, MotionErrors.accelerometerBias]
    let change = state.forceBiasPrior?.change(
      bias: state.accelerometerBias, covariance: n * covariance, coefficients.forceBiasPrecisions)
    return change.map { n * $0 }
  }
}
