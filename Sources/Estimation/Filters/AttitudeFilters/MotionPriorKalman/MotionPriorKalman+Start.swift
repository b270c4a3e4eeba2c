public import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// Start-up, gaps and restarts.
extension MotionPriorKalman {
  /// The longest gap that is bridged with the previous state, in seconds.
  static let maximumBridgedGap = 1.0
  /// The variance of the heading that a start-up after a gap takes from the field, in rad²: (15°)².
  private static let restartHeadingVariance = 0.0685
  /// The variance of an unknown heading, in rad².
  private static let unknownHeadingVariance = 4.0
  /// The standard deviation of the velocity after a start, in m/s.
  private static let startSpeed = 0.1
  /// The weakest horizontal field that determines north, in µT.
  private static let weakestField = 1.0

  /// Sets the tilt from the first acceleration. The start-up begins here, no matter how long the gyroscope has run
  /// alone.
  mutating func align(up: Vector3) {
    turnFrame(by: startAttitude(up: up) * state.northFromDevice.conjugate)
    state.timeline.align(coefficients.timeline)
    if !isStartingUp { finishStartUp() }
  }

  /// Rotates X to the azimuth of the field, in radians in the filter's frame; the reported frame keeps its own X if
  /// required.
  mutating func tieHeading(to azimuth: Double) {
    let rotation = rotationAboutZ(-azimuth)
    turnFrame(by: rotation)
    state.timeline.means.turn(by: rotation)
    state.headingLock.turn(by: -azimuth)
    if parameters.headingReference == .initialHeading, !state.field.isKnown {
      let back = state.earthFromNorth * rotation.conjugate
      state.earthFromNorth = back.normalized ?? back
    }
  }

  /// Sets the tilt to the mean of the start-up's force, with that mean's uncertainty: equation (21) of
  /// docs/theory/flagship.md.
  mutating func finishStartUp() {
    var tilt = parameters.initialTiltSigma + parameters.startUpTiltFactor * state.timeline.means.forceSpread
    if state.timeline.means.count == 0 { tilt = .pi / 2 }
    state.kalman.isolate(MotionErrors.tilt, variance: tilt * tilt)
    state.kalman.isolate(MotionErrors.velocity.indices, variance: Self.startSpeed * Self.startSpeed)
    state.velocity = .zero
    state.meanSquareVelocity = MeanSquareVelocity()
    state.tiltDivergence = TiltDivergenceDetector()
    state.epoch = MotionEpoch()

    let field = state.timeline.means.meanField.flatMap { horizontal($0) > Self.weakestField ? $0 : nil }
    if let field, !state.field.isKnown {
      learnField(field)
    } else {
      if field == nil { startBiasPrior() }
      let known = Self.restartHeadingVariance + 9 * tilt * tilt
      isolateHeading(variance: field == nil ? state.startHeadingVariance : known)
    }
    followStartUpBias()
    state.flags.remove(.gap)
    if trace != nil { traceStart() }
  }

  /// Adds the effect of the bias: the means of the start-up are correct for its middle, and since then the attitude has
  /// followed a rate with its bias. Equation (23) of docs/theory/flagship.md.
  private mutating func followStartUpBias() {
    let seconds = 0.5 * state.timeline.age * state.rotation
    var transition = ErrorTransition()
    transition.add(
      -1 * (seconds + seconds * state.gyroscopeScale), of: MotionErrors.gyroscopeBias, to: MotionErrors.attitude)
    state.kalman.propagate(by: transition)
    state.kalman.close()
  }

  /// Gives the bias the prior of a device without a field.
  private mutating func startBiasPrior() {
    guard state.biasPrior == nil, !state.field.isKnown else { return }
    let prior = BiasPrior(coefficients.biasPrecisions)
    state.biasPrior = prior
    state.kalman.isolate(MotionErrors.gyroscopeBias.indices, variance: 1 / prior.information)
  }

  private mutating func isolateHeading(variance: Double) {
    state.kalman.isolate(MotionErrors.heading..<MotionErrors.heading + 1, variance: variance)
  }

  private func horizontal(_ field: Vector3) -> Double { (field.x * field.x + field.y * field.y).squareRoot() }

