/// What a window of 2.56 s is described by: numbers that do not depend on how the device is held.
///
/// Powers are on a logarithmic scale (of ten), as persons and placements differ by factors.
package enum ActivityFeature: String, Sendable, Codable, CaseIterable {
  /// Root mean square of the acceleration downwards, log g.
  case verticalLevel
  /// Its part in bands of frequency (0.3 to 1.0 Hz, to 1.7, 2.5, 3.5, 5.0 and 7.5 Hz), log g.
  case verticalBand1
  case verticalBand2
  case verticalBand3
  case verticalBand4
  case verticalBand5
  case verticalBand6
  /// Frequency with most power between 0.7 and 5 Hz, Hz, and the share of the power around it.
  case verticalPeakFrequency
  case verticalPeakShare
  /// Over how many bins the power is spread, natural logarithm (of the inverse participation ratio).
  case verticalSpread
  /// The same of the acceleration across gravity.
  case horizontalLevel
  case horizontalBand1
  case horizontalBand2
  case horizontalBand3
  case horizontalBand4
  case horizontalBand5
  case horizontalBand6
  case horizontalPeakFrequency
  case horizontalPeakShare
  case horizontalSpread
  /// The highest autocorrelation of the acceleration downwards at 0.24 to 1.22 s, its lag in seconds, and the lowest
  /// at 0.08 to 0.78 s.
  case repetition
  case repetitionPeriod
  case opposition
  /// Skewness and kurtosis of the acceleration downwards.
  case verticalSkewness
  case verticalKurtosis
  /// Of the acceleration's norm, gravity in it: the least, g; the mean distance from its mean, log g; the skewness; the
  /// mean change in 20 ms, log g.
  case leastNorm
  case normDeviation
  case normSkewness
  case normChange
  /// Acceleration across gravity: its mean amount, log g, and the coefficient of variation of that.
  case horizontalMean
  case horizontalVariation
  /// Mean distance of gravity's direction from its mean, log of radians nearly.
  case tilt
}
