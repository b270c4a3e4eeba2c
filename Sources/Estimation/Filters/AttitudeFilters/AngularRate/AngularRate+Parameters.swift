package import InertialNumerics

extension AngularRate {
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
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The constant bias as a vector, in rad/s, in device axes.
    package var bias: Vector3 {
      get { Vector3(biasX, biasY, biasZ) }
      set { (biasX, biasY, biasZ) = (newValue.x, newValue.y, newValue.z) }
    }

    package static var descriptions: [ParameterDescription<Self>] {
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
  }
}

/// Integration of the rate alone, for real logs.
package typealias AngularRateFilter = SteppedFilter<AngularRate>
