internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A vehicle's strapdown navigator with position fixes and wheel constraints, for one initial heading of the device.
struct VehicleNavigator: Sendable {
  let parameters: VehicleTracker.Parameters
  /// The logarithm of the likelihood of all fixes, up to a constant common to all headings.
  private(set) var evidence = 0.0
  /// Whether driving has determined the vehicle's axes in the device; always true for vehicles without wheels.
  private(set) var isMounted: Bool

  private let start: (sample: TrackSample, fix: PositionFix, direction: Double, sigma: Double)
  private var navigator: InertialNavigator
  private var rest = StationaryBiasEstimator(rate: 0.03, force: 0.3, time: 1)
  private var lastFix: PositionFix?
  /// The integral of the squared rate over the epoch, in rad²/s.
  private var turning = 0.0
  private var isStanding = false

  /// The normalised innovations squared above which a measurement has less weight: 0.1 % for 2 and 3 components.
  private static let gates = (two: 13.8, three: 16.3)
  private static let maximumPause = 0.5
  /// The standard deviations of a velocity without a fix, and of the vertical velocity, in m/s.
  private static let anySpeed = 15.0
  private static let verticalSpeed = 1.0
  /// The minimum speed at which the velocity determines the vehicle's forward axis, in m/s.
  private static let mountingSpeed = 2.0

  /// - Parameters:
  ///   - sample: The last sample before the fix.
  ///   - direction: The angle from east to the device's level axis, with its standard deviation, in radians.
  init(
    _ parameters: VehicleTracker.Parameters, _ sample: TrackSample, _ fix: PositionFix, direction: Double,
    sigma: Double,
    keepsUpdates: Bool = false
  ) {
    self.parameters = parameters
    start = (sample, fix, direction, sigma)
    isMounted = !parameters.isOnWheels
    var covariance = NavigationCovariance(parts: parameters.isOnWheels ? ErrorPart.common + 1 : ErrorPart.common)
    let tilt = parameters.tiltSigma * parameters.tiltSigma
    covariance.isolate(.attitude, covariance: Matrix3(diagonal: Vector3(tilt, tilt, sigma * sigma)))
    let speed = fix.velocity == nil ? Self.anySpeed : fix.velocitySigma
    covariance.add(Vector3(speed * speed, speed * speed, Self.verticalSpeed * Self.verticalSpeed), to: .velocity)
    covariance.add(fix.positionSigma.squares, to: .position)
    covariance.add(parameters.gyroscopeBiasSigma * parameters.gyroscopeBiasSigma, to: .gyroscopeBias)
    covariance.add(parameters.accelerometerBiasSigma * parameters.accelerometerBiasSigma, to: .accelerometerBias)
    var noise = NavigationNoise()
    noise.accelerometer = parameters.vibration
    // An engine's vibration averages out to the motion.
    noise.aliasing = 0
    noise.gyroscopeScale = parameters.gyroscopeScale
    let level = Quaternion(from: sample.up, to: .unitZ) ?? .identity
    let turn = Quaternion(angle: direction - TrackSample.heading(of: level, up: sample.up), axis: .unitZ)
    navigator = InertialNavigator(
      state: NavigationState(
        earthFromDevice: turn * level, velocity: fix.velocity ?? .zero, position: fix.position),
      covariance: covariance, noise: noise, rate: sample.rate, force: sample.force, at: sample.time,
      keepsUpdates: keepsUpdates)
    lastFix = fix
    mount()
  }

  /// Returns a navigator with the same initial state.
  func restarted(keepsUpdates: Bool) -> Self {
    Self(
      parameters, start.sample, start.fix, direction: start.direction, sigma: start.sigma, keepsUpdates: keepsUpdates)
  }

  /// The standard deviation of the heading, in radians.
  var headingSigma: Double { navigator.covariance[.attitude, .attitude].m33.standardDeviation }

  /// Returns the rotation about the vertical relative to another navigator, in radians.
  func turn(from other: Self) -> Double {
    (navigator.state.earthFromDevice * other.navigator.state.earthFromDevice.conjugate).rotationVector.z
  }

  mutating func record(in path: inout PathRecorder) { path.add(&navigator, isStanding: isStanding) }

  /// Adds the next sample.
  ///
  /// - Returns: Whether the sample ends an epoch.
  mutating func update(_ sample: TrackSample) -> Bool {
    let pause = sample.time - navigator.time
    guard pause > 0 else { return false }
    guard pause <= Self.maximumPause else {
      navigator.restart(rate: sample.rate, force: sample.force, at: sample.time)
      navigator.covariance.add(navigator.state.velocity.squaredNorm * pause * pause + pause * pause, to: .position)
      navigator.covariance.add(9 * min(pause, 10), to: .velocity)
      navigator.covariance.add(0.04 * min(pause, 10), to: .attitude)
      return false
    }
    navigator.integrate(rate: sample.rate, force: sample.force, to: sample.time)
    let bias = navigator.state.gyroscopeBias
    rest.update(sample, bias: bias, biasSigma: unknownBias.squareRoot(), mayRest: mayStand)
    turning += (sample.rate - bias).squaredNorm * pause
    guard navigator.elapsed >= parameters.epoch - 1e-9 else { return false }
    closeEpoch()
    return true
  }

