internal import InertialNumerics
internal import InertialRotations

/// What is said of the attitude's accuracy.
extension MotionPriorKalman {
  /// How much larger the sigmas of tilt and heading are where the prior's whole noise is a velocity that lasts: its
  /// errors are then correlated, of which the covariance knows nothing.
  ///
  /// Tilt errors inside one and two sigmas, in per cent, without this and with it: on BROAD 76 and 95, 82 and 97; of
  /// simulated scenes 64 and 86, 84 and 97; of persons who walk with an iPhone 29 and 54, 53 and 82.
  private static let lastingTilt = 2.2
  private static let lastingHeading = 0.75

  /// How much of the prior's noise is a velocity that lasts, 0 to 1.
  var lastingShare: Double {
    state.speed.lastingShare(least: coefficients.velocity, weight: parameters.motionWeight)
  }

  /// The standard deviations about the axes of a frame, rad. Static, and of what it needs: the whole state would be
  /// copied.
  ///
  /// - Parameters:
  ///   - covariance: of the attitude's errors in the filter's own frame, rad².
  ///   - frame: from there to the frame that is asked for, about the vertical.
  ///   - share: `lastingShare`.
  static func attitudeSigma(_ covariance: Matrix3, turned frame: Quaternion, lastingShare share: Double) -> Vector3 {
    let (tilt, heading) = (1 + lastingTilt * share, 1 + lastingHeading * share)
    var turned = covariance
    if frame != .identity {
      let turn = frame.matrix
      turned = turn * covariance * turn.transpose
    }
    let sigma = Vector3(turned.m11, turned.m22, turned.m33).standardDeviations
    return Vector3(tilt * sigma.x, tilt * sigma.y, heading * sigma.z)
  }
}
