package import InertialNumerics

/// The state of a filter that knows how certain it is.
///
/// The attitude's error is the rotation vector θ, radians in earth axes, of q_true = exp(θ) ⊗ q; the bias's is
/// the true bias less the estimated one, rad/s in device axes. A test of consistency needs the covariances whole and
/// not only their diagonals.
package protocol CovarianceReporting {
  /// Covariance of the attitude's error about the earth's X, Y (tilt) and Z (heading), rad².
  var attitudeCovariance: Matrix3 { get }
  /// Covariance of the gyroscope bias in device axes, rad²/s².
  var biasCovariance: Matrix3 { get }
}