  /// Adds a fix, which ends an epoch.
  mutating func update(_ fix: PositionFix) -> Bool {
    closeEpoch()
    fuse(fix)
    mount()
    return true
  }

  /// The mean variance of the gyroscope's biases, in (rad/s)².
  private var unknownBias: Double {
    let known = navigator.covariance[.gyroscopeBias, .gyroscopeBias].diagonal
    return (known.x + known.y + known.z) / 3
  }

  /// Whether the velocity is consistent with zero.
  private var mayStand: Bool {
    let known = navigator.covariance[.velocity, .velocity].diagonal
    return navigator.state.velocity.squaredNorm
      < 9 * (known.x + known.y + known.z) + parameters.standingSpeed * parameters.standingSpeed
  }

  private mutating func closeEpoch() {
    let duration = navigator.elapsed
    guard duration > 0 else { return }
    navigator.closeEpoch()
    if parameters.isOnWheels {
      navigator.covariance.add(parameters.mountingWalk * parameters.mountingWalk * duration, to: .mounting)
    }
    if let slip = slip(duration) { navigator.fuse(slip, gate: Self.gates.two) }
    turning = 0
    isStanding = rest.mean != nil
    guard let rate = rest.mean else { return }
    let repeats = max(1, 1 / duration)
    navigator.fuse(
      Measurement(.velocity, innovation: -navigator.state.velocity, variance: 0.0004 * repeats), gate: Self.gates.three)
    // Half of the bias uncertainty may equally be a slow rotation.
    navigator.fuse(
      Measurement(
        .gyroscopeBias, innovation: rate - navigator.state.gyroscopeBias, variance: (4e-6 + unknownBias / 4) * repeats))
  }

  private mutating func fuse(_ fix: PositionFix) {
    var (position, velocity) = (fix.positionSigma.squares, Vector3(repeating: fix.velocitySigma * fix.velocitySigma))
    // The motion during the timing error of the fix.
    let timing = parameters.fixTimeSigma * parameters.fixTimeSigma
    let interval = fix.time - (lastFix?.time ?? -.infinity)
    position += navigator.state.velocity.squares * timing
    if let now = fix.velocity, let before = lastFix?.velocity {
      velocity += ((now - before) / interval).squares * timing
    }
    lastFix = fix
    let repeats = max(1, parameters.fixCorrelation / interval)
    (position, velocity) = (position * repeats, velocity * repeats)
    let seen = navigator.fuse(
      Measurement(.position, innovation: fix.position - navigator.state.position, variance: position),
      gate: Self.gates.three)
    evidence += seen.logLikelihood
    guard let measured = fix.velocity else { return }
    let felt = navigator.fuse(
      Measurement(.velocity, components: 2, innovation: measured - navigator.state.velocity, variance: velocity),
      gate: Self.gates.two)
    evidence += felt.logLikelihood
  }

  /// Sets the vehicle's forward axis to the direction of motion, once the vehicle drives.
  ///
  /// An error of the heading causes the same error of the axes, so they have at least the same uncertainty.
  private mutating func mount() {
    guard !isMounted else { return }
    let velocity = navigator.state.velocity
    let known = navigator.covariance[.velocity, .velocity].diagonal
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    guard speed > Self.mountingSpeed, speed > 5 * max(known.x, known.y).squareRoot() else { return }
    let vehicle = Quaternion(angle: atan2(velocity.y, velocity.x), axis: .unitZ)
    navigator.mount(navigator.state.earthFromDevice.conjugate * vehicle)
    let heading = headingSigma
    navigator.covariance.add(
      parameters.mountingSigma * parameters.mountingSigma + heading * heading, to: .mounting)
    isMounted = true
  }

  /// The non-holonomic constraint: 0 = aᵀ Rᵀ v + n for the vehicle's two axes a, in the device, that are orthogonal to
  /// forward.
  private func slip(_ duration: Double) -> Measurement? {
    guard parameters.isOnWheels, isMounted else { return nil }
    let state = navigator.state
    let velocity = state.earthFromDevice.rotateInverse(state.velocity)
    let square =
      parameters.slip * parameters.slip + parameters.nod * parameters.nod * velocity.squaredNorm
      + parameters.lever * parameters.lever * turning / duration
    let variance = square * max(1, parameters.slipTime / duration)
    var slip = Measurement()
    for axis in [Vector3.unitY, .unitZ] {
      let axis = state.deviceFromVehicle.rotate(axis)
      let direction = state.earthFromDevice.rotate(axis)
      let jacobian = NavigationError(
        attitude: direction.cross(state.velocity), velocity: direction, mounting: axis.cross(velocity))
      slip.append(
        MeasurementRow(jacobian: jacobian, innovation: -direction.dot(state.velocity), variance: variance))
    }
    return slip
  }
}
