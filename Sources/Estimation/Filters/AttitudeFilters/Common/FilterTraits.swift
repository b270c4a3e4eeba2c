/// What a filter takes and gives, for tables and for tests that ask for what a filter can know.
public struct FilterTraits: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Takes tilt from the accelerometer after the start; without it, the start's tilt is carried along.
  public static let accelerometer = FilterTraits(rawValue: 1 << 0)
  /// Takes heading from the magnetic field, where there is one.
  public static let magneticField = FilterTraits(rawValue: 1 << 1)
  /// Estimates the gyroscope's bias while the device moves.
  public static let gyroscopeBias = FilterTraits(rawValue: 1 << 2)
  /// Learns the gyroscope's bias from rest.
  public static let restBias = FilterTraits(rawValue: 1 << 3)
  /// Knows how certain it is: `AttitudeEstimate.attitudeSigma`.
  public static let covariance = FilterTraits(rawValue: 1 << 4)
  /// The magnetic field never moves the vertical.
  public static let separatesHeading = FilterTraits(rawValue: 1 << 5)
  /// Tells magnetic disturbances and trusts a disturbed field less.
  public static let magneticRejection = FilterTraits(rawValue: 1 << 6)
  /// Has an offline form that uses what comes after a sample as well as what came before it.
  public static let offline = FilterTraits(rawValue: 1 << 7)

  /// Tells rest: the flag `resting`.
  public static let rest = FilterTraits(rawValue: 1 << 8)

  /// The traits' words in tables and files, in the order of their bits.
  package static let names: [(trait: FilterTraits, name: String)] = [
    (.accelerometer, "accelerometer"), (.magneticField, "magneticField"), (.gyroscopeBias, "gyroscopeBias"),
    (.restBias, "restBias"), (.covariance, "covariance"), (.separatesHeading, "separatesHeading"),
    (.magneticRejection, "magneticRejection"), (.offline, "offline"), (.rest, "rest"),
  ]

  /// The words of the traits that are there.
  package var words: [String] { Self.names.filter { contains($0.trait) }.map(\.name) }
}
