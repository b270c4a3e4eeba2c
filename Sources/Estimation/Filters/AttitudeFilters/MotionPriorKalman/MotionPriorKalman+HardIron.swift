internal import InertialNumerics
internal import InertialSensors

/// The magnetometer's bias: what a calibration has left of the device's own field.
extension MotionPriorKalman {
  /// Takes what a window tells of the bias, and begins the next.
  ///
  /// - Parameters:
  ///   - field: without the bias that is known, earth axes, µT.
  ///   - rotation: device to earth.
  mutating func fuseHardIron(_ field: Vector3, rotation: Matrix3, over interval: Double) {
    state.hardIron.add(field, rotation: rotation, over: interval)
    guard state.hardIron.duration >= HardIronWindow.length else { return }
    let window = state.hardIron
    state.hardIron = HardIronWindow()
    guard let components = window.measurements else { return }
    // A magnet that is stuck to the device is no bias that a calibration leaves; it may be gone in the next minute.
    let widest = parameters.magnetometerBiasSigma * parameters.magnetometerBiasSigma
    func square(_ component: HardIronWindow.Component) -> Double {
      component.residual * component.residual / (component.direction.squaredNorm * widest + component.variance)
    }
    guard square(components.0) + square(components.1) + square(components.2) < Coefficients.biasGate else {
      return tell(MeasurementOutcome(.magnetometerBias, leftOut: .beyondGate))
    }
    take(components.0, 0)
    take(components.1, 1)
    take(components.2, 2)
    if measurements != nil { tell(correction.taken.outcome(.magnetometerBias)) }
  }

  /// Corrects by one measurement of the hard iron.
  private mutating func take(_ component: HardIronWindow.Component, _ index: Int) {
    correction.measure(
      &state.covariance, FieldObservation(bias: component.direction), component: index, residual: component.residual,
      variance: component.variance, innovationWeight: 0, factors: nil)
  }

  /// The prior of the bias is narrowed or widened as what has been measured says.
  mutating func considerMagnetometerBiasPrior() {
    guard state.field.isKnown, state.magnetometerBiasPrior.pass(state.epoch.duration, walk: 0),
      let change = state.magnetometerBiasPrior.change(
        bias: state.magnetometerBias, covariance: state.covariance.block(at: ErrorIndex.magnetometerBias),
        coefficients.magnetometerBiasPrecisions)
    else { return }
    inform(of: ErrorIndex.magnetometerBias, state.magnetometerBias, by: change)
  }
}
