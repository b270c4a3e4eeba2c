internal import InertialNumerics
internal import InertialRotations

/// The reported accuracy of the attitude.
extension MotionPriorKalman {
  /// The relative increases of the sigmas of tilt and heading if all of the prior's noise is a lasting velocity: its
  /// errors are then correlated, which the covariance does not include.
  ///
  /// Percentages of tilt errors within one and two sigmas, without and with the increase: on BROAD 76 and 95, 82 and
  /// 97; in simulated scenes 64 and 86, 84 and 97; while walking with an iPhone 29 and 54, 53 and 82.
  private static let lastingTilt = 2.2
  private static let lastingHeading = 0.75

  /// The fraction of the prior's noise that is a lasting velocity, 0 to 1.
  var persistentFraction: Double {
    state.speed.persistentFraction(minimum: coefficients.velocity, weight: parameters.motionWeight)
  }

  /// Returns the standard deviations about the axes of a frame, in rad. It is static and takes only its inputs, because
  /// the whole state would be copied.
  ///
  /// - Parameters:
  ///   - covariance: The covariance of the attitude errors in the filter's own frame, in rad².
  ///   - frame: The rotation about the vertical from there to the requested frame.
  ///   - fraction: The `persistentFraction`.
  static func attitudeSigma(_ covariance: Matrix3, turned frame: Quaternion, persistentFraction fraction: Double)
    -> Vector3
  {
    let (tilt, heading) = (1 + lastingTilt * fraction, 1 + lastingHeading * fraction)
    var turned = covariance
    if frame != .identity {
      let turn = frame.matrix
      turned = turn * covariance * turn.transpose
    }
    let sigma = Vector3(turned.m11, turned.m22, turned.m33).standardDeviations
    return Vector3(tilt * sigma.x, tilt * sigma.y, heading * sigma.z)
  }
}
