package import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// An extended Kalman filter with seven states: the quaternion itself and the gyroscope's bias.
///
/// After Sabatini, "Quaternion-based extended Kalman filter for determining orientation by inertial and magnetic
/// sensing", IEEE Transactions on Biomedical Engineering 53 (2006): measured vectors in device axes, with a noise that
/// adapts to their deviation. The four components are corrected by addition, and the norm is then restored to 1.
///
/// The 7 by 7 covariance is singular along the quaternion, as Lefferts, Markley and Shuster show to be necessary
/// ("Kalman filtering for spacecraft attitude estimation", J. Guidance 5 (1982), section VIII): it is G P Gᵀ with G =
/// diag(½ Ξ, I) and the covariance P of the six errors, with which the filter works. The orthonormal columns of Ξ
/// rotate with the quaternion, so P stays the same when the quaternion is corrected.
package struct QuaternionEKF: EpochAlgorithm {
  package static let name = "ekf"
  package static let summary =
    "extended Kalman filter with the quaternion and the gyroscope bias as its states, covariance"
  package static let source = "Sabatini 2006; Lefferts, Markley and Shuster 1982"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  package func fuse(_ state: inout EpochState, force: Vector3, variance: Double) -> MeasurementOutcome {
    fuse(&state, .gravity, force, reference: .unitZ, variance: variance)
  }

  package func fuse(
    _ state: inout EpochState, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    fuse(&state, .magneticField, field, reference: reference, variance: variance)
  }

  /// Fuses h(q) = R(q)ᵀ r, whose derivative on the sphere of unit quaternions is R̂ᵀ [r]× by θ: equation (9).
  private func fuse(
    _ state: inout EpochState, _ kind: MeasurementKind, _ measured: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let deviceFromEarth = state.earthFromDevice.matrix.transpose
    let residual = measured - state.earthFromDevice.rotateInverse(reference)
    let slope = deviceFromEarth * Matrix3(skew: reference)
    return take(kind, .vector(residual, slope: slope, variance: variance), in: &state)
  }

  /// Adds ½ Ξ θ = ½ (θ, 0) ⊗ q̂ to the quaternion and normalises it: equation (15).
  package static func correct(_ state: inout EpochState, by correction: ErrorValues) {
    let half = 0.5 * correction[EpochErrors.attitude]
    state.turn(by: Quaternion(x: half.x, y: half.y, z: half.z, w: 1))
    state.gyroscopeBias += correction[EpochErrors.bias]
  }
}
