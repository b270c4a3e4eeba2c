extension ComplementaryFilter {
  /// Time constants in seconds; one set serves every sample rate.
  public struct Parameters: FilterParameters {
    /// Time constant of the tilt correction, seconds. Bigger trusts the gyroscope longer.
    public var accelerationTimeConstant = 4.0
    /// Time constant of the heading correction, seconds. Bigger trusts the gyroscope longer.
    public var magneticTimeConstant = 20.0
    /// Time constant of bias learning while moving, seconds. Bigger is slower and steadier.
    public var biasTimeConstant = 500.0
    /// Time constant of bias learning at rest, seconds; until so much rest has been seen, the bias is its mean.
    public var restBiasTimeConstant = 10.0
    /// Largest difference of a steady rate from a known bias that is still learned at rest, rad/s. Bigger follows a
    /// jumping bias, and takes faster steady turns for one.
    public var biasStep = 0.004
    /// How start, rest, gaps and bad samples are handled.
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
