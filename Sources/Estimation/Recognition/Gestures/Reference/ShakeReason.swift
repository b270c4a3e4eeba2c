/// What the reference detector saw in the last 0.8 s, and why it took it for a shake or not.
public struct ShakeReason: Sendable, Equatable, Codable {
  /// Root mean square of the user acceleration about its mean, g: of the whole, or of the last 0.48 s where that is
  /// more, so that the rest before a shake does not weigh.
  public var energy = 0.0
  /// Share of that energy on the dominant axis, 1/3 to 1.
  public var axisShare = 0.0
  /// Reversals of the acceleration along that axis.
  public var reversals = 0
  /// Hz: how often the motion repeats; nil where it does not.
  public var frequency: Double?
  /// How well the acceleration repeats after that period: autocorrelation, −1 to 1; 0 without a period.
  public var periodicity = 0.0
  /// How well the rotation rate repeats after that period, −1 to 1: a shake turns back and forth once a period, a
  /// runner's body once in two steps. nil without a gyroscope.
  public var rotationPeriodicity: Double?
  /// Root mean square of the displacement along the dominant axis, m.
  public var displacement = 0.0
  /// Energy of the last 0.32 s against the whole: a knock is over, a shake goes on.
  public var recentShare = 0.0
  /// Sum of the evidence, natural logarithm of odds; see `ShakeScore`.
  public var evidence = -20.0
  /// What excludes a shake whatever the evidence is; nil where nothing does.
  public var exclusion: Exclusion?

  /// Hard limits that no shake crosses.
  public enum Exclusion: String, Sendable, Codable, CaseIterable {
    /// Less than 0.5 g.
    case energy
    /// Fewer than three.
    case reversals
    /// Nothing that repeats in 0.1 to 0.5 s.
    case frequency
    /// More than 0.15 m: the device is carried along, not shaken in place.
    case displacement
    /// The motion is over.
    case recent
    /// For 2.56 s and more the ground under somebody's feet has moved the device: up and down, never faster downwards than
    /// it falls, and harder upwards. Known where gravity is.
    case gait
  }

  /// Nothing seen: all terms 0.
  public init() {}

  /// What is weighed, in the order of `termNames`: dimensionless, bounded, and more of each is more like a shake. nil
  /// where the motion does not repeat. `evidence` is their sum, each by its weight in `standardWeights`.
  public var terms: [Double]? { ShakeScore.terms(self).map { terms in Self.termNames.indices.map { terms[$0] } } }

  /// What `terms` are made of: the logarithms of frequency over 3 Hz and of energy in g, axisShare − 0.75,
  /// rotationPeriodicity (0.25 without a gyroscope), periodicity − 0.4 and reversals − 5, these two at most 0; each within
  /// bounds.
  public static let termNames = [
    "frequency", "energy", "axisShare", "rotationPeriodicity", "periodicity", "reversals",
  ]

  /// The weights of `terms` in the reference detector.
  public static var standardWeights: [Double] { termNames.indices.map { ShakeScore.weights[$0] } }

  /// 0 to 1: the evidence as a probability, 0.5 at the default sensitivity's threshold.
  public var probability: Double { exclusion == nil ? ShakeScore.probability(evidence) : 0 }
}
