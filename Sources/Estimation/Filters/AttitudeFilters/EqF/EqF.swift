package import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

/// The equivariant filter of attitude and gyroscope bias: an extended Kalman filter in the coordinates of their common
/// symmetry.
///
/// Fornasier, Ng, Brommer, Böhm, Mahony and Weiss, "Overcoming bias: equivariant filter design for biased attitude
/// estimation with online calibration", IEEE Robotics and Automation Letters 7 (2022), without the calibration of the
/// directions. The semi-direct product of SO(3) and so(3) acts on attitude and bias together, so the bias error is
/// transformed with the attitude: with R the true and R̂ the estimated attitude, device to earth, the errors are ε =
/// log(R R̂ᵀ) and γ = R̂ (b − b̂). Both depend on the state only through the rate in earth axes, ω₀ = R̂ (ω − b̂):
///
///     ε' ≈ −γ,   γ' = ω₀ × γ                                                                         (their A⁰)
///
/// where γ' is exact and ε' omits −½ ε × γ and higher terms. The output of a direction d, measured as y, is
///
///     R̂ y − d = ½ (d + R̂ y) × ε                                                                    (their C*)
///
/// which is accurate to third order; to first order it is d × ε (their C⁰).
package struct EqF: EpochAlgorithm {
  package typealias Parameters = MEKF.Parameters

  package static let name = "eqf"
  package static let summary = "equivariant filter of attitude and gyroscope bias in their common symmetry, covariance"
  package static let source = "Fornasier, Ng, Brommer, Böhm, Mahony and Weiss 2022"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .separatesHeading, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  // MARK: Prediction

  /// Propagates Σ ← Φ Σ Φᵀ + Q over the epoch: with E(t) = R̂(t) R̂(0)ᵀ, γ ← E γ and ε ← ε − ∫E dt γ.
  package func predict(_ state: inout State, over step: EpochStep) {
    let deviceFromEarth = state.earthFromDevice.matrix.transpose
    let turned = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    let earthFromDevice = turned.matrix
    let turn = earthFromDevice * deviceFromEarth
    let integral = step.duration * (earthFromDevice * step.meanRotation * deviceFromEarth)
    let transition = FixedMatrix<6, 6> { row, column in
      switch (row < 3, column < 3) {
      case (true, true): row == column ? 1 : 0
      case (true, false): -integral[row, column - 3]
      case (false, true): 0
      case (false, false): turn[row - 3, column - 3]
      }
    }
    FixedKalman.predict(
      &state.covariance, transition: transition, processNoise: step.processNoise, on: parameters.core)
    state.earthFromDevice = turned
  }

  // MARK: Measurements
  // MEKF and EqF fuse the force and the azimuth in the same way: see CorrectedState.

  /// Fuses a field that should equal the reference, in µT in earth axes.
  package func fuse(
    _ state: inout State, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let measured = state.earthFromDevice.rotate(field)
    let slope = Matrix3(skew: 0.5 * (reference + measured))
    let observation = FixedMatrix<3, 6> { row, column in column < 3 ? slope[row, column] : 0 }
    return state.fuse(
      .magneticField, innovation: FixedVector<3>(measured - reference), observation: observation, variance: variance,
      on: parameters.core)
  }

  /// Fuses the rate at rest, which is the bias: R̂ (rate − b̂) = γ.
  package func fuse(
    _ state: inout State, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    let innovation = state.earthFromDevice.rotate(restRate - state.gyroscopeBias)
    return state.fuse(
      .restRate, innovation: FixedVector<3>(innovation), observation: State.biasRows, variance: variance, gate: gate,
      on: parameters.core)
  }
}

extension EqF {
  /// The complete state that changes from epoch to epoch.
  package struct State: CorrectedState {
    package internal(set) var earthFromDevice = Quaternion.identity
    /// The gyroscope bias, in rad/s, in device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    /// The 6 by 6 covariance Σ, all in earth axes: ε (rad²), then γ (rad²/s²).
    package var covariance: FixedMatrix<6, 6>

    package init(errorCovariance: FixedMatrix<6, 6>) { covariance = errorCovariance }

    package mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>) {
      earthFromDevice = attitude
      covariance = Self.turnBias(errorCovariance, by: attitude.matrix)
    }

    package var errorCovariance: FixedMatrix<6, 6> {
      Self.turnBias(covariance, by: earthFromDevice.matrix.transpose)
    }
    package var attitudeCovariance: Matrix3 { Matrix3(blockOf: covariance, at: 0) }
    package var biasCovariance: Matrix3 { Matrix3(blockOf: errorCovariance, at: 3) }

    /// Returns T Σ Tᵀ with T = diag(I, rotation).
    private static func turnBias(_ covariance: FixedMatrix<6, 6>, by rotation: Matrix3) -> FixedMatrix<6, 6> {
      let turn = FixedMatrix<6, 6> { row, column in
        if row < 3 { return row == column ? 1 : 0 }
        return column < 3 ? 0 : rotation[row - 3, column - 3]
      }
      var result = (turn * covariance).timesTranspose(turn)
      result.symmetrize()
      return result
    }

    /// Applies X̂ ← exp(Δ) X̂ in the group: R̂ ← exp(ε) R̂ and, as the group's second part is â = −R̂ b̂, b̂ ← b̂ + R̂ᵀ
    /// J_r(ε) γ with R̂ before its own correction; J_r(φ) ≈ I − ½ [φ]× + ⅙ [φ]×², to φ³/24.
    package mutating func apply(_ correction: FixedVector<6>) {
      let ε = Vector3(correction[0], correction[1], correction[2])
      let γ = Vector3(correction[3], correction[4], correction[5])
      let across = ε.cross(γ)
      gyroscopeBias += earthFromDevice.rotateInverse(γ - 0.5 * across + (1.0 / 6) * ε.cross(across))
      let turn = Quaternion(rotationVector: ε)
      earthFromDevice = (turn * earthFromDevice).normalized ?? earthFromDevice
      // The information about γ refers to the device's axes, which the correction has rotated (Ge, van Goor and Mahony,
      // "A note on the extended Kalman filter on a manifold", CDC (2023)).
      covariance = Self.turnBias(covariance, by: turn.matrix)
    }
  }
}

/// The equivariant filter for real logs.
package typealias EquivariantFilter = EpochFilter<EqF>
