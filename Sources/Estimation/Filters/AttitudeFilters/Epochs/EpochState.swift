package import InertialNumerics
package import InertialRotations

/// The layout of the six errors: equation (1) of docs/theory/epoch-filters.md.
package enum EpochErrors {
  /// θ: a rotation vector in radians, earth axes, so that the heading is exactly one component.
  package static let attitude = ErrorLayout.Block(start: 0, count: 3)
  /// The gyroscope bias in rad/s, device axes.
  package static let bias = ErrorLayout.Block(start: 3, count: 3)

  static let layout: ErrorLayout = {
    var layout = ErrorLayout()
    for _ in 0..<2 { _ = layout.add() }
    return layout
  }()
}

/// Attitude and gyroscope bias with the covariance of their errors: the state of every epoch algorithm.
package struct EpochState: Sendable, Codable, Equatable, CovarianceReporting {
  /// The unit quaternion, device to earth.
  package var earthFromDevice = Quaternion.identity
  /// The gyroscope bias, in rad/s, in device axes.
  package var gyroscopeBias = Vector3.zero
  /// The covariance of the errors, with the blocks of `EpochErrors`.
  package var kalman = ErrorKalman(EpochErrors.layout)

  /// Creates an initial state from the variances of the attitude about the earth's axes, in rad², and of the bias, in
  /// rad²/s².
  package init(attitudeVariances: Vector3, biasVariance: Double) {
    kalman.isolate(EpochErrors.bias.indices, variance: biasVariance)
    restart(at: .identity, attitudeVariances: attitudeVariances)
  }

  /// Sets the attitude after the start-up, a gap, or the first field. The bias is kept, and its error is then
  /// uncorrelated with the attitude's.
  package mutating func restart(
    at attitude: Quaternion, attitudeVariances: Vector3, addedBiasVariance: Double = 0
  ) {
    earthFromDevice = attitude
    kalman.isolate(EpochErrors.attitude, covariance: Matrix3(diagonal: attitudeVariances))
    kalman.add(addedBiasVariance, to: EpochErrors.bias)
  }

  package var attitudeCovariance: Matrix3 { kalman[EpochErrors.attitude, EpochErrors.attitude] }
  package var biasCovariance: Matrix3 { kalman[EpochErrors.bias, EpochErrors.bias] }

  /// Propagates attitude and covariance over an epoch: equations (2) to (4); the bias is unchanged.
  mutating func predict(over step: EpochStep) {
    earthFromDevice = (earthFromDevice * step.turn).normalized ?? earthFromDevice
    var transition = ErrorTransition()
    transition.add(
      -step.duration * (earthFromDevice.matrix * step.meanRotation), of: EpochErrors.bias, to: EpochErrors.attitude)
    kalman.propagate(by: transition)
    addNoise(of: step)
  }

  /// Adds the process noise of an epoch, equal about all axes: equation (4).
  mutating func addNoise(of step: EpochStep) {
    kalman.add(step.attitudeVariance, to: EpochErrors.attitude)
    kalman.add(step.biasVariance, to: EpochErrors.bias)
  }

  /// Rotates the earth frame under the attitude.
  mutating func turn(by rotation: Quaternion) {
    earthFromDevice = (rotation * earthFromDevice).normalized ?? earthFromDevice
  }
}
