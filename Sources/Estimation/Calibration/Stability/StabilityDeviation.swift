internal import CInertialShims

/// A measure of the differences between means over adjacent equal spans, as a function of the length of the span.
///
/// W. J. Riley, "Handbook of Frequency Stability Analysis", NIST Special Publication 1065, 2008. Its frequency
/// corresponds to the sensor's value, and its phase to the value's integral.
public enum StabilityDeviation: String, Sendable, Codable, CaseIterable {
  /// The overlapping Allan deviation, eq. (11).
  case allan
  /// The modified Allan deviation, eq. (14): distinguishes quantisation from flicker of the integral.
  case modifiedAllan
  /// The overlapping Hadamard deviation, eq. (20): insensitive to a steady drift.
  case hadamard
  /// The total deviation, eq. (25): more certain at the longest times.
  case total

  /// The name in reports.
  public var title: String {
    switch self {
    case .allan: "overlapping Allan deviation"
    case .modifiedAllan: "modified Allan deviation"
    case .hadamard: "overlapping Hadamard deviation"
    case .total: "total deviation"
    }
  }

  /// The number of spans in one of its differences.
  var reach: Int { self == .allan || self == .total ? 2 : 3 }
}

/// The integral of a series, from which the deviation at any time takes one pass.
struct PhaseSeries {
  /// The integral, in units of value times period; one element more than the values.
  private let phase: [Double]
  /// The cumulative sums of the phase, for the modified deviation.
  private let sums: [Double]
  /// The phase reflected at both ends, eq. (25).
  private let reflected: [Double]
  /// The cumulative number of missing samples, one element more than the values; empty if no sample is missing.
  private let missing: [Int32]
  private let reflectedMissing: [Int32]
  private let count: Int
  /// The largest fraction of a span's samples that may be missing.
  private let maximumMissingFraction: Double
  /// The white noise added per missing sample in a span, in variances of a sample: see `excess`.
  private let excessPerMissing: Double
  /// The number of samples at the ends of spans with a correlation due to missing samples: from simulations of 5 to 30
  /// % lost.
  private static let endReach = 4.0
  /// The variance of a sample's white noise.
  private var whiteVariance = 0.0

  /// The minimum fraction of samples in a span, relative to the fraction of the series outside pauses.
  private static let minimumCoverage = 0.9

  init(_ series: RegularSeries, for deviations: Set<StabilityDeviation>) {
    let values = series.values
    count = values.count
    // Without its mean, the phase stays small, and its differences exact.
    let mean = count > 0 ? values.reduce(0, +) / Double(count) : 0
    maximumMissingFraction = 1 - Self.minimumCoverage * series.coverageBetweenPauses
    excessPerMissing = series.excessPerMissing
    phase = Self.integral(of: values, less: mean)
    sums = deviations.contains(.modifiedAllan) ? Self.integral(of: phase, less: 0) : []
    var isMissing: [Double] = []
    if !series.missing.isEmpty {
      isMissing = [Double](repeating: 0, count: count)
      for run in series.missing {
        for index in run { isMissing[index] = 1 }
      }
    }
    missing = isMissing.isEmpty ? [] : Self.integral(of: isMissing, less: 0).map(Int32.init)
    guard deviations.contains(.total) else {
      (reflected, reflectedMissing) = ([], [])
      whiteVariance = variance()
      return
    }
    let mirror = Array(values.reversed())
    reflected = Self.integral(of: mirror + values + mirror, less: mean)
    let mirrorMissing = Array(isMissing.reversed())
    reflectedMissing =
      missing.isEmpty ? [] : Self.integral(of: mirrorMissing + isMissing + mirrorMissing, less: 0).map(Int32.init)
    whiteVariance = variance()
  }

  /// Returns the variance of samples, from pairs of adjacent samples, or 0 if no sample is missing, as it is not used
  /// then.
  private func variance() -> Double {
    guard !missing.isEmpty else { return 0 }
    let pairs = sum(.allan, factor: 1, in: 0..<max(0, count - 1))
    return pairs.terms > 0 ? pairs.squares / (2 * Double(pairs.terms)) : 0
  }

  private static func integral(of values: [Double], less mean: Double) -> [Double] {
    var sum = 0.0
    var result = [0.0]
    result.reserveCapacity(values.count + 1)
    for value in values {
      sum += value - mean
      result.append(sum)
    }
    return result
  }

