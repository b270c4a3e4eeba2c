internal import InertialNumerics

/// A position fix, fix = p + c σ b + n, and its velocity east and north, fix = v + n: equation (9) of docs/theory/error-state.md.
extension VehicleNavigator {
  /// Takes a fix, and adds its likelihood to the evidence: equation (17).
  ///
  /// `PositionFix.row` defines the noise; the motion during the error of the fix's time is added. Beyond the gate, a fix
  /// has less weight: a receiver that was disturbed in a tunnel is used again.
  mutating func take(_ fix: PositionFix) {
    var velocity = Vector3(repeating: fix.velocitySigma * fix.velocitySigma)
    let timing = parameters.fixTimeSigma * parameters.fixTimeSigma
    let interval = fix.time - (lastFix?.time ?? -.infinity)
    let motion = navigator.state.velocity.squares * timing
    if let now = fix.velocity, let before = lastFix?.velocity {
      velocity += ((now - before) / interval).squares * timing
    }
    lastFix = fix
    let repeats = PositionFix.repeats(every: interval)
    let state = navigator.state
    var place = ErrorMeasurement()
    for axis in 0..<3 {
      place.append(
        fix.row(
          axis, (state.position[axis], ErrorLayout.Block.position.start + axis),
          error: (state.fixError[axis], ErrorLayout.Block.fixError.start + axis), motion: motion[axis],
          repeats: repeats))
    }
    place.gate = .weaken(above: Self.gates.three)
    note(navigator.take(place))
    guard let measured = fix.velocity else { return }
    var speed = ErrorMeasurement(
      .velocity, components: 2, residual: measured - navigator.state.velocity, variance: velocity * repeats)
    speed.gate = .weaken(above: Self.gates.two)
    note(navigator.take(speed))
  }

  /// Multiplies the evidence of the fixes so far by a factor.
  mutating func fadeEvidence(by factor: Double) {
    evidence *= factor
    (misfitSquares, misfitCount) = (factor * misfitSquares, factor * misfitCount)
  }

  private mutating func note(_ innovation: ErrorInnovation) {
    evidence += innovation.logLikelihood
    misfitSquares += innovation.normalizedSquared
    misfitCount += Double(innovation.count)
  }
}
