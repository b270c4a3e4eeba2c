internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// Start-up, gaps, and starting over.
extension MotionPriorKalman {
  /// Longest gap that is bridged by what was known before it, seconds.
  static let longestBridge = 1.0
  /// Of the heading that a start-up after a gap takes from the field, rad²: (15°)².
  private static let restartHeadingVariance = 0.0685
  /// Of a heading that nothing is known of, rad².
  private static let unknownHeadingVariance = 4.0
  /// Variance that starting over adds to a heading that no field shows, rad².
  static let lostHeadingVariance = 1.0
  /// For how long the first second's accelerations are taken to have acted: for the velocity's sigma, and for its mean
  /// square, s.
  private static let velocityTime = 0.1
  private static let speedTime = 0.07
  /// Of the velocity after a start at rest, m/s.
  private static let restSpeed = 0.05
  /// Weakest horizontal field that shows north, µT.
  private static let weakestField = 1.0

  /// The first acceleration gives a tilt; the start-up begins here, however long the gyroscope has run alone.
  mutating func align(up: Vector3) {
    turnFrame(by: startAttitude(up: up) * state.northFromDevice.conjugate)
    state.isAligned = true
    state.age = 0
    if !isStartingUp { finishStartUp() }
  }

  /// Turns X to the azimuth of the field, radians in the filter's frame; what is reported keeps its own X if it must.
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

  /// Tilt is now the mean of the start-up's force, as uncertain as that mean.
  mutating func finishStartUp() {
    let spread = standardGravity * state.startUp.forceSpread
    var tilt = parameters.initialTiltSigma + parameters.startUpTiltFactor * state.startUp.forceSpread
    if state.startUp.count == 0 { tilt = .pi / 2 }
    let speed = Self.velocityTime * spread + Self.restSpeed
    state.covariance.isolate(ErrorIndex.tilt, variance: tilt * tilt)
    state.covariance.isolate(ErrorIndex.velocities, variance: speed * speed)
    state.velocity = .zero
    state.speed = SpeedMemory(guess: Self.speedTime * spread * Self.speedTime * spread)
    state.lost = LostDetector()
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

  /// The means of the start-up are right in its middle; since then the attitude has followed a rate with its bias.
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

  /// A field that begins after the start-up, or takes the place of one that was believed until now.
  mutating func meetField(_ field: Vector3, isAnew: Bool = false) {
    guard horizontal(field) > Self.weakestField else { return }
    let azimuth = atan2(field.y, field.x)
    tieHeading(to: azimuth)
    state.velocity = rotationAboutZ(-azimuth).rotate(state.velocity)
    // Tilt and velocity are hardly known better along one level axis than along the other.
    learnField(rotationAboutZ(-azimuth).rotate(field))
    correction.trace?.addField(turn: rotationAboutZ(-azimuth), isAnew: isAnew)
  }

  /// Heading and field are learned anew from the north that more speaks for; what is reported turns with it, unless it
  /// keeps its own X.
  mutating func exchangeNorth() {
    let change = state.north.exchange(at: state.time ?? 0)
    correction.trace?.disown(change)
    let field = state.north.field
    let azimuth = atan2(field.y, field.x)
    // The field may have drawn the heading there already.
    guard horizontal(field) > Self.weakestField, abs(azimuth) > NorthEvidence.leastAngle else { return }
    state.field.isKnown = false
    // Its samples are in axes that are left now.
    state.hardIron = HardIronWindow()
    meetField(field + state.rotation * state.magnetometerBias, isAnew: true)
    if parameters.headingReference == .magneticNorth { state.flags.insert(.jumped) }
  }

  /// Heading and the field's parts are what the field's three components say, taken with the tilt as it is: when that
  /// is corrected later, so are they.
  ///
  /// - Parameter field: in the filter's frame, in which it points to X.
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

  /// After a gap nobody knows how the device turned. A short one makes what is known uncertain, a long one starts over.
  mutating func enterGap(lasting duration: Double) {
    guard state.isAligned else { return }
    if !isStartingUp { closeEpoch() }
    state.flags.insert(.gap)
    state.rest = RestDetector()
    guard !isStartingUp, duration < Self.longestBridge else {
      let turned = min(parameters.gapRate * duration, .pi)
      startOver(headingVariance: turned * turned)
      return
    }
    let turned = min(0.5 * (parameters.gapRate + state.rate.norm) * duration, .pi / 3)
    state.covariance.add(turned * turned, to: ErrorIndex.attitudes)
    loseVelocity(for: duration)
  }

  /// What a pause of the accelerometer, or of the gyroscope that turns it, leaves of the velocity.
  mutating func loseVelocity(for duration: Double) {
    guard !isStartingUp else { return }
    let speed = parameters.gapAcceleration * standardGravity * duration
    state.covariance.add(speed * speed, to: ErrorIndex.velocities)
  }

  /// Tilt and velocity are learned anew, heading as well where there is a field; what belongs to the sensors stays.
  ///
  /// - Parameter headingVariance: what is added to the heading's variance, rad².
  mutating func startOver(headingVariance: Double) {
    correction.trace?.startOver()
    let heading = ErrorIndex.heading
    let variance = isStartingUp ? state.startHeadingVariance : state.covariance[heading, heading]
    state.startHeadingVariance = min(variance + headingVariance, .pi * .pi)
    state.covariance.isolate(ErrorIndex.tilt, variance: .pi * .pi / 4)
    state.covariance.isolate(ErrorIndex.headings, variance: state.startHeadingVariance)
    state.startUp = StartUp()
    state.epoch = MotionEpoch()
    state.field.time = nil
    // Their samples are in axes that are left now.
    state.hardIron = HardIronWindow()
    if let time = state.time { state.north = NorthEvidence(since: time.nextUp) }
    // A clipping is over with what it may have turned.
    state.clippedTime = .zero
    state.age = 0
    if !isStartingUp { finishStartUp() }
  }
}
