package import InertialNumerics
package import InertialRotations

/// Attitude and gyroscope bias with the covariance of their errors: the state of a filter with six error components.
///
/// The attitude is a unit quaternion and its error a small rotation in the EARTH frame, q_true = exp(θ) ⊗ q, so that
/// heading is exactly one error component.
package struct ErrorState: EpochState {
  package internal(set) var earthFromDevice = Quaternion.identity
  /// The gyroscope bias, in rad/s, in device axes.
  package internal(set) var gyroscopeBias = Vector3.zero
  /// The 6 by 6 covariance: attitude error about the earth's X, Y, Z (rad²), then gyroscope bias in device axes
  /// (rad²/s²).
  package var covariance: FixedMatrix<6, 6>

  package init(errorCovariance: FixedMatrix<6, 6>) { covariance = errorCovariance }

  package var errorCovariance: FixedMatrix<6, 6> { covariance }
  package var attitudeCovariance: Matrix3 { Matrix3(blockOf: covariance, at: 0) }
  package var biasCovariance: Matrix3 { Matrix3(blockOf: covariance, at: 3) }

  package mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>) {
    earthFromDevice = attitude
    covariance = errorCovariance
  }

  mutating func turn(by rotation: Quaternion) {
    earthFromDevice = (rotation * earthFromDevice).normalized ?? earthFromDevice
  }

  /// Applies the bias part of a correction and returns the attitude part.
  mutating func correctBias(_ correction: FixedVector<6>) -> Vector3 {
    gyroscopeBias += Vector3(correction[3], correction[4], correction[5])
    return Vector3(correction[0], correction[1], correction[2])
  }
}

extension Matrix3 {
  /// Creates the 3 by 3 diagonal block of a covariance that begins at an index.
  init(blockOf covariance: FixedMatrix<6, 6>, at start: Int) {
    self.init(
      rows: Vector3(covariance[start, start], covariance[start, start + 1], covariance[start, start + 2]),
      Vector3(covariance[start + 1, start], covariance[start + 1, start + 1], covariance[start + 1, start + 2]),
      Vector3(covariance[start + 2, start], covariance[start + 2, start + 1], covariance[start + 2, start + 2]))
  }
}
