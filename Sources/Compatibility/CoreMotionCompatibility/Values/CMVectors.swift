/// An acceleration: g, device axes, Core Motion's sign ((0, 0, −1) at rest face up).
public struct CMAcceleration: Sendable {
  /// g, along the device's X.
  public var x: Double
  /// g, along the device's Y.
  public var y: Double
  /// g, along the device's Z.
  public var z: Double

  /// 0 on all axes.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// An acceleration, g.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// An angular rate: rad/s about the device's axes, by the right-hand rule.
public struct CMRotationRate: Sendable {
  /// rad/s, about the device's X.
  public var x: Double
  /// rad/s, about the device's Y.
  public var y: Double
  /// rad/s, about the device's Z.
  public var z: Double

  /// 0 about all axes.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// A rotation rate, rad/s.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A magnetic field: µT, device axes.
public struct CMMagneticField: Sendable {
  /// µT, along the device's X.
  public var x: Double
  /// µT, along the device's Y.
  public var y: Double
  /// µT, along the device's Z.
  public var z: Double

  /// 0 on all axes.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// A field, µT.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// How well the device's own field is known.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
  /// Not at all, there is no magnetometer, or the reference frame uses none.
  case uncalibrated = -1
  /// Calibrated, with little trust.
  case low = 0
  /// Calibrated, with some trust.
  case medium = 1
  /// Calibrated, and trusted.
  case high = 2
}

/// The magnetic field without the device's own, and how well that is known.
public struct CMCalibratedMagneticField: Sendable {
  /// µT, device axes; zero where `accuracy` is uncalibrated.
  public var field: CMMagneticField
  /// How well the field is known.
  public var accuracy: CMMagneticFieldCalibrationAccuracy

  /// All zero, as on Apple's platforms: an accuracy of 0 is `low`.
  public init() { self.init(field: CMMagneticField(), accuracy: .low) }

  /// A field in µT with its accuracy.
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    self.field = field
    self.accuracy = accuracy
  }
}
