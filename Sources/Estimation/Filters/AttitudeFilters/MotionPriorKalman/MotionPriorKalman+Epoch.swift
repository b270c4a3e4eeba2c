internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  /// What the sums of an epoch say: propagation, motion prior, rest, field, and the correction by all of them.
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

  /// What is left of the sensors' errors that fade: counted from second to second, of which the memory is hundreds.
  private mutating func persistence() -> Double {
    state.unfaded += state.epoch.duration
    guard state.unfaded >= 1 else { return 1 }
    defer { state.unfaded = 0 }
    return exp(-state.unfaded / parameters.sensorMemory)
  }

  /// The tilt's standard deviation, rad, where the device rests.
  private var restSigma: Double? {
    guard state.rest.isResting(coefficients.rest) else { return nil }
    return max(state.covariance[0, 0], state.covariance[1, 1]).standardDeviation
  }

  /// P ← F P Fᵀ + Q over the epoch.
  ///
  /// - Returns: as of `addClipping`.
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

  /// A clipped axis has turned faster than it says, nobody knows by how much: noise about that axis. By how much is one
  /// unknown for as long as it is clipped, so the angle grows with the time, and not with its root.
  ///
  /// - Returns: what a clipping that ended in this epoch may have turned the device by, rad; 0 where none did.
  private mutating func addClipping(_ times: Vector3) -> Double {
    var unknownTurn = 0.0
    for axis in 0..<3 {
      let before = state.clippedTime[axis]
      let rate = Self.clippedShare * state.clipping.latestRange
      state.clippedTime[axis] = times[axis] > 0 ? before + times[axis] : 0
      guard times[axis] > 0 else {
        if rate * before > Self.leastUnknownTurn { unknownTurn = max(unknownTurn, rate * before) }
        continue
      }
      let after = state.clippedTime[axis]
      let direction = state.rotation.column(axis)
      state.covariance.add(
        rate * rate * (after * after - before * before) * Matrix3(outer: direction, direction), at: ErrorIndex.attitude)
    }
    return unknownTurn
  }

  /// By which share of its range a clipped gyroscope is likely to be exceeded.
  private static let clippedShare = 0.15
  /// What a clipping that is over may have turned the device by, rad, for the attitude to be found anew as after a gap.
  private static let leastUnknownTurn = 0.3
  /// Factor on the prior's variance in an epoch in which the accelerometer was clipped.
  private static let clippedForceFactor = 11.0
  /// Largest correction of an epoch that is not called a jump, rad: 3°.
  private static let jumpAngle = 0.0524
  /// Memory of the vertical in device axes, seconds, and the least norm of its mean for the device to count as held
  /// one way up: one that is turned every way shows its bias about all axes.
  private static let uprightMemory = 10.0
  private static let leastUpright = 0.3
  /// Longest time that one measurement of the field counts for, seconds.
  private static let longestFieldInterval = 0.2
  /// Times the magnetometer's noise from which on a deviation is called a disturbance.
  private static let disturbanceShare = 4.0

  /// 0 = v + n with a density that grows with the mean square velocity.
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
    if measurements != nil { tell(correction.taken.outcome(.velocity).weighted(1 / clipping, .clipped)) }
  }

  private mutating func fuseVelocity(variances: Vector3, held: ErrorCorrection.HeldErrors? = nil) {
    correction.measure(
      &state.covariance, at: ErrorIndex.velocity, residual: -state.velocity, variances: variances, held: held)
  }

  /// Notes what was made of a measurement of this epoch, where somebody has asked.
  mutating func tell(_ outcome: MeasurementOutcome) { measurements?.add(outcome, at: state.time ?? 0) }

  /// The bias's prior is narrowed or widened as what has been measured says.
  private mutating func considerBiasPrior() {
    guard state.biasPrior.pass(state.epoch.duration, walk: coefficients.bias),
      let change = state.biasPrior.change(
        bias: state.gyroscopeBias, covariance: state.covariance.block(at: ErrorIndex.gyroscopeBias),
        coefficients.biasPrecisions)
    else { return }
    inform(of: ErrorIndex.gyroscopeBias, state.gyroscopeBias, by: change)
  }

  /// Adds information about three errors whose expected values are zero, or takes some away.
  mutating func inform(of start: Int, _ estimate: Vector3, by change: Double) {
    for axis in 0..<3 {
      correction.inform(&state.covariance, of: start + axis, residual: -estimate[axis], information: change)
    }
  }

  /// Motion that repeats itself seems to show the sensors' biases and does not: its errors are taken for white and
  /// are not. So the accelerometer's bias is learned slowly; and, without a field, so is the gyroscope's about the
  /// vertical, which only rest and turns to other attitudes show. What a bias is held back by, the heading that it has
  /// turned since the start must be, too: else a walk's turns are taken for errors of the heading.
  private mutating func heldErrors() -> ErrorCorrection.HeldErrors? {
    var held = ErrorCorrection.HeldErrors(
      direction: .zero, gyroscopeShare: 0, forceShare: 1 - parameters.accelerationBiasGain)
    if parameters.verticalGain < 1, !state.field.isKnown {
      let up = Vector3(state.rotation.m31, state.rotation.m32, state.rotation.m33)
      let duration = state.epoch.duration
      state.meanUp += (duration / (Self.uprightMemory + duration)) * (up - state.meanUp)
      let norm = state.meanUp.norm
      held.headingShare = 1 - parameters.verticalGain
      if norm > Self.leastUpright {
        (held.direction, held.gyroscopeShare) = ((1 / norm) * state.meanUp, held.headingShare)
      }
    }
    return held.headingShare > 0 || held.forceShare > 0 ? held : nil
  }

  /// At rest the velocity is zero and the rate is the bias, unless it is too far from the estimate to be one: then the
  /// device is turning steadily.
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
    tell(
      MeasurementOutcome(
        .restRate, count: 3, innovation: residual, variance: spread, normalizedSquared: deviation,
        gate: Coefficients.biasGate))
    guard deviation < Coefficients.biasGate else {
      return tell(MeasurementOutcome(.restVelocity, leftOut: .motion))
    }
    fuseVelocity(
      variances: Vector3(repeating: coefficients.restVelocity / duration),
      held: .init(direction: .zero, gyroscopeShare: 0, forceShare: 1 - parameters.accelerationBiasGain))
    if measurements != nil { tell(correction.taken.outcome(.restVelocity)) }
    correction.measure(
      &state.covariance, at: bias, residual: residual, variances: Vector3(repeating: variance))
  }

  /// The epoch's mean field against the predicted one, by its three components.
  ///
  /// - Returns: whether it made another north the one to be believed.
  private mutating func fuseField(_ measured: Vector3) -> Bool {
    let rotation = state.epoch.meanFieldRotation
    let field = measured - rotation * state.magnetometerBias
    let now = state.time ?? 0
    let interval = min(Self.longestFieldInterval, state.field.time.map { now - $0 } ?? state.epoch.duration)
    state.field.time = now
    guard interval > 0 else { return false }
    state.field.compare(
      field, dipWeight: parameters.dipWeight, over: interval, memory: parameters.disturbanceMemory)
    let disturbance = parameters.disturbanceWeight * state.field.deviation
    state.flags.setMembership(of: .magneticDisturbance, disturbance > Self.disturbanceShare * parameters.magneticNoise)

    fuseHardIron(field, rotation: rotation, over: interval)
    let northIsWrong = state.north.add(field, over: interval, at: now)

    let variance = (coefficients.magnetic + disturbance * disturbance) / interval
    let rate = state.epoch.meanRate
    let residual = field - state.field.predicted(turningAt: rate)
    // West first, the component that shows heading, then north and up.
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
      tell(taken.outcome(.magneticField).weighted(coefficients.magnetic / (interval * noise), .disturbedField))
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
