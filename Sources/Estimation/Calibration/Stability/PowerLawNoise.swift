internal import InertialSystem

/// A noise whose density is a power of frequency, f^α, which is a straight line in the Allan plot.
///
/// The names in brackets refer to clocks: a sensor's value corresponds to the frequency.
public enum PowerLawNoise: Int, Sendable, Codable, CaseIterable {
  /// α = 2: quantisation of the integral (white phase).
  case quantization = 2
  /// α = 1 (flicker phase).
  case flickerPhase = 1
  /// α = 0: the random walk of angle or velocity (white frequency).
  case white = 0
  /// α = −1: bias instability (flicker frequency).
  case flicker = -1
  /// α = −2: rate random walk (random walk frequency).
  case randomWalk = -2
  /// α = −3 (flicker walk frequency).
  case flickerWalk = -3
  /// α = −4 (random run frequency): a drift.
  case randomRun = -4

  /// The name in reports.
  public var title: String {
    switch self {
    case .quantization: "quantisation"
    case .flickerPhase: "flicker of the integral"
    case .white: "white"
    case .flicker: "bias instability"
    case .randomWalk: "rate random walk"
    case .flickerWalk: "flicker walk"
    case .randomRun: "drift"
    }
  }

  /// Returns the redder of two noises.
  static func redder(_ a: Self, _ b: Self) -> Self { a.rawValue < b.rawValue ? a : b }

  /// The minimum number of samples for an identification.
  static let minimumSampleCount = 30

  /// Identifies the noise by the correlation of adjacent values: NIST SP 1065, section 5.5.6; W. J. Riley and C. A.
  /// Greenhall, "Power law noise identification using the lag 1 autocorrelation", 2004.
  ///
  /// - Parameters:
  ///   - phase: The integral at the times of one averaging time.
  ///   - factor: The number of values of the series between two of them.
  /// - Returns: `nil` if there are fewer than 30 values, or they are constant.
  init?(ofPhase phase: [Double], factor: Int) {
    guard phase.count >= Self.minimumSampleCount else { return nil }
    var series = Self.withoutParabola(phase)
    for differences in 0... {
      let correlation = Self.neighbourCorrelation(series)
      guard correlation.isFinite else { return nil }
      // Three differences are sufficient for any noise for which Hadamard's third difference converges.
      guard correlation < Self.maximumCorrelation(differences, factor) || differences == 3 else {
        series = zip(series, series.dropFirst()).map { $1 - $0 }
        continue
      }
      let delta = correlation / (1 + correlation)
      var alpha = Int((-2 * delta).rounded()) - 2 * differences + 2
      if let boundary = Self.boundary(differences, factor) {
        let redder = 2 - 2 * differences
        alpha = correlation > boundary ? redder : max(alpha, redder + 1)
      }
      self = Self(rawValue: min(2, max(-4, alpha)))!
      return
    }
    return nil
  }

  // The rounding in the papers applies to values. Means over many values are smoother: the correlation of the second
  // differences of their phase is −0.217 for flicker and 0.25 for a random walk, in place of −1/3 and 0, and that of
  // the third differences −0.034 for a flicker walk and 0.394 for a random run (from the covariance of a power-law
  // phase, t² ln t, t³, t⁴ ln t and t⁵). The threshold is the middle between the two.

  /// Returns 1 for means over many values, 0 for the values themselves: a random walk's correlation is (m² − 1) / (4 m²
  /// + 2).
  private static func smoothness(_ factor: Int) -> Double {
    let square = Double(factor) * Double(factor)
    return (4 * square - 4) / (4 * square + 2)
  }

  /// Returns the correlation above which a series needs another difference.
  private static func maximumCorrelation(_ differences: Int, _ factor: Int) -> Double {
    differences < 2 ? 1 / 3.0 : 1 / 3.0 + smoothness(factor) / 6
  }

  /// Returns the correlation above which differenced noise is the redder of its two possible types.
  private static func boundary(_ differences: Int, _ factor: Int) -> Double? {
    switch differences {
    case 2: -0.167 + 0.184 * smoothness(factor)
    case 3: -0.167 + 0.347 * smoothness(factor)
    default: nil
    }
  }

  /// Subtracts mean, slope and curvature, by polynomials that are orthogonal on a regular grid.
  private static func withoutParabola(_ values: [Double]) -> [Double] {
    let n = Double(values.count)
    let times = values.indices.map { 2 * Double($0) / (n - 1) - 1 }
    let square = times.reduce(0) { $0 + $1 * $1 } / n
    let bends = times.map { $0 * $0 - square }
    let mean = values.reduce(0, +) / n
    let slope = zip(values, times).reduce(0) { $0 + $1.0 * $1.1 } / (n * square)
    let bend = zip(values, bends).reduce(0) { $0 + $1.0 * $1.1 } / bends.reduce(0) { $0 + $1 * $1 }
    return values.indices.map { values[$0] - mean - slope * times[$0] - bend * bends[$0] }
  }

  private static func neighbourCorrelation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    var (products, squares) = (0.0, 0.0)
    for index in values.indices {
      let value = values[index] - mean
      squares += value * value
      if index > 0 { products += value * (values[index - 1] - mean) }
    }
    return products / squares
  }
}