  /// Aligns to a field that begins after the start-up or permanently shows another heading.
  mutating func alignToField(_ field: Vector3, isRelearned: Bool = false) {
    guard horizontal(field) > Self.weakestField else { return }
    let direction = atan2(field.y, field.x)
    let rotation = rotationAboutZ(-direction)
    tieHeading(to: direction)
    if parameters.headingReference == .magneticNorth, isRelearned || abs(direction) > AttitudeFlags.jumpAngle {
      state.flags.insert(.jumped)
    }
    state.velocity = rotation.rotate(state.velocity)
    state.tiltDivergence.turn(by: rotation)
    state.kalman.turn(MotionErrors.inEarthAxes, by: rotation.matrix)
    learnField(rotation.rotate(field))
    if trace != nil { traceField(turn: rotation, isRelearned: isRelearned) }
  }

  /// Learns heading and field again. The reported frame rotates with it, unless it keeps its own X.
  mutating func learnHeadingAgain() {
    let field = state.headingLock.field
    state.headingLock = HeadingLock()
    state.field.isKnown = false
    state.relearningTime = state.time
    alignToField(field, isRelearned: true)
  }

  public mutating func recalibrateField(by change: Vector3) {
    guard state.field.isKnown, !isStartingUp else { return }
    closeEpoch()
    state.headingLock = HeadingLock()
    guard change.norm <= 0.5 * state.field.horizontal else {
      state.field.isKnown = false
      return
    }
    // Its direction relative to the earth's field is unknown.
    let angle = change.norm / state.field.horizontal
    state.kalman[MotionErrors.heading, MotionErrors.heading] += angle * angle
    state.kalman.add(change.squaredNorm / 3, to: MotionErrors.field)
  }

  /// Sets heading and field from the three components of the field, with the present tilt; later corrections of the
  /// tilt also correct them. Equation (22) of docs/theory/flagship.md.
  ///
  /// - Parameter field: The field in the filter's frame, in which it points to X.
  private mutating func learnField(_ field: Vector3) {
    state.field.horizontal = horizontal(field)
    state.field.down = -field.z
    state.field.isKnown = true
    state.field.time = nil
    isolateHeading(variance: Self.unknownHeadingVariance)
    state.kalman.isolate(MotionErrors.field.indices, variance: field.squaredNorm)
    let delay = parameters.fieldDelaySigma
    state.kalman.isolate(MotionErrors.fieldDelay.indices, variance: delay * delay)
    let west = parameters.initialHeadingSigma * state.field.horizontal
    let sigma = Vector3(parameters.fieldSigma, west, parameters.fieldSigma)
    state.kalman.take(
      state.field.measurement(
        of: field, turningAt: .zero, variance: Vector3(sigma.x * sigma.x, sigma.y * sigma.y, sigma.z * sigma.z)))
    state.kalman.close()
  }

  /// Handles a gap, in which the rotation is unknown: a short gap increases the uncertainty, a long one restarts the
  /// filter.
  mutating func enterGap(lasting duration: Double) {
    guard state.timeline.isAligned else { return }
    if !isStartingUp { closeEpoch() }
    state.flags.insert(.gap)
    state.timeline.endRest()
    guard !isStartingUp, duration < Self.maximumBridgedGap else {
      let turned = min(parameters.gapRate * duration, .pi)
      startOver(headingVariance: turned * turned)
      return
    }
    let turned = min(0.5 * (parameters.gapRate + state.rate.norm) * duration, .pi / 3)
    state.kalman.add(turned * turned, to: MotionErrors.attitude)
    loseVelocity(for: duration)
  }

  /// Increases the velocity's variance after a pause of the accelerometer, or of the gyroscope that rotates it.
  mutating func loseVelocity(for duration: Double) {
    guard !isStartingUp else { return }
    let speed = parameters.gapAcceleration * standardGravity * duration
    state.kalman.add(speed * speed, to: MotionErrors.velocity)
  }

  /// Restarts tilt and velocity, and with a field also the heading; the sensors' errors are kept.
  ///
  /// - Parameter headingVariance: The variance added to the heading's, in rad².
  mutating func startOver(headingVariance: Double) {
    traceStartOver(keepsHeading: false)
    let variance =
      isStartingUp ? state.startHeadingVariance : state.kalman[MotionErrors.heading, MotionErrors.heading]
    state.startHeadingVariance = min(variance + headingVariance, .pi * .pi)
    state.kalman.isolate(MotionErrors.tilt, variance: .pi * .pi / 4)
    isolateHeading(variance: state.startHeadingVariance)
    state.epoch = MotionEpoch()
    state.field.time = nil
    // Its fields are in axes that are no longer valid.
    state.headingLock = HeadingLock()
    // The restart includes the unknown rotation of a clipping.
    state.clippedTime = .zero
    state.timeline.restart(coefficients.timeline)
    if !isStartingUp { finishStartUp() }
  }
}
