internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// VQF's attitude in three factors: strapdown integration, inclination and heading.
///
/// Laidig and Seel 2023: q = heading(δ) ⊗ levelFromInertial ⊗ inertialFromDevice. The inertial frame is
/// that of the gyroscope alone and drifts slowly; gravity and field are low-passed in it and correct the other two
/// factors, so that none of them disturbs another. Level frame: Z up, azimuth arbitrary. Their frames: S_i is our
/// device, I_i inertial, E_i level, E earth (east-north-up). The steps are those of their Algorithm 1, in its order.
struct FactoredAttitude: Sendable, Codable, Equatable {
  /// The gyroscope's integral.
  var inertialFromDevice = Quaternion.identity
  var leveling = Leveling()
  /// Whether gravity was seen.
  private(set) var isAligned = false
  var heading = HeadingCorrection()
  var force = MeanStartLowPass<Vector3>()
  /// Seconds integrated since gravity was first seen, or since a gap; counted to the end of the start-up.
  private var age = 0.0

  /// Seconds for which the start, or the time after a gap, is flagged as converging.
  static let startUpDuration = 1.0

  var isStartingUp: Bool { age < Self.startUpDuration }

  /// The attitude without a field: Z up, the azimuth that the gyroscope's integral gives it.
  ///
  /// Computed whenever a factor changes; it is read up to three times before the next change.
  var levelFromDevice = Quaternion.identity

  var earthFromDevice: Quaternion { levelFromDevice.turnedAboutZ(heading.earthFromLevel) }

  /// Follows a rate without bias, rad/s, for `dt` seconds.
  ///
  /// - Returns: whether the start-up ended.
  @inline(__always)
  mutating func integrate(_ rate: Vector3, over dt: Double) -> Bool {
    inertialFromDevice = (inertialFromDevice * Quaternion(smallRotation: rate * dt)).renormalized
    levelFromDevice = leveling.levelFromInertial * inertialFromDevice
    guard isAligned, isStartingUp else { return false }
    age += dt
    return !isStartingUp
  }

  /// Levels the earth frame with the low-passed specific force (up at rest).
  ///
  /// - Returns: where the low-passed force pointed before, a unit vector in the level frame as it was.
  @inline(__always)
  mutating func level(_ deviceForce: Vector3, _ lowPass: LowPassDesign) -> Vector3 {
    let inertialForce = force.update(inertialFromDevice.rotate(deviceForce), lowPass)
    let up = leveling.add(inertialForce)
    levelFromDevice = leveling.levelFromInertial * inertialFromDevice
    if !isAligned {
      isAligned = true
      age = 0
      // Until a field is used the azimuth is Core Motion's: yaw 0 at the start.
      heading.startAngle = -EulerAngles(levelFromDevice).yaw
    }
    return up
  }

  /// Corrects the heading with a field in the level frame.
  @inline(__always)
  mutating func correctHeading(
    field: Vector3, _ gains: HeadingCorrection.Gains, trust: Double = 1, _ reference: HeadingReference
  ) {
    heading.correct(azimuth: field.azimuth, gains, trust: trust)
    heading.tie(to: reference, isFinal: !isStartingUp)
  }

  mutating func finishStartUp() { heading.fixTie() }

  /// After a gap nobody knows how the device turned: gravity and field are averaged anew.
  mutating func restart() {
    age = 0
    force = MeanStartLowPass()
    heading.restart()
  }

  mutating func retuneForce(from old: LowPassDesign, to new: LowPassDesign) { force.retune(from: old, to: new) }
}

/// The inclination correction: what turns the low-passed force upright, by the smallest rotations.
struct Leveling: Sendable, Codable, Equatable {
  var levelFromInertial = Quaternion.identity

  /// - Returns: where the force pointed before the correction, a unit vector in the level frame.
  @discardableResult
  @inline(__always)
  mutating func add(_ inertialForce: Vector3) -> Vector3 {
    let force = levelFromInertial.rotate(inertialForce)
    let squaredNorm = force.squaredNorm
    // Not for a force that averages to nothing.
    guard squaredNorm > 1e-200 else { return .unitZ }
    let up = force * (1 / squaredNorm.squareRoot())
    levelFromInertial = levelFromInertial.turnedOntoZ(up)
    return up
  }
}

/// The angle about the vertical between the level frame and the earth's, corrected by the field.
///
/// Laidig and Seel 2023: a first-order low-pass of the field's azimuth, whose first samples count as a
/// running mean.
struct HeadingCorrection: Sendable, Codable, Equatable {
  struct Gains: Sendable {
    let timeConstant: Double
    let interval: Double
    /// Share of a new azimuth: 1 − exp(−T/τ).
    let gain: Double

