internal import InertialNumerics
internal import InertialSystem

/// The variation of the force in the earth frame: the power of the device's own acceleration, in g².
///
/// The deviation is measured from a one-second low-pass of the force and not from gravity, so that a tilt error, which
/// is constant in the earth frame, does not look like motion.
struct ForceVariation: Sendable, Codable, Equatable {
  private static let meanTimeConstant = 1.0

  private(set) var variance = 0.0
  private var mean: Vector3?
  private var age = 0.0

  mutating func add(_ force: Vector3, dt: Double, timeConstant: Double) {
    age += dt
    guard let old = mean else {
      mean = force
      return
    }
    let deviation = force - old
    mean = old + (1 - exp(-dt / Self.meanTimeConstant)) * deviation
    // At an age below the time constant, the mean of all samples so far.
    let blend = max(1 - exp(-dt / timeConstant), dt / (age + dt))
    variance += blend * (deviation.squaredNorm - variance)
  }
}

/// The learned field of the earth: its strength and vertical part, which do not depend on a heading error.
struct LearnedField: Sendable, Codable, Equatable {
  private(set) var strength: Double?
  private var vertical = 0.0
  private var age = 0.0
  private var lowPassedDeviation = 0.0

  /// Creates a memory without a learned field.
  init() {}

  /// Creates a memory with a known field: its strength in µT, and its dip in radians below the horizontal.
  init(strength: Double, dip: Double) {
    self.strength = strength
    vertical = -strength * sin(dip)
  }

  /// Returns the field, in µT in earth axes, with its horizontal part at an azimuth from X, or `nil` before a field was
  /// learned.
  func field(atAzimuth azimuth: Double) -> Vector3? {
    guard let strength else { return nil }
    let horizontal = max(0, strength * strength - vertical * vertical).squareRoot()
    return Vector3(horizontal * cos(azimuth), horizontal * sin(azimuth), vertical)
  }

  /// Returns the deviation of the field from the learned field, in µT: the maximum of the present value and a short
  /// memory.
  mutating func deviation(of field: Vector3, dt: Double, timeConstant: Double) -> Double {
    guard let strength else { return 0 }
    let dNorm = field.norm - strength
    let dVertical = field.z - vertical
    let now = (dNorm * dNorm + dVertical * dVertical).squareRoot()
    lowPassedDeviation += (1 - exp(-dt / timeConstant)) * (now - lowPassedDeviation)
    return max(now, lowPassedDeviation)
  }

  /// Learns a field with a bounded influence (Huber): a deviation above `bound` µT moves the memory no faster than one
  /// of `bound`. A passing disturbance has little effect, and a permanent one becomes the new normal.
  mutating func learn(_ field: Vector3, dt: Double, timeConstant: Double, bound: Double) {
    guard let old = strength else {
      strength = field.norm
      vertical = field.z
      return
    }
    age += dt
    let (dNorm, dVertical) = (field.norm - old, field.z - vertical)
    let deviation = (dNorm * dNorm + dVertical * dVertical).squareRoot()
    var weight = max(1 - exp(-dt / timeConstant), dt / (age + dt))
    if deviation > bound { weight *= bound / deviation }
    strength = old + weight * dNorm
    vertical += weight * dVertical
  }
}
