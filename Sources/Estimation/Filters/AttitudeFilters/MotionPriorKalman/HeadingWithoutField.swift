internal import InertialNumerics

/// Without a field, only motion and rest reveal the gyroscope bias about the vertical: docs/theory/flagship.md, section
/// 3.4.
extension MotionPriorKalman {
  /// The fraction of the motion prior's correction of the heading.
  ///
  /// Repetitive motion seems to reveal the heading but does not: the prior treats its noise as white, which it is not.
  private static let headingGain = 0.5
  /// s_u, the standard deviation of the part of the bias about the vertical that no motion reveals, in rad/s: 0.3 °/s.
  ///
  /// A gyroscope's bias depends on the direction of gravity: that of an iPhone 5 differs by 0.2 to 0.4 °/s between
  /// postures. What a tilt reveals of the bias about the vertical includes this difference.
  private static let verticalBiasSigma = 0.005

  /// Returns the errors that the motion prior corrects in part: equation (15) of docs/theory/flagship.md.
  func heldErrors() -> PartialGain {
    let up = state.rotation.row(2)
    let unobservable = Self.verticalBiasSigma * Self.verticalBiasSigma
    let variance = up.dot(state.biasCovariance * up)
    var held = PartialGain()
    held.isSmoothedAsOptimal = true
    held.hold(MotionErrors.heading..<MotionErrors.heading + 1, by: 1 - Self.headingGain)
    held.hold(MotionErrors.gyroscopeBias, along: up, by: unobservable / (unobservable + variance))
    return held
  }

  /// Narrows or widens the prior of the bias according to the measurements: equation (16) of docs/theory/flagship.md.
  mutating func considerBiasPrior() {
    let (duration, bias, covariance) = (state.epoch.duration, state.gyroscopeBias, state.biasCovariance)
    guard !state.field.isKnown, state.biasPrior?.advance(by: duration, walk: coefficients.bias) == true,
      let information = state.biasPrior?.change(bias: bias, covariance: covariance, coefficients.biasPrecisions)
    else { return }
    state.kalman.take(
      ErrorMeasurement(
        MotionErrors.gyroscopeBias, residual: -1 * bias, variance: Vector3(repeating: 1 / information)))
  }
}
