package import InertialNumerics

/// The state of a filter with a covariance.
///
/// The attitude error is the rotation vector θ, in radians in earth axes, of q_true = exp(θ) ⊗ q; the bias error is the
/// true bias minus the estimated one, in rad/s in device axes. A consistency test needs the full covariances, not only
/// their diagonals.
package protocol CovarianceReporting {
  /// The covariance of the attitude error about the earth's X, Y (tilt) and Z (heading), in rad².
  var attitudeCovariance: Matrix3 { get }
  /// The covariance of the gyroscope bias in device axes, in rad²/s².
  var biasCovariance: Matrix3 { get }
}
