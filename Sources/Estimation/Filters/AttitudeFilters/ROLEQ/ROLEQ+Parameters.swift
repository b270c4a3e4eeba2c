extension ROLEQ {
  /// Time constants in seconds; one set serves every sample rate.
  package struct Parameters: SteppedParameters {
    /// 0 corrects in full at every sample, as the paper does. Tilt follows at this time constant, heading much more
    /// slowly: 2 / (1 − √(1 − 4 a_g a_m cos² dip)) times it, with the weights of gravity and field; 24 times in central
    /// Europe where they are equal, and more where they are not.
    package var timeConstant = 0.6
    /// Gravity has the rest to 1. Heading is corrected soonest at 0.5.
    package var magneticWeight = 0.5
    package var dipTimeConstant = 30.0
    /// How start, rest, gaps and bad samples are handled.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
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
package typealias ROLEQFilter = SteppedFilter<ROLEQ>
