/// A number of an auxiliary channel: its name, unit and range, and how it comes to the time of a row.
public struct AuxiliaryField: Sendable, Equatable {
  /// How a value is carried from the samples' times to another time.
  package enum Carriage: String, Sendable, Codable {
    /// The last value at or before the time: counts, and what holds until the sensor tells otherwise.
    case previous
    /// The value of the sample nearest in time, before or after: levels of short windows.
    case nearest
    /// On the straight line between the samples before and after: quantities that change steadily.
    case interpolated
    /// As `interpolated`, along the shorter arc of a circle of 360°.
    case interpolatedAngle
  }

  /// The column's name; Core Motion's and Core Location's word where they have one. No other field has it.
  public let name: String
  /// The unit of the values, "1" for numbers without one.
  public let unit: String
  /// What it is, in a few words.
  public let meaning: String
  package let carriage: Carriage
  /// What can be. A value outside is no value and is counted as impossible.
  public let range: ClosedRange<Double>
  /// Whether a negative value says that the quantity is not known, as of speeds and accuracies by Core Location.
  package let isUnknownBelowZero: Bool

  init(
    _ name: String, _ unit: String, _ carriage: Carriage, _ range: ClosedRange<Double>, _ meaning: String,
    isUnknownBelowZero: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.carriage = carriage
    self.range = range
    self.meaning = meaning
    self.isUnknownBelowZero = isUnknownBelowZero
  }

  /// The value between two others at a fraction, 0 to 1, of their distance; NaN if either is missing.
  func interpolate(_ a: Double, _ b: Double, _ share: Double) -> Double {
    guard carriage == .interpolatedAngle else { return a + share * (b - a) }
    // The range begins where the circle does: 0 of a heading, −180 of a longitude.
    let turn = (b - a).remainder(dividingBy: 360)
    let angle = (a + share * turn - range.lowerBound).truncatingRemainder(dividingBy: 360)
    let wrapped = angle < 0 ? angle + 360 : angle
    // A tiny negative angle rounds to the whole circle; a missing one is in no range and stays missing.
    return (wrapped >= 360 ? 0 : wrapped) + range.lowerBound
  }
}
