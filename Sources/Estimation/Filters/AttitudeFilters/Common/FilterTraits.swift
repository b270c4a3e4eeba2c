/// The inputs and outputs of a filter, for tables and for tests that depend on a filter's capabilities.
public struct FilterTraits: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Uses the accelerometer for tilt after the start; without this trait, the initial tilt is propagated.
  public static let accelerometer = FilterTraits(rawValue: 1 << 0)
  /// Uses the magnetic field for heading, if available.
  public static let magneticField = FilterTraits(rawValue: 1 << 1)
  /// Estimates the gyroscope's bias while the device moves.
  public static let gyroscopeBias = FilterTraits(rawValue: 1 << 2)
  /// Learns the gyroscope's bias from rest.
  public static let restBias = FilterTraits(rawValue: 1 << 3)
  /// Provides a covariance: `AttitudeEstimate.attitudeSigma`.
  public static let covariance = FilterTraits(rawValue: 1 << 4)
  /// The magnetic field never moves the vertical.
  public static let separatesHeading = FilterTraits(rawValue: 1 << 5)
  /// Detects magnetic disturbances and reduces the weight of a disturbed field.
  public static let magneticRejection = FilterTraits(rawValue: 1 << 6)
  /// Has an offline form that uses the samples before and after each time.
  public static let offline = FilterTraits(rawValue: 1 << 7)

  /// Detects rest: the flag `resting`.
  public static let rest = FilterTraits(rawValue: 1 << 8)

  /// The traits' names in tables and files, in the order of their bits.
  package static let names: [(trait: FilterTraits, name: String)] = [
    (.accelerometer, "accelerometer"), (.magneticField, "magneticField"), (.gyroscopeBias, "gyroscopeBias"),
    (.restBias, "restBias"), (.covariance, "covariance"), (.separatesHeading, "separatesHeading"),
    (.magneticRejection, "magneticRejection"), (.offline, "offline"), (.rest, "rest"),
  ]

  /// The names of the traits in this set.
  package var words: [String] { Self.names.filter { contains($0.trait) }.map(\.name) }
}