  /// Returns the phase at every `factor`-th position, at most `maximum` values.
  func decimated(by factor: Int, atMost maximum: Int) -> [Double] {
    stride(from: 0, to: phase.count, by: factor).prefix(maximum).map { phase[$0] }
  }

  /// A sum of squared differences, and their number.
  struct Sum {
    var squares = 0.0
    var terms = 0
    /// The number of samples missing in the spans of the differences.
    var missing = 0
  }

  /// Returns the number of differences of a series without gaps.
  static func terms(_ deviation: StabilityDeviation, factor m: Int, count: Int) -> Int {
    switch deviation {
    case .allan: max(0, count + 1 - 2 * m)
    case .total: m <= count - 1 ? max(0, count - 1) : 0
    case .modifiedAllan: max(0, count + 2 - 3 * m)
    case .hadamard: max(0, count + 1 - 3 * m)
    }
  }

  /// Returns the sum of the squared differences that begin in a range.
  func sum(_ deviation: StabilityDeviation, factor m: Int, in range: Range<Int>) -> Sum {
    let terms = Self.terms(deviation, factor: m, count: count)
    let range = range.clamped(to: 0..<terms)
    guard !range.isEmpty else { return Sum() }
    switch deviation {
    case .allan: return sum(phase, missing, second: true, m, range)
    case .modifiedAllan: return sum(sums, missing, second: false, m, range)
    case .hadamard: return sum(phase, missing, second: false, m, range)
    case .total:
      // The difference about the inner position i begins m positions before it, in the reflected phase.
      let shift = count + 1 - m
      return sum(reflected, reflectedMissing, second: true, m, (range.lowerBound + shift)..<(range.upperBound + shift))
    }
  }

  private func sum(_ values: [Double], _ missing: [Int32], second: Bool, _ m: Int, _ range: Range<Int>) -> Sum {
    values.withUnsafeBufferPointer { buffer in
      let values = buffer.baseAddress!
      let maximum = Int32(Double(m) * maximumMissingFraction)
      let reach = (second ? 2 : 3) * m
      func lost(from i: Int) -> Int { Int(missing[min(i + reach, missing.count - 1)] - missing[i]) }
      // If only few samples are missing in the whole range, no span lacks too many.
      let all =
        missing.isEmpty
        ? 0 : missing[min(range.upperBound + reach, missing.count - 1)] - missing[range.lowerBound]
      guard all > maximum else {
        let first = values + range.lowerBound
        let squares =
          second
          ? cdifferences_squared_second(first, m, range.count) : cdifferences_squared_third(first, m, range.count)
        return Sum(
          squares: squares, terms: range.count, missing: all == 0 ? 0 : range.reduce(0) { $0 + lost(from: $1) })
      }
      var sum = Sum()
      for i in range {
        guard missing[i + m] - missing[i] <= maximum, missing[i + 2 * m] - missing[i + m] <= maximum else { continue }
        let difference: Double
        if second {
          difference = values[i + 2 * m] - 2 * values[i + m] + values[i]
        } else {
          guard missing[min(i + 3 * m, missing.count - 1)] - missing[i + 2 * m] <= maximum else { continue }
          difference = values[i + 3 * m] - values[i] - 3 * (values[i + 2 * m] - values[i + m])
        }
        sum.squares += difference * difference
        sum.terms += 1
        sum.missing += lost(from: i)
      }
      return sum
    }
  }

  /// Returns the deviation from the sum, in the values' unit.
  func deviation(_ deviation: StabilityDeviation, factor: Int, _ sum: Sum) -> Double {
    let m = Double(factor)
    let divisor =
      switch deviation {
      case .allan, .total: 2 * m * m
      case .modifiedAllan: 2 * m * m * m * m
      case .hadamard: 6 * m * m
      }
    let variance = sum.squares / (divisor * Double(sum.terms))
    guard sum.missing > 0 else { return variance.squareRoot() }
    return max(variance / 4, variance - excess(deviation, m, sum)).squareRoot()
  }

  /// Returns the variance added by missing samples: a mean of fewer samples has more white noise.
  private func excess(_ deviation: StabilityDeviation, _ m: Double, _ sum: Sum) -> Double {
    let places = Double(sum.terms) * Double(deviation.reach) * m
    let fraction = Double(sum.missing) / places
    let white = deviation == .modifiedAllan ? (1 + 1 / (m * m)) / 2 : 1
    // At a span's ends, the interpolation uses samples of the adjacent span, and the difference is smaller.
    return white * whiteVariance * excessPerMissing * fraction / (m + Self.endReach)
  }
}
