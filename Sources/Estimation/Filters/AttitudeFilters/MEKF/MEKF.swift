package import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A multiplicative error-state Kalman filter: attitude and gyroscope bias, six states, with a covariance.
///
/// The attitude is a unit quaternion and its error a small rotation (Lefferts, Markley and Shuster, "Kalman filtering
/// for spacecraft attitude estimation", J. Guidance 5 (1982); Markley, "Attitude error representations for Kalman
/// filtering", J. Guidance 26 (2003)), here in the EARTH frame: q_true = exp(θ) ⊗ q, so that heading is exactly one
/// error component and the field can be kept from moving gravity.
package struct MEKF: EpochAlgorithm {
  package typealias State = ErrorState

  package static let name = "mekf"
  package static let summary = "multiplicative error-state Kalman filter: attitude, gyroscope bias, covariance"
  package static let source = "Lefferts, Markley and Shuster 1982; Markley 2003"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .separatesHeading, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  // MARK: Prediction

  /// Propagates P ← F P Fᵀ + Q over the epoch: θ' = θ − (∫R dt) δb, the bias is unchanged.
  package func predict(_ state: inout State, over step: EpochStep) {
    let turned = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    let rotationIntegral = step.duration * (turned.matrix * step.meanRotation)
    let transition = FixedMatrix<6, 6> { row, column in
      row < 3 && column >= 3 ? -rotationIntegral[row, column - 3] : (row == column ? 1 : 0)
    }
    FixedKalman.predict(
      &state.covariance, transition: transition, processNoise: step.processNoise, on: parameters.core)
    state.earthFromDevice = turned
  }

  // MARK: Measurements
  // MEKF and EqF fuse the force and the azimuth in the same way: see CorrectedState.

  /// Fuses a field m whose direction and strength in earth axes are r: R m = r − θ × r.
  package func fuse(
    _ state: inout State, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let slope = Matrix3(skew: reference)
    let observation = FixedMatrix<3, 6> { row, column in column < 3 ? slope[row, column] : 0 }
    return state.fuse(
      .magneticField, innovation: FixedVector<3>(state.earthFromDevice.rotate(field) - reference),
      observation: observation, variance: variance, on: parameters.core)
  }

  package func fuse(
    _ state: inout State, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    state.fuse(
      .restRate, innovation: FixedVector<3>(restRate - state.gyroscopeBias), observation: State.biasRows,
      variance: variance, gate: gate, on: parameters.core)
  }
}

extension ErrorState: CorrectedState {
  /// Applies a correction: a rotation vector for the attitude, in rad, and the bias.
  package mutating func apply(_ correction: FixedVector<6>) {
    turn(by: Quaternion(rotationVector: correctBias(correction)))
  }
}
