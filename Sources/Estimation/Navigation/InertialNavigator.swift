internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The noise of the sensors as densities, valid for all sample rates.
struct NavigationNoise: Sendable {
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
  /// The unobserved variation between two samples, as a fraction of their difference.
  var aliasing = 1.0
  /// The angle random walk about an axis with a saturated rate, in rad/√s.
  var clipping = 0.3
}

/// Strapdown integration with its error covariance, and the measurements that correct it.
///
/// Sums are kept over an epoch of several samples. The covariance is propagated at the epoch's end, before a
/// measurement.
struct InertialNavigator: Sendable {
  static let gravity = 9.80665

  private(set) var state: NavigationState
  var covariance: NavigationCovariance
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
  /// The error transition over the epoch, or `nil` if no time has passed, and the measurements, both for a smoother.
  private var transition: NavigationTransition?
  private var updates: [ScalarUpdate] = []
  private let keepsUpdates: Bool

  /// Restarts after a gap. The caller then increases the covariance.
  mutating func restart(rate: Vector3, force: Vector3, at time: Double) {
    (self.rate, self.force, self.time) = (rate, force, time)
    (lastTurn, lastPush) = (.zero, .zero)
  }

  init(
    state: NavigationState, covariance: NavigationCovariance, noise: NavigationNoise, rate: Vector3, force: Vector3,
    at time: Double, keepsUpdates: Bool = false
  ) {
    self.keepsUpdates = keepsUpdates
    (self.state, self.covariance, self.noise) = (state, covariance, noise)
    (self.rate, self.force, self.time) = (rate, force, time)
  }

  // MARK: Propagation

  /// Integrates the sensors up to a sample.
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

  /// Propagates the covariance to the state's time.
  ///
  /// Sets `transition` to the error transition since the previous epoch.
  mutating func closeEpoch() {
    guard elapsed > 0 else { return }
    let transition = NavigationTransition(rotation: rotation, push: push, duration: elapsed)
    covariance.propagate(by: transition)
    covariance.add(attitudeVariance, to: .attitude)
    covariance.add(clippingCovariance, to: .attitude)
    clippingCovariance = .zero
    covariance.add(velocityVariance, to: .velocity)
    covariance.add(noise.gyroscopeBias * noise.gyroscopeBias * elapsed, to: .gyroscopeBias)
    covariance.add(noise.accelerometerBias * noise.accelerometerBias * elapsed, to: .accelerometerBias)
    (rotation, push, elapsed, attitudeVariance, velocityVariance) = (.zero, .zero, 0, 0, 0)
    self.transition = transition
  }

  /// Returns the closed epoch with its later measurements, for a smoother.
  mutating func takeEpoch() -> NavigationEpoch {
    defer { (transition, updates) = (nil, []) }
    return NavigationEpoch(
      transition: transition, updates: updates,
      rows: [covariance.row(.attitude), covariance.row(.velocity), covariance.row(.position)])
  }

  /// Returns whether two successive rates are equal and within 2 % of ±250, 500, 1000, 2000 or 4000 °/s, the ranges of
  /// gyroscopes. The true rates may then be larger.
  private static func isClipped(_ a: Double, _ b: Double) -> Bool {
    let degrees = abs(a) * (180 / Double.pi)
    guard degrees > 240, abs(a - b) < 0.003 * abs(a) else { return false }
    return [250.0, 500, 1000, 2000, 4000].contains { abs(degrees - $0) < 0.02 * $0 }
  }

  // MARK: Measurements

  /// Corrects the state by a measurement.
  ///
  /// - Parameter gate: The maximum normalised innovation squared, νᵀ S⁻¹ ν with S = H P Hᵀ + R, of a measurement with
  ///   full weight. Beyond it, the noise is multiplied by the ratio to the gate. Such a measurement has less weight but
  ///   is not lost, so that a diverged state converges again.
  @discardableResult
  mutating func fuse(_ measurement: Measurement, gate: Double = .infinity) -> MeasurementFit {
    var update = MeasurementUpdate(measurement, covariance)
    if update.fit.ratio > gate {
      update = MeasurementUpdate(measurement, covariance, noise: update.fit.ratio / gate)
      update.fit.ratio = gate
    }
    update.apply(to: &covariance)
    if keepsUpdates { updates += update.scalars }
    state.correct(by: update.correction)
    return update.fit
  }

