/// A kind of record that a device makes beside its motion sensors: pressure, steps, place, sound, scans, annotations.
///
/// A channel has one clock: the numbers of a sample were measured together. Its fields say names, units and how each is
/// carried to the rows of a fused dataset; a channel of events (scans, annotations) is not carried, but listed. To add a
/// channel, add a case and its entry in `AuxiliaryChannel+Facts.swift`: readers, datasets and reports take all else
/// from there.
public enum AuxiliaryChannel: UInt8, Sendable, Hashable, Codable, CaseIterable, Comparable {
  case barometer
  case absoluteAltitude
  case pedometer
  case activity
  case location
  case compass
  case light
  case screen
  case sceneLight
  case proximity
  case microphone
  case battery
  case batteryTemperature
  case temperature
  case humidity
  case heartRate
  case bluetooth
  case wifi
  case nfc
  case annotation
  case deviceShake
  case proximityChange
  case waypoint
  // Samples of motion sensors, to stand beside what is fused from them.
  case rawAcceleration
  case rawRotationRate
  case rawMagneticField
  case calibratedMagneticField
  case deviceAttitude
  case deviceGravity
  case deviceUserAcceleration
  case deviceRotationRate
  case deviceHeading

  /// The channels that readers deliver: those that are no motion sensor's.
  public static let ofLogs = Set(allCases.filter { $0.motion == nil })

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
  public var isEvent: Bool { facts.isEvent }

  /// The longest time in seconds between two samples that are interpolated, and from a row to its nearest sample. Where
  /// samples are further apart there is a gap, and no value.
  public var longestInterpolation: Double { facts.longestInterpolation }

  /// The motion sensor that the channel repeats; nil for the others. Its samples are made of the sensor's.
  public var motion: SensorChannel? { facts.motion }

  /// The name of the column that tells how old the carried values are, in seconds.
  public var ageName: String { name + "Age" }

  /// The place of a field among `fields`; nil where there is none of the name.
  public func fieldIndex(_ name: String) -> Int? { fields.firstIndex { $0.name == name } }

  /// The place of a text among `textFields`; nil where there is none of the name.
  public func textIndex(_ name: String) -> Int? { textFields.firstIndex(of: name) }

  public static func < (a: AuxiliaryChannel, b: AuxiliaryChannel) -> Bool { a.rawValue < b.rawValue }
}
