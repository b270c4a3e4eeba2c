/// The features of a window of 2.56 s, which do not depend on the orientation of the device.
///
/// Powers are on a decimal logarithmic scale, since people and placements differ by factors.
package enum ActivityFeature: String, Sendable, Codable, CaseIterable {
  /// The root mean square of the downward acceleration, log g.
  case verticalLevel
  /// The root mean square in frequency bands (0.3 to 1.0 Hz, to 1.7, 2.5, 3.5, 5.0 and 7.5 Hz), log g.
  case verticalBand1
  case verticalBand2
  case verticalBand3
  case verticalBand4
  case verticalBand5
  case verticalBand6
  /// The frequency with the highest power between 0.7 and 5 Hz, in Hz, and the fraction of the power around it.
  case verticalPeakFrequency
  case verticalPeakFraction = "verticalPeakShare"
  /// The number of bins over which the power is spread, natural logarithm (of the inverse participation ratio).
  case verticalSpread
  /// The same features of the acceleration perpendicular to gravity.
  case horizontalLevel
  case horizontalBand1
  case horizontalBand2
  case horizontalBand3
  case horizontalBand4
  case horizontalBand5
  case horizontalBand6
  case horizontalPeakFrequency
  case horizontalPeakFraction = "horizontalPeakShare"
  case horizontalSpread
  /// The highest autocorrelation of the downward acceleration at lags from 0.24 to 1.22 s, its lag in seconds, and
  /// the lowest autocorrelation at lags from 0.08 to 0.78 s.
  case repetition
  case repetitionPeriod
  case opposition
  /// The skewness and the kurtosis of the downward acceleration.
  case verticalSkewness
  case verticalKurtosis
  /// The norm of the acceleration with gravity: the minimum, g; the mean distance from its mean, log g; the skewness;
  /// the mean change in 20 ms, log g.
  case minimumNorm = "leastNorm"
  case normDeviation
  case normSkewness
  case normChange
  /// The acceleration perpendicular to gravity: its mean magnitude, log g, and the coefficient of variation of the
  /// magnitude.
  case horizontalMean
  case horizontalVariation
  /// The mean distance of gravity's direction from its mean, approximately in log radians.
  case tilt
}
