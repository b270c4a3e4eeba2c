internal import InertialNumerics
internal import InertialSensors

/// The magnetometer's bias: the hard iron that a calibration has left.
extension MotionPriorKalman {
  /// Adds a field to the window and, if the window is full, fuses its measurements of the bias and starts the next
  /// window.
  ///
  /// - Parameters:
  ///   - field: The field without the estimated bias, in earth axes, in µT.
  ///   - rotation: The rotation, device to earth.
  mutating func fuseHardIron(_ field: Vector3, rotation: Matrix3, over interval: Double) {
    state.hardIron.add(field, rotation: rotation, over: interval)
    guard state.hardIron.duration >= HardIronWindow.length else { return }
    let window = state.hardIron
    state.hardIron = HardIronWindow()
    guard let components = window.measurements else { return }
    // A magnet attached to the device is not a bias left by a calibration; it may be gone in the next minute.
    let widest = parameters.magnetometerBiasSigma * parameters.magnetometerBiasSigma
    func square(_ component: HardIronWindow.Component) -> Double {
      component.residual * component.residual / (component.direction.squaredNorm * widest + component.variance)
    }
    guard square(components.0) + square(components.1) + square(components.2) < Coefficients.biasGate else {
      return report(MeasurementOutcome(.magnetometerBias, leftOut: .beyondGate))
    }
    take(components.0, 0)
    take(components.1, 1)
    take(components.2, 2)
    if measurements != nil { report(correction.taken.outcome(.magnetometerBias)) }
  }

  /// Fuses one measurement of the hard iron.
  private mutating func take(_ component: HardIronWindow.Component, _ index: Int) {
    correction.measure(
      &state.covariance, FieldObservation(bias: component.direction), component: index, residual: component.residual,
      variance: component.variance, innovationWeight: 0, factors: nil)
  }

  /// Narrows or widens the prior of the bias according to the measurements.
  mutating func considerMagnetometerBiasPrior() {
    guard state.field.isKnown, state.magnetometerBiasPrior.pass(state.epoch.duration, walk: 0),
      let change = state.magnetometerBiasPrior.change(
        bias: state.magnetometerBias, covariance: state.covariance.block(at: ErrorIndex.magnetometerBias),
        coefficients.magnetometerBiasPrecisions)
    else { return }
    inform(of: ErrorIndex.magnetometerBias, state.magnetometerBias, by: change)
  }
}
