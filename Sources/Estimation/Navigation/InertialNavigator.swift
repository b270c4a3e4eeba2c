internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The noise of the sensors as densities, valid for all sample rates.
struct NavigationNoise: Sendable, Codable {
  /// The angle random walk, in rad/√s.
  var gyroscope = 1e-3
  /// The additional angle random walk per rad/s of rotation, for scale factor errors, in 1/√s.
  var gyroscopeScale = 2.5e-4
  /// The random walk of the gyroscope's bias, in rad/s/√s.
  var gyroscopeBias = 2e-5
  /// The velocity random walk, in m/s/√s.
  var accelerometer = 0.01
  /// The additional velocity random walk per m/s² of specific force beyond gravity, in 1/√s.
  var accelerometerScale = 0.002
  /// The random walk of the accelerometer's bias, in m/s²/√s.
  var accelerometerBias = 2e-4
  /// The time constant of the slow part of the error of position fixes, in seconds.
  var fixError = PositionFix.slowTime
  /// The unobserved variation between two samples, as a fraction of their difference.
  var aliasing = 1.0
  /// The angle random walk about an axis with a saturated rate, in rad/√s.
  var clipping = 0.3
}

/// Strapdown integration with its error covariance, and the measurements that correct it.
///
/// Sums are kept over an epoch of several samples. The covariance is propagated at the epoch's end, before a
/// measurement.
struct InertialNavigator: Sendable, Codable {
  static let gravity = 9.80665

  var state: NavigationState
  /// The covariance of the errors, with the trace for a smoother if it is kept.
  var kalman: ErrorKalman
  var noise: NavigationNoise
  private(set) var time: Double

  private var rate: Vector3
  private var force: Vector3
  /// The rotation and velocity change over the previous sample, device axes, for coning and sculling.
  private var lastTurn = Vector3.zero
  private var lastPush = Vector3.zero

  private var rotation = Matrix3.zero
  private var push = Vector3.zero
  private(set) var elapsed = 0.0
  private var attitudeVariance = 0.0
  private var velocityVariance = 0.0
  /// The attitude covariance from saturated rates, in rad².
  private var clippingCovariance = Matrix3.zero

  /// Restarts after a gap. The caller then increases the covariance.
  mutating func restart(rate: Vector3, force: Vector3, at time: Double) {
    (self.rate, self.force, self.time) = (rate, force, time)
    (lastTurn, lastPush) = (.zero, .zero)
  }

  /// Propagates the error of position fixes over a gap, in seconds.
  mutating func fadeFixError(over gap: Double) { propagate(by: ErrorTransition(), over: gap) }

  /// Propagates the covariance, and the error of position fixes, a Gauss-Markov process with a variance of 1:
  /// b' = e^(-T/τ) b.
  private mutating func propagate(by transition: ErrorTransition, over duration: Double) {
    guard kalman.count > ErrorLayout.Block.fixError.start + 2 else { return kalman.propagate(by: transition) }
    var transition = transition
    let left = exp(-duration / noise.fixError)
    state.fixError = left * state.fixError
    transition.fade(.fixError, by: left)
    kalman.propagate(by: transition)
    kalman.add(1 - exp(-2 * duration / noise.fixError), to: .fixError)
  }

  init(
    state: NavigationState, kalman: ErrorKalman, noise: NavigationNoise, rate: Vector3, force: Vector3, at time: Double
  ) {
    (self.state, self.kalman, self.noise) = (state, kalman, noise)
    (self.rate, self.force, self.time) = (rate, force, time)
    // The start is the first epoch of the trace.
    self.kalman.close()
  }

  // MARK: Propagation

