public import Foundation
internal import LinearAlgebra
internal import Rotations
public import Sensors

/// Everything known about the device's motion at one time.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  /// Which sensors the motion is of.
  public enum SensorLocation: Int, Sendable {
    case `default` = 0
    case headphoneLeft = 1
    case headphoneRight = 2
  }

  /// In the manager's reference frame. Each motion that a manager hands out has an attitude of its own.
  public let attitude: CMAttitude
  /// Without the gyroscope's bias: rad/s, device axes.
  public let rotationRate: CMRotationRate
  /// The direction of gravity: a unit vector in device axes, (0, 0, −1) face up.
  public let gravity: CMAcceleration
  /// Acceleration without gravity: g, device axes, Core Motion's sign; NaN where none was measured.
  public let userAcceleration: CMAcceleration
  /// Field without the device's own; zero and uncalibrated where there is none.
  public let magneticField: CMCalibratedMagneticField
  /// Degrees clockwise from the reference frame's north, [0, 360); −1 in the arbitrary frames.
  public let heading: Double
  /// Standard deviation of the heading, degrees; −1 where there is no heading, or the filter does not tell.
  public let headingAccuracy: Double
  public let sensorLocation: SensorLocation

  /// The motion of a value. Added to Apple's interface.
  public init(_ motion: DeviceMotion, sensorLocation: SensorLocation = .default) {
    attitude = CMAttitude(motion.attitude)
    rotationRate = CMRotationRate(x: motion.rotationRate.x, y: motion.rotationRate.y, z: motion.rotationRate.z)
    gravity = CMAcceleration(x: motion.gravity.x, y: motion.gravity.y, z: motion.gravity.z)
    let user = motion.userAcceleration ?? Vector3(repeating: .nan)
    userAcceleration = CMAcceleration(x: user.x, y: user.y, z: user.z)
    magneticField = CMCalibratedMagneticField(motion)
    heading = motion.heading
    let sigma = motion.attitudeSigma.map { $0.z * 180 / .pi }
    headingAccuracy = motion.heading >= 0 ? sigma ?? -1 : -1
    self.sensorLocation = sensorLocation
    super.init(timestamp: motion.time)
  }

  public required init?(coder: NSCoder) {
    guard let attitude = coder.decodeObject(of: CMAttitude.self, forKey: "attitude") else { return nil }
    self.attitude = attitude
    let rate = coder.decodeVector(forKey: "rotationRate")
    rotationRate = CMRotationRate(x: rate.x, y: rate.y, z: rate.z)
    let down = coder.decodeVector(forKey: "gravity")
    gravity = CMAcceleration(x: down.x, y: down.y, z: down.z)
    let user = coder.decodeVector(forKey: "userAcceleration")
    userAcceleration = CMAcceleration(x: user.x, y: user.y, z: user.z)
    let field = coder.decodeVector(forKey: "magneticField")
    let accuracy = coder.decodeInt32(forKey: "magneticField.accuracy")
    magneticField = CMCalibratedMagneticField(
      field: CMMagneticField(x: field.x, y: field.y, z: field.z),
      accuracy: CMMagneticFieldCalibrationAccuracy(rawValue: accuracy) ?? .uncalibrated)
    heading = coder.decodeDouble(forKey: "heading")
    headingAccuracy = coder.decodeDouble(forKey: "headingAccuracy")
    sensorLocation = SensorLocation(rawValue: coder.decodeInteger(forKey: "sensorLocation")) ?? .default
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(attitude, forKey: "attitude")
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
    coder.encode(vector: gravity.x, gravity.y, gravity.z, forKey: "gravity")
    coder.encode(vector: userAcceleration.x, userAcceleration.y, userAcceleration.z, forKey: "userAcceleration")
    let field = magneticField.field
    coder.encode(vector: field.x, field.y, field.z, forKey: "magneticField")
    coder.encode(magneticField.accuracy.rawValue, forKey: "magneticField.accuracy")
    coder.encode(heading, forKey: "heading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(sensorLocation.rawValue, forKey: "sensorLocation")
  }

  /// With an attitude of its own, which can be changed without changing this one.
  open override func copy(with zone: NSZone? = nil) -> Any { CMDeviceMotion(copying: self) }

  private init(copying other: CMDeviceMotion) {
    attitude = CMAttitude(other.attitude.attitude)
    rotationRate = other.rotationRate
    gravity = other.gravity
    userAcceleration = other.userAcceleration
    magneticField = other.magneticField
    heading = other.heading
    headingAccuracy = other.headingAccuracy
    sensorLocation = other.sensorLocation
    super.init(timestamp: other.timestamp)
  }
}

extension CMCalibratedMagneticField {
  /// The field of a motion; without a field there is nothing calibrated.
  init(_ motion: DeviceMotion) {
    guard let field = motion.magneticField else {
      self.init(field: CMMagneticField(), accuracy: .uncalibrated)
      return
    }
    self.init(
      field: CMMagneticField(x: field.x, y: field.y, z: field.z),
      accuracy: CMMagneticFieldCalibrationAccuracy(rawValue: Int32(motion.magneticFieldAccuracy.rawValue))
        ?? .uncalibrated)
  }
}
