/// A kind of measurement in a log, with one unit and one sign convention each.
///
/// The raw values also order samples of equal time: rates first, then what corrects them.
public enum SensorChannel: UInt8, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// Raw angular rate, bias included: rad/s, device axes, right-hand rule (x, y, z).
  case gyroscope
  /// Raw acceleration with gravity: g, device axes, Core Motion's sign: (0, 0, −1) at rest face up (x, y, z).
  case accelerometer
  /// Raw magnetic field, the device's own field included: µT, device axes (x, y, z).
  case magnetometer
  /// Magnetic field calibrated by the device: µT, device axes (x, y, z); w = accuracy −1, 0, 1 or 2, NaN = not told.
  case calibratedMagneticField
  /// Attitude as the device computed it: unit quaternion, device to reference (x, y, z, w).
  case deviceAttitude
  /// Gravity as the device computed it: g, device axes, pointing down (x, y, z).
  case deviceGravity
  /// Acceleration without gravity as the device computed it: g, Core Motion's sign (x, y, z).
  case deviceUserAcceleration
  /// Angular rate without bias as the device computed it: rad/s (x, y, z).
  case deviceRotationRate
  /// Heading as the device computed it: degrees, −1 = none (x).
  case deviceHeading
  /// A reference orientation, from optical tracking or a simulation: unit quaternion, device to reference (x, y, z, w).
  case referenceAttitude
  /// Whether the device moved, as the recording's authors mark it: 1 or 0 (x).
  case movement

  /// The word used in reports and messages.
  public var name: String {
    switch self {
    case .gyroscope: "gyroscope"
    case .accelerometer: "accelerometer"
    case .magnetometer: "magnetometer"
    case .calibratedMagneticField: "calibrated magnetic field"
    case .deviceAttitude: "device attitude"
    case .deviceGravity: "device gravity"
    case .deviceUserAcceleration: "device user acceleration"
    case .deviceRotationRate: "device rotation rate"
    case .deviceHeading: "device heading"
    case .referenceAttitude: "reference attitude"
    case .movement: "movement"
    }
  }

  /// The unit of the values, as in reports.
  public var unit: String {
    switch self {
    case .gyroscope, .deviceRotationRate: "rad/s"
    case .accelerometer, .deviceGravity, .deviceUserAcceleration: "g"
    case .magnetometer, .calibratedMagneticField: "µT"
    case .deviceHeading: "deg"
    case .deviceAttitude, .referenceAttitude, .movement: "1"
    }
  }

  /// How many of a sample's numbers the channel uses.
  public var componentCount: Int {
    switch self {
    case .deviceHeading, .movement: 1
    case .deviceAttitude, .referenceAttitude: 4
    default: 3
    }
  }

  public static func < (a: SensorChannel, b: SensorChannel) -> Bool { a.rawValue < b.rawValue }
}
