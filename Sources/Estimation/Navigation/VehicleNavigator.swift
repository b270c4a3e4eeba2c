internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A vehicle's strapdown navigator with position fixes and wheel constraints, for one initial heading of the device.
struct VehicleNavigator: Sendable, Codable {
  let parameters: VehicleTracker.Parameters
  /// The logarithm of the likelihood of all fixes, up to a constant common to all headings.
  var evidence = 0.0
  /// The sum of the normalised squared innovations of the fixes, and of their expectations.
  var (misfitSquares, misfitCount) = (0.0, 0.0)
  /// Whether driving has determined the vehicle's axes in the device; always true for vehicles without wheels.
  private(set) var isMounted: Bool

  /// Whether the vehicle's lateral and vertical velocities are taken as zero.
  var usesWheels: Bool

  private struct Start: Codable {
    var sample: TrackSample
    var fix: PositionFix
    var direction: Double
    var sigma: Double
  }

  private let start: Start
  var navigator: InertialNavigator
  private(set) var rest = StationaryBiasEstimator(rate: 0.03, force: 0.3, time: 1)
  var lastFix: PositionFix?
  /// The integral of the squared rate over the epoch, in rad²/s.
  private(set) var turning = 0.0
  private var isStanding = false

  /// The normalised innovations squared above which a measurement has less weight: 0.1 % for 2 and 3 components.
  static let gates = (two: 13.8, three: 16.3)
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
    sigma: Double, keepsTrace: Bool = false
  ) {
    self.parameters = parameters
    start = Start(sample: sample, fix: fix, direction: direction, sigma: sigma)
    (usesWheels, isMounted) = (parameters.isOnWheels, !parameters.isOnWheels)
    var kalman = ErrorKalman.navigation(
      hasFixes: true, hasMounting: parameters.isOnWheels, keepsTrace: keepsTrace)
    let tilt = parameters.tiltSigma * parameters.tiltSigma
    kalman.add(Vector3(tilt, tilt, sigma * sigma), to: .attitude)
    let speed = fix.velocity == nil ? Self.anySpeed : fix.velocitySigma
    kalman.add(Vector3(speed, speed, Self.verticalSpeed).squares, to: .velocity)
    kalman.add(fix.positionSigma.squares, to: .position)
    kalman.add(1, to: .fixError)
    kalman[.position, .fixError] = Matrix3(diagonal: -PositionFix.slowFraction * fix.positionSigma)
    kalman.add(sigma: parameters.gyroscopeBiasSigma, to: .gyroscopeBias)
    kalman.add(sigma: parameters.accelerometerBiasSigma, to: .accelerometerBias)
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
      kalman: kalman, noise: noise, rate: sample.rate, force: sample.force, at: sample.time)
    lastFix = fix
    mount()
  }

  /// Returns a navigator with the same initial state, which keeps its trace.
  func restarted() -> Self {
    Self(parameters, start.sample, start.fix, direction: start.direction, sigma: start.sigma, keepsTrace: true)
  }

  /// The standard deviation of the heading, in radians.
  var headingSigma: Double { navigator.kalman.standardDeviations(.attitude).z }

  /// Returns the rotation about the vertical relative to another navigator, in radians.
  func turn(from other: Self) -> Double {
    (navigator.state.earthFromDevice * other.navigator.state.earthFromDevice.conjugate).rotationVector.z
  }

  /// Adds the state to a path.
  func record(in path: inout PathRecorder) { path.add(navigator, isStanding: isStanding) }

  /// Adds the next sample.
  ///
  /// - Returns: Whether the sample ends an epoch.
  mutating func update(_ sample: TrackSample) -> Bool {
    let pause = sample.time - navigator.time
    guard pause > 0 else { return false }
    guard pause <= Self.maximumPause else {
      navigator.restart(rate: sample.rate, force: sample.force, at: sample.time)
      navigator.fadeFixError(over: pause)
      navigator.kalman.add((navigator.state.velocity.squaredNorm + 1) * pause * pause, to: .position)
      navigator.kalman.add(9 * min(pause, 10), to: .velocity)
      navigator.kalman.add(0.04 * min(pause, 10), to: .attitude)
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
    take(fix)
    mount()
    return true
  }

  /// The mean variance of the gyroscope's biases, in (rad/s)².
  var unknownBias: Double {
    let known = navigator.kalman.variances(.gyroscopeBias)
    return (known.x + known.y + known.z) / 3
  }

  /// Whether the velocity is consistent with zero.
  private var mayStand: Bool {
    let known = navigator.kalman.variances(.velocity)
    return navigator.state.velocity.squaredNorm
      < 9 * (known.x + known.y + known.z) + parameters.standingSpeed * parameters.standingSpeed
  }

  private mutating func closeEpoch() {
    let duration = navigator.elapsed
    guard duration > 0 else { return }
    navigator.closeEpoch()
    if parameters.isOnWheels {
      navigator.kalman.add(parameters.mountingWalk * parameters.mountingWalk * duration, to: .mounting)
    }
    takeWheels(over: duration)
    turning = 0
    isStanding = rest.mean != nil
    takeRest(over: duration)
    navigator.endEpoch()
  }

  /// Sets the vehicle's forward axis to the direction of motion, once the vehicle drives.
  ///
  /// An error of the heading causes the same error of the axes, so they have at least the same uncertainty.
  private mutating func mount() {
    guard !isMounted else { return }
    let velocity = navigator.state.velocity
    let known = navigator.kalman.variances(.velocity)
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    guard speed > Self.mountingSpeed, speed > 5 * max(known.x, known.y).squareRoot() else { return }
    let vehicle = Quaternion(angle: atan2(velocity.y, velocity.x), axis: .unitZ)
    navigator.mount(navigator.state.earthFromDevice.conjugate * vehicle)
    navigator.kalman.add(sigma: parameters.mountingSigma, to: .mounting)
    navigator.kalman.add(sigma: headingSigma, to: .mounting)
    isMounted = true
  }
}
