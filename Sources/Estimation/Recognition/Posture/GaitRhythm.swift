/// Detects steps in the norm of the acceleration of the last 2.56 s: the signal must be strong enough and repeat with
/// the period of steps.
struct GaitRhythm: Sendable, Hashable, Codable {
  /// The number of cells of 40 ms, each the mean of two 20 ms accelerations.
  private static let size = 64
  /// The possible periods of gait, in cells: 0.28 to 1.28 s, from a runner's step to a slow walker's stride.
  private static let periods = 7...32
  /// The minimum root mean square about the mean, in g. Walking shows 0.1 and more in a pocket, rest 0.02 and less.
  private static let strength = 0.08
  /// The minimum autocorrelation. Walking shows 0.6 and more, fidgeting less than 0.4.
  private static let periodicity = 0.5

  private var values: [Double] = []
  private var half: Double?

  /// Appends the mean norm of 20 ms, in g.
  mutating func append(_ norm: Double) {
    guard let first = half else {
      half = norm
      return
    }
    half = nil
    if values.count == Self.size { values.removeFirst() }
    values.append((first + norm) / 2)
  }

  /// Whether the last 2.56 s contain steps; `false` until 2.56 s are available.
  var hasSteps: Bool {
    guard values.count == Self.size else { return false }
    let mean = values.reduce(0, +) / Double(values.count)
    let signal = values.map { $0 - mean }
    let power = signal.reduce(0) { $0 + $1 * $1 }
    guard (power / Double(signal.count)).squareRoot() > Self.strength else { return false }
    return Self.periods.contains { Self.correlation(signal, lag: $0) > Self.periodicity }
  }

  private static func correlation(_ signal: [Double], lag: Int) -> Double {
    var (product, early, late) = (0.0, 0.0, 0.0)
    for index in lag..<signal.count {
      product += signal[index] * signal[index - lag]
      early += signal[index - lag] * signal[index - lag]
      late += signal[index] * signal[index]
    }
    return product / max((early * late).squareRoot(), .leastNonzeroMagnitude)
  }
}
