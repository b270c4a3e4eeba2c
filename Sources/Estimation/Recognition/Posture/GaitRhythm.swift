/// Tells from the norm of the acceleration whether the last 2.56 s were steps: strong enough, and repeating with the
/// period of steps.
struct GaitRhythm: Sendable, Hashable, Codable {
  /// Cells of 40 ms, two of an acceleration each.
  private static let size = 64
  /// Cells: 0.28 to 1.28 s, from a runner's step to a slow walker's stride.
  private static let periods = 7...32
  /// g: root mean square about the mean. Walking shows 0.1 and more in a pocket, rest 0.02 and less.
  private static let strength = 0.08
  /// Autocorrelation. Walking shows 0.6 and more, fidgeting less than 0.4.
  private static let periodicity = 0.5

  private var values: [Double] = []
  private var half: Double?

  /// Takes the mean norm of 20 ms, g.
  mutating func append(_ norm: Double) {
    guard let first = half else {
      half = norm
      return
    }
    half = nil
    if values.count == Self.size { values.removeFirst() }
    values.append((first + norm) / 2)
  }

  /// False before there are 2.56 s.
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
