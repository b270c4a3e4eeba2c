extension ROLEQ {
  /// Time constants in seconds; one set serves every sample rate.
  public struct Parameters: SteppedParameters {
    /// Time constant of the correction, seconds; 0 corrects in full at every sample, as the paper does. Tilt follows at
    /// this time constant, heading much more slowly: 2 / (1 − √(1 − 4 a_g a_m cos² dip)) times it, with the weights of
    /// gravity and field; 24 times in central Europe where they are equal, and more where they are not.
    public var timeConstant = 0.6
    /// The field's weight; gravity has the rest to 1. Bigger lets the field's dip move the tilt more; heading is
    /// corrected soonest at 0.5.
    public var magneticWeight = 0.5
    /// Time constant of the field's learned dip, seconds. Bigger lets the field hold the tilt longer.
    public var dipTimeConstant = 30.0
    /// How start, rest, gaps and bad samples are handled.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, unit: "s", range: 0...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer, 0 is the paper's."),
        .init(
          "magneticWeight", \.magneticWeight, unit: "1", range: 0...1,
          "The field's weight, gravity has the rest to 1; heading is corrected soonest at 0.5."),
        .init(
          "dipTimeConstant", \.dipTimeConstant, unit: "s", range: 0...1e9,
          "Time constant of the field's learned dip; bigger lets the field hold the tilt longer."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// The recursive optimal linear estimator for real logs.
public typealias ROLEQFilter = SteppedFilter<ROLEQ>