  /// Sets the vehicle's axes in the device, which were unknown.
  mutating func mount(_ deviceFromVehicle: Quaternion) {
    state.deviceFromVehicle = deviceFromVehicle
    covariance.isolate(.mounting, covariance: .zero)
  }
}

/// The effect of a measurement, with its rows applied one by one, as their noise is independent.
private struct MeasurementUpdate {
  private let measurement: Measurement
  /// P h of each row after the previous rows, its innovation at that point, and its variance h P h + r.
  private var gains: InlineArray<3, NavigationError>
  private var innovations: InlineArray<3, Double>
  private var variances: InlineArray<3, Double>
  /// The correction by the rows.
  private(set) var correction = NavigationError()
  var fit = MeasurementFit()

  /// - Parameter noise: The factor of the rows' variances.
  init(_ measurement: Measurement, _ covariance: NavigationCovariance, noise: Double = 1) {
    self.measurement = measurement
    (gains, innovations, variances) = (
      InlineArray(repeating: NavigationError()), InlineArray(repeating: 0), InlineArray(repeating: 0)
    )
    for index in 0..<measurement.count {
      let row = measurement.rows[index]
      var ph = covariance.times(row.jacobian)
      for before in 0..<index where variances[before] > 0 {
        ph.add(gains[before], scaledBy: -row.jacobian.dot(gains[before]) / variances[before])
      }
      let s = row.jacobian.dot(ph) + row.variance * noise
      guard s > 0 else { continue }
      let innovation = row.innovation - row.jacobian.dot(correction)
      fit.ratio += innovation * innovation / s
      fit.determinant *= s
      correction.add(ph, scaledBy: innovation / s)
      (gains[index], innovations[index], variances[index]) = (ph, innovation, s)
    }
  }

  func apply(to covariance: inout NavigationCovariance) {
    for index in 0..<measurement.count where variances[index] > 0 {
      covariance.add(outer: gains[index], scaledBy: -1 / variances[index])
    }
  }

  /// The rows as applied, for a smoother.
  var scalars: [ScalarUpdate] {
    (0..<measurement.count).filter { variances[$0] > 0 }.map { index in
      ScalarUpdate(
        jacobian: measurement.rows[index].jacobian, gain: gains[index], innovation: innovations[index],
        variance: variances[index])
    }
  }
}

/// The consistency of a measurement with its prediction.
struct MeasurementFit: Sendable {
  /// The normalised innovation squared, νᵀ S⁻¹ ν, at most the gate.
  var ratio = 0.0
  /// The determinant of S.
  var determinant = 1.0

  /// The logarithm of the likelihood, up to a constant.
  var logLikelihood: Double { -0.5 * (ratio + log(determinant)) }
}

/// A measurement of up to three numbers with independent noise.
struct Measurement: Sendable {
  private(set) var rows: InlineArray<3, MeasurementRow>
  private(set) var count = 0

  init() {
    rows = InlineArray(repeating: MeasurementRow(jacobian: NavigationError(), innovation: 0, variance: 0))
  }

  mutating func append(_ row: MeasurementRow) {
    rows[count] = row
    count += 1
  }

  /// Creates a measurement of the first components of a part of the state.
  init(_ part: ErrorPart, components: Int = 3, innovation: Vector3, variance: Vector3) {
    self.init()
    for axis in 0..<components {
      var jacobian = NavigationError()
      jacobian[part][axis] = 1
      append(MeasurementRow(jacobian: jacobian, innovation: innovation[axis], variance: variance[axis]))
    }
  }

  /// Creates a measurement of the three components of a part of the state, with the same variance.
  init(_ part: ErrorPart, innovation: Vector3, variance: Double) {
    self.init(part, innovation: innovation, variance: Vector3(repeating: variance))
  }
}

/// One row of a measurement: the measured minus the predicted value, its derivative and its noise.
struct MeasurementRow: Sendable {
  var jacobian: NavigationError
  var innovation: Double
  var variance: Double
}

/// A measurement row as applied: P h, the innovation and its variance h P h + r.
struct ScalarUpdate: Sendable {
  var jacobian: NavigationError
  var gain: NavigationError
  var innovation: Double
  var variance: Double
}
