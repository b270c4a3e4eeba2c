extension Mahony {
  /// Time constants in seconds, valid for every sample rate.
  public struct Parameters: SteppedParameters {
    /// The time constant of the correction, in seconds: 1 / k_P. A larger value trusts the gyroscope longer.
    public var timeConstant = 1.5
    /// The integral time, in seconds: k_P / k_I. A larger value learns the bias more slowly and steadily.
    public var biasTimeConstant = 200.0
    /// The weight of the field's error relative to gravity's: the paper's k_2 / k_1. With 0, the heading follows only
    /// the gyroscope.
    public var magneticWeight = 0.5
    /// The integration order. 1: q + q̇ dt, as in the paper and most programs. 3: three terms of the exponential, for
    /// slow sensors.
    public var integrationOrder = 3.0
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    /// The paper's proportional gain, in 1/s.
    public var kP: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    /// The paper's integral gain, in 1/s².
    public var kI: Double {
      get { kP / biasTimeConstant }
      // Without integral action, practically infinite.
      set { biasTimeConstant = min(kP / newValue, 1e12) }
    }

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."
        )
        .published("kP", \.kP, "1/s", 1e-6...1000, "Proportional gain: 1 / timeConstant."),
        .init(
          "biasTimeConstant", \.biasTimeConstant, "s", 0.01...1e12,
          "Integral time of the bias; bigger learns it more slowly and steadily."
        )
        .published("kI", \.kI, "1/s²", 0...1000, "Integral gain: kP / biasTimeConstant. Set after kP."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's error against gravity's; 0 leaves heading to the gyroscope."),
        .init(
          "integrationOrder", \.integrationOrder, "1", 1...3,
          "1 integrates as the paper does, q + q' dt; 3 uses the exponential to third order."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// The explicit complementary filter for real logs.
public typealias MahonyFilter = SteppedFilter<Mahony>
