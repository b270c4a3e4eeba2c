internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The reported accuracy of the attitude.
extension MotionPriorKalman {
  /// The relative increases of the sigmas of tilt and heading if all of the prior's noise is a lasting velocity: its
  /// errors are then correlated, which the covariance does not include.
  private static let lastingTilt = 4.0
  private static let lastingHeading = 0.75
  /// The unknown lateness of the sensors, in seconds, with its weights in the variances of tilt and heading.
  private static let lateness = 0.003
  private static let latenessWeights = Vector3(1, 1, 0.5)

  /// The fraction of the prior's noise that is a lasting velocity, 0 to 1.
  var persistentFraction: Double {
    state.meanSquareVelocity.persistentFraction(minimum: coefficients.velocity, weight: parameters.motionWeight)
  }

  /// Returns the standard deviations about the axes of a frame, in rad: equation (24) of docs/theory/flagship.md.
  ///
  /// It is static and takes only its inputs, because the whole state would be copied.
  ///
  /// - Parameters:
  ///   - covariance: The covariance of the attitude errors in the filter's own frame, in rad².
  ///   - attitude: The attitude in the requested frame.
  ///   - hiddenForceBias: The covariance of the accelerometer bias in addition to the filter's, in (m/s²)².
  ///   - frame: The rotation about the vertical from there to the requested frame.
  ///   - fraction: The `persistentFraction`.
  ///   - spin: The norm of the rotation rate, in rad/s.
  static func attitudeSigma(
    _ covariance: Matrix3, of attitude: Quaternion, hiddenForceBias: Matrix3, turned frame: Quaternion,
    persistentFraction fraction: Double, spin: Double
  ) -> Vector3 {
    let (tilt, heading) = (1 + lastingTilt * fraction, 1 + lastingHeading * fraction)
    var turned = covariance
    if frame != .identity {
      let turn = frame.matrix
      turned = turn * covariance * turn.transpose
    }
    // A bias along X tilts about Y, and one along Y about X.
    let (x, y) = (attitude.rotateInverse(.unitX), attitude.rotateInverse(.unitY))
    let perSquare = 1 / (standardGravity * standardGravity)
    let (aboutX, aboutY) = (perSquare * y.dot(hiddenForceBias * y), perSquare * x.dot(hiddenForceBias * x))
    let late = lateness * lateness * spin * spin
    return Vector3(
      tilt * tilt * turned.m11 + aboutX + latenessWeights.x * late,
      tilt * tilt * turned.m22 + aboutY + latenessWeights.y * late,
      heading * heading * turned.m33 + latenessWeights.z * late
    ).standardDeviations
  }
}
