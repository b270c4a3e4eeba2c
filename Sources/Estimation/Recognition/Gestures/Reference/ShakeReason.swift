/// The measurements of the reference detector in the last 0.8 s, and the reason why they were or were not classified
/// as a shake.
public struct ShakeReason: Sendable, Equatable, Codable {
  /// The root mean square of the user acceleration about its mean, in g: of the whole window, or of the last 0.48 s
  /// if that is larger, so that the rest before a shake does not reduce it.
  public var energy = 0.0
  /// The fraction of that energy along the dominant axis, 1/3...1.
  public var axisFraction = 0.0
  /// The number of reversals of the acceleration along that axis.
  public var reversals = 0
  /// The frequency of the motion, in Hz, or `nil` if it is not periodic.
  public var frequency: Double?
  /// The autocorrelation of the acceleration at a lag of one period, −1...1; 0 without a period.
  public var periodicity = 0.0
  /// The autocorrelation of the rotation rate at the same lag, −1...1, or `nil` without a gyroscope. A shake rotates
  /// back and forth once per period, a runner's body once in two steps.
  public var rotationPeriodicity: Double?
  /// The root mean square of the displacement along the dominant axis, in m.
  public var displacement = 0.0
  /// The ratio of the energy of the last 0.32 s to that of the whole window: a knock has ended, a shake continues.
  public var recentFraction = 0.0
  /// The sum of the evidence, as a natural logarithm of odds; see `ShakeScore`.
  public var evidence = -20.0
  /// The condition that excludes a shake regardless of the evidence, or `nil`.
  public var exclusion: Exclusion?

  /// Conditions that exclude a shake.
  public enum Exclusion: String, Sendable, Codable, CaseIterable {
    /// The energy is below 0.5 g.
    case energy
    /// The motion has fewer than three reversals.
    case reversals
    /// The motion does not repeat with a period of 0.1 to 0.5 s.
    case frequency
    /// The displacement is 0.15 m or more: the device is carried along, not shaken in place.
    case displacement
    /// The motion has ended.
    case recent
    /// The ground under a person's feet has moved the device for 2.56 s or more: up and down, downwards never faster
    /// than in free fall, and harder upwards. Requires known gravity.
    case gait
  }

  /// Creates a reason in which all terms are 0.
  public init() {}

  /// The weighted terms in the order of `termNames`, or `nil` if the motion is not periodic. Each is dimensionless
  /// and bounded, and larger for a shake. `evidence` is their sum, weighted by `standardWeights`.
  public var terms: [Double]? { ShakeScore.terms(self).map { terms in Self.termNames.indices.map { terms[$0] } } }

  /// The names of `terms`: the logarithms of the frequency over 3 Hz and of the energy in g, axisShare − 0.75,
  /// rotationPeriodicity (0.25 without a gyroscope), periodicity − 0.4 and reversals − 5, the last two at most 0.
  /// Each is limited to a range.
  public static let termNames = [
    "frequency", "energy", "axisShare", "rotationPeriodicity", "periodicity", "reversals",
  ]

  /// The weights of `terms` in the reference detector.
  public static var standardWeights: [Double] { termNames.indices.map { ShakeScore.weights[$0] } }

  /// The evidence as a probability, 0...1; 0.5 at the threshold of the default sensitivity.
  public var probability: Double { exclusion == nil ? ShakeScore.probability(evidence) : 0 }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case energy, axisFraction = "axisShare", reversals, frequency, periodicity, rotationPeriodicity
    case displacement, recentFraction = "recentShare", evidence, exclusion
  }
}
