/// A kind of record that a device makes beside its motion sensors: pressure, steps, place, sound, scans, annotations.
///
/// A channel has one clock: the numbers of a sample were measured together. Its fields say names, units and how each is
/// carried to the rows of a fused dataset; a channel of events (scans, annotations) is not carried, but listed. To add a
/// channel, add a case and its entry in `AuxiliaryChannel+Facts.swift`: readers, datasets and reports take all else
/// from there.
public enum AuxiliaryChannel: UInt8, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// Air pressure, and altitude against the start.
  case barometer
  /// Altitude by barometer and place, as the device computed it.
  case absoluteAltitude
  /// Steps and floors, as the device counted them.
  case pedometer
  /// What the person does, as the device says.
  case activity
  /// Place, speed and course.
  case location
  /// The device's compass.
  case compass
  /// Brightness around the device.
  case light
  /// Brightness of the screen.
  case screen
  /// Brightness of what the camera sees.
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
  /// Heart rate, by a watch.
  case heartRate
  /// Bluetooth advertisements and devices. Events.
  case bluetooth
  /// Wireless networks that were found. Events.
  case wifi
  /// Tags that were read. Events.
  case nfc
  /// Marks that the user made. Events.
  case annotation
  /// Shakes, as the device detected them. Events.
  case deviceShake
  /// When something came close to the screen, or left it. Events.
  case proximityChange
  /// Surveyed places that were passed. Events.
  case waypoint
  // Samples of motion sensors, to stand beside what is fused from them.
  /// The accelerometer.
  case rawAcceleration
  /// The gyroscope.
  case rawRotationRate
  /// The magnetometer, as it is.
  case rawMagneticField
  /// The magnetic field, as the device calibrated it.
  case calibratedMagneticField
  /// The attitude, as the device computed it.
  case deviceAttitude
  /// Gravity, as the device computed it.
  case deviceGravity
  /// User acceleration, as the device computed it.
  case deviceUserAcceleration
  /// The rotation rate without bias, as the device computed it.
  case deviceRotationRate
  /// The heading, as the device computed it.
  case deviceHeading

  /// The channels that readers deliver: those that are no motion sensor's.
  package static let ofLogs = Set(allCases.filter { $0.motion == nil })

  /// The channel of a name.
  public init?(name: String) {
    guard let channel = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = channel
  }

  /// The word used in options, reports and messages.
  public var name: String { facts.name }

  /// What a sample tells.
  public var meaning: String { facts.meaning }

  /// The numbers of a sample, in their order.
  public var fields: [AuxiliaryField] { facts.fields }

  /// The names of a sample's texts, in their order.
  public var textFields: [String] { facts.texts }

  /// Whether samples stand for something that happened, so that they are listed and not carried to other times.
  package var isEvent: Bool { facts.isEvent }

  /// The longest time in seconds between two samples that are interpolated, and from a row to its nearest sample. Where
  /// samples are further apart there is a gap, and no value.
  package var longestInterpolation: Double { facts.longestInterpolation }

  /// The motion sensor that the channel repeats; nil for the others. Its samples are made of the sensor's.
  package var motion: SensorChannel? { facts.motion }

  /// The name of the column that tells how old the carried values are, in seconds.
  package var ageName: String { name + "Age" }

  /// The place of a field among `fields`; nil where there is none of the name.
  package func fieldIndex(_ name: String) -> Int? { fields.firstIndex { $0.name == name } }

  /// The place of a text among `textFields`; nil where there is none of the name.
  package func textIndex(_ name: String) -> Int? { textFields.firstIndex(of: name) }

  public static func < (a: AuxiliaryChannel, b: AuxiliaryChannel) -> Bool { a.rawValue < b.rawValue }
}

extension Set<AuxiliaryChannel> {
  /// The channels that repeat a motion sensor, by that sensor.
  package var repeatedMotion: [SensorChannel: AuxiliaryChannel] {
    Dictionary(uniqueKeysWithValues: compactMap { channel in channel.motion.map { ($0, channel) } })
  }
}
