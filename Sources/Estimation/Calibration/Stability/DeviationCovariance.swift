internal import InertialNumerics
internal import InertialSystem

/// The covariance of the Allan variances of one series at several averaging times.
///
/// The differences at two times are Gaussian with a covariance that follows from the noises; the covariance of the
/// means of their squares is the sum of its squares over all pairs (Isserlis). Only the shape for each noise is
/// expensive, and it depends only on the times and the length, so it is shared by all series of a log. Time is in
/// sample periods.
struct DeviationCovariance: Sendable {
  let factors: [Int]
  private let pairs: [Pair]

  /// The largest ratio of two times with a significant correlation.
  private static let widest = 32
  /// The number of lags that are summed in each of the shorter time's spans.
  private static let finest = 4
  private static let weights = [1.0, -2.0, 1.0]

  /// Two averaging times, the shorter first.
  private struct Pair: Sendable {
    let (first, second): (Int, Int)
    /// The covariance of the two differences at each lag, for white noise, flicker and random walk of size 1.
    var white: [Double] = []
    var flicker: [Double] = []
    var walk: [Double] = []
    /// The number of pairs of differences at or near each lag.
    var counts: [Double] = []
    /// The indices of the lags with a correlation due to quantisation, with its covariance.
    var quantized: [(place: Int, covariance: Double)] = []
    /// The number of lags between two indices.
    var step = 1.0
    var scale = 0.0
  }

  init(factors: [Int], sampleCount: Int) {
    self.factors = factors
    var pairs: [Pair] = []
    for (first, m1) in factors.enumerated() {
      for (second, m2) in factors.enumerated() where second >= first && m2 <= Self.widest * m1 {
        pairs.append(Self.pair(first, second, m1, m2, sampleCount))
      }
    }
    self.pairs = pairs
  }

  private static func pair(_ first: Int, _ second: Int, _ m1: Int, _ m2: Int, _ sampleCount: Int) -> Pair {
    var pair = Pair(first: first, second: second)
    let (terms1, terms2) = (sampleCount + 1 - 2 * m1, sampleCount + 1 - 2 * m2)
    let step = max(1, m1 / finest)
    pair.step = Double(step)
    let squares = Double(m1) * Double(m1) * Double(m2) * Double(m2)
    pair.scale = 1 / (4 * squares * Double(terms1) * Double(terms2))
    // Beyond the spans, only the covariance of flicker remains, and decays quickly.
    let lowest = -4 * m2 / step * step
    for lag in stride(from: lowest, through: 2 * m1 + 2 * m2, by: step) {
      let overlap = max(0, min(terms1, terms2 - lag) - max(0, -lag))
      var (white, flicker, walk, quantized) = (0.0, 0.0, 0.0, 0.0)
      for a in 0..<3 {
        for b in 0..<3 {
          let distance = abs(lag + b * m2 - a * m1)
          let weight = weights[a] * weights[b]
          let t = Double(distance)
          // The generalised covariance of the integral: its second differences have the variances of `NoiseProcess`.
          white -= weight * t / 2
          if distance > 0 { flicker += weight * t * t * log(t) / (2 * .pi) } else { quantized += weight }
          walk += weight * t * t * t / 12
        }
      }
      if quantized != 0 { pair.quantized.append((pair.white.count, quantized)) }
      pair.white.append(white)
      pair.flicker.append(flicker)
      pair.walk.append(walk)
      pair.counts.append(Double(overlap))
    }
    return pair
  }

  /// Returns the covariance of the variances for squared coefficients, in the order of `NoiseProcess.allCases`.
  func matrix(_ squares: [Double]) -> Matrix {
    var result = Matrix(rowCount: factors.count, columnCount: factors.count)
    let (quantization, white, flicker, walk, ramp) = (squares[0], squares[1], squares[2], squares[3], squares[4])
    for pair in pairs {
      let (m1, m2) = (Double(factors[pair.first]), Double(factors[pair.second]))
      // A drift is not noise, but noise on top of it makes its square vary.
      let drift = 4 * ramp * m1 * m1 * m2 * m2
      var sum = 0.0
      for lag in pair.counts.indices {
        let c = white * pair.white[lag] + flicker * pair.flicker[lag] + walk * pair.walk[lag]
        sum += pair.step * pair.counts[lag] * c * (2 * c + drift)
      }
      for (place, covariance) in pair.quantized where quantization > 0 {
        let c = white * pair.white[place] + flicker * pair.flicker[place] + walk * pair.walk[place]
        let all = c + quantization * covariance
        sum += pair.counts[place] * (all * (2 * all + drift) - c * (2 * c + drift))
      }
      result[pair.first, pair.second] = sum * pair.scale
      result[pair.second, pair.first] = sum * pair.scale
    }
    return result
  }
}
