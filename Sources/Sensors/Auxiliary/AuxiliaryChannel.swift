/// A kind of record from a device in addition to its motion sensors: pressure, steps, place, sound, scans, annotations.
///
/// A channel has one clock: the numbers of a sample were measured together. Its fields define names, units and the
/// interpolation to the rows of a fused dataset; events (scans, annotations) are listed instead of interpolated. To add
/// a channel, add a case and its entry in `AuxiliaryChannel+Facts.swift`: readers, datasets and reports derive
/// everything else from it.
public enum AuxiliaryChannel: UInt8, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// Air pressure, and the altitude relative to the start.
  case barometer
  /// Altitude from barometer and place, computed by the device.
  case absoluteAltitude
  /// Steps and floors, counted by the device.
  case pedometer
  /// Activity of the person, detected by the device.
  case activity
  /// Place, speed and course.
  case location
  /// The device's compass.
  case compass
  /// Brightness around the device.
  case light
  /// Brightness of the screen.
  case screen
  /// Brightness of the scene in the camera's view.
  case sceneLight
  /// Whether something is close to the screen.
  case proximity
  /// Loudness of short windows.
  case microphone
  /// The device's battery.
  case battery
  /// The battery's temperature.
  case batteryTemperature
  /// The temperature of the air or of a sensor.
  case temperature
  /// Humidity of the air.
  case humidity
  /// Heart rate, measured by a watch.
  case heartRate
  /// Bluetooth advertisements and devices. Events.
  case bluetooth
  /// Wireless networks found by scans. Events.
  case wifi
  /// Tags that were read. Events.
  case nfc
  /// Marks that the user made. Events.
  case annotation
  /// Shakes, detected by the device. Events.
  case deviceShake
  /// Changes of proximity: an object came close to the screen or left it. Events.
  case proximityChange
  /// Surveyed places that were passed. Events.
  case waypoint
  // The samples of motion sensors, for comparison with the fused results.
  /// The accelerometer.
  case rawAcceleration
  /// The gyroscope.
  case rawRotationRate
  /// The magnetometer, uncalibrated.
  case rawMagneticField
  /// The magnetic field, calibrated by the device.
  case calibratedMagneticField
  /// The attitude, computed by the device.
  case deviceAttitude
  /// Gravity, computed by the device.
  case deviceGravity
  /// User acceleration, computed by the device.
  case deviceUserAcceleration
  /// The rotation rate without bias, computed by the device.
  case deviceRotationRate
  /// The heading, computed by the device.
  case deviceHeading

  /// The channels that readers deliver: all channels except those that repeat a motion sensor.
  package static let ofLogs = Set(allCases.filter { $0.motion == nil })

  /// Creates the channel with a name.
  public init?(name: String) {
    guard let channel = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = channel
  }

  /// The channel's name in options, reports and messages.
  public var name: String { facts.name }

  /// The description of a sample.
  public var meaning: String { facts.meaning }

  /// The fields of a sample, in the order of its values.
  public var fields: [AuxiliaryField] { facts.fields }

  /// The names of a sample's texts, in their order.
  public var textFields: [String] { facts.texts }

  /// Whether samples are events, which are listed and not interpolated.
  package var isEvent: Bool { facts.isEvent }

  /// The longest time between two interpolated samples, and from a row to its nearest sample, in seconds. Longer
  /// intervals are gaps without values.
  package var maximumInterpolationInterval: Double { facts.maximumInterpolationInterval }

  /// The motion sensor that the channel repeats, or `nil`. Its samples are copies of the sensor's samples.
  package var motion: SensorChannel? { facts.motion }

  /// The name of the column with the age of the interpolated values, in seconds.
  package var ageName: String { name + "Age" }

  /// Returns the index of the field with a name in `fields`, or `nil` if it is missing.
  package func fieldIndex(_ name: String) -> Int? { fields.firstIndex { $0.name == name } }

  /// Returns the index of the text field with a name in `textFields`, or `nil` if it is missing.
  package func textIndex(_ name: String) -> Int? { textFields.firstIndex(of: name) }

  public static func < (a: AuxiliaryChannel, b: AuxiliaryChannel) -> Bool { a.rawValue < b.rawValue }
}

extension Set<AuxiliaryChannel> {
  /// The channels that repeat a motion sensor, by sensor.
  package var repeatedMotion: [SensorChannel: AuxiliaryChannel] {
    Dictionary(uniqueKeysWithValues: compactMap { channel in channel.motion.map { ($0, channel) } })
  }
}
