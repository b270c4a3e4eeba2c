package import InertialNumerics

extension AngularRate {
  /// A constant bias, and how samples are handled.
  package struct Parameters: SteppedParameters {
    /// Constant gyroscope bias about the device's X, rad/s, subtracted from every sample after the start-up.
    package var biasX = 0.0
    /// The same about Y, rad/s.
    package var biasY = 0.0
    /// The same about Z, rad/s.
    package var biasZ = 0.0
    /// Order of the exponential's series; 0 takes the closed form. Bigger is nearer to it: 1 is q + q̇ Δt, and
    /// 4 is right to 1e-7 rad at 0.2 rad a step.
    package var seriesOrder = 0.0
    /// How start, rest, gaps and bad samples are handled.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The constant bias as a vector, rad/s, device axes.
    package var bias: Vector3 {
      get { Vector3(biasX, biasY, biasZ) }
      set { (biasX, biasY, biasZ) = (newValue.x, newValue.y, newValue.z) }
    }

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "biasX", \.biasX, unit: "rad/s", range: -10...10,
          "Constant gyroscope bias about the device's X, subtracted from every sample."),
        .init("biasY", \.biasY, unit: "rad/s", range: -10...10, "Constant gyroscope bias about the device's Y."),
        .init("biasZ", \.biasZ, unit: "rad/s", range: -10...10, "Constant gyroscope bias about the device's Z."),
        .init(
          "seriesOrder", \.seriesOrder, unit: "1", range: 0...12,
          "Order of the exponential's series; 0 takes the closed form, 1 is q + q' dt."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// Integration of the rate alone, for real logs.
package typealias AngularRateFilter = SteppedFilter<AngularRate>
