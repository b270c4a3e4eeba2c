public import Foundation
internal import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// The device's motion at one time.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  /// The location of the sensors.
  public enum SensorLocation: Int, Sendable {
    /// The sensors of the device itself.
    case `default` = 0
    /// The sensors of the left headphone.
    case headphoneLeft = 1
    /// The sensors of the right headphone.
    case headphoneRight = 2
  }

  /// The attitude in the manager's reference frame. Each motion of a manager has its own attitude object.
  open private(set) var attitude: CMAttitude
  /// The rotation rate without the gyroscope's bias, in rad/s, in device axes.
  open private(set) var rotationRate = CMRotationRate()
  /// The direction of gravity: a unit vector in device axes, (0, 0, −1) face up.
  open private(set) var gravity = CMAcceleration()
  /// The acceleration without gravity, in g, in device axes with Core Motion's sign, or NaN if it was not measured.
  open private(set) var userAcceleration = CMAcceleration()
  /// The magnetic field without the hard-iron field, or zero and uncalibrated if there is no field.
  open private(set) var magneticField = CMCalibratedMagneticField(
    field: CMMagneticField(), accuracy: .uncalibrated)
  /// The heading, in degrees clockwise from the reference frame's north, [0, 360), or −1 in the arbitrary frames.
  open private(set) var heading = -1.0
  /// The standard deviation of the heading in degrees, or −1 if there is no heading or the filter does not report it.
  open private(set) var headingAccuracy = -1.0
  /// The location of the sensors.
  open private(set) var sensorLocation = SensorLocation.default

  /// Creates a motion with all values zero, without a field or a heading.
  public override init() {
    attitude = CMAttitude()
    super.init()
  }

  /// Creates a motion from a value. Added to Apple's interface.
  public init(_ motion: DeviceMotion, sensorLocation: SensorLocation = .default) {
    attitude = CMAttitude(motion.attitude)
    let user = motion.userAcceleration ?? Vector3(repeating: .nan)
    let sigma = motion.attitudeSigma.map { $0.z * 180 / .pi }
    rotationRate = CMRotationRate(x: motion.rotationRate.x, y: motion.rotationRate.y, z: motion.rotationRate.z)
    gravity = CMAcceleration(x: motion.gravity.x, y: motion.gravity.y, z: motion.gravity.z)
    userAcceleration = CMAcceleration(x: user.x, y: user.y, z: user.z)
    magneticField = CMCalibratedMagneticField(motion)
    (heading, headingAccuracy) = (motion.heading, motion.heading >= 0 ? sigma ?? -1 : -1)
    self.sensorLocation = sensorLocation
    super.init(timestamp: motion.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    guard let attitude = coder.decodeObject(of: CMAttitude.self, forKey: "attitude") else { return nil }
    self.attitude = attitude
    let rate = coder.decodeVector(forKey: "rotationRate")
    let down = coder.decodeVector(forKey: "gravity")
    let user = coder.decodeVector(forKey: "userAcceleration")
    let field = coder.decodeVector(forKey: "magneticField")
    let accuracy = coder.decodeInt32(forKey: "magneticField.accuracy")
    rotationRate = CMRotationRate(x: rate.x, y: rate.y, z: rate.z)
    gravity = CMAcceleration(x: down.x, y: down.y, z: down.z)
    userAcceleration = CMAcceleration(x: user.x, y: user.y, z: user.z)
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

  /// Returns a copy with its own attitude, which can be changed independently.
  open override func copy(with zone: NSZone? = nil) -> Any { CMDeviceMotion(copying: self) }

  private init(copying other: CMDeviceMotion) {
    attitude = CMAttitude(other.attitude.attitude)
    (rotationRate, gravity, userAcceleration) = (other.rotationRate, other.gravity, other.userAcceleration)
    (magneticField, heading) = (other.magneticField, other.heading)
    (headingAccuracy, sensorLocation) = (other.headingAccuracy, other.sensorLocation)
    super.init(timestamp: other.timestamp)
  }

  /// A description in Apple's format: g, rad/s, µT, degrees.
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
  /// Creates the field of a motion; without a field it is uncalibrated.
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
