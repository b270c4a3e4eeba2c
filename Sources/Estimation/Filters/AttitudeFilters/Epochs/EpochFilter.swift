package import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A filter for real logs, based on a Kalman filter that steps in epochs.
///
/// The attitude follows every gyroscope sample. The vectors are averaged in the earth frame over an epoch, and the
/// average is one measurement, so the cost hardly grows with the sample rate; noise is given as densities, so the
/// result does not depend on the epoch. The accelerometer's noise as a vertical reference is estimated from the
/// variation of the force in the earth frame, which a tilt error cannot imitate, and the field's noise from its
/// deviation from the learned field. The filter adds the features that all logs need: the start-up's mean, lost and
/// invalid samples, gaps, rest, and the heading's reference.
package struct EpochFilter<Algorithm: EpochAlgorithm>: AttitudeFilter, MeasurementReporting {
  package typealias Parameters = Algorithm.Parameters

  package static var name: String { Algorithm.name }
  package static var summary: String { Algorithm.summary }
  package static var source: String { Algorithm.source }
  package static var traits: FilterTraits { Algorithm.traits.union(.rest) }

  package static var measurementKinds: [MeasurementKind] { [.gravity, .magneticField, .heading, .restRate] }

  package var parameters: Parameters { algorithm.parameters }
  package private(set) var state: State
  package var measurements: MeasurementLog?
  private let algorithm: Algorithm
  private let settings: SensorTimeline.Settings
  private let noise: KalmanNoise
  private let coefficients: EpochCoefficients

  package init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters.noise))
  }

  package init(parameters: Parameters, state: State) {
    algorithm = Algorithm(parameters: parameters)
    settings = SensorTimeline.Settings(parameters.handling)
    noise = parameters.noise
    coefficients = EpochCoefficients(parameters.noise)
    self.state = state
    self.state.timeline.resume(settings)
  }

  // MARK: Updates
  // Specialised explicitly: the updates are called through the protocol, so the compiler cannot infer a type to
  // specialise for, and a sample then takes 50 % longer.

  @_specialize(where Algorithm == MEKF)
  @_specialize(where Algorithm == QuaternionEKF)
  @_specialize(where Algorithm == UnscentedKalman)
  @_specialize(where Algorithm == EqF)
  package mutating func update(gyroscope: Vector3, at time: Double) {
    let sample = state.timeline.admit(rate: gyroscope, at: time, settings)
    if sample != .refused { measurements?.begin(at: time) }
    switch sample {
    case .refused: return
    case .first: state.strapdown.restart(rate: gyroscope, at: time)
    case .gap(let duration):
      enterGap(lasting: duration)
      state.strapdown.restart(rate: gyroscope, at: time)
    case .regular(let dt):
      integrate(gyroscope, over: dt, to: time)
      let length = noise.epochDuration
      if state.epochClock.isOver(at: time, length: length, elapsed: state.epoch.duration) {
        closeEpoch(at: time)
      }
    }
  }

  @_specialize(where Algorithm == MEKF)
  @_specialize(where Algorithm == QuaternionEKF)
  @_specialize(where Algorithm == UnscentedKalman)
  @_specialize(where Algorithm == EqF)
  package mutating func update(accelerometer: Vector3, at time: Double) {
    let sample = state.timeline.admit(acceleration: accelerometer, at: time, settings)
    guard sample != .refused else { return }
    guard state.timeline.isAligned else {
      align(up: -accelerometer)
      return
    }
    let force = attitude(at: time).rotate(-accelerometer)
    guard case .regular(let dt) = sample else {
      state.heldForce.restart(at: force)
      return
    }
    state.motion.add(force, dt: dt, timeConstant: noise.accelerationMemory)
    if isStartingUp {
      state.strapdown.correct(by: state.timeline.means.addForce(force))
    } else {
      let mean = state.heldForce.mean(force, over: dt)
      if abs(force.norm - 1) <= noise.accelerationGate {
        state.epoch.add(force: mean, dt: dt)
      } else {
        measurements?.add(MeasurementOutcome(.gravity, leftOut: .motion), at: time)
      }
    }
  }

  @_specialize(where Algorithm == MEKF)
  @_specialize(where Algorithm == QuaternionEKF)
  @_specialize(where Algorithm == UnscentedKalman)
  @_specialize(where Algorithm == EqF)
  package mutating func update(magneticField: Vector3, at time: Double) {
    guard state.timeline.admit(field: magneticField, at: time) != .refused, state.timeline.isAligned else { return }
    let field = attitude(at: time).rotate(magneticField)
    guard isStartingUp else {
      state.epoch.add(field: field)
      return
    }
    turnHeading(to: state.timeline.means.addField(field))
    state.start.hasField = true
  }

  package var estimate: AttitudeEstimate? {
    @_specialize(where Algorithm == MEKF)
    @_specialize(where Algorithm == QuaternionEKF)
    @_specialize(where Algorithm == UnscentedKalman)
    @_specialize(where Algorithm == EqF)
    get {
      guard state.timeline.isAligned else { return nil }
      let p = state.attitudeCovariance
      return AttitudeEstimate(
        earthFromDevice: state.earthFromDevice, gyroscopeBias: state.gyroscopeBias,
        attitudeSigma: Vector3(p.m11, p.m22, p.m33).standardDeviations, flags: state.flags.union(state.timeline.flags))
    }
  }

  // MARK: Epochs

  private var isStartingUp: Bool { state.timeline.isStartingUp }

  private func attitude(at time: Double) -> Quaternion {
    state.strapdown.attitude(at: time, bias: state.gyroscopeBias, within: settings.gapThreshold)
  }

  private mutating func integrate(_ rate: Vector3, over dt: Double, to time: Double) {
    let bias = state.gyroscopeBias
    let mean = state.strapdown.integrate(rate, bias: bias, over: dt, to: time)
    state.epoch.add(rate: mean, squaredRate: (mean - bias).squaredNorm, dt: dt)
    if state.timeline.count(dt, settings) { finishStartUp() }
  }

  private mutating func closeEpoch(at time: Double) {
    defer { state.epoch = EpochSums() }
    guard state.timeline.isAligned, !isStartingUp else { return }
    let strapdown = state.earthFromDevice
    predict(to: strapdown)
    let variancePerEpoch = 1 / state.epoch.duration
    if let force = state.epoch.meanForce {
      let density = coefficients.acceleration + coefficients.motion * state.motion.variance
      let outcome = algorithm.fuse(
        &state.algorithm, force: strapdown.rotateInverse(force), variance: density * variancePerEpoch
      ).weighted(coefficients.acceleration / density, .motion)
      measurements?.add(outcome, at: time)
    }
    if let field = state.epoch.meanField, let outcome = fuseField(field, strapdown) {
      measurements?.add(outcome, at: time)
    }
    if state.timeline.isResting, let rate = state.epoch.meanRate {
      let outcome = algorithm.fuse(
        &state.algorithm, restRate: rate, variance: coefficients.restBias * variancePerEpoch,
        gate: EpochCoefficients.restGate)
      measurements?.add(outcome, at: time)
    }
    state.strapdown.correct(by: state.algorithm.earthFromDevice * strapdown.conjugate)
    assert(state.attitudeCovariance.trace.isFinite, "an epoch has left the attitude's variances without a value")
  }

  private mutating func predict(to strapdown: Quaternion) {
    let epoch = state.epoch
    let turn = state.algorithm.earthFromDevice.conjugate * strapdown
    algorithm.predict(
      &state.algorithm,
      over: EpochStep(
        turn: turn, duration: epoch.duration,
        attitudeVariance: coefficients.gyroscope * epoch.duration
          + coefficients.gyroscopeScale * epoch.squaredRateIntegral,
        biasVariance: coefficients.biasWalk * epoch.duration))
  }

  /// - Parameter field: The epoch's mean field, in earth axes according to the attitude `strapdown`.
  /// - Returns: The measurement outcome, or `nil` for the first field, which defines north.
  private mutating func fuseField(_ field: Vector3, _ strapdown: Quaternion) -> MeasurementOutcome? {
    let movesTilt = noise.fieldMovesTilt >= 0.5
    let horizontal = (field.x * field.x + field.y * field.y).squareRoot()
    // Near the magnetic poles, or near a magnet, the field has no usable horizontal part.
    guard horizontal > 1 else {
      return MeasurementOutcome(movesTilt ? .magneticField : .heading, leftOut: .unusable)
    }
    guard state.isHeadingTied else {
      tieHeading(to: field)
      return nil
    }
    let density = learnField(field)
    let variance = density / state.epoch.duration
    let inDevice = strapdown.rotateInverse(field)
    let outcome: MeasurementOutcome
    if movesTilt {
      let reference = state.magnetic.field(atAzimuth: state.fieldAzimuth) ?? field
      outcome = algorithm.fuse(&state.algorithm, field: inDevice, reference: reference, variance: variance)
    } else {
      outcome = algorithm.fuse(
        &state.algorithm, field: inDevice, azimuth: state.fieldAzimuth,
        variance: variance / (horizontal * horizontal))
    }
    return outcome.weighted(noise.magneticNoise * noise.magneticNoise / density, .disturbedField)
  }

  /// Compares a field with the learned one, learns it, and returns the density of its noise, µT² s.
  private mutating func learnField(_ field: Vector3) -> Double {
    let dt = state.epoch.duration
    let excess =
      state.magnetic.deviation(of: field, dt: dt, timeConstant: noise.disturbanceMemory)
      - noise.disturbanceGate
    state.flags.setMembership(of: .magneticDisturbance, excess > 0)
    if noise.fieldStrength == 0 {
      state.magnetic.learn(field, dt: dt, timeConstant: noise.fieldMemory, bound: noise.disturbanceGate)
    }
    let disturbance = noise.disturbanceWeight * max(0, excess)
    return noise.magneticNoise * noise.magneticNoise + disturbance * disturbance
  }

  // MARK: Start-up and gaps

  /// Sets the tilt from the first acceleration. The start-up begins here, no matter how long the gyroscope has run
  /// alone.
  private mutating func align(up: Vector3) {
    state.strapdown.align(to: startAttitude(up: up))
    state.timeline.align(settings)
    if !isStartingUp { finishStartUp() }
  }

  /// Sets the tilt to the mean of the start-up's force, with that mean's uncertainty.
  private mutating func finishStartUp() {
    var tilt = Double.pi * .pi / 4
    if state.timeline.means.count > 0 {
      let sigma = noise.startUpTiltFactor * state.timeline.means.forceSpread
      tilt = coefficients.initialTilt + sigma * sigma
    }
    if state.start.hasField {
      state.isHeadingTied = true
      state.start.headingVariance = coefficients.initialHeading
    }
    restart(tiltVariance: tilt, headingVariance: state.start.headingVariance)
    state.epoch = EpochSums()
  }

  /// Handles a gap, in which the rotation is unknown: the tilt restarts, the heading's uncertainty grows with the gap,
  /// and the bias is kept except for its random walk.
  private mutating func enterGap(lasting duration: Double) {
    let turned = min(noise.gapRate * duration, .pi)
    let heading = isStartingUp ? state.start.headingVariance : state.attitudeCovariance.m33
    state.start = EpochStart(headingVariance: min(heading + turned * turned, .pi * .pi))
    state.timeline.enterGap(settings)
    state.motion = ForceVariation()
    state.epoch = EpochSums()
    restart(
      tiltVariance: .pi * .pi / 4, headingVariance: state.start.headingVariance,
      addedBiasVariance: coefficients.biasWalk * duration)
    if state.timeline.isAligned, !isStartingUp { finishStartUp() }
  }

  /// Restarts the algorithm at the strapdown's attitude with the estimated bias, uncorrelated with the other errors.
  private mutating func restart(tiltVariance: Double, headingVariance: Double, addedBiasVariance: Double = 0) {
    state.algorithm.restart(
      at: state.earthFromDevice, attitudeVariances: Vector3(tiltVariance, tiltVariance, headingVariance),
      addedBiasVariance: addedBiasVariance)
  }

  // MARK: Heading

  /// Aligns the heading to the first field after a start-up without a field.
  private mutating func tieHeading(to field: Vector3) {
    turnHeading(to: state.timeline.means.addField(field))
    state.isHeadingTied = true
    let p = state.attitudeCovariance
    // The tilt variance is averaged over all horizontal directions.
    restart(tiltVariance: 0.5 * (p.m11 + p.m22), headingVariance: coefficients.initialHeading)
  }

  /// Aligns X by the field: to north immediately, or permanently to the direction that X has at the first use of the
  /// field.
  private mutating func turnHeading(to azimuth: Double) {
    guard state.isHeadingTied || parameters.headingReference == .magneticNorth else {
      state.fieldAzimuth = azimuth
      return
    }
    let turn = rotationAboutZ(state.fieldAzimuth - azimuth)
    state.strapdown.correct(by: turn)
    state.timeline.means.turn(by: turn)
  }
}
