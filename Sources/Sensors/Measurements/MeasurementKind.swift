/// A kind of measurement that updates a filter's state. Each kind has its own innovations and unit.
public enum MeasurementKind: String, Sendable, Codable, CaseIterable {
  /// The direction of gravity from the accelerometer, in g, in the axes of `magneticField`; X and Y alone if only the
  /// horizontal part is used.
  case gravity
  /// The components of the magnetic field, in µT, earth axes; for `ekf`, which compares vectors in device axes, device
  /// axes.
  case magneticField
  /// The azimuth of the magnetic field, in radians about the vertical.
  case heading
  /// The gyroscope's rate at rest, which is its bias, in rad/s, device axes, or earth axes if the filter's errors are
  /// in earth axes.
  case restRate
  /// A velocity that stays near zero though the device moves, as in a motion prior, in m/s, earth axes.
  case velocity
  /// A position fix, in m, earth axes.
  case position
  /// A speed, such as from wheels or a satellite receiver, in m/s, forward or in earth axes.
  case speed
  /// A height, such as from a barometer, in m.
  case altitude

  /// The unit of the kind's innovations; the variances have its square.
  public var unit: String {
    switch self {
    case .gravity: "g"
    case .magneticField: "µT"
    case .heading: "rad"
    case .restRate: "rad/s"
    case .velocity, .speed: "m/s"
    case .position, .altitude: "m"
    }
  }

  /// The maximum number of components in a measurement of this kind, 1 or 3.
  package var largestCount: Int { self == .heading || self == .altitude ? 1 : 3 }

  /// The kinds that attitude filters use, in the order of their columns.
  package static let ofAttitude: [MeasurementKind] = [.gravity, .magneticField, .heading, .restRate, .velocity]
}
