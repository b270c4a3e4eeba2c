internal import InertialNumerics
package import InertialRotations

/// The gyroscope alone: the rate is integrated from the start-up's attitude.
///
/// The step is q ⊗ exp(½ (ω − b) Δt), exact for a constant rate over the step (Titterton and Weston, "Strapdown
/// Inertial Navigation Technology", 2nd ed. 2004, section 11.2.5), or the exponential's series to an order. The
/// attitude is not corrected afterwards, so it drifts with the remaining bias: the baseline for the evaluation of other
/// filters. The accelerometer and the field are used only in the start-up, at the start and after a gap.
package struct AngularRate: SteppedAlgorithm {
  package static let name = "angular-rate"
  package static let summary = "integration of the gyroscope alone from the start-up's attitude"
  package static let source = "Titterton and Weston 2004, section 11.2.5"
  package static let traits: FilterTraits = []

  /// A constant bias, and the handling of samples.
  package struct Parameters: SteppedParameters {
    /// The constant gyroscope bias about the device's X, in rad/s, subtracted from every sample after the start-up.
    package var biasX = 0.0
    /// The bias about Y, in rad/s.
    package var biasY = 0.0
    /// The bias about Z, in rad/s.
    package var biasZ = 0.0
    /// The order of the exponential's series, or 0 for the closed form. A larger order is closer to it: 1 is q + q̇ Δt,
    /// and 4 is accurate to 1e-7 rad at 0.2 rad per step.
    package var seriesOrder = 0.0
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The constant bias as a vector, in rad/s, in device axes.
    package var bias: Vector3 {
      get { Vector3(biasX, biasY, biasZ) }
      set { (biasX, biasY, biasZ) = (newValue.x, newValue.y, newValue.z) }
    }

    package static let descriptions: [ParameterDescription<Self>] =
      [
        .init(
          "biasX", \.biasX, "rad/s", -10...10,
          "Constant gyroscope bias about the device's X, subtracted from every sample."),
        .init("biasY", \.biasY, "rad/s", -10...10, "Constant gyroscope bias about the device's Y."),
        .init("biasZ", \.biasZ, "rad/s", -10...10, "Constant gyroscope bias about the device's Z."),
        .init(
          "seriesOrder", \.seriesOrder, "1", 0...12,
          "Order of the exponential's series; 0 uses the closed form, 1 is q + q' dt."),
      ] + HandlingParameters.descriptions(at: \.handling)
  }

  package typealias State = AttitudeAndBias

  package let parameters: Parameters
  private let seriesOrder: Int

  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    seriesOrder = Int(parameters.seriesOrder.rounded())
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    state.gyroscopeBias = parameters.bias
    let rotation = step.duration * (step.rate - parameters.bias)
    let turn =
      seriesOrder == 0
      ? Quaternion(rotationVector: rotation) : Self.exponentialSeries(of: rotation, order: seriesOrder)
    state.earthFromDevice = (state.earthFromDevice * turn).normalized ?? state.earthFromDevice
  }

  /// Returns Σ (½ θ)ᵏ / k! for k up to the order, with θ a rotation vector in radians as a quaternion without a scalar
  /// part.
  ///
  /// The square of such a quaternion is the number −|½ θ|²: even powers add to the scalar part, odd powers to the
  /// vector part.
  static func exponentialSeries(of rotation: Vector3, order: Int) -> Quaternion {
    let half = 0.5 * rotation
    let square = -half.squaredNorm
    var (scalar, vector, factor) = (0.0, 0.0, 1.0)
    for power in 0...order {
      if power.isMultiple(of: 2) {
        scalar += factor
        factor /= Double(power + 1)
      } else {
        vector += factor
        factor *= square / Double(power + 1)
      }
    }
    return Quaternion(x: vector * half.x, y: vector * half.y, z: vector * half.z, w: scalar)
  }
}

/// Integration of the rate alone, for real logs.
package typealias AngularRateFilter = SteppedFilter<AngularRate>
