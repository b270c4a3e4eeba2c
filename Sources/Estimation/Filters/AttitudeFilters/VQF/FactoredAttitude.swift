internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// VQF's attitude in three factors: strapdown integration, inclination and heading.
///
/// Laidig and Seel 2023: q = heading(δ) ⊗ levelFromInertial ⊗ inertialFromDevice. The inertial frame follows only the
/// gyroscope and drifts slowly; gravity and field are low-passed in it and correct the other two factors, so that the
/// factors do not disturb each other. Level frame: Z up, azimuth arbitrary. Their frames correspond to these: S_i
/// device, I_i inertial, E_i level, E earth (east-north-up). The steps follow their Algorithm 1, in its order.
struct FactoredAttitude: Sendable, Codable, Equatable {
  /// The integral of the gyroscope.
  var inertialFromDevice = Quaternion.identity
  var leveling = Leveling()
  /// Whether gravity was measured.
  private(set) var isAligned = false
  var heading = HeadingCorrection()
  var force = MeanStartLowPass<Vector3>()
  /// The time integrated since the first gravity or the last gap, in seconds; counted until the end of the start-up.
  private var age = 0.0

  /// The duration for which the start, or the time after a gap, is flagged as converging, in seconds.
  static let startUpDuration = 1.0

  var isStartingUp: Bool { age < Self.startUpDuration }

  /// The attitude without a field: Z up, with the azimuth of the gyroscope's integral.
  ///
  /// It is computed when a factor changes, because it is read up to three times before the next change.
  var levelFromDevice = Quaternion.identity

  /// The rotation from the level frame to the earth frame: the sine and the cosine of half its angle about Z.
  private var halfSine = 0.0
  private var halfCosine = 1.0

  @inline(__always)
  var earthFromDevice: Quaternion { levelFromDevice.turnedAboutZ(halfSine, halfCosine) }

  /// Integrates a rate without bias, in rad/s, for `dt` seconds.
  ///
  /// - Returns: Whether the start-up ended.
  @inline(__always)
  mutating func integrate(_ rate: Vector3, over dt: Double) -> Bool {
    inertialFromDevice = (inertialFromDevice * Quaternion(rotationVector: rate * dt)).renormalized
    levelFromDevice = leveling.levelFromInertial * inertialFromDevice
    guard isAligned, isStartingUp else { return false }
    age += dt
    return !isStartingUp
  }

  /// Levels the earth frame with the low-passed specific force (up at rest).
  ///
  /// - Returns: The previous direction of the low-passed force, a unit vector in the previous level frame.
  @inline(__always)
  mutating func level(_ deviceForce: Vector3, _ lowPass: LowPassDesign) -> Vector3 {
    let inertialForce = force.update(inertialFromDevice.rotate(deviceForce), lowPass)
    let up = leveling.add(inertialForce)
    levelFromDevice = leveling.levelFromInertial * inertialFromDevice
    if !isAligned {
      isAligned = true
      age = 0
      // Until a field is used, the azimuth is as in Core Motion: yaw 0 at the start.
      heading.startAngle = -EulerAngles(levelFromDevice).yaw
      turnHeading(by: heading.startAngle)
    }
    return up
  }

  /// Corrects the heading with a field in the level frame.
  @inline(__always)
  mutating func correctHeading(
    field: Vector3, _ gains: HeadingCorrection.Gains, trust: Double = 1, _ reference: HeadingReference
  ) {
    let before = heading.earthFromLevel
    heading.correct(azimuth: field.azimuth, gains, trust: trust)
    heading.tie(to: reference, isFinal: !isStartingUp)
    turnHeading(by: heading.earthFromLevel - before)
  }

  /// Updates the heading's sine and cosine after a change of its angle, in radians.
  ///
  /// A correction by one sample is small: its series takes less time than the sine and the cosine of the whole angle.
  /// Each correction adds a rounding error, so that a million of them add about 1e-13.
  @inline(__always)
  private mutating func turnHeading(by change: Double) {
    let turn = Quaternion(rotationVector: Vector3(0, 0, change))
    let (sine, cosine) = (halfSine * turn.w + halfCosine * turn.z, halfCosine * turn.w - halfSine * turn.z)
    let scale = 1.5 - 0.5 * (sine * sine + cosine * cosine)
    (halfSine, halfCosine) = (scale * sine, scale * cosine)
  }

  mutating func finishStartUp() { heading.fixTie() }

  /// Restarts after a gap, in which the rotation is unknown: the means of gravity and field start again.
  mutating func restart() {
    age = 0
    force = MeanStartLowPass()
    heading.restart()
  }

  mutating func retuneForce(from old: LowPassDesign, to new: LowPassDesign) { force.retune(from: old, to: new) }
}

/// The inclination correction: rotates the low-passed force upright, by the smallest rotations.
struct Leveling: Sendable, Codable, Equatable {
  var levelFromInertial = Quaternion.identity

  /// - Returns: The direction of the force before the correction, a unit vector in the level frame.
  @discardableResult
  @inline(__always)
  mutating func add(_ inertialForce: Vector3) -> Vector3 {
    let force = levelFromInertial.rotate(inertialForce)
    let squaredNorm = force.squaredNorm
    // A force that averages to zero has no direction.
    guard squaredNorm > 1e-200 else { return .unitZ }
    let norm = squaredNorm.squareRoot()
    levelFromInertial = levelFromInertial.turnedOntoZ(force, norm: norm)
    return force * (1 / norm)
  }
}

