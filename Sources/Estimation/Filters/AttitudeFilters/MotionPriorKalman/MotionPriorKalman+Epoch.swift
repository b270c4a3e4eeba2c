internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  /// Processes the sums of an epoch: propagation, motion prior, rest, field, and the combined correction.
  mutating func closeEpoch() {
    guard state.epoch.duration > 0 else { return }
    let transition = state.epoch.transition(
      scale: state.gyroscopeScale, hasHeading: state.field.isKnown, persistence: persistence())
    let unknownTurn = propagateCovariance(by: transition)
    correction.clear()
    considerBiasPrior()
    considerMagnetometerBiasPrior()
    if state.epoch.forceDuration > 0 {
      fuseMotionPrior()
      fuseRest()
    }
    let field = state.epoch.meanField
    var northIsWrong = false
    if let field, state.field.isKnown { northIsWrong = fuseField(field) }
    applyCorrection()
    assert(state.isFinite, "an epoch has left the filter's state or its variances without a value")
    if correction.trace != nil { traceEpoch(transition) }
    if let field, !state.field.isKnown { meetField(field) }
    if northIsWrong { exchangeNorth() }
    let isLost = state.lost.isLost(
      velocity: state.velocity, after: state.epoch.duration, speed: parameters.lostSpeed,
      angle: parameters.lostAngle, restSigma: restSigma)
    state.epoch = MotionEpoch()
    state.flags.remove(.gap)
    if isLost || unknownTurn > 0 {
      startOver(headingVariance: max(isLost ? Self.lostHeadingVariance : 0, unknownTurn * unknownTurn))
    }
  }

  /// Returns the persistence of the fading sensor errors. It is evaluated once per second, as its time constant is
  /// hundreds of seconds.
  private mutating func persistence() -> Double {
    state.unfaded += state.epoch.duration
    guard state.unfaded >= 1 else { return 1 }
    defer { state.unfaded = 0 }
    return exp(-state.unfaded / parameters.sensorMemory)
  }

  /// The tilt's standard deviation, in rad, if the device rests.
  private var restSigma: Double? {
    guard state.rest.isResting(coefficients.rest) else { return nil }
    return max(state.covariance[0, 0], state.covariance[1, 1]).standardDeviation
  }

  /// Propagates P ← F P Fᵀ + Q over the epoch.
  ///
  /// - Returns: The result of `addClipping`.
  private mutating func propagateCovariance(by transition: ErrorTransition) -> Double {
    let epoch = state.epoch
    let c = coefficients
    correction.propagate(&state.covariance, by: transition)
    let duration = epoch.duration
    state.covariance.add(
      c.gyroscope * duration + c.gyroscopeScale * epoch.squaredRateIntegral + epoch.coning,
      to: ErrorIndex.attitudes)
    state.covariance.add(c.bias * duration, to: ErrorIndex.gyroscopeBiases)
    state.covariance.add(c.force * epoch.forceDuration, to: ErrorIndex.velocities)
    if transition.persistence != 1 {
      let forgotten = 1 - transition.persistence * transition.persistence
      state.covariance.add(forgotten * c.scale, to: ErrorIndex.scales)
      state.covariance.add(forgotten * c.forceBias, to: ErrorIndex.accelerometerBiases)
      state.sensors.fade(by: transition.persistence)
    }
    if state.field.isKnown { state.covariance.add(c.field * duration, to: ErrorIndex.fieldParts) }
    return addClipping(epoch.clippedTime)
  }

  /// Adds noise about clipped axes, whose actual rates exceed the measured ones by an unknown amount. The excess is
  /// unknown throughout the clipping, so the angle error grows with the time, and not with its square root.
  ///
  /// - Returns: The possible unknown rotation, in rad, of a clipping that ended in this epoch, or 0 without one.
  private mutating func addClipping(_ times: Vector3) -> Double {
    var unknownTurn = 0.0
    for axis in 0..<3 {
      let before = state.clippedTime[axis]
      let rate = Self.clippedFraction * state.clipping.latestRange
      state.clippedTime[axis] = times[axis] > 0 ? before + times[axis] : 0
      guard times[axis] > 0 else {
        if rate * before > Self.minimumUnknownRotation { unknownTurn = max(unknownTurn, rate * before) }
        continue
      }
      let after = state.clippedTime[axis]
      let direction = state.rotation.column(axis)
      state.covariance.add(
        rate * rate * (after * after - before * before) * Matrix3(outer: direction, direction), at: ErrorIndex.attitude)
    }
    return unknownTurn
  }

  /// The likely excess of a clipped rate over the gyroscope's range, as a fraction of the range.
  private static let clippedFraction = 0.15
  /// The minimum unknown rotation of a finished clipping, in rad, for a restart of the attitude as after a gap.
  private static let minimumUnknownRotation = 0.3
  /// The factor on the prior's variance in an epoch with a clipped accelerometer.
  private static let clippedForceFactor = 11.0
  /// The largest correction of an epoch that does not count as a jump, in rad: 3°.
  private static let jumpAngle = 0.0524
  /// The time constant of the mean vertical in device axes, in seconds, and the minimum norm of this mean for a device
  /// with a constant up direction. A device rotated in all directions reveals its bias about all axes.
  private static let uprightMemory = 10.0
  private static let minimumUpright = 0.3
  /// The longest time that one measurement of the field represents, in seconds.
  private static let maximumFieldInterval = 0.2
  /// The multiple of the magnetometer's noise above which a deviation counts as a disturbance.
  private static let disturbanceFraction = 4.0

  /// Fuses 0 = v + n, with a noise density that grows with the mean square velocity.
  private mutating func fuseMotionPrior() {
    let duration = state.epoch.duration
    state.speed.add(
      state.velocity, over: duration, memory: parameters.motionMemory, growth: parameters.motionMemoryGrowth)
    var (horizontal, vertical) = (state.speed.horizontal, state.speed.vertical)
    var weight = parameters.motionWeight
    if let time = state.time, let known = knownSpeeds?.speed(at: time) {
      (horizontal, vertical, weight) = (known.horizontal, known.vertical, parameters.knownMotionWeight)
    }
    let clipping = state.epoch.forceIsClipped ? Self.clippedForceFactor : 1
    func variance(_ meanSquare: Double) -> Double {
      clipping * (coefficients.velocity + weight * meanSquare) / duration
    }
    let level = variance(horizontal)
    fuseVelocity(variances: Vector3(level, level, variance(vertical)), held: heldErrors())
    if measurements != nil { report(correction.taken.outcome(.velocity).weighted(1 / clipping, .clipped)) }
  }

  private mutating func fuseVelocity(variances: Vector3, held: ErrorCorrection.PartialUpdate? = nil) {
    correction.measure(
      &state.covariance, at: ErrorIndex.velocity, residual: -state.velocity, variances: variances, held: held)
  }

  /// Records a measurement outcome of this epoch, if requested.
  mutating func report(_ outcome: MeasurementOutcome) { measurements?.add(outcome, at: state.time ?? 0) }

  /// Narrows or widens the bias's prior according to the measurements.
  private mutating func considerBiasPrior() {
    guard state.biasPrior.pass(state.epoch.duration, walk: coefficients.bias),
      let change = state.biasPrior.change(
        bias: state.gyroscopeBias, covariance: state.covariance.block(at: ErrorIndex.gyroscopeBias),
        coefficients.biasPrecisions)
    else { return }
    inform(of: ErrorIndex.gyroscopeBias, state.gyroscopeBias, by: change)
  }

  /// Adds information about three errors whose expected values are zero, or removes some.
  mutating func inform(of start: Int, _ estimate: Vector3, by change: Double) {
    for axis in 0..<3 {
      correction.inform(&state.covariance, of: start + axis, residual: -estimate[axis], information: change)
    }
  }

  /// Returns the errors to hold. Repetitive motion seems to reveal the sensors' biases but does not, because its errors
  /// are treated as white and are not. Therefore, the accelerometer's bias is learned slowly; and, without a field, so
  /// is the gyroscope's about the vertical, which only rest and rotations to other attitudes reveal. The heading change
  /// due to a held bias must be held too: otherwise, the turns of a walk would be interpreted as heading errors.
  private mutating func heldErrors() -> ErrorCorrection.PartialUpdate? {
    var held = ErrorCorrection.PartialUpdate(
      direction: .zero, gyroscopeFraction: 0, forceFraction: 1 - parameters.accelerationBiasGain)
    if parameters.verticalGain < 1, !state.field.isKnown {
      let up = Vector3(state.rotation.m31, state.rotation.m32, state.rotation.m33)
      let duration = state.epoch.duration
      state.meanUp += (duration / (Self.uprightMemory + duration)) * (up - state.meanUp)
      let norm = state.meanUp.norm
      held.headingFraction = 1 - parameters.verticalGain
      if norm > Self.minimumUpright {
        (held.direction, held.gyroscopeFraction) = ((1 / norm) * state.meanUp, held.headingFraction)
      }
    }
    return held.headingFraction > 0 || held.forceFraction > 0 ? held : nil
  }

  /// Fuses a rest: the velocity is zero and the rate is the bias, unless it is too far from the estimate; in that case,
  /// the device is rotating at a constant rate.
  private mutating func fuseRest() {
    guard state.rest.isResting(coefficients.rest) else { return }
    let duration = state.epoch.duration
    let variance = coefficients.restRate / duration
    let residual = state.epoch.meanMeasuredRate - state.gyroscopeBias
    let bias = ErrorIndex.gyroscopeBias
    var (deviation, spread) = (0.0, Vector3.zero)
    for axis in 0..<3 {
      spread[axis] = state.covariance[bias + axis, bias + axis] + variance
      deviation += residual[axis] * residual[axis] / spread[axis]
    }
    report(
      MeasurementOutcome(
        .restRate, count: 3, innovation: residual, variance: spread, normalizedSquared: deviation,
        gate: Coefficients.biasGate))
    guard deviation < Coefficients.biasGate else {
      return report(MeasurementOutcome(.restVelocity, leftOut: .motion))
    }
    fuseVelocity(
      variances: Vector3(repeating: coefficients.restVelocity / duration),
      held: .init(direction: .zero, gyroscopeFraction: 0, forceFraction: 1 - parameters.accelerationBiasGain))
    if measurements != nil { report(correction.taken.outcome(.restVelocity)) }
    correction.measure(
      &state.covariance, at: bias, residual: residual, variances: Vector3(repeating: variance))
  }

  /// Fuses the difference between the epoch's mean field and the predicted field, by its three components.
  ///
  /// - Returns: Whether the evidence now favours the other north.
  private mutating func fuseField(_ measured: Vector3) -> Bool {
    let rotation = state.epoch.meanFieldRotation
    let field = measured - rotation * state.magnetometerBias
    let now = state.time ?? 0
    let interval = min(Self.maximumFieldInterval, state.field.time.map { now - $0 } ?? state.epoch.duration)
    state.field.time = now
    guard interval > 0 else { return false }
    state.field.compare(
      field, dipWeight: parameters.dipWeight, over: interval, memory: parameters.disturbanceMemory)
    let disturbance = parameters.disturbanceWeight * state.field.deviation
    state.flags.setMembership(
      of: .magneticDisturbance, disturbance > Self.disturbanceFraction * parameters.magneticNoise)

    fuseHardIron(field, rotation: rotation, over: interval)
    let northIsWrong = state.north.add(field, over: interval, at: now)

    let variance = (coefficients.magnetic + disturbance * disturbance) / interval
    let rate = state.epoch.meanRate
    let residual = field - state.field.predicted(turningAt: rate)
    // West comes first, the component that determines the heading, then north and up.
    for axis in [1, 0, 2] {
      correction.measure(
        &state.covariance, state.field.observation(axis, of: field, turningAt: rate, rotation: rotation),
        component: axis, residual: residual[axis],
        variance: variance, innovationWeight: coefficients.innovation / interval,
        factors: coefficients.fieldFactors)
    }
    if measurements != nil {
      let taken = correction.taken
      let noise = max(taken.noise.x, taken.noise.y, taken.noise.z)
      report(taken.outcome(.magneticField).weighted(coefficients.magnetic / (interval * noise), .disturbedField))
    }
    return northIsWrong
  }

  private mutating func applyCorrection() {
    let turned = correction.vector(at: ErrorIndex.attitude)
    state.flags.setMembership(of: .jumped, turned.norm > Self.jumpAngle)
    turn(by: Quaternion(rotationVector: turned))
    state.north.turn(by: turned.z)
    state.sensors.gyroscopeBias += correction.vector(at: ErrorIndex.gyroscopeBias)
    state.velocity += correction.vector(at: ErrorIndex.velocity)
    let scale = ErrorIndex.scale
    state.sensors.gyroscopeScale =
      state.gyroscopeScale
      + Matrix3(
        columns: correction.vector(at: scale), correction.vector(at: scale + 3), correction.vector(at: scale + 6))
    state.sensors.accelerometerBias += correction.vector(at: ErrorIndex.accelerometerBias)
    state.sensors.magnetometerBias += correction.vector(at: ErrorIndex.magnetometerBias)
    state.field.horizontal += correction.correction[ErrorIndex.fieldHorizontal]
    state.field.down += correction.correction[ErrorIndex.fieldDown]
    state.field.delay += correction.correction[ErrorIndex.fieldDelay]
  }
}
