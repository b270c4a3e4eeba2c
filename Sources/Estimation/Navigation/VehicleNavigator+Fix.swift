internal import InertialNumerics

/// A position fix, fix = p + c σ b + n, and its velocity east and north, fix = v + n: equation (9) of docs/theory/error-state.md.
extension VehicleNavigator {
  /// Takes a fix, and adds its likelihood to the evidence: equation (17).
  ///
  /// Most of the error of a receiver's position persists: it is a state b with a variance of 1, and fix = p + c σ b + n
  /// with the stated σ. The noise n is the rest of the fix's error, and the motion during the error of its time; it is
  /// larger by the number of fixes for which it persists. Beyond the gate, a fix has less weight: a
  /// receiver that was disturbed in a tunnel is used again.
  mutating func take(_ fix: PositionFix) {
    let slow = PositionFix.slowFraction * fix.positionSigma
    var position = (PositionFix.fastFraction * fix.positionSigma).squares
    var velocity = Vector3(repeating: fix.velocitySigma * fix.velocitySigma)
    let timing = parameters.fixTimeSigma * parameters.fixTimeSigma
    let interval = fix.time - (lastFix?.time ?? -.infinity)
    position += navigator.state.velocity.squares * timing
    if let now = fix.velocity, let before = lastFix?.velocity {
      velocity += ((now - before) / interval).squares * timing
    }
    lastFix = fix
    let repeats = max(1, PositionFix.fastTime / interval)
    var place = ErrorMeasurement()
    for axis in 0..<3 {
      var row = MeasurementRow(
        residual: fix.position[axis] - navigator.state.position[axis] - slow[axis] * navigator.state.fixError[axis],
        variance: position[axis] * repeats)
      row.add(1, at: ErrorLayout.Block.position.start + axis)
      row.add(slow[axis], at: ErrorLayout.Block.fixError.start + axis)
      place.append(row)
    }
    place.gate = .weaken(above: Self.gates.three)
    note(navigator.take(place))
    guard let measured = fix.velocity else { return }
    var motion = ErrorMeasurement(
      .velocity, components: 2, residual: measured - navigator.state.velocity, variance: velocity * repeats)
    motion.gate = .weaken(above: Self.gates.two)
    note(navigator.take(motion))
  }

  /// Multiplies the evidence of the fixes so far by a factor.
  mutating func fadeEvidence(by factor: Double) {
    evidence *= factor
    misfit = (factor * misfit.squares, factor * misfit.count)
  }

  private mutating func note(_ innovation: ErrorInnovation) {
    evidence += innovation.logLikelihood
    misfit.squares += innovation.normalizedSquared
    misfit.count += Double(innovation.count)
  }
}
