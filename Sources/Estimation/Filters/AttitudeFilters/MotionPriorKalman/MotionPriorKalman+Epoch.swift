internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  /// Processes the sums of an epoch: propagates the covariance, takes the priors of the biases, the motion prior, the
  /// rest and the field, and applies the correction.
  mutating func closeEpoch() {
    guard state.epoch.duration > 0 else { return }
    propagateCovariance()
    state.meanSquareVelocity.add(state.velocity, over: state.epoch.duration, memory: parameters.motionMemory)
    considerBiasPrior()
    if state.epoch.forceDuration > 0 {
      takeConstantErrors(after: state.epoch.forceDuration)
      takeMotionPrior()
      followDirections(over: state.epoch.duration)
      takeRest()
    }
    let field = state.epoch.meanField
    var isLocked = false
    if let field, state.field.isKnown { isLocked = takeField(field) }
    correct(by: state.kalman.close())
    assert(state.isFinite, "the state or a variance is not finite after an epoch")
    if let field, !state.field.isKnown { alignToField(field) }
    if isLocked { learnHeadingAgain() }
    let isLost = state.tiltDivergence.isLost(velocity: state.velocity, after: state.epoch.duration)
    state.epoch = MotionEpoch()
    state.flags.remove(.gap)
    if isLost { recoverTilt() }
  }

  /// Propagates P ← F P Fᵀ + Q over the epoch: equations (6) and (7) of docs/theory/flagship.md.
  private mutating func propagateCovariance() {
    let duration = state.epoch.duration
    state.kalman.propagate(by: state.epoch.transition(scale: state.gyroscopeScale))
    state.kalman.add(coefficients.gyroscope * duration, to: MotionErrors.attitude)
    state.kalman.add(coefficients.bias * duration, to: MotionErrors.gyroscopeBias)
    state.kalman.add(coefficients.force * duration, to: MotionErrors.velocity)
    addClipping()
  }

  /// The likely excess of a clipped rate over the gyroscope's range, as a fraction of the range.
  private static let clippedFraction = 0.5

  /// Adds noise about clipped axes, whose actual rates exceed the measured ones by an unknown amount: equation (20) of
  /// docs/theory/flagship.md.
  ///
  /// The excess is unknown throughout the clipping, so the angle error grows with the time, and not with its square
  /// root.
  private mutating func addClipping() {
    let times = state.epoch.clippedTime
    guard times != .zero || state.clippedTime != .zero else { return }
    if times != .zero {
      state.firstClipping = state.firstClipping ?? state.time
      state.lastClipping = state.time
    }
    let rate = Self.clippedFraction * state.clipping.latestRange
    for axis in 0..<3 {
      let before = state.clippedTime[axis]
      let after = times[axis] > 0 ? before + times[axis] : 0
      state.clippedTime[axis] = after
      guard after > 0 else { continue }
      let direction = state.rotation.column(axis)
      state.kalman.add(
        rate * rate * (after * after - before * before) * Matrix3(outer: direction, direction),
        to: MotionErrors.attitude)
    }
  }

  /// Corrects the state by the errors of an epoch: q ← exp(θ) ⊗ q, and sums for all others.
  private mutating func correct(by errors: ErrorValues) {
    let turned = errors[MotionErrors.attitude]
    state.flags.setMembership(of: .jumped, turned.norm > AttitudeFlags.jumpAngle)
    turn(by: Quaternion(rotationVector: turned))
    state.headingLock.turn(by: turned.z)
    state.gyroscopeBias += errors[MotionErrors.gyroscopeBias]
    state.velocity += errors[MotionErrors.velocity]
    let scale = MotionErrors.scale
    state.gyroscopeScale =
      state.gyroscopeScale
      + Matrix3(
        columns: errors[scale[0..<3]], errors[scale[3..<6]], errors[scale[6..<9]])
    state.accelerometerBias += errors[MotionErrors.accelerometerBias]
    state.field.horizontal += errors[MotionErrors.field.start]
    state.field.down += errors[MotionErrors.field.start + 1]
    state.field.delay += errors[MotionErrors.fieldDelay.start]
    if trace != nil { traceEpoch(turned: turned) }
  }

  /// Records a measurement outcome of this epoch, if requested.
  mutating func report(_ outcome: MeasurementOutcome) { measurements?.add(outcome, at: state.time ?? 0) }
}
