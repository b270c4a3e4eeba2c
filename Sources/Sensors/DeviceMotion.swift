public import InertialRotations

/// How well the device's own magnetic field is known; raw values as on Apple's platforms.
public enum MagneticFieldAccuracy: Int, Sendable, Codable, CaseIterable, Comparable {
  /// No calibrated field: too little motion so far, no magnetometer, or a frame that uses none.
  case uncalibrated = -1
  /// Calibrated, with little trust.
  case low = 0
  /// Calibrated, with some trust.
  case medium = 1
  /// Calibrated, and trusted.
  case high = 2

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What Core Motion calls a device motion: everything known about the device's motion at one time.
public struct DeviceMotion: Sendable, Codable, Equatable {
  /// Seconds on the log's clock.
  public var time: Double
  /// Attitude in the chosen reference frame.
  public var attitude: Attitude
  /// Direction of gravity in device axes, a unit vector: (0, 0, −1) face up.
  public var gravity: Vector3
  /// Raw acceleration minus gravity: g, device axes, Core Motion's sign (accelerating to +X reads negative x).
  /// nil where no acceleration is known at this time.
  public var userAcceleration: Vector3?
  /// Angular rate without bias: rad/s, device axes.
  public var rotationRate: Vector3
  /// Magnetic field without the device's own: µT, device axes; nil in xArbitraryZVertical or where none is known.
  public var magneticField: Vector3?
  /// −1 in xArbitraryZVertical and where nothing is calibrated.
  public var magneticFieldAccuracy: MagneticFieldAccuracy
  /// Degrees from the frame's north, clockwise, [0, 360); −1 in both arbitrary frames.
  public var heading: Double
  /// Standard deviation of the attitude about the reference frame's X, Y and Z, radians; nil where the filter has none.
  public var attitudeSigma: Vector3?
  /// The gyroscope bias that was taken off, rad/s, device axes.
  public var gyroscopeBias: Vector3
  /// What to know about the attitude: at rest, disturbed field, rejected samples.
  public var flags: AttitudeFlags
  /// What the filter made of the measurements since the motion before; nil where nobody asked, or it does not tell.
  public var measurements: [MeasurementOutcome]?

  /// A motion from its quantities, in the units of the properties.
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

  /// A time of which nothing is known, as within a gap: every number is NaN.
  public static func unknown(at time: Double, flags: AttitudeFlags) -> DeviceMotion {
    let none = Vector3(repeating: .nan)
    return DeviceMotion(
      time: time, attitude: Attitude(quaternion: Quaternion(x: .nan, y: .nan, z: .nan, w: .nan)), gravity: none,
      userAcceleration: nil, rotationRate: none, magneticField: nil, magneticFieldAccuracy: .uncalibrated,
      heading: .nan,
      gyroscopeBias: none, flags: flags)
  }

  /// Whether nothing but the time is known.
  @inlinable
  public var isUnknown: Bool { heading.isNaN }
}
