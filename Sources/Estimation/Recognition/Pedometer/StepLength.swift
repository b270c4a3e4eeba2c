internal import InertialSystem

/// The length of a step, from the height of the person and the range of the acceleration within the step.
///
/// Weinberg, "Using the ADXL202 in pedometer and personal navigation applications", Analog Devices AN-602, 2002: a
/// leg is an inverted pendulum, and the length is K (a_max − a_min)^¼. The leg length, and therefore K, is assumed to
/// be proportional to the height. K is the median over 29 straight segments of 15 walks with a handheld phone and
/// surveyed ends (`indoor-walks`; heights unknown, assumed to be 1.70 m): 0.735 m g^-¼. In leave-one-walk-out
/// cross-validation the mean absolute error is 9.2 %; a constant length gives 10.0 %, a factor that grows with
/// cadence 9.9 to 11.3 %.
package struct StepLength: Sendable, Codable, Equatable {
  /// The height of the person, in m.
  package var height: Double
  /// The factor of the model from calibration.
  package var factor: Double

  package init(height: Double = 1.7, factor: Double = 1) {
    self.height = height
    self.factor = factor
  }

  private static let coefficient = 0.735 / 1.7

  /// Returns the length of a step in metres, given the highest minus the lowest magnitude of the acceleration within
  /// the step in g.
  package func length(range: Double) -> Double {
    let bounded = min(max(range, 0.05), 8)
    return factor * Self.coefficient * height * sqrt(sqrt(bounded))
  }

  /// The length of a step in an ordinary walk, in metres.
  package var typical: Double { length(range: Self.typicalRange) }

  /// The range of the magnitude in an ordinary walk, in g.
  static let typicalRange = 0.8
}
