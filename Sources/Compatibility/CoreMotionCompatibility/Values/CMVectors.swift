/// An acceleration in g, in device axes with Core Motion's sign ((0, 0, −1) at rest face up).
public struct CMAcceleration: Sendable {
  /// The component along the device's X axis, in g.
  public var x: Double
  /// The component along the device's Y axis, in g.
  public var y: Double
  /// The component along the device's Z axis, in g.
  public var z: Double

  /// Creates a zero acceleration.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// Creates an acceleration, in g.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A rotation rate in rad/s about the device's axes, by the right-hand rule.
public struct CMRotationRate: Sendable {
  /// The component about the device's X axis, in rad/s.
  public var x: Double
  /// The component about the device's Y axis, in rad/s.
  public var y: Double
  /// The component about the device's Z axis, in rad/s.
  public var z: Double

  /// Creates a zero rotation rate.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// Creates a rotation rate, in rad/s.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A magnetic field in µT, in device axes.
public struct CMMagneticField: Sendable {
  /// The component along the device's X axis, in µT.
  public var x: Double
  /// The component along the device's Y axis, in µT.
  public var y: Double
  /// The component along the device's Z axis, in µT.
  public var z: Double

  /// Creates a zero field.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// Creates a field, in µT.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// The quality of the magnetometer calibration.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
  /// The field is not calibrated, there is no magnetometer, or the reference frame does not use it.
  case uncalibrated = -1
  /// Calibrated, with low accuracy.
  case low = 0
  /// Calibrated, with medium accuracy.
  case medium = 1
  /// Calibrated, with high accuracy.
  case high = 2
}

/// The magnetic field without the hard-iron field, and its accuracy.
public struct CMCalibratedMagneticField: Sendable {
  /// The field in µT, in device axes, or zero if `accuracy` is uncalibrated.
  public var field: CMMagneticField
  /// The accuracy of the calibration.
  public var accuracy: CMMagneticFieldCalibrationAccuracy

  /// Creates a zero field with accuracy 0, `low`, as on Apple's platforms.
  public init() { self.init(field: CMMagneticField(), accuracy: .low) }

  /// Creates a field in µT, with its accuracy.
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    self.field = field
    self.accuracy = accuracy
  }
}
