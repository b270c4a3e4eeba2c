internal import InertialNumerics

/// Without a field, only motion and rest reveal the gyroscope bias about the vertical: docs/theory/flagship.md, section
/// 3.4.
extension MotionPriorKalman {
  /// The fraction of the motion prior's corrections of the heading and of the bias about the vertical.
  ///
  /// Repetitive motion seems to reveal them but does not, because the prior's noise is treated as white and is not.
  private static let verticalGain = 0.5
  /// The time constant of the mean vertical in device axes, in seconds, and the minimum norm of this mean for a device
  /// with a constant up direction. A device rotated in all directions reveals its bias about all axes.
  private static let uprightMemory = 10.0
  private static let minimumUpright = 0.3

  /// Returns the errors that the motion prior corrects in part: equation (15) of docs/theory/flagship.md.
  mutating func heldErrors() -> PartialGain {
    let up = state.rotation.row(2)
    let duration = state.epoch.duration
    state.meanUp += (duration / (Self.uprightMemory + duration)) * (up - state.meanUp)
    var held = PartialGain()
    held.isSmoothedAsOptimal = true
    held.hold(MotionErrors.heading..<MotionErrors.heading + 1, by: 1 - Self.verticalGain)
    let norm = state.meanUp.norm
    if norm > Self.minimumUpright {
      held.hold(MotionErrors.gyroscopeBias, along: (1 / norm) * state.meanUp, by: 1 - Self.verticalGain)
    }
    return held
  }

  /// Narrows or widens the prior of the bias according to the measurements: equation (16) of docs/theory/flagship.md.
  mutating func considerBiasPrior() {
    let (duration, bias, covariance) = (state.epoch.duration, state.gyroscopeBias, state.biasCovariance)
    guard !state.field.isKnown, state.biasPrior?.pass(duration, walk: coefficients.bias) == true,
      let information = state.biasPrior?.change(bias: bias, covariance: covariance, coefficients.biasPrecisions)
    else { return }
    for axis in 0..<3 {
      var row = MeasurementRow(residual: -state.gyroscopeBias[axis], variance: 1 / information)
      row.add(1, at: MotionErrors.gyroscopeBias.start + axis)
      state.kalman.take(row)
    }
  }
}

extension MotionPriorKalman.Parameters {
  /// The values of 1 / σ² for the standard deviations of the gyroscope's bias without a field, in (rad/s)⁻²: with the
  /// default from 0.25 °/s of a calibrated gyroscope to 8 °/s of the worst raw phones, each about twice the previous
  /// one.
  var biasPrecisions: [Double] {
    (0...5).map { step in
      let sigma = 0.0875 * initialBiasSigma * Double(1 << step)
      return 1 / (sigma * sigma)
    }
  }
}
