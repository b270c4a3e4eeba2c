package import InertialNumerics

extension UnscentedKalman {
  /// The noise of the sensors, as densities, and how the sigma points are spread.
  package struct Parameters: EpochParameters {
    /// α of the scaled unscented transform.
    package var sigmaPointSpread = 1.0
    /// β of the scaled unscented transform.
    package var priorWeight = 2.0
    /// κ: with α = 1 the points are √(6 + κ) sigmas from the mean. 1 is Crassidis and Markley's λ.
    package var secondarySpread = 1.0
    package var noise = KalmanNoise()
    /// How start, rest, gaps and bad samples are handled.
    package var handling = HandlingParameters()
    /// What the covariance is calculated with.
    package var core = KalmanCore.blas
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "sigmaPointSpread", \.sigmaPointSpread, unit: "1", range: 0.001...2,
          "Spread of the sigma points; smaller keeps them closer to the mean."
        ).published("alpha"),
        .init(
          "priorWeight", \.priorWeight, unit: "1", range: 0...10,
          "Knowledge of the errors' fourth moments, 2 for normal ones; bigger adds more for curvature."
        ).published("beta"),
        .init(
          "secondarySpread", \.secondarySpread, unit: "1", range: 0...100,
          "Second spread of the sigma points; bigger moves them away from the mean."
        ).published("kappa"),
      ] + KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
        + [KalmanCore.description(of: \.core)]
    }
  }
}

/// The unscented filter for real logs.
package typealias UnscentedKalmanFilter = EpochFilter<UnscentedKalman>
