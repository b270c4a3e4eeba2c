/// The features of a window of 2.56 s, and of the rotation in 5.12 s. They do not depend on the orientation of the
/// device.
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
  /// The fraction of the total power in the strongest line below 5 Hz, and of the power from 5 to 18 Hz in the
  /// strongest line of that band.
  case slowLine
  case fastLine
  /// The root mean square of the acceleration from 5 to 18 Hz over that from 0.3 to 3.5 Hz, log.
  case roughness
  /// The rotation of the device in the last 5.12 s (`RotationMeasure`); `missing` without a rotation rate. The root
  /// mean square above 0.3 Hz and in total, log rad/s; the fraction of a permanent rotation; the fraction about one
  /// axis.
  case rotationLevel
  case rotationTotal
  case rotationSteadiness
  case rotationPlanarity
  /// The autocorrelation of the rotation at its period, and the period, in seconds; 0 if there is hardly any rotation.
  case rotationRegularity
  case rotationPeriod
  /// The acceleration from 5 to 18 Hz over the rotation rate, log g s: heel strikes jolt a limb, pedals do not.
  case jolts
  /// The distance from an axis at which the rotation would cause the slow acceleration, log m.
  case radius
  /// The number of maxima of the vertical acceleration per swing: about two in gait.
  case beats
  /// Whether there is a rotation rate: 1 or 0.
  case rotationKnown

  /// The value of a feature of the rotation without a rotation rate.
  package static let missing: Float = -9
}
