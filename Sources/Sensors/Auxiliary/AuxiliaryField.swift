/// A number of an auxiliary channel: its name, unit, range, and interpolation to the time of a row.
public struct AuxiliaryField: Sendable, Equatable {
  /// The interpolation of a value from the samples' times to another time.
  package enum Interpolation: String, Sendable, Codable {
    /// The last value at or before the time: for counts, and for states that hold until the next sample.
    case previous
    /// The value of the sample nearest in time, before or after: for levels of short windows.
    case nearest
    /// Linear interpolation between the samples before and after: for quantities that change steadily.
    case interpolated
    /// Same as `interpolated`, but along the shorter arc of a circle of 360°.
    case interpolatedAngle
  }

  /// The name of the column, unique among all fields; the name in Core Motion or Core Location if they have one.
  public let name: String
  /// The unit of the values, or "1" for dimensionless numbers.
  public let unit: String
  /// A short description of the field.
  public let meaning: String
  package let carriage: Interpolation
  /// The range of possible values. A value outside is missing and counted as impossible.
  public let range: ClosedRange<Double>
  /// Whether a negative value means that the quantity is unknown, as in Core Location's speeds and accuracies.
  package let isUnknownBelowZero: Bool

  init(
    _ name: String, _ unit: String, _ carriage: Interpolation, _ range: ClosedRange<Double>, _ meaning: String,
    isUnknownBelowZero: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.carriage = carriage
    self.range = range
    self.meaning = meaning
    self.isUnknownBelowZero = isUnknownBelowZero
  }

  /// Returns the value between two others at a fraction, 0...1, of their distance, or `NaN` if either is missing.
  func interpolate(_ a: Double, _ b: Double, _ fraction: Double) -> Double {
    guard carriage == .interpolatedAngle else { return a + fraction * (b - a) }
    // The range begins at the start of the circle: 0 for a heading, −180 for a longitude.
    let turn = (b - a).remainder(dividingBy: 360)
    let angle = (a + fraction * turn - range.lowerBound).truncatingRemainder(dividingBy: 360)
    let wrapped = angle < 0 ? angle + 360 : angle
    // A tiny negative angle rounds to the whole circle; a missing one remains `NaN`.
    return (wrapped >= 360 ? 0 : wrapped) + range.lowerBound
  }
}