/// The angle about the vertical between the level frame and the earth's, corrected by the field.
///
/// Laidig and Seel 2023: a first-order low-pass of the field's azimuth, with a running mean for the first samples.
struct HeadingCorrection: Sendable, Codable, Equatable {
  struct Gains: Sendable {
    let timeConstant: Double
    let interval: Double
    /// The weight of a new azimuth: 1 − exp(−T/τ).
    let gain: Double

    init(timeConstant: Double, interval: Double) {
      self.timeConstant = timeConstant
      self.interval = interval
      gain = ExponentialLowPass.gain(after: interval, timeConstant: timeConstant)
    }
  }

  /// The rotation about Z from the level frame's magnetic north to X, in radians.
  var northAngle = 0.0
  /// The rotation for yaw 0 at the start, while no field is used.
  var startAngle = 0.0
  /// The weight 1/n of the n-th sample while it exceeds the gain; 0 later.
  var meanGain = 1.0
  /// The earth's angle minus `northAngle`, or `nil` until a field is used.
  private(set) var tie: Double?
  /// Whether `tie` is permanent, and not from a start-up in progress.
  private(set) var isTieFinal = false

  /// The rotation about Z from the level frame to the earth frame, in radians.
  var earthFromLevel: Double {
    guard let tie else { return startAngle }
    return northAngle + tie
  }

  /// Returns the expected azimuth of the field in the level frame minus the given one, in rad.
  @inline(__always)
  func error(ofAzimuth azimuth: Double) -> Double {
    let error = -azimuth - northAngle
    return error > .pi ? error - 2 * .pi : error < -.pi ? error + 2 * .pi : error
  }

  /// - Parameters:
  ///   - azimuth: The azimuth of the field in the level frame, in radians counter-clockwise from X.
  ///   - trust: The factor of the gain, 0 to 1; the running mean of the start ignores it.
  @inline(__always)
  mutating func correct(azimuth: Double, _ gains: Gains, trust: Double = 1) {
    let error = error(ofAzimuth: azimuth)
    var gain = trust * gains.gain
    if meanGain > 0 {
      gain = max(gain, meanGain)
      meanGain /= meanGain + 1
      if meanGain * gains.timeConstant < gains.interval { meanGain = 0 }
    }
    northAngle += gain * error
    if northAngle > .pi { northAngle -= 2 * .pi } else if northAngle < -.pi { northAngle += 2 * .pi }
  }

  /// Sets X to north, or permanently to its direction when the field was first used.
  ///
  /// During the start-up the field's mean still moves, and X must not move with it.
  mutating func tie(to reference: HeadingReference, isFinal: Bool) {
    guard !isTieFinal else { return }
    tie = reference == .magneticNorth ? 0 : startAngle - northAngle
    isTieFinal = isFinal || reference == .magneticNorth
  }

  mutating func fixTie() { isTieFinal = tie != nil }

  /// Restarts the mean: the next sample counts as the first.
  mutating func restart() { meanGain = 1 }
}

extension Quaternion {
  /// The quaternion normalised, for a norm of 1 up to the rounding of a few products.
  ///
  /// One step of Newton's method for 1/√n²: exact to rounding there, without a root or a division.
  @inline(__always)
  var renormalized: Quaternion {
    let scale = 1.5 - 0.5 * squaredNorm
    return Quaternion(x: scale * x, y: scale * y, z: scale * z, w: scale * w)
  }
}

extension Quaternion {
  /// Returns this rotation followed by the smallest rotation of a vector with the given norm onto Z.
  @inline(__always)
  func turnedOntoZ(_ v: Vector3, norm: Double) -> Quaternion {
    // The rotation about v × z: (v.y, −v.x, 0, norm + v.z), divided by its norm.
    let sum = norm + v.z
    let scale = 1 / (2 * norm * sum).squareRoot()
    var (a, b, c) = (scale * v.y, -scale * v.x, scale * sum)
    if v.z <= -0.99 * norm {
      // The sum loses digits here, but the sine of the half angle does not. Straight down, the rotation is about X.
      let sine = (0.5 * (1 - v.z / norm)).squareRoot()
      let across = (v.x * v.x + v.y * v.y).squareRoot()
      (a, b) = across == 0 ? (1, 0) : (sine / across * v.y, -sine / across * v.x)
      c = 0.5 * (across / norm) / sine
    }
    // The product (a, b, 0, c) ⊗ q without its zeros.
    return Quaternion(
      x: c * x + a * w + b * z, y: c * y - a * z + b * w, z: c * z + a * y - b * x, w: c * w - a * x - b * y
    ).renormalized
  }

  /// Returns this rotation followed by one of `angle` radians about Z.
  func turnedAboutZ(_ angle: Double) -> Quaternion { turnedAboutZ(sin(angle / 2), cos(angle / 2)) }

  /// Returns this rotation followed by one about Z, given by the sine and the cosine of half its angle.
  @inline(__always)
  func turnedAboutZ(_ s: Double, _ c: Double) -> Quaternion {
    Quaternion(x: c * x - s * y, y: c * y + s * x, z: c * z + s * w, w: c * w - s * z).renormalized
  }
}

extension Vector3 {
  /// The azimuth in radians, counter-clockwise from X as seen from above.
  @inline(__always)
  var azimuth: Double { .arcTangent(y, x) }
}
