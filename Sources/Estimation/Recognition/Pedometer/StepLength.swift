internal import InertialSystem

/// The length of a step, from the height of the person, the step's period and the range of the acceleration within it.
///
/// The geometric mean of two models, whose errors are about as large and have opposite signs for a tall person
/// (docs/results/recognition.md):
/// - Weinberg, "Using the ADXL202 in pedometer and personal navigation applications", Analog Devices AN-602, 2002: a leg
///   is an inverted pendulum, and the length is K (a_max − a_min)^¼. K is the median over 29 straight segments of 15
///   walks with a handheld phone and surveyed ends (`indoor-walks`; heights unknown, assumed to be 1.70 m): 0.735 m
///   g^-¼.
/// - Sekiya and Nagasaki, "Reproducibility of the walking patterns of normal young adults", Gait and Posture 7 (1998):
///   the walk ratio, the length over the cadence, hardly differs between adults and speeds: 0.0065 m per step a minute,
///   0.39 m s.
///
/// Both lengths are proportional to the height, and hold for 1.70 m.
package struct StepLength: Sendable, Codable, Equatable {
  /// The height of the person, in m.
  package var height: Double
  /// The factor of the model from calibration.
  package var factor: Double

  package init(height: Double = 1.7, factor: Double = 1) {
    self.height = height
    self.factor = factor
  }

  private static let coefficient = 0.735
  private static let walkRatio = 0.39

  /// Returns the length of a step in metres.
  ///
  /// - Parameters:
  ///   - range: The highest minus the lowest magnitude of the acceleration within the step, in g.
  ///   - period: The period of the steps, in seconds.
  package func length(range: Double, period: Double) -> Double {
    let pendulum = Self.coefficient * sqrt(sqrt(min(max(range, 0.05), 8)))
    let ratio = Self.walkRatio / min(max(period, 0.25), 1.5)
    return factor * height / 1.7 * sqrt(pendulum * ratio)
  }

  /// The length of a step in an ordinary walk, in metres.
  package var typical: Double { length(range: Self.typicalRange, period: Self.typicalPeriod) }

  /// The range of the magnitude in an ordinary walk, in g.
  static let typicalRange = 0.8
  /// The period of steps in an ordinary walk, in seconds.
  private static let typicalPeriod = 0.54
}
