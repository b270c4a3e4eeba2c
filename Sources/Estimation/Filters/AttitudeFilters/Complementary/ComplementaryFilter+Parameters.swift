extension ComplementaryFilter {
  /// Time constants in seconds, valid for every sample rate.
  public struct Parameters: FilterParameters {
    /// The time constant of the tilt correction, in seconds. A larger value trusts the gyroscope longer.
    public var accelerationTimeConstant = 4.0
    /// The time constant of the heading correction, in seconds. A larger value trusts the gyroscope longer.
    public var magneticTimeConstant = 20.0
    /// The time constant of bias learning in motion, in seconds. A larger value is slower and steadier.
    public var biasTimeConstant = 500.0
    /// The time constant of bias learning at rest, in seconds. Until this duration of rest, the bias is the mean of the
    /// rest.
    public var restBiasTimeConstant = 10.0
    /// The largest difference between a steady rate and a known bias that is still learned at rest, in rad/s. A larger
    /// value follows a jumping bias, and mistakes faster constant rotations for a bias.
    public var biasStep = 0.004
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "accelerationTimeConstant", \.accelerationTimeConstant, unit: "s", range: 0.01...1000,
          "Time constant of the tilt correction; bigger trusts the gyroscope longer."),
        .init(
          "magneticTimeConstant", \.magneticTimeConstant, unit: "s", range: 0.01...10000,
          "Time constant of the heading correction; bigger trusts the gyroscope longer."),
        .init(
          "biasTimeConstant", \.biasTimeConstant, unit: "s", range: 1...1e9,
          "Time constant of bias learning while moving; bigger is slower and steadier."),
        .init(
          "restBiasTimeConstant", \.restBiasTimeConstant, unit: "s", range: 0.01...1e9,
          "Time constant of bias learning at rest."),
        .init(
          "biasStep", \.biasStep, unit: "rad/s", range: 0...10,
          "Largest difference of a steady rate from a known bias that is still learned at rest."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}
