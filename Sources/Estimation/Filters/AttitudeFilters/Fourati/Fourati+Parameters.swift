extension Fourati {
  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    package var timeConstant = 4.0
    /// The weight of the field; the paper has 1. The heading correction does not depend on it, but 0 turns it off.
    package var magneticWeight = 0.2
    /// The damping λ. It must be small compared with 4 times the squared weights.
    package var damping = 1e-5
    package var dipTimeConstant = 30.0
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The paper's gain, in 1/s.
    package var k: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."
        )
        .published("k", \.k, "1/s", 1e-6...1000, "The observer's gain: 1 / timeConstant."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's direction against gravity's; smaller leaves the tilt to gravity."),
        .init(
          "damping", \.damping, "1", 1e-9...100,
          "Levenberg-Marquardt damping; bigger corrects less if the directions contain little information."),
        .init(
          "dipTimeConstant", \.dipTimeConstant, "s", 0...1e9,
          "Time constant of the field's learned dip; bigger lets the field hold the tilt longer."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// Fourati's observer for real logs.
package typealias FouratiFilter = SteppedFilter<Fourati>
