extension Mahony {
  /// Time constants in seconds; one set serves every sample rate.
  public struct Parameters: SteppedParameters {
    /// Time constant of the correction, seconds: 1 / k_P. Bigger trusts the gyroscope longer.
    public var timeConstant = 1.5
    /// Integral time, seconds: k_P / k_I. Bigger learns the bias more slowly and steadily.
    public var biasTimeConstant = 200.0
    /// Weight of the field's error against gravity's. The paper's k_2 / k_1; 0 leaves heading to the gyroscope.
    public var magneticWeight = 0.5
    /// 1: q + q̇ dt, as in the paper and most programs. 3: three terms of the exponential, for slow sensors.
    public var integrationOrder = 3.0
    /// How start, rest, gaps and bad samples are handled.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    /// The paper's proportional gain, 1/s.
    public var kP: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    /// The paper's integral gain, 1/s².
    public var kI: Double {
      get { kP / biasTimeConstant }
      // Without integral action: as good as never.
      set { biasTimeConstant = min(kP / newValue, 1e12) }
    }

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, unit: "s", range: 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."),
        .init(
          "biasTimeConstant", \.biasTimeConstant, unit: "s", range: 0.01...1e12,
          "Integral time of the bias; bigger learns it more slowly and steadily."),
        .init(
          "magneticWeight", \.magneticWeight, unit: "1", range: 0...100,
          "Weight of the field's error against gravity's; 0 leaves heading to the gyroscope."),
        .init(
          "integrationOrder", \.integrationOrder, unit: "1", range: 1...3,
          "1 integrates as the paper does, q + q' dt; 3 takes the exponential to third order."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }

    public static var classicalNames: [ParameterDescription<Self>] {
      [
        .init("kP", \.kP, unit: "1/s", range: 1e-6...1000, "Proportional gain: 1 / timeConstant."),
        .init(
          "kI", \.kI, unit: "1/s²", range: 0...1000, "Integral gain: kP / biasTimeConstant. Set after kP."),
      ]
    }
  }
}

/// The explicit complementary filter for real logs.
public typealias MahonyFilter = SteppedFilter<Mahony>