    init(timeConstant: Double, interval: Double) {
      self.timeConstant = timeConstant
      self.interval = interval
      gain = firstOrderGain(timeConstant: timeConstant, interval: interval)
    }
  }

  /// The rotation about Z, radians, that takes the level frame's magnetic north to X.
  var northAngle = 0.0
  /// The rotation that makes the yaw 0 at the start, for as long as no field is used.
  var startAngle = 0.0
  /// 1/n before the n-th sample while that is more than the gain; 0 later.
  var meanGain = 1.0
  /// Earth's angle minus `northAngle`; nil until a field is used.
  private(set) var tie: Double?
  /// Whether `tie` is for ever, not that of a start-up that goes on.
  private(set) var isTieFinal = false

  /// Radians about Z from the level frame to the earth frame.
  var earthFromLevel: Double {
    guard let tie else { return startAngle }
    return northAngle + tie
  }

  /// By how much a field's azimuth in the level frame is short of the one that is expected, rad.
  @inline(__always)
  func error(ofAzimuth azimuth: Double) -> Double {
    let error = -azimuth - northAngle
    return error > .pi ? error - 2 * .pi : error < -.pi ? error + 2 * .pi : error
  }

  /// - Parameters:
  ///   - azimuth: of the field in the level frame, radians counter-clockwise from X.
  ///   - trust: factor of the gain, 0 to 1; the running mean of the start takes no notice of it.
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

  /// Decides what X is: north, or for ever the direction that it had when the field was first used.
  ///
  /// During the start-up the field's mean still moves, and X is not to move with it.
  mutating func tie(to reference: HeadingReference, isFinal: Bool) {
    guard !isTieFinal else { return }
    tie = reference == .magneticNorth ? 0 : startAngle - northAngle
    isTieFinal = isFinal || reference == .magneticNorth
  }

  mutating func fixTie() { isTieFinal = tie != nil }

  /// The next sample counts as the first.
  mutating func restart() { meanGain = 1 }
}

extension Quaternion {
  /// The exponential map for the turn of one sample interval.
  @inline(__always)
  init(smallRotation v: Vector3) {
    let u = 0.25 * v.squaredNorm
    guard u < 0.01 else {
      self.init(rotationVector: v)
      return
    }
    // Series in the squared half angle to u⁴: the next terms are below 3e-17.
    let c = (((u / 40320 - 1.0 / 720) * u + 1.0 / 24) * u - 0.5) * u + 1
    let s = (((0.5 / 362_880 * u - 0.5 / 5040) * u + 0.5 / 120) * u - 0.5 / 6) * u + 0.5
    self.init(x: s * v.x, y: s * v.y, z: s * v.z, w: c)
  }

  /// A quaternion whose norm is 1 but for the rounding of a few products, brought back to 1.
  ///
  /// One step of Newton's method for 1/√n²: exact to rounding there, and no root or division.
  @inline(__always)
  var renormalized: Quaternion {
    let scale = 1.5 - 0.5 * squaredNorm
    return Quaternion(x: scale * x, y: scale * y, z: scale * z, w: scale * w)
  }
}

extension Quaternion {
  /// This rotation and then the smallest one that turns the unit vector `up` onto Z.
  @inline(__always)
  func turnedOntoZ(_ up: Vector3) -> Quaternion {
    // The rotation about up × z by half its angle.
    var c = (0.5 * (up.z + 1)).squareRoot()
    var (a, b) = (0.5 / c * up.y, -0.5 / c * up.x)
    if up.z <= -0.99 {
      // That loses digits here, and the sine of the half angle does not. Straight down, it is about X.
      let sine = (0.5 * (1 - up.z)).squareRoot()
      let across = (up.x * up.x + up.y * up.y).squareRoot()
      (a, b) = across == 0 ? (1, 0) : (sine / across * up.y, -sine / across * up.x)
      c = 0.5 * across / sine
    }
    // The product (a, b, 0, c) ⊗ q without its zeros.
    return Quaternion(
      x: c * x + a * w + b * z, y: c * y - a * z + b * w, z: c * z + a * y - b * x, w: c * w - a * x - b * y
    ).renormalized
  }

  /// This rotation and then one by `angle` radians about Z.
  @inline(__always)
  func turnedAboutZ(_ angle: Double) -> Quaternion {
    let (s, c) = (sin(angle / 2), cos(angle / 2))
    return Quaternion(x: c * x - s * y, y: c * y + s * x, z: c * z + s * w, w: c * w - s * z).renormalized
  }
}

extension Vector3 {
  /// Radians counter-clockwise from X, seen from above.
  @inline(__always)
  var azimuth: Double { .arcTangent(y, x) }
}
