public import InertialRotations

/// The accuracy of the magnetic field calibrated by the device; raw values as on Apple's platforms.
public enum MagneticFieldAccuracy: Int, Sendable, Codable, CaseIterable, Comparable {
  /// Uncalibrated: too little motion so far, no magnetometer, or a frame without magnetic field.
  case uncalibrated = -1
  /// Calibrated, with low confidence.
  case low = 0
  /// Calibrated, with medium confidence.
  case medium = 1
  /// Calibrated, with high confidence.
  case high = 2

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The estimated motion of the device at one time, as Core Motion's device motion.
public struct DeviceMotion: Sendable, Codable, Equatable {
  /// The time, in seconds on the log's clock.
  public var time: Double
  /// The attitude in the chosen reference frame.
  public var attitude: Attitude
  /// The direction of gravity in device axes, a unit vector: (0, 0, −1) face up.
  public var gravity: Vector3
  /// The raw acceleration minus gravity, in g, device axes and Core Motion's sign (accelerating to +X reads negative
  /// x), or `nil` if the acceleration is unknown at this time.
  public var userAcceleration: Vector3?
  /// The angular rate without bias, in rad/s, device axes.
  public var rotationRate: Vector3
  /// The magnetic field without hard iron, in µT, device axes, or `nil` in xArbitraryZVertical and if it is unknown.
  public var magneticField: Vector3?
  /// The accuracy of the magnetic field; −1 in xArbitraryZVertical and if nothing is calibrated.
  public var magneticFieldAccuracy: MagneticFieldAccuracy
  /// The heading from the frame's north, clockwise, in degrees, [0, 360); −1 in both arbitrary frames.
  public var heading: Double
  /// The standard deviation of the attitude about the reference frame's X, Y and Z, in radians, or `nil` without
  /// a covariance.
  public var attitudeSigma: Vector3?
  /// The gyroscope bias that was subtracted, in rad/s, device axes.
  public var gyroscopeBias: Vector3
  /// The conditions of the attitude: at rest, disturbed field, rejected samples.
  public var flags: AttitudeFlags
  /// The measurement outcomes since the previous motion, or `nil` if they were not requested or the filter does not
  /// report them.
  public var measurements: [MeasurementOutcome]?

  /// Creates a motion from its quantities, in the units of the properties.
  @inlinable
  public init(
    time: Double, attitude: Attitude, gravity: Vector3, userAcceleration: Vector3?, rotationRate: Vector3,
    magneticField: Vector3?, magneticFieldAccuracy: MagneticFieldAccuracy, heading: Double,
    attitudeSigma: Vector3? = nil, gyroscopeBias: Vector3 = .zero, flags: AttitudeFlags = [],
    measurements: [MeasurementOutcome]? = nil
  ) {
    self.time = time
    self.attitude = attitude
    self.gravity = gravity
    self.userAcceleration = userAcceleration
    self.rotationRate = rotationRate
    self.magneticField = magneticField
    self.magneticFieldAccuracy = magneticFieldAccuracy
    self.heading = heading
    self.attitudeSigma = attitudeSigma
    self.gyroscopeBias = gyroscopeBias
    self.flags = flags
    self.measurements = measurements
  }

  /// Returns a motion at a time without estimates, as within a gap: every number is NaN.
  public static func unknown(at time: Double, flags: AttitudeFlags) -> DeviceMotion {
    let none = Vector3(repeating: .nan)
    return DeviceMotion(
      time: time, attitude: Attitude(quaternion: Quaternion(x: .nan, y: .nan, z: .nan, w: .nan)), gravity: none,
      userAcceleration: nil, rotationRate: none, magneticField: nil, magneticFieldAccuracy: .uncalibrated,
      heading: .nan,
      gyroscopeBias: none, flags: flags)
  }

  /// Whether only the time is known.
  @inlinable
  public var isUnknown: Bool { heading.isNaN }
}
