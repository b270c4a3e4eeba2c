/// A kind of measurement in a log, with one unit and one sign convention each.
///
/// The raw values also order samples of equal time: rates first, then the channels that correct them.
public enum SensorChannel: UInt8, Sendable, BitwiseCopyable, Hashable, Codable, CaseIterable, Comparable {
  /// The raw angular rate including bias, in rad/s, device axes, right-hand rule (x, y, z).
  case gyroscope
  /// The raw acceleration with gravity, in g, device axes, Core Motion's sign: (0, 0, −1) at rest face up (x, y, z).
  case accelerometer
  /// The raw magnetic field including hard iron, in µT, device axes (x, y, z).
  case magnetometer
  /// The magnetic field calibrated by the device, in µT, device axes (x, y, z); w = accuracy −1, 0, 1 or 2, or NaN if
  /// unknown.
  case calibratedMagneticField
  /// The attitude computed by the device: unit quaternion, device to reference (x, y, z, w).
  case deviceAttitude
  /// The gravity computed by the device, in g, device axes, pointing down (x, y, z).
  case deviceGravity
  /// The acceleration without gravity computed by the device, in g, Core Motion's sign (x, y, z).
  case deviceUserAcceleration
  /// The angular rate without bias computed by the device, in rad/s (x, y, z).
  case deviceRotationRate
  /// The heading computed by the device, in degrees, −1 = none (x).
  case deviceHeading
  /// A reference orientation, from optical tracking or a simulation: unit quaternion, device to reference (x, y, z, w).
  case referenceAttitude
  /// Whether the device moved, as the recording's authors mark it: 1 or 0 (x).
  case movement

  /// The channel's name in reports and messages.
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

  /// The unit of the values in reports.
  public var unit: String {
    switch self {
    case .gyroscope, .deviceRotationRate: "rad/s"
    case .accelerometer, .deviceGravity, .deviceUserAcceleration: "g"
    case .magnetometer, .calibratedMagneticField: "µT"
    case .deviceHeading: "deg"
    case .deviceAttitude, .referenceAttitude, .movement: "1"
    }
  }

  /// The number of components of a sample that the channel uses.
  @inlinable
  public var componentCount: Int {
    switch self {
    case .deviceHeading, .movement: 1
    case .deviceAttitude, .referenceAttitude: 4
    default: 3
    }
  }

  public static func < (a: SensorChannel, b: SensorChannel) -> Bool { a.rawValue < b.rawValue }
}
