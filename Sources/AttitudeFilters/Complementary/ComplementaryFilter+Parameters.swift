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
    /// Largest gyroscope bias about any axis, rad/s. Default 0.2 rad/s (11 °/s), above that of any phone seen.
    public var biasBound = 0.2
    /// Largest difference of a steady rate from a known bias that is still learned at rest, rad/s. Bigger follows a
    /// jumping bias, and takes faster steady turns for one.
    public var biasStep = 0.004
    /// Largest deviation from steady of the rate at rest, rad/s.
    public var restRateThreshold = 0.035
    /// Largest deviation from steady of the acceleration at rest, g.
    public var restAccelerationThreshold = 0.05
    /// Seconds of steadiness before rest is declared.
    public var restDuration = 1.5
    /// Length of the start-up, seconds, in which tilt is the running mean of the acceleration.
    public var startUpDuration = 1.0
    /// Longest time between samples that is integrated over, seconds.
    public var gapThreshold = 0.5
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
          "biasBound", \.biasBound, unit: "rad/s", range: 0...10,
          "Largest gyroscope bias about any axis; no faster steady turn is taken for a bias."),
        .init(
          "biasStep", \.biasStep, unit: "rad/s", range: 0...10,
          "Largest difference of a steady rate from a known bias that is still learned at rest."),
        .init(
          "restRateThreshold", \.restRateThreshold, unit: "rad/s", range: 0...10,
          "Largest deviation from steady of the rate at rest; bigger finds rest more often."),
        .init(
          "restAccelerationThreshold", \.restAccelerationThreshold, unit: "g", range: 0...10,
          "Largest deviation from steady of the acceleration at rest; bigger finds rest more often."),
        .init(
          "restDuration", \.restDuration, unit: "s", range: 0.1...100,
          "Seconds of steadiness before rest is declared."),
        .init(
          "startUpDuration", \.startUpDuration, unit: "s", range: 0...60,
          "Length of the start-up, in which tilt is the mean of the acceleration."),
        .init(
          "gapThreshold", \.gapThreshold, unit: "s", range: 0.001...60,
          "Longest time between samples that is integrated over."),
      ]
    }
  }
}
