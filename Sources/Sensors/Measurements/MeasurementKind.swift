/// What a filter measures its state against: each kind has innovations of its own, in a unit of its own.
public enum MeasurementKind: String, Sendable, Codable, CaseIterable {
  /// The direction of gravity, by the accelerometer: g, in the axes of `magneticField`; X and Y alone where only the level
  /// part is taken.
  case gravity
  /// The magnetic field by its components: µT, earth axes; of `ekf`, which compares vectors in the device's, those.
  case magneticField
  /// The magnetic field by its azimuth alone: rad about the vertical.
  case heading
  /// The gyroscope's rate at rest, which is its bias: rad/s, device axes unless the filter's errors are in the earth's.
  case restRate
  /// A velocity that stays near zero though the device moves, as a motion prior has it: m/s, earth axes.
  case velocity
  /// The velocity at rest, which is zero: m/s, earth axes.
  case restVelocity
  /// The magnetometer's own bias, by some seconds of turning: µT, along three directions in which its errors are
  /// independent.
  case magnetometerBias
  /// A position fix: m, earth axes.
  case position
  /// A speed, as of wheels or of a satellite receiver: m/s, forward or in earth axes.
  case speed
  /// A height, as of a barometer: m.
  case altitude

  /// The unit of its innovations; their variances have its square.
  public var unit: String {
    switch self {
    case .gravity: "g"
    case .magneticField, .magnetometerBias: "µT"
    case .heading: "rad"
    case .restRate: "rad/s"
    case .velocity, .restVelocity, .speed: "m/s"
    case .position, .altitude: "m"
    }
  }

  /// How many components a measurement of this kind has at most, 1 or 3.
  package var largestCount: Int { self == .heading || self == .altitude ? 1 : 3 }

  /// The kinds that attitude filters know, in the order of their columns.
  package static let ofAttitude: [MeasurementKind] = [
    .gravity, .magneticField, .heading, .restRate, .velocity, .restVelocity, .magnetometerBias,
  ]
}
