public import LinearAlgebra
internal import Rotations
internal import Sensors

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A multiplicative error-state Kalman filter: attitude and gyroscope bias, six states, with a covariance.
///
/// The attitude is a unit quaternion and its error a small rotation (Lefferts, Markley and Shuster, "Kalman filtering
/// for spacecraft attitude estimation", J. Guidance 5 (1982); Markley, "Attitude error representations for Kalman
/// filtering", J. Guidance 26 (2003)), here in the EARTH frame: q_true = exp(θ) ⊗ q, so that heading is exactly one
/// error component and the field can be kept from moving gravity.
///
/// The quaternion follows every gyroscope sample. The covariance goes in epochs: samples are averaged in the earth
/// frame over an epoch and the average is one measurement, so the cost does not grow with the sample rate. Noise is
/// given as densities, so the result does not depend on the epoch. How noisy the accelerometer is as a plumb line is
/// estimated from how much the force varies in the earth frame, which no tilt error can fake.
public struct MEKF: AttitudeFilter {
  public static let name = "mekf"
  public static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .rest, .restBias, .covariance, .separatesHeading,
    .magneticRejection,
  ]

  public let parameters: Parameters
  public private(set) var state: State
  private let coefficients: Coefficients
  private var step = KalmanStep(stateCount: 6)
  private var matrices = Matrices()

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters))
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    coefficients = Coefficients(parameters)
  }

  // MARK: Updates

  public mutating func update(gyroscope: Vector3, at time: Double) {
    switch state.gate.admit(gyroscope: gyroscope, at: time, gapThreshold: parameters.handling.gapThreshold) {
    case .refused: return
    case .first: state.strapdown.restart(rate: gyroscope, at: time)
    case .gap(let duration):
      enterGap(lasting: duration)
      state.strapdown.restart(rate: gyroscope, at: time)
    case .regular(let dt):
      state.rest.add(rate: gyroscope, dt: dt, coefficients.rest)
      integrate(gyroscope, over: dt, to: time)
      let length = parameters.epochDuration
      if state.epochClock.isOver(at: time, length: length, elapsed: state.epoch.duration) { closeEpoch() }
    }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    let sample = state.gate.admit(
      accelerometer: accelerometer, at: time, gapThreshold: parameters.handling.gapThreshold)
    guard sample != .refused else { return }
    guard state.isAligned else {
      align(up: -accelerometer)
      return
    }
    guard case .regular(let dt) = sample else { return }
    state.rest.add(acceleration: accelerometer, dt: dt, coefficients.rest)
    let force = attitude(at: time).rotate(-accelerometer)
    state.motion.add(force, dt: dt, timeConstant: parameters.accelerationMemory)
    if isStartingUp {
      correct(by: state.startUp.addForce(force))
    } else {
      state.epoch.add(force: state.heldForce.mean(force, over: dt), dt: dt)
    }
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    guard state.gate.admit(field: magneticField, at: time) != .refused, state.isAligned else { return }
    state.epoch.add(field: attitude(at: time).rotate(magneticField))
  }

  public var estimate: AttitudeEstimate? {
    guard state.isAligned else { return nil }
    var flags = state.flags.union(state.gate.flags)
    if isStartingUp { flags.insert(.converging) }
    if state.rest.isResting(coefficients.rest) { flags.insert(.resting) }
    let p = state.covariance
    return AttitudeEstimate(
      earthFromDevice: state.earthFromDevice, gyroscopeBias: state.gyroscopeBias,
      attitudeSigma: Vector3(p[0, 0].squareRoot(), p[1, 1].squareRoot(), p[2, 2].squareRoot()),
      flags: flags)
  }

  // MARK: Prediction

  private var isStartingUp: Bool { state.age < parameters.handling.startUpDuration }

  private mutating func integrate(_ rate: Vector3, over dt: Double, to time: Double) {
    let mean = state.strapdown.integrate(rate, bias: state.gyroscopeBias, over: dt, to: time)
    state.epoch.add(rate: mean, squaredRate: (mean - state.gyroscopeBias).squaredNorm, dt: dt)
    state.rotationIntegral = state.rotationIntegral + state.earthFromDevice.matrix * dt
    if isStartingUp {
      state.age += dt
      if !isStartingUp { finishStartUp() }
    }
  }

  private func attitude(at time: Double) -> Quaternion {
    state.strapdown.attitude(at: time, bias: state.gyroscopeBias, within: parameters.handling.gapThreshold)
  }

  /// P ← F P Fᵀ + Q over the epoch: θ' = θ − (∫R dt) δb, everything else stays.
  private mutating func predictCovariance() {
    let epoch = state.epoch
    matrices.transition.setBlock(0, 3, state.rotationIntegral * -1)
    let angleVariance =
      coefficients.gyroscopeVariance * epoch.duration
      + coefficients.scaleVariance * epoch.squaredRateIntegral
    let biasVariance = coefficients.biasVariance * epoch.duration
    for index in 0..<3 {
      matrices.processNoise[index, index] = angleVariance
      matrices.processNoise[index + 3, index + 3] = biasVariance
    }
    step.predict(&state.covariance, transition: matrices.transition, processNoise: matrices.processNoise)
  }

  // MARK: Measurements

  private mutating func closeEpoch() {
    predictCovariance()
    if !isStartingUp, let force = state.epoch.meanForce { fuseGravity(force) }
    if let field = state.epoch.meanField { fuseField(field) }
    if state.rest.isResting(coefficients.rest), let rate = state.epoch.meanRate { fuseRest(rate) }
    startEpoch()
  }

  /// The mean force should point up: f = z + a − θ × z, so its horizontal part measures the tilt error.
  private mutating func fuseGravity(_ force: Vector3) {
    let density =
      coefficients.accelerationVariance + coefficients.motionVariance * state.motion.variance
    let variance = density / state.epoch.duration
    for index in 0..<2 { matrices.gravityNoise[index, index] = variance }
    matrices.gravityInnovation[0] = -force.x
    matrices.gravityInnovation[1] = -force.y
    update(matrices.gravityInnovation, matrices.gravityObservation, matrices.gravityNoise)
  }

  /// The mean field's azimuth measures the heading error and nothing else.
  private mutating func fuseField(_ field: Vector3) {
    let horizontal = (field.x * field.x + field.y * field.y).squareRoot()
    // Near the magnetic poles, or beside a magnet, there is no horizontal field to point with.
    guard horizontal > 1 else { return }
    let azimuth = atan2(field.y, field.x)
    guard state.isHeadingTied, let reference = state.fieldAzimuth else {
      tieHeading(to: state.startUp.addField(field))
      return
    }
    let excess =
      state.magnetic.deviation(
        of: field, dt: state.epoch.duration, timeConstant: parameters.disturbanceMemory)
      - parameters.disturbanceGate
    state.flags.setMembership(of: .magneticDisturbance, excess > 0)
    state.magnetic.learn(
      field, dt: state.epoch.duration, timeConstant: parameters.fieldMemory, bound: parameters.disturbanceGate
    )
    let disturbance = parameters.disturbanceWeight * max(0, excess)
    let density = parameters.magneticNoise * parameters.magneticNoise + disturbance * disturbance
    let variance =
      density / (horizontal * horizontal * state.epoch.duration) + azimuthVariance(ofTilting: field)
    let innovation = -wrapped(azimuth - reference)
    do throws(LinearAlgebraError) {
      try step.update(
        &state.covariance, innovation: innovation, observation: Matrices.headingObservation,
        variance: variance, gainMask: Matrices.headingMask)
      apply(step.correction)
    } catch {
      assertionFailure("heading update: \(error)")
    }
  }

  /// What the tilt's uncertainty makes of the azimuth of a field, rad²: δazimuth = (fz / |fh|²) (fx θx + fy θy).
  ///
  /// Taken as noise, not as something to be observed: a field never moves the tilt.
  private func azimuthVariance(ofTilting field: Vector3) -> Double {
    let p = state.covariance
    let slope = field.z / (field.x * field.x + field.y * field.y)
    let (x, y) = (slope * field.x, slope * field.y)
    guard !isStartingUp else { return (x * x + y * y) * startUpTiltVariance }
    return x * x * p[0, 0] + 2 * x * y * p[0, 1] + y * y * p[1, 1]
  }

  /// At rest the rate is the bias, unless it is no bias that is still believable: then the device turns, steadily.
  private mutating func fuseRest(_ rate: Vector3) {
    let variance = coefficients.restVariance / state.epoch.duration
    for index in 0..<3 {
      matrices.restNoise[index, index] = variance
      matrices.restInnovation[index] = (rate - state.gyroscopeBias)[index]
    }
    update(
      matrices.restInnovation, matrices.restObservation, matrices.restNoise, gate: Coefficients.restGate)
  }

  private mutating func update(
    _ innovation: [Double], _ observation: Matrix, _ noise: Matrix, gate: Double = .infinity
  ) {
    do throws(LinearAlgebraError) {
      try step.update(
        &state.covariance, innovation: innovation, observation: observation, noise: noise, gate: gate)
      apply(step.correction)
    } catch {
      // R > 0 and P is kept symmetric and positive by Joseph's form, so S is positive definite.
      assertionFailure("measurement update: \(error)")
    }
  }

  private mutating func apply(_ correction: [Double]) {
    correct(by: Quaternion(rotationVector: Vector3(correction[0], correction[1], correction[2])))
    state.gyroscopeBias += Vector3(correction[3], correction[4], correction[5])
  }

  /// Turns the earth frame. What is remembered in it is a sum of one epoch or a slow mean, and is left as it is.
  private mutating func correct(by rotation: Quaternion) {
    state.strapdown.correct(by: rotation)
  }

  /// The first field, or the mean of the start-up's, decides what X is: north now, or for ever the direction that X
  /// has now.
  private mutating func tieHeading(to azimuth: Double) {
    switch parameters.headingReference {
    case .magneticNorth:
      let turn = rotationAboutZ(-azimuth)
      correct(by: turn)
      state.startUp.turn(by: turn)
      state.fieldAzimuth = 0
    case .initialHeading:
      state.fieldAzimuth = azimuth
    }
    isolate(2, variance: coefficients.headingVariance)
    state.isHeadingTied = !isStartingUp
  }

  // MARK: Start-up and gaps

  /// The first acceleration gives a tilt; the start-up begins here, however long the gyroscope has run alone.
  private mutating func align(up: Vector3) {
    state.strapdown.align(to: startAttitude(up: up))
    state.isAligned = true
    state.age = 0
    startEpoch()
    for index in 0..<2 { isolate(index, variance: .pi * .pi / 4) }
  }

  /// Tilt is now the mean of the start-up's force, as uncertain as that mean.
  private mutating func finishStartUp() {
    for index in 0..<2 { isolate(index, variance: startUpTiltVariance) }
    state.epoch.forgetForce()
    state.isHeadingTied = state.fieldAzimuth != nil
    state.flags.remove(.gap)
  }

  private var startUpTiltVariance: Double {
    let sigma = state.startUp.forceSpread * parameters.startUpTiltFactor
    return coefficients.tiltVariance + sigma * sigma
  }

  /// After a gap nobody knows how the device turned: tilt starts over, heading is as uncertain as the gap is long.
  private mutating func enterGap(lasting duration: Double) {
    state.flags.insert(.gap)
    startEpoch()
    state.startUp = StartUp()
    state.motion = ForceVariation()
    state.age = 0
    let heading = min(parameters.gapRate * duration, .pi)
    state.covariance[2, 2] += heading * heading
    for index in 0..<2 { isolate(index, variance: .pi * .pi / 4) }
  }

  private mutating func startEpoch() {
    state.epoch = EpochSums()
    state.rotationIntegral = .zero
  }

  /// Gives one state a new variance and no correlation with the others.
  private mutating func isolate(_ index: Int, variance: Double) {
    for other in 0..<6 {
      state.covariance[index, other] = 0
      state.covariance[other, index] = 0
    }
    state.covariance[index, index] = variance
  }
}
