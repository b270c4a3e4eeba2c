/// An acceleration: g, device axes, Core Motion's sign ((0, 0, −1) at rest face up).
public struct CMAcceleration: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init() { self.init(x: 0, y: 0, z: 0) }

  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// An angular rate: rad/s about the device's axes, by the right-hand rule.
public struct CMRotationRate: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init() { self.init(x: 0, y: 0, z: 0) }

  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A magnetic field: µT, device axes.
public struct CMMagneticField: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init() { self.init(x: 0, y: 0, z: 0) }

  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// How well the device's own field is known.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
  /// Not at all, there is no magnetometer, or the reference frame uses none.
  case uncalibrated = -1
  case low = 0
  case medium = 1
  case high = 2
}

/// The magnetic field without the device's own, and how well that is known.
public struct CMCalibratedMagneticField: Sendable {
  /// µT, device axes; zero where `accuracy` is uncalibrated.
  public var field: CMMagneticField
  public var accuracy: CMMagneticFieldCalibrationAccuracy

  /// All zero, as on Apple's platforms: an accuracy of 0 is `low`.
  public init() { self.init(field: CMMagneticField(), accuracy: .low) }

  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    self.field = field
    self.accuracy = accuracy
  }
}
