package import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// An extended Kalman filter with seven states: the quaternion itself and the gyroscope's bias.
///
/// After Sabatini, "Quaternion-based extended Kalman filter for determining orientation by inertial and magnetic
/// sensing", IEEE Transactions on Biomedical Engineering 53 (2006): measured vectors with a noise that adapts to their
/// deviation. The four components are corrected by addition, and the norm is then restored to 1; this moves the
/// estimate only along the quaternion, so the covariance is projected onto the orthogonal directions. It is singular
/// along the quaternion, as Lefferts, Markley and Shuster show to be necessary ("Kalman filtering for spacecraft
/// attitude estimation", J. Guidance 5 (1982), section VIII).
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

  // MARK: Prediction

  /// Propagates q ← q ⊗ turn and P ← F P Fᵀ + Q; the bias is unchanged.
  package func predict(_ state: inout State, over step: EpochStep) {
    let turned = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    FixedKalman.predict(
      &state.covariance, transition: transition(step, to: turned), processNoise: processNoise(step, at: turned),
      on: parameters.core)
    state.earthFromDevice = turned
    state.projectCovariance()
  }

  /// Returns the transition δq' = δq ⊗ turn − ½ T q' ⊗ (J δb, 0), with J the step's mean rotation.
  private func transition(_ step: EpochStep, to turned: Quaternion) -> FixedMatrix<7, 7> {
    let turn = step.turn.rightMultiplier
    let biasMatrix = (-0.5 * step.duration) * step.meanRotation
    let (vector, scalar) = (turned.w * .identity + Matrix3(skew: turned.vector), -1 * turned.vector)
    let biasToVector = vector * biasMatrix
    let biasToScalar = biasMatrix.transpose * scalar
    return FixedMatrix { row, column in
      switch (row, column) {
      case (..<4, ..<4): turn[row, column]
      case (..<3, _): biasToVector[row, column - 4]
      case (3, _): biasToScalar[column - 4]
      default: row == column ? 1 : 0
      }
    }
  }

  /// Returns the process noise, ¼ σ² (I − q qᵀ) for the quaternion: an isotropic rotation, independent of the axes.
  private func processNoise(_ step: EpochStep, at q: Quaternion) -> FixedMatrix<7, 7> {
    let quarter = 0.25 * step.attitudeVariance
    var noise = FixedMatrix<7, 7> { row, column in
      row == column ? (row < 4 ? quarter : step.biasVariance) : 0
    }
    noise = noise.addingOuter(q.column, q.column, scaledBy: -quarter)
    return noise
  }

  // MARK: Measurements

  package func fuse(_ state: inout State, force: Vector3, variance: Double) -> MeasurementOutcome {
    fuse(&state, .gravity, force, reference: .unitZ, variance: variance)
  }

  package func fuse(
    _ state: inout State, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    fuse(&state, .magneticField, field, reference: reference, variance: variance)
  }

  /// Fuses h(q) = R(q)ᵀ r. Its derivative on the sphere of unit quaternions: δh = Rᵀ (r × θ) with θ = 2 Ξᵀ δq.
  private func fuse(
    _ state: inout State, _ kind: MeasurementKind, _ measured: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let q = state.earthFromDevice
    let slope = q.matrix.transpose * Matrix3(skew: reference)
    let xi = q.earthTangents
    let observation = FixedMatrix<3, 7> { row, column in
      column < 4 ? 2 * slope.row(row).dot(xi[column]) : 0
    }
    return fuse(
      &state, kind, innovation: measured - q.rotateInverse(reference), observation: observation, variance: variance)
  }

  private func fuse(
    _ state: inout State, _ kind: MeasurementKind, innovation: Vector3, observation: FixedMatrix<3, 7>,
    variance: Double, gate: Double = .infinity
  ) -> MeasurementOutcome {
    let noise = FixedMatrix<3, 3> { row, column in row == column ? variance : 0 }
    let innovation = FixedVector<3>(innovation)
    do throws(LinearAlgebraError) {
      let update = try FixedKalman.update(
        &state.covariance, innovation: innovation, observation: observation, noise: noise, gate: gate,
        on: parameters.core)
      state.apply(update.correction, on: parameters.core)
      return MeasurementOutcome(kind, innovation, update, gate: gate)
    } catch {
      // R > 0, and Joseph's form keeps P symmetric and positive, so S is positive definite.
      assertionFailure("measurement update: \(error)")
      return MeasurementOutcome(kind, leftOut: .unusable)
    }
  }

  /// Fuses an azimuth, which changes by (fz / |fh|²) (fx θx + fy θy) − θz. The model includes all terms, but the
  /// attitude part of the gain is a rotation about the vertical: a field never moves the tilt.
  package func fuse(
    _ state: inout State, field: Vector3, azimuth: Double, variance: Double
  ) -> MeasurementOutcome {
    let q = state.earthFromDevice
    let inEarth = q.rotate(field)
    let slope = inEarth.z / (inEarth.x * inEarth.x + inEarth.y * inEarth.y)
    let byRotation = Vector3(slope * inEarth.x, slope * inEarth.y, -1)
    let xi = q.earthTangents
    let observation = FixedVector<7> { $0 < 4 ? 2 * xi[$0].dot(byRotation) : 0 }
    let projected = state.covariance * observation
    let s = observation.dot(projected) + variance
    guard s > 0, s.isFinite else { return MeasurementOutcome(.heading, leftOut: .unusable) }
    var gain = (1 / s) * projected
    // The attitude part along the vertical only; δq = ½ Ξ θ, and the columns of Ξ are orthonormal.
    var turn = 0.0
    for index in 0..<4 { turn += gain[index] * xi[index].z }
    for index in 0..<4 { gain[index] = turn * xi[index].z }
    // Joseph's form for a gain other than Kalman's: P − K pᵀ − p Kᵀ + s K Kᵀ.
    let p = state.covariance.addingOuter(gain, projected, scaledBy: -1)
    state.covariance = p.addingOuter(s * gain - projected, gain, scaledBy: 1)
    state.covariance.symmetrize()
    let innovation = wrapped(atan2(inEarth.y, inEarth.x) - azimuth)
    state.apply(innovation * gain, on: parameters.core)
    return MeasurementOutcome(
      .heading, FixedVector<1>(repeating: innovation), covariance: FixedMatrix(repeating: s),
      squared: innovation * innovation / s)
  }

  package func fuse(
    _ state: inout State, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    fuse(
      &state, .restRate, innovation: restRate - state.gyroscopeBias,
      observation: FixedMatrix { row, column in column == row + 4 ? 1 : 0 }, variance: variance, gate: gate)
  }
}