  /// Integrates the sensors up to a sample: equation (4) of docs/theory/error-state.md.
  ///
  /// Values are interpolated linearly between samples. Two-sample coning and sculling: Savage, "Strapdown inertial
  /// navigation integration algorithm design", J. Guidance, Control and Dynamics 21 (1998), part 1 eq. 31, part 2 eq.
  /// 36.
  mutating func integrate(rate: Vector3, force: Vector3, to time: Double) {
    let dt = time - self.time
    let turn = ((self.rate + rate) * 0.5 - state.gyroscopeBias) * dt
    let push = ((self.force + force) * 0.5 - state.accelerometerBias) * dt
    let coning = lastTurn.cross(turn) / 12
    let sculling = (lastTurn.cross(push) + lastPush.cross(turn)) / 12 + turn.cross(push) * 0.5

    let before = state.earthFromDevice
    let change = before.rotate(push + sculling)
    var velocity = state.velocity + change
    velocity.z -= Self.gravity * dt
    state.position += (state.velocity + velocity) * (0.5 * dt)
    state.velocity = velocity
    state.earthFromDevice = (before * Quaternion(rotationVector: turn + coning)).normalized ?? before

    rotation.add(before.matrix, scaledBy: dt)
    self.push += change
    elapsed += dt
    let turning =
      noise.gyroscope * noise.gyroscope + noise.gyroscopeScale * noise.gyroscopeScale * turn.squaredNorm / (dt * dt)
    attitudeVariance += turning * dt + noise.aliasing * noise.aliasing * (rate - self.rate).squaredNorm * dt * dt / 12
    let hidden = Vector3(
      Self.isClipped(self.rate.x, rate.x) ? 1 : 0, Self.isClipped(self.rate.y, rate.y) ? 1 : 0,
      Self.isClipped(self.rate.z, rate.z) ? 1 : 0)
    if hidden != .zero {
      let m = before.matrix
      clippingCovariance.add(
        m * Matrix3(diagonal: hidden) * m.transpose, scaledBy: noise.clipping * noise.clipping * dt)
    }
    let beyond = force.norm - Self.gravity
    let pushing =
      noise.accelerometer * noise.accelerometer + noise.accelerometerScale * noise.accelerometerScale * beyond * beyond
    velocityVariance += pushing * dt + noise.aliasing * noise.aliasing * (force - self.force).squaredNorm * dt * dt / 12

    (lastTurn, lastPush) = (turn, push)
    (self.rate, self.force, self.time) = (rate, force, time)
  }

  /// Propagates the covariance to the state's time: equation (5) of docs/theory/error-state.md with
  /// θ' = θ − A b_g,  v' = v − [u]× θ − A b_a,  p' = p + T v, the integral A of the rotation from device to earth, the
  /// change u of the velocity by the specific force, and the duration T.
  mutating func closeEpoch() {
    guard elapsed > 0 else { return }
    var transition = ErrorTransition()
    transition.add(-1 * rotation, of: .gyroscopeBias, to: .attitude)
    transition.add(Matrix3(skew: -push), of: .attitude, to: .velocity)
    transition.add(-1 * rotation, of: .accelerometerBias, to: .velocity)
    transition.add(elapsed, of: .velocity, to: .position)
    propagate(by: transition, over: elapsed)
    kalman.add(attitudeVariance, to: .attitude)
    kalman.add(clippingCovariance, to: .attitude)
    kalman.add(velocityVariance, to: .velocity)
    kalman.add(noise.gyroscopeBias * noise.gyroscopeBias * elapsed, to: .gyroscopeBias)
    kalman.add(noise.accelerometerBias * noise.accelerometerBias * elapsed, to: .accelerometerBias)
    (rotation, push, elapsed, attitudeVariance, velocityVariance) = (.zero, .zero, 0, 0, 0)
    clippingCovariance = .zero
  }

  /// Returns whether two successive rates are equal and within 2 % of ±250, 500, 1000, 2000 or 4000 °/s, the ranges of
  /// gyroscopes. The true rates may then be larger.
  private static func isClipped(_ a: Double, _ b: Double) -> Bool {
    let degrees = abs(a) * (180 / Double.pi)
    guard degrees > 240, abs(a - b) < 0.003 * abs(a) else { return false }
    return [250.0, 500, 1000, 2000, 4000].contains { abs(degrees - $0) < 0.02 * $0 }
  }

  // MARK: Measurements

  /// Ends an epoch without a measurement for the trace.
  mutating func endEpoch() {
    if kalman.trace?.isOpen == true { kalman.close() }
  }

  /// Takes a measurement and corrects the state, so that the next measurement is linearised at the corrected state.
  @discardableResult
  mutating func take(_ measurement: ErrorMeasurement) -> ErrorInnovation {
    let innovation = kalman.take(measurement)
    state.correct(by: kalman.close())
    return innovation
  }

  /// Sets the floor of the last step to the present height, with the same error. Call it at the end of an epoch.
  mutating func takeFloor() {
    let height = ErrorLayout.Block.position.start + 2
    let floor = ErrorLayout.Block.floor.start
    var copy = ErrorTransition()
    copy.add(1, of: height, to: floor)
    copy.add(-1, of: floor, to: floor)
    kalman.propagate(by: copy)
    state.floor = state.position.z
    endEpoch()
  }

  /// Sets the vehicle's axes in the device, which were unknown.
  mutating func mount(_ deviceFromVehicle: Quaternion) {
    state.deviceFromVehicle = deviceFromVehicle
    kalman.isolate(.mounting, covariance: .zero)
  }
}
