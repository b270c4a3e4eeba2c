extension ROLEQ {
  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    /// The time constant of the tilt, in seconds; 0 corrects fully at every sample, as in the paper. The heading
    /// follows much more slowly, with 2 / (1 − √(1 − 4 a_g a_m cos² dip)) times this time constant, where a_g and a_m
    /// are the weights of gravity and field: 24 times in central Europe with equal weights, and more with unequal
    /// weights.
    package var timeConstant = 0.6
    /// The weight of the field; gravity has the rest to 1. The heading converges fastest at 0.5.
    package var magneticWeight = 0.5
    package var dipTimeConstant = 30.0
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer, 0 is the paper's."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...1,
          "The field's weight, gravity has the rest to 1; heading is corrected soonest at 0.5."),
        .init(
          "dipTimeConstant", \.dipTimeConstant, "s", 0...1e9,
          "Time constant of the field's learned dip; bigger lets the field hold the tilt longer."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// The recursive optimal linear estimator for real logs.
package typealias ROLEQFilter = SteppedFilter<ROLEQ>
