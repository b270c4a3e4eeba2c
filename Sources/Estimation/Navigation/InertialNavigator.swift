internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// How well the sensors measure, as densities: one set serves every rate.
struct NavigationNoise: Sendable {
  /// Angle random walk, rad/√s.
  var gyroscope = 1e-3
  /// Further angle random walk per rad/s of rotation, for what the scale is wrong, 1/√s.
  var gyroscopeScale = 2.5e-4
  /// Random walk of the gyroscope's bias, rad/s/√s.
  var gyroscopeBias = 2e-5
  /// Velocity random walk, m/s/√s.
  var accelerometer = 0.01
  /// Further velocity random walk per m/s² of specific force beyond gravity, 1/√s.
  var accelerometerScale = 0.002
  /// Random walk of the accelerometer's bias, m/s²/√s.
  var accelerometerBias = 2e-4
  /// What a sample's value may hide between it and the next, as a share of their difference.
  var aliasing = 1.0
  /// Angle random walk about an axis whose rate is at the end of its range, rad/√s.
  var clipping = 0.3
}

/// Strapdown integration with the covariance of its errors, and the measurements that correct it.
///
/// Sums are kept over an epoch of some samples; the covariance follows when it is closed, before a measurement.
struct InertialNavigator: Sendable {
  static let gravity = 9.80665

  private(set) var state: NavigationState
  var covariance: NavigationCovariance
  var noise: NavigationNoise
  private(set) var time: Double

  private var rate: Vector3
  private var force: Vector3
  /// The turn and the change of velocity over the sample before, device axes: for coning and sculling.
  private var lastTurn = Vector3.zero
  private var lastPush = Vector3.zero

  private var rotation = Matrix3.zero
  private var push = Vector3.zero
  private(set) var elapsed = 0.0
  private var attitudeVariance = 0.0
  private var velocityVariance = 0.0
  /// What rates at the end of a gyroscope's range hide, rad².
  private var clippingCovariance = Matrix3.zero
  /// For a smoother: what happened to the errors over the epoch, nil where no time has passed, and what was measured.
  private var transition: NavigationTransition?
  private var updates: [ScalarUpdate] = []
  private let keepsUpdates: Bool

  /// Whoever resumes behind a gap says what is not known any more.
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

  /// Follows the sensors to a sample.
  ///
  /// Values between two samples are on a straight line. Coning and sculling by two samples: Savage, "Strapdown inertial
  /// navigation integration algorithm design", J. Guidance, Control and Dynamics 21 (1998), part 1 eq. 31, part 2 eq. 36.
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

  /// Brings the covariance up to the state's time.
  ///
  /// What has happened to the errors since the epoch before is then `transition`.
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

  /// What a smoother needs of the epoch that has been closed, with the measurements since.
  mutating func takeEpoch() -> NavigationEpoch {
    defer { (transition, updates) = (nil, []) }
    return NavigationEpoch(
      transition: transition, updates: updates,
      rows: [covariance.row(.attitude), covariance.row(.velocity), covariance.row(.position)])
  }

  /// Whether two rates that follow each other stand still within 2 % of ±250, 500, 1000, 2000 or 4000 °/s, where gyroscopes
  /// end: they may then be any larger ones.
  private static func isClipped(_ a: Double, _ b: Double) -> Bool {
    let degrees = abs(a) * (180 / Double.pi)
    guard degrees > 240, abs(a - b) < 0.003 * abs(a) else { return false }
    return [250.0, 500, 1000, 2000, 4000].contains { abs(degrees - $0) < 0.02 * $0 }
  }

  // MARK: Measurements

  /// Corrects the state by a measurement.
  ///
  /// - Parameter gate: the largest normalised innovation squared, νᵀ S⁻¹ ν with S = H P Hᵀ + R, that is believed. Beyond it
  ///   the noise is raised by as much as the gate is passed: what is not believed counts less and is not lost, so that a state
  ///   that has gone astray finds back.
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

  /// Gives the vehicle's axes in the device, of which nothing was known.
  mutating func mount(_ deviceFromVehicle: Quaternion) {
    state.deviceFromVehicle = deviceFromVehicle
    covariance.isolate(.mounting, covariance: .zero)
  }
}

/// What a measurement does: its rows one after the other, as their noise is independent.
private struct MeasurementUpdate {
  private let measurement: Measurement
  /// P h of a row behind those before it, its innovation then, and its variance h P h + r.
  private var gains: InlineArray<3, NavigationError>
  private var innovations: InlineArray<3, Double>
  private var variances: InlineArray<3, Double>
  /// The errors that the rows show.
  private(set) var correction = NavigationError()
  var fit = MeasurementFit()

  /// - Parameter noise: what the rows' variances are multiplied by.
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

  /// For a smoother.
  var scalars: [ScalarUpdate] {
    (0..<measurement.count).filter { variances[$0] > 0 }.map { index in
      ScalarUpdate(
        jacobian: measurement.rows[index].jacobian, gain: gains[index], innovation: innovations[index],
        variance: variances[index])
    }
  }
}

/// How well a measurement fits what was expected of it.
struct MeasurementFit: Sendable {
  /// The normalised innovation squared, νᵀ S⁻¹ ν; the gate's where it was passed.
  var ratio = 0.0
  /// Of S.
  var determinant = 1.0

  /// Up to a constant.
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

  /// So many components of a part of the state, X first.
  init(_ part: ErrorPart, components: Int = 3, innovation: Vector3, variance: Vector3) {
    self.init()
    for axis in 0..<components {
      var jacobian = NavigationError()
      jacobian[part][axis] = 1
      append(MeasurementRow(jacobian: jacobian, innovation: innovation[axis], variance: variance[axis]))
    }
  }

  /// The three components of a part of the state, with one variance.
  init(_ part: ErrorPart, innovation: Vector3, variance: Double) {
    self.init(part, innovation: innovation, variance: Vector3(repeating: variance))
  }
}

/// One number of a measurement: what is seen less what the state foretells, its derivative and its noise.
struct MeasurementRow: Sendable {
  var jacobian: NavigationError
  var innovation: Double
  var variance: Double
}

/// A number of a measurement as it was used: P h, the innovation and its variance h P h + r.
struct ScalarUpdate: Sendable {
  var jacobian: NavigationError
  var gain: NavigationError
  var innovation: Double
  var variance: Double
}
