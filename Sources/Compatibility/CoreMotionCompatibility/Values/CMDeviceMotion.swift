public import Foundation
internal import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// Everything known about the device's motion at one time.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  /// Which sensors the motion is of.
  public enum SensorLocation: Int, Sendable {
    /// In the device.
    case `default` = 0
    /// In the left headphone.
    case headphoneLeft = 1
    /// In the right headphone.
    case headphoneRight = 2
  }

  /// What was measured; the attitude apart, as it can be changed.
  private struct Measured {
    var rotationRate = CMRotationRate()
    var gravity = CMAcceleration()
    var userAcceleration = CMAcceleration()
    var magneticField = CMCalibratedMagneticField(field: CMMagneticField(), accuracy: .uncalibrated)
    var heading = -1.0
    var headingAccuracy = -1.0
    var sensorLocation = SensorLocation.default
  }

  private let ownAttitude: CMAttitude
  private let measured: Measured

  /// In the manager's reference frame. Each motion that a manager hands out has an attitude of its own.
  open var attitude: CMAttitude { ownAttitude }
  /// Without the gyroscope's bias: rad/s, device axes.
  open var rotationRate: CMRotationRate { measured.rotationRate }
  /// The direction of gravity: a unit vector in device axes, (0, 0, −1) face up.
  open var gravity: CMAcceleration { measured.gravity }
  /// Acceleration without gravity: g, device axes, Core Motion's sign; NaN where none was measured.
  open var userAcceleration: CMAcceleration { measured.userAcceleration }
  /// Field without the device's own; zero and uncalibrated where there is none.
  open var magneticField: CMCalibratedMagneticField { measured.magneticField }
  /// Degrees clockwise from the reference frame's north, [0, 360); −1 in the arbitrary frames.
  open var heading: Double { measured.heading }
  /// Standard deviation of the heading, degrees; −1 where there is no heading, or the filter does not tell.
  open var headingAccuracy: Double { measured.headingAccuracy }
  /// Where the sensors are.
  open var sensorLocation: SensorLocation { measured.sensorLocation }

  /// All zero, without a field or a heading.
  public override init() {
    ownAttitude = CMAttitude()
    measured = Measured()
    super.init()
  }

  /// The motion of a value. Added to Apple's interface.
  public init(_ motion: DeviceMotion, sensorLocation: SensorLocation = .default) {
    ownAttitude = CMAttitude(motion.attitude)
    let user = motion.userAcceleration ?? Vector3(repeating: .nan)
    let sigma = motion.attitudeSigma.map { $0.z * 180 / .pi }
    measured = Measured(
      rotationRate: CMRotationRate(x: motion.rotationRate.x, y: motion.rotationRate.y, z: motion.rotationRate.z),
      gravity: CMAcceleration(x: motion.gravity.x, y: motion.gravity.y, z: motion.gravity.z),
      userAcceleration: CMAcceleration(x: user.x, y: user.y, z: user.z),
      magneticField: CMCalibratedMagneticField(motion), heading: motion.heading,
      headingAccuracy: motion.heading >= 0 ? sigma ?? -1 : -1, sensorLocation: sensorLocation)
    super.init(timestamp: motion.time)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    guard let attitude = coder.decodeObject(of: CMAttitude.self, forKey: "attitude") else { return nil }
    ownAttitude = attitude
    let rate = coder.decodeVector(forKey: "rotationRate")
    let down = coder.decodeVector(forKey: "gravity")
    let user = coder.decodeVector(forKey: "userAcceleration")
    let field = coder.decodeVector(forKey: "magneticField")
    let accuracy = coder.decodeInt32(forKey: "magneticField.accuracy")
    measured = Measured(
      rotationRate: CMRotationRate(x: rate.x, y: rate.y, z: rate.z),
      gravity: CMAcceleration(x: down.x, y: down.y, z: down.z),
      userAcceleration: CMAcceleration(x: user.x, y: user.y, z: user.z),
      magneticField: CMCalibratedMagneticField(
        field: CMMagneticField(x: field.x, y: field.y, z: field.z),
        accuracy: CMMagneticFieldCalibrationAccuracy(rawValue: accuracy) ?? .uncalibrated),
      heading: coder.decodeDouble(forKey: "heading"),
      headingAccuracy: coder.decodeDouble(forKey: "headingAccuracy"),
      sensorLocation: SensorLocation(rawValue: coder.decodeInteger(forKey: "sensorLocation")) ?? .default)
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
    ownAttitude = CMAttitude(other.attitude.attitude)
    measured = other.measured
    super.init(timestamp: other.timestamp)
  }

  /// As Apple prints it: g, rad/s, µT, degrees.
  open override var description: String {
    let (q, field) = (attitude.quaternion, magneticField.field)
    return [
      String(format: "QuaternionX %f QuaternionY %f QuaternionZ %f QuaternionW %f", q.x, q.y, q.z, q.w),
      String(
        format: "UserAccelX %f UserAccelY %f UserAccelZ %f", userAcceleration.x, userAcceleration.y,
        userAcceleration.z),
      String(
        format: "RotationRateX %f RotationRateY %f RotationRateZ %f", rotationRate.x, rotationRate.y, rotationRate.z),
      String(format: "MagneticFieldX %f MagneticFieldY %f MagneticFieldZ %f", field.x, field.y, field.z),
      "MagneticFieldAccuracy \(magneticField.accuracy.rawValue)",
      String(format: "Heading %f SensorLocation %ld @ %f", heading, sensorLocation.rawValue, timestamp),
    ].joined(separator: " ")
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
