extension ComplementaryFilter {
  /// Time constants in seconds, or the noise that implies them, valid for every sample rate.
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
    /// The origin of the gains.
    package var gains = Gains.timeConstants
    /// The gyroscope's angle random walk, in rad/√s.
    package var gyroscopeNoise = 0.0015
    /// The random walk of the gyroscope's bias, in rad/s/√s.
    package var biasNoise = 3e-6
    /// The noise of gravity's direction as measured in motion, in rad√s. With the defaults, the time constants are 4.0 s
    /// and 500 s.
    package var tiltNoise = 0.006
    /// The noise of the field's azimuth, in rad√s. With the defaults, the time constants are 20 s and 520 s.
    package var headingNoise = 0.031
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    /// The origin of the gains: the first three time constants, or the noise, as in a steady-state Kalman filter.
    package enum Gains: String, Sendable, Codable, CaseIterable {
      case timeConstants, steadyState
    }

    /// The time constants of the tilt correction.
    var tilt: CorrectionTimeConstants { .init(attitude: accelerationTimeConstant, bias: biasTimeConstant) }
    /// The time constants of the heading correction.
    var heading: CorrectionTimeConstants { .init(attitude: magneticTimeConstant, bias: biasTimeConstant) }

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "accelerationTimeConstant", \.accelerationTimeConstant, "s", 0.01...1000,
          "Time constant of the tilt correction; bigger trusts the gyroscope longer."),
        .init(
          "magneticTimeConstant", \.magneticTimeConstant, "s", 0.01...10000,
          "Time constant of the heading correction; bigger trusts the gyroscope longer."),
        .init(
          "biasTimeConstant", \.biasTimeConstant, "s", 1...1e9,
          "Time constant of bias learning while moving; bigger is slower and steadier."),
        .init(
          "restBiasTimeConstant", \.restBiasTimeConstant, "s", 0.01...1e9,
          "Time constant of bias learning at rest."),
        .init(
          "biasStep", \.biasStep, "rad/s", 0...10,
          "Largest difference of a steady rate from a known bias that is still learned at rest."),
        .init(
          "gains", \.gains,
          "Origin of the gains: time constants, or the steady state of a Kalman filter with the noise below."),
        .init(
          "gyroscopeNoise", \.gyroscopeNoise, "rad/√s", 1e-6...1,
          "Gyroscope angle random walk, for steady-state gains; bigger trusts gravity and field more."),
        .init(
          "biasNoise", \.biasNoise, "rad/s/√s", 1e-9...0.1,
          "Random walk of the gyroscope bias, for steady-state gains; bigger follows a drifting bias faster."),
        .init(
          "tiltNoise", \.tiltNoise, "rad√s", 1e-4...10,
          "Noise of gravity's direction in motion, for steady-state gains; bigger trusts the gyroscope longer."),
        .init(
          "headingNoise", \.headingNoise, "rad√s", 1e-4...10,
          "Noise of the field's azimuth, for steady-state gains; bigger trusts the gyroscope longer."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}
