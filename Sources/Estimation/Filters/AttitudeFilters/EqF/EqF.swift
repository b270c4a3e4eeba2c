package import InertialNumerics
internal import InertialRotations
package import InertialSensors

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
///
/// The covariance belongs to ε and R̂ᵀ γ, the bias error in device axes. With E the rotation of R̂ over an epoch, their
/// γ ← E γ and ε ← ε − ∫E dt γ are then exactly the prediction of `EpochState`.
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

  // MARK: Measurements

  /// Fuses a field that should equal the reference, in µT in earth axes: equation (8).
  package func fuse(
    _ state: inout EpochState, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let measured = state.earthFromDevice.rotate(field)
    let slope = Matrix3(skew: 0.5 * (reference + measured))
    return take(.magneticField, .vector(measured - reference, slope: slope, variance: variance), in: &state)
  }

  /// Fuses the rate at rest, which is the bias, in earth axes: R̂ (rate − b̂) = γ.
  package func fuse(
    _ state: inout EpochState, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    let measurement = ErrorMeasurement.restRate(
      restRate - state.gyroscopeBias, in: state.earthFromDevice.matrix, variance: variance)
    return take(.restRate, measurement, gate: gate, in: &state)
  }

  /// Applies X̂ ← exp(Δ) X̂ in the group: R̂ ← exp(ε) R̂ and, as the group's second part is â = −R̂ b̂, b̂ ← b̂ + R̂ᵀ
  /// J_r(ε) γ with R̂ before its own correction; J_r(φ) ≈ I − ½ [φ]× + ⅙ [φ]×², to φ³/24. Equation (14).
  ///
  /// The information about γ refers to the device's axes, which the correction rotates (Ge, van Goor and Mahony, "A note
  /// on the extended Kalman filter on a manifold", CDC (2023)): the covariance of R̂ᵀ γ, as stored, stays the same.
  package static func correct(_ state: inout EpochState, by correction: ErrorValues) {
    let ε = correction[EpochErrors.attitude]
    let γ = state.earthFromDevice.rotate(correction[EpochErrors.bias])
    let across = ε.cross(γ)
    state.gyroscopeBias += state.earthFromDevice.rotateInverse(γ - 0.5 * across + (1.0 / 6) * ε.cross(across))
    state.turn(by: Quaternion(rotationVector: ε))
  }
}

/// The equivariant filter for real logs.
package typealias EquivariantFilter = EpochFilter<EqF>
