package import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// A multiplicative error-state Kalman filter: attitude and gyroscope bias, six states, with a covariance.
///
/// The attitude is a unit quaternion and its error a small rotation (Lefferts, Markley and Shuster, "Kalman filtering
/// for spacecraft attitude estimation", J. Guidance 5 (1982); Markley, "Attitude error representations for Kalman
/// filtering", J. Guidance 26 (2003)), here in the EARTH frame: q_true = exp(θ) ⊗ q, so that heading is exactly one
/// error component and the field can be kept from moving gravity.
package struct MEKF: EpochAlgorithm {
  package static let name = "mekf"
  package static let summary = "multiplicative error-state Kalman filter: attitude, gyroscope bias, covariance"
  package static let source = "Lefferts, Markley and Shuster 1982; Markley 2003"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .separatesHeading, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Fuses a field m whose direction and strength in earth axes are r: R̂ m = r + r × θ, equation (7).
  package func fuse(
    _ state: inout EpochState, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let residual = state.earthFromDevice.rotate(field) - reference
    return take(
      .magneticField, .vector(residual, slope: Matrix3(skew: reference), variance: variance), in: &state)
  }

  /// Applies a rotation vector to the attitude, and the bias: equation (13).
  package static func correct(_ state: inout EpochState, by correction: ErrorValues) {
    state.turn(by: Quaternion(rotationVector: correction[EpochErrors.attitude]))
    state.gyroscopeBias += correction[EpochErrors.bias]
  }
}
