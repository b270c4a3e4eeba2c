extension Madgwick {
  /// Errors of the gyroscope that the correction compensates, valid for every sample rate.
  public struct Parameters: SteppedParameters {
    /// The error of the gyroscope's rate, in rad/s: the paper's ω̃_β. The correction rotates at 2 β, regardless of the
    /// attitude error. A larger value trusts the gyroscope less.
    public var gyroscopeError = 0.1
    /// The drift of the gyroscope's bias, in rad/s²: the paper's ω̃̇_ζ. A larger value learns the bias faster, and more
    /// of the noise: the time constant is gyroscopeError / biasDrift.
    public var biasDrift = 0.0005
    /// The integration order. 1: q + q̇ dt, as in the paper and most programs. 3: three terms of the exponential, for
    /// slow sensors.
    public var integrationOrder = 3.0
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    /// The paper's β, in rad/s, eq. (50): √(3/4) ω̃_β.
    public var beta: Double {
      get { Self.gainOfError * gyroscopeError }
      set { gyroscopeError = newValue / Self.gainOfError }
    }

    /// The paper's ζ, in rad/s², eq. (51): √(3/4) ω̃̇_ζ.
    public var zeta: Double {
      get { Self.gainOfError * biasDrift }
      set { biasDrift = newValue / Self.gainOfError }
    }

    private static let gainOfError = 0.75.squareRoot()

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "gyroscopeError", \.gyroscopeError, "rad/s", 0...100,
          "Error of the gyroscope's rate; bigger trusts the gyroscope less."
        )
        .published("beta", \.beta, "rad/s", 0...80, "Gain: √(3/4) gyroscopeError.")
        .published("gain", \.beta, "rad/s", 0...80, "Another name for beta."),
        .init(
          "biasDrift", \.biasDrift, "rad/s²", 0...1,
          "Drift of the gyroscope's bias; bigger learns it faster and less steadily, 0 not at all."
        )
        .published("zeta", \.zeta, "rad/s²", 0...0.8, "Gain of the bias: √(3/4) biasDrift."),
        .init(
          "integrationOrder", \.integrationOrder, "1", 1...3,
          "1 integrates as the paper does, q + q' dt; 3 uses the exponential to third order."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// Madgwick's gradient descent filter for real logs.
public typealias MadgwickFilter = SteppedFilter<Madgwick>
