internal import InertialSystem

/// The length of a step from the height of the person and how much the acceleration changes within the step.
///
/// Weinberg, "Using the ADXL202 in pedometer and personal navigation applications", Analog Devices AN-602, 2002: a leg is
/// an inverted pendulum, and the length is K (a_max − a_min)^¼. The lengths of legs, and with them K, are taken as
/// proportional to the height. K is the median over 29 straight stretches of 15 walks with a phone in the hand, with
/// surveyed ends (`indoor-walks`; heights unknown, taken as 1.70 m): 0.735 m g^-¼. With a walk left out the mean absolute
/// error is 9.2 %; constant length gives 10.0 %, a factor that grows with cadence 9.9 to 11.3 %.
package struct StepLength: Sendable, Codable, Equatable {
  /// Of the person, m.
  package var height: Double
  /// What calibration multiplies the model with.
  package var factor: Double

  package init(height: Double = 1.7, factor: Double = 1) {
    self.height = height
    self.factor = factor
  }

  private static let coefficient = 0.735 / 1.7

  /// Metres, from the highest minus the lowest magnitude of the acceleration within the step in g.
  package func length(range: Double) -> Double {
    let bounded = min(max(range, 0.05), 8)
    return factor * Self.coefficient * height * sqrt(sqrt(bounded))
  }

  /// Metres: what the model gives for an ordinary walk.
  package var typical: Double { length(range: Self.typicalRange) }

  /// g: the magnitude's in an ordinary walk.
  static let typicalRange = 0.8
}
