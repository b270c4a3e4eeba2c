extension UnscentedKalman {
  /// The noise of the sensors, as densities, and the spread of the sigma points.
  package struct Parameters: EpochParameters {
    /// α of the scaled unscented transform.
    package var sigmaPointSpread = 1.0
    /// β of the scaled unscented transform.
    package var priorWeight = 2.0
    /// The κ of the transform: with α = 1, the points are √(6 + κ) sigmas from the mean. 1 is Crassidis and Markley's
    /// λ.
    package var secondarySpread = 1.0
    package var noise = KalmanNoise()
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "sigmaPointSpread", \.sigmaPointSpread, "1", 0.001...2,
          "Spread of the sigma points; smaller keeps them closer to the mean."
        ).published("alpha"),
        .init(
          "priorWeight", \.priorWeight, "1", 0...10,
          "Fourth moment of the errors, 2 for a normal distribution; bigger adds more for curvature."
        ).published("beta"),
        .init(
          "secondarySpread", \.secondarySpread, "1", 0...100,
          "Second spread of the sigma points; bigger moves them away from the mean."
        ).published("kappa"),
      ] + KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// The unscented filter for real logs.
package typealias UnscentedKalmanFilter = EpochFilter<UnscentedKalman>
