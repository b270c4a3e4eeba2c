internal import InertialNumerics
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
  /// The variance that a restart adds to a heading without a field, in rad².
  static let lostHeadingVariance = 1.0
  /// The assumed duration of the first second's accelerations, in s: for the velocity's sigma, and for its mean square.
  private static let velocityTime = 0.1
  private static let speedTime = 0.07
  /// The standard deviation of the velocity after a start at rest, in m/s.
  private static let restSpeed = 0.05
  /// The weakest horizontal field that determines north, in µT.
  private static let weakestField = 1.0

  /// Sets the tilt from the first acceleration. The start-up begins here, no matter how long the gyroscope has run
  /// alone.
  mutating func align(up: Vector3) {
    turnFrame(by: startAttitude(up: up) * state.northFromDevice.conjugate)
    state.isAligned = true
    state.age = 0
    if !isStartingUp { finishStartUp() }
  }

  /// Rotates X to the azimuth of the field, in radians in the filter's frame; the reported frame keeps its own X if
  /// required.
  mutating func tieHeading(to azimuth: Double) {
    let rotation = rotationAboutZ(-azimuth)
    turnFrame(by: rotation)
    state.startUp.turn(by: rotation)
    state.north.turn(by: -azimuth)
    if parameters.headingReference == .initialHeading, !state.field.isKnown {
      let back = state.earthFromNorth * rotation.conjugate
      state.earthFromNorth = back.normalized ?? back
    }
  }

  /// Sets the tilt to the mean of the start-up's force, with that mean's uncertainty.
  mutating func finishStartUp() {
    let spread = standardGravity * state.startUp.forceSpread
    var tilt = parameters.initialTiltSigma + parameters.startUpTiltFactor * state.startUp.forceSpread
    if state.startUp.count == 0 { tilt = .pi / 2 }
    let speed = Self.velocityTime * spread + Self.restSpeed
    state.covariance.isolate(ErrorIndex.tilt, variance: tilt * tilt)
    state.covariance.isolate(ErrorIndex.velocities, variance: speed * speed)
    state.velocity = .zero
    state.speed = MeanSquareVelocity(guess: Self.speedTime * spread * Self.speedTime * spread)
    state.lost = TiltDivergenceDetector()
    state.epoch = MotionEpoch()

    let field = state.startUp.meanField.flatMap { horizontal($0) > Self.weakestField ? $0 : nil }
    if let field, !state.field.isKnown {
      learnField(field)
    } else {
      let known = Self.restartHeadingVariance + 9 * tilt * tilt
      isolateHeading(variance: field == nil ? state.startHeadingVariance : known)
    }
    followStartUpBias()
    state.flags.remove(.gap)
    if correction.trace != nil { traceStart() }
  }

  /// Adds the effect of the bias: the means of the start-up are correct for its middle, and since then the attitude has
  /// followed a rate with its bias.
  private mutating func followStartUpBias() {
    let seconds = 0.5 * state.age * state.rotation
    state.covariance.propagate(
      by: ErrorTransition(
        biasIntegral: seconds + seconds * state.gyroscopeScale, rateIntegrals: (.zero, .zero, .zero),
        forceIntegral: .zero, forceRotationIntegral: .zero, hasHeading: true))
  }

  private mutating func isolateHeading(variance: Double) {
    state.covariance.isolate(ErrorIndex.headings, variance: variance)
  }

  private func horizontal(_ field: Vector3) -> Double { (field.x * field.x + field.y * field.y).squareRoot() }

  /// Aligns to a field that begins after the start-up or replaces the previous north.
  mutating func meetField(_ field: Vector3, isAnew: Bool = false) {
    guard horizontal(field) > Self.weakestField else { return }
    let azimuth = atan2(field.y, field.x)
    tieHeading(to: azimuth)
    state.velocity = rotationAboutZ(-azimuth).rotate(state.velocity)
    // Tilt and velocity have about the same uncertainty along both level axes.
    learnField(rotationAboutZ(-azimuth).rotate(field))
    correction.trace?.addField(turn: rotationAboutZ(-azimuth), isAnew: isAnew)
  }

  /// Learns heading and field again from the north with more evidence. The reported frame rotates with it, unless it
  /// keeps its own X.
  mutating func exchangeNorth() {
    let change = state.north.exchange(at: state.time ?? 0)
    correction.trace?.disown(change)
    let field = state.north.field
    let azimuth = atan2(field.y, field.x)
    // The field may already have drawn the heading there.
    guard horizontal(field) > Self.weakestField, abs(azimuth) > NorthReferenceVote.minimumSeparation else { return }
    state.field.isKnown = false
    // Its samples are in axes that are no longer valid.
    state.hardIron = HardIronWindow()
    meetField(field + state.rotation * state.magnetometerBias, isAnew: true)
    if parameters.headingReference == .magneticNorth { state.flags.insert(.jumped) }
  }

  /// Sets heading and field from the three components of the field, with the present tilt; later corrections of the
  /// tilt also correct them.
  ///
  /// - Parameter field: The field in the filter's frame, in which it points to X.
  private mutating func learnField(_ measured: Vector3) {
    let field = measured - state.rotation * state.magnetometerBias
    state.field.horizontal = horizontal(field)
    state.field.down = -field.z
    state.field.isKnown = true
    state.field.time = nil
    isolateHeading(variance: Self.unknownHeadingVariance)
    state.covariance.isolate(ErrorIndex.fieldParts, variance: field.squaredNorm)
    let west = parameters.initialHeadingSigma * state.field.horizontal
    var correction = ErrorCorrection(on: parameters.core)
    for axis in 0..<3 {
      let sigma = axis == 1 ? west : parameters.fieldSigma
      correction.measure(
        &state.covariance, state.field.observation(axis, of: field, turningAt: .zero, rotation: state.rotation),
        component: axis, residual: 0, variance: sigma * sigma, innovationWeight: 0, factors: nil)
    }
    let delay = parameters.fieldDelaySigma
    state.covariance.isolate(ErrorIndex.fieldDelay..<ErrorIndex.fieldDelay + 1, variance: delay * delay)
  }

  /// Handles a gap, in which the rotation is unknown: a short gap increases the uncertainty, a long one restarts the
  /// filter.
  mutating func enterGap(lasting duration: Double) {
    guard state.isAligned else { return }
    if !isStartingUp { closeEpoch() }
    state.flags.insert(.gap)
    state.rest = RestDetector()
    guard !isStartingUp, duration < Self.maximumBridgedGap else {
      let turned = min(parameters.gapRate * duration, .pi)
      startOver(headingVariance: turned * turned)
      return
    }
    let turned = min(0.5 * (parameters.gapRate + state.rate.norm) * duration, .pi / 3)
    state.covariance.add(turned * turned, to: ErrorIndex.attitudes)
    loseVelocity(for: duration)
  }

  /// Increases the velocity's variance after a pause of the accelerometer, or of the gyroscope that rotates it.
  mutating func loseVelocity(for duration: Double) {
    guard !isStartingUp else { return }
    let speed = parameters.gapAcceleration * standardGravity * duration
    state.covariance.add(speed * speed, to: ErrorIndex.velocities)
  }

  /// Restarts tilt and velocity, and with a field also the heading; the sensors' errors are kept.
  ///
  /// - Parameter headingVariance: The variance added to the heading's, in rad².
  mutating func startOver(headingVariance: Double) {
    correction.trace?.startOver()
    let heading = ErrorIndex.heading
    let variance = isStartingUp ? state.startHeadingVariance : state.covariance[heading, heading]
    state.startHeadingVariance = min(variance + headingVariance, .pi * .pi)
    state.covariance.isolate(ErrorIndex.tilt, variance: .pi * .pi / 4)
    state.covariance.isolate(ErrorIndex.headings, variance: state.startHeadingVariance)
    state.startUp = InitialAlignment()
    state.epoch = MotionEpoch()
    state.field.time = nil
    // Their samples are in axes that are no longer valid.
    state.hardIron = HardIronWindow()
    if let time = state.time { state.north = NorthReferenceVote(since: time.nextUp) }
    // The restart includes the unknown rotation of a clipping.
    state.clippedTime = .zero
    state.age = 0
    if !isStartingUp { finishStartUp() }
  }
}
