internal import InertialNumerics

/// A position fix, fix = p + n, and its velocity east and north, fix = v + n: equation (9) of docs/theory/error-state.md.
extension VehicleNavigator {
  /// Takes a fix, and adds its likelihood to the evidence: equation (17).
  ///
  /// The noise is the fix's own, and the motion during the error of its time; it is larger by the number of fixes for
  /// which a fix's error persists. Beyond the gate, a fix has less weight: a receiver that was disturbed in a tunnel is used again.
  mutating func take(_ fix: PositionFix) {
    var (position, velocity) = (fix.positionSigma.squares, Vector3(repeating: fix.velocitySigma * fix.velocitySigma))
    let timing = parameters.fixTimeSigma * parameters.fixTimeSigma
    let interval = fix.time - (lastFix?.time ?? -.infinity)
    position += navigator.state.velocity.squares * timing
    if let now = fix.velocity, let before = lastFix?.velocity {
      velocity += ((now - before) / interval).squares * timing
    }
    lastFix = fix
    let repeats = max(1, parameters.fixCorrelation / interval)
    var place = ErrorMeasurement(
      .position, residual: fix.position - navigator.state.position, variance: position * repeats)
    place.gate = .weaken(above: Self.gates.three)
    evidence += navigator.take(place).logLikelihood
    guard let measured = fix.velocity else { return }
    var motion = ErrorMeasurement(
      .velocity, components: 2, residual: measured - navigator.state.velocity, variance: velocity * repeats)
    motion.gate = .weaken(above: Self.gates.two)
    evidence += navigator.take(motion).logLikelihood
  }
}
