public import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// An error-state Kalman filter that separates gravity from motion by a motion prior.
///
/// An accelerometer measures the specific force: gravity and the device's own acceleration. A filter that treats it as
/// the direction of gravity is wrong whenever the device accelerates, and a filter that averages it is correct only on
/// average. Here it drives a velocity, and the prior is that a velocity which stays finite stays near zero: 0 = v +
/// noise, where the noise density grows with the recent mean square of the velocity. The remainder is gravity, with an
/// uncertainty given by the covariance.
///
/// The error state follows Lefferts, Markley and Shuster, "Kalman filtering for spacecraft attitude estimation", J.
/// Guidance 5 (1982), with the attitude error in the EARTH frame, q_true = exp(θ) ⊗ q: 24 errors, of attitude,
/// gyroscope bias, velocity, gyroscope scale and misalignment, accelerometer bias, the earth's field and the
/// magnetometer's delay. The quaternion and the velocity follow every sample; the covariance advances in epochs of a
/// tenth of a second, in which all measurements are sums. Noise is given as densities, so the result depends on neither
/// the sample rate nor the epoch. The equations are in docs/theory/flagship.md.
public struct MotionPriorKalman: AttitudeFilter, MeasurementReporting {
  public static let name = "kalman"
  public static let summary =
    "error-state Kalman filter that separates gravity from motion by a motion prior; 24 states, covariance"
  public static let source =
    "error state of Lefferts, Markley and Shuster 1982, the motion prior is our own"
  public static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .rest, .restBias, .covariance, .magneticRejection, .offline,
  ]

  /// The kinds of measurements that the filter can report.
  public static let measurementKinds: [MeasurementKind] = [.magneticField, .restRate, .velocity]

  public let parameters: Parameters
  public internal(set) var state: State
  /// The outcomes of the latest measurements, or `nil`. To request them, assign an empty log.
  public var measurements: MeasurementLog?
  let coefficients: Coefficients
  /// The records for the offline form, or `nil` online.
  var trace: SmoothingTrace?

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters))
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    coefficients = Coefficients(parameters)
    self.state.timeline.resume(coefficients.timeline)
  }

  // MARK: Updates

  public mutating func update(gyroscope: Vector3, at time: Double) {
    let sample = state.timeline.admit(rate: gyroscope, at: time, coefficients.timeline)
    if sample != .refused { measurements?.begin(at: time) }
    switch sample {
    case .refused: return
    case .first: resumeGyroscope(gyroscope, at: time)
    case .gap(let duration):
      enterGap(lasting: duration)
      resumeGyroscope(gyroscope, at: time)
    case .regular(let dt):
      followUnlessGlitch(gyroscope, over: dt)
      state.time = time
      if isStartingUp {
        let isOver = state.timeline.count(dt, coefficients.timeline)
        // By then, the low-passed directions have followed a rotation that began with the log.
        if state.timeline.age > RestDetector.timeConstant { followDirections(over: dt) }
        if isOver { finishStartUp() }
      } else if state.timeline.isAligned, !state.glitch.isHolding,
        state.epoch.duration >= parameters.epochDuration - 0.5 * dt
      {
        closeEpoch()
      }
    }
    if trace != nil { traceSample(at: time) }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    let step = state.timeline.admit(acceleration: accelerometer, at: time, coefficients.timeline)
    guard step != .refused else { return }
    guard state.timeline.isAligned else { return align(up: -accelerometer) }
    switch step {
    case .regular(let dt):
      let mean = state.heldForce.mean(accelerometer, over: dt)
      // While the gyroscope pauses, the direction of the force is unknown.
      guard let rotation = rotation(at: time) else { return }
      if isStartingUp {
        turnFrame(by: state.timeline.means.addForce(rotation * -accelerometer))
      } else {
        follow(force: mean, rotation, over: dt)
      }
    case .gap(let duration):
      state.heldForce.restart(at: accelerometer)
      loseVelocity(for: duration)
    case .first, .refused: break
    }
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    let step = state.timeline.admit(field: magneticField, at: time)
    guard step != .refused else { return }
    state.steadyDirections.add(field: magneticField, step)
    guard state.timeline.isAligned, let rotation = rotation(at: time) else { return }
    let field = rotation * magneticField
    if isStartingUp {
      tieHeading(to: state.timeline.means.addField(field))
    } else {
      state.epoch.add(field: field)
    }
  }

  public var followsFields: Bool { state.field.isKnown || isStartingUp }

  public var estimate: AttitudeEstimate? {
    guard state.timeline.isAligned else { return nil }
    var flags = flags
    if isStartingUp { flags.insert(.converging) }
    let attitude = state.earthFromNorth * extrapolatedAttitude
    return AttitudeEstimate(
      earthFromDevice: attitude.normalized ?? attitude, gyroscopeBias: state.gyroscopeBias,
      attitudeSigma: Self.attitudeSigma(
        state.kalman[MotionErrors.attitude, MotionErrors.attitude], of: attitude,
        hiddenForceBias: state.hiddenForceBias, turned: state.earthFromNorth,
        persistentFraction: persistentFraction, spin: state.rate.norm),
      flags: flags)
  }

  /// All flags except for the start-up's.
  var flags: AttitudeFlags {
    var flags = state.flags.union(state.timeline.sampleFlags)
    if isResting { flags.insert(.resting) }
    return flags
  }

  /// The attitude in the filter's own frame, extrapolated by the samples' latency.
  var extrapolatedAttitude: Quaternion {
    guard parameters.sensorLatency != 0 else { return state.northFromDevice }
    return state.northFromDevice * Quaternion(rotationVector: parameters.sensorLatency * state.rate)
  }

  var isStartingUp: Bool { state.timeline.isAligned && state.timeline.isStartingUp }

  // MARK: Between the measurements

  private mutating func resumeGyroscope(_ rate: Vector3, at time: Double) {
    state.heldRate.restart(at: rate)
    state.glitch.restart(at: rate)
    state.rate = state.rate(rate - state.gyroscopeBias)
    state.midway = state.rotation
    state.time = time
  }

  /// Integrates a rate, and undoes rates that later samples reveal as a glitch.
  @inline(__always)
  private mutating func followUnlessGlitch(_ measured: Vector3, over dt: Double) {
    switch state.glitch.judge(measured, over: dt) {
    case .usual:
      state.flags.remove(.gyroscopeRejected)
      follow(measured, over: dt)
    case .suspicious:
      if state.timeline.isAligned, !isStartingUp, let before = state.heldRate.last {
        state.glitch.hold(measured, before: before, dt: dt)
        (state.attitudeBeforeGlitch, state.velocityBeforeGlitch) = (state.northFromDevice, state.velocity)
        (state.epochBeforeGlitch, state.tiltDivergenceBeforeGlitch) = (state.epoch, state.tiltDivergence)
      }
      follow(measured, over: dt)
    case .over: forgetGlitch(measured, dt)
    }
  }

  private mutating func forgetGlitch(_ measured: Vector3, _ dt: Double) {
    setAttitude(state.attitudeBeforeGlitch)
    (state.velocity, state.epoch, state.tiltDivergence) = (
      state.velocityBeforeGlitch, state.epochBeforeGlitch, state.tiltDivergenceBeforeGlitch
    )
    state.heldRate.restart(at: state.glitch.rateBefore)
    state.flags.insert(.gyroscopeRejected)
    let elapsed = state.glitch.elapsed
    trace?.replaceSamples(after: (state.time ?? 0) + dt - elapsed, by: state.attitudeBeforeGlitch)
    follow(measured, over: elapsed)
  }

  /// Integrates q ← q ⊗ exp(ω dt) with ω = (I + S)(measured − b), and the sums for the transition of the errors:
  /// equations (2) and (3) of docs/theory/flagship.md.
  @inline(__always)
  private mutating func follow(_ measured: Vector3, over dt: Double) {
    let mean = state.heldRate.mean(measured, over: dt)
    let unbiased = mean - state.gyroscopeBias
    state.rate = state.rate(unbiased)
    let turn = dt * state.rate
    let half = Quaternion(stepBy: 0.5 * turn)
    let midway = state.northFromDevice * half
    state.midway = midway.matrix
    state.northFromDevice = (midway * half).normalizedAfterStep ?? state.northFromDevice
    guard state.timeline.isAligned, !isStartingUp else { return }
    state.epoch.add(
      rotation: state.midway, measured: mean, unbiased: unbiased, turn: state.midway * turn, dt: dt)
    state.clipping.add(measured)
    if state.clipping.limit < .infinity {
      state.epoch.addClipping(of: measured, beyond: state.clipping.limit, dt: dt)
    }
  }

  /// Integrates v ← v + (R (f − b_a) − g) dt: equation (4) of docs/theory/flagship.md.
  @inline(__always)
  private mutating func follow(force acceleration: Vector3, _ rotation: Matrix3, over dt: Double) {
    let specific = -standardGravity * acceleration
    let force = rotation * (specific - state.accelerometerBias)
    state.velocity += dt * (force - Vector3(0, 0, standardGravity))
    state.epoch.add(
      force: force, rotation: rotation,
      isClipped: acceleration.maximumMagnitude > coefficients.forceLimit, dt: dt)
    state.tiltDivergence.add(force: force, dt: dt)
  }

  /// Returns the rotation, device to earth, for a sensor's sample, or `nil` too long after the gyroscope's last sample.
  ///
  /// It is the attitude half an interval of the gyroscope before the sample's timestamp, because a rate is the mean over
  /// the time since the previous one: see `Strapdown.attitude(at:bias:within:)`.
  ///
  /// Mutating, because a nonmutating method would copy the whole filter.
  @inline(__always)
  private mutating func rotation(at time: Double) -> Matrix3? {
    guard let last = state.time else { return state.rotation }
    // Accelerometer and magnetometer often share the gyroscope's timestamps.
    guard time != last else { return state.midway }
    return rotation(at: time - 0.5 * (state.heldRate.interval ?? 0), from: last)
  }

  private mutating func rotation(at time: Double, from last: Double) -> Matrix3? {
    let offset = time - last
    guard abs(offset) <= parameters.handling.gapThreshold else { return nil }
    return (state.northFromDevice * Quaternion(stepBy: offset * state.rate)).matrix
  }

  mutating func setAttitude(_ attitude: Quaternion) {
    state.northFromDevice = attitude.normalized ?? state.northFromDevice
    state.midway = state.rotation
  }

  /// Rotates the earth frame for a start-up or a field, and records the rotation.
  mutating func turnFrame(by rotation: Quaternion) {
    turn(by: rotation)
    trace?.turnFrame(by: rotation)
  }

  /// Rotates the earth frame relative to the device.
  mutating func turn(by rotation: Quaternion) {
    let turned = rotation * state.northFromDevice
    state.northFromDevice = turned.normalized ?? state.northFromDevice
    state.midway = rotation.matrix * state.midway
  }
}
