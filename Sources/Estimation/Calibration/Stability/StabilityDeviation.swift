internal import CInertialShims

/// A measure of how much means over equal spans differ from one another, by the length of the span.
///
/// W. J. Riley, "Handbook of Frequency Stability Analysis", NIST Special Publication 1065, 2008. Its frequency is the
/// sensor's value here, and its phase the value's integral.
public enum StabilityDeviation: String, Sendable, Codable, CaseIterable {
  /// Overlapping Allan deviation, eq. (11).
  case allan
  /// Modified Allan deviation, eq. (14): tells quantisation from flicker of the integral.
  case modifiedAllan
  /// Overlapping Hadamard deviation, eq. (20): blind to a steady drift.
  case hadamard
  /// Total deviation, eq. (25): more certain at the longest times.
  case total

  /// In words.
  public var title: String {
    switch self {
    case .allan: "overlapping Allan deviation"
    case .modifiedAllan: "modified Allan deviation"
    case .hadamard: "overlapping Hadamard deviation"
    case .total: "total deviation"
    }
  }

  /// Spans that one of its differences reaches over.
  var reach: Int { self == .allan || self == .total ? 2 : 3 }
}

/// The integral of a series, from which deviations at any time are one pass each.
struct PhaseSeries {
  /// In units of value times period; one more than values.
  private let phase: [Double]
  /// Sums of the phase, for the modified deviation.
  private let sums: [Double]
  /// The phase reflected at both ends, eq. (25).
  private let reflected: [Double]
  /// Of the first places how many have no sample, one more than values; empty where none lacks one.
  private let missing: [Int32]
  private let reflectedMissing: [Int32]
  private let count: Int
  /// Samples that a span may lack at most, as a share.
  private let mostMissing: Double
  /// White noise for each sample that is missing in a span, in variances of a sample: see `excess`.
  private let excessPerMissing: Double
  /// Samples at the ends of spans that missing ones make more alike: in simulations of 5 to 30 % lost.
  private static let endReach = 4.0
  /// The variance of a sample's white noise.
  private var whiteVariance = 0.0

  /// A span with a smaller share of the samples than this says nothing, where the series has all but its gaps; else of the
  /// share that the series has.
  private static let leastCoverage = 0.9

  init(_ series: RegularSeries, for deviations: Set<StabilityDeviation>) {
    let values = series.values
    count = values.count
    // Without its mean the phase stays small, and its differences exact.
    let mean = count > 0 ? values.reduce(0, +) / Double(count) : 0
    mostMissing = 1 - Self.leastCoverage * series.coverageBetweenPauses
    excessPerMissing = series.excessPerMissing
    phase = Self.integral(of: values, less: mean)
    sums = deviations.contains(.modifiedAllan) ? Self.integral(of: phase, less: 0) : []
    var isMissing: [Double] = []
    if !series.missing.isEmpty {
      isMissing = [Double](repeating: 0, count: count)
      for run in series.missing {
        for place in run { isMissing[place] = 1 }
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

  /// Of samples, by those with a neighbour; 0 where none is missing, as nothing asks for it then.
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

  /// The phase at every so many-th place, at most so many of them.
  func decimated(by factor: Int, atMost most: Int) -> [Double] {
    stride(from: 0, to: phase.count, by: factor).prefix(most).map { phase[$0] }
  }

  /// A sum of squared differences, and how many there are.
  struct Sum {
    var squares = 0.0
    var terms = 0
    /// Samples that the spans of the differences lack.
    var missing = 0
  }

  /// How many differences a series without gaps has.
  static func terms(_ deviation: StabilityDeviation, factor m: Int, count: Int) -> Int {
    switch deviation {
    case .allan: max(0, count + 1 - 2 * m)
    case .total: m <= count - 1 ? max(0, count - 1) : 0
    case .modifiedAllan: max(0, count + 2 - 3 * m)
    case .hadamard: max(0, count + 1 - 3 * m)
    }
  }

  /// The squared differences that begin at places of a range.
  func sum(_ deviation: StabilityDeviation, factor m: Int, in range: Range<Int>) -> Sum {
    let terms = Self.terms(deviation, factor: m, count: count)
    let range = range.clamped(to: 0..<terms)
    guard !range.isEmpty else { return Sum() }
    switch deviation {
    case .allan: return sum(phase, missing, second: true, m, range)
    case .modifiedAllan: return sum(sums, missing, second: false, m, range)
    case .hadamard: return sum(phase, missing, second: false, m, range)
    case .total:
      // The difference about the inner place i begins m places before it, in the reflected phase.
      let shift = count + 1 - m
      return sum(reflected, reflectedMissing, second: true, m, (range.lowerBound + shift)..<(range.upperBound + shift))
    }
  }

  private func sum(_ values: [Double], _ missing: [Int32], second: Bool, _ m: Int, _ range: Range<Int>) -> Sum {
    values.withUnsafeBufferPointer { buffer in
      let values = buffer.baseAddress!
      let most = Int32(Double(m) * mostMissing)
      let reach = (second ? 2 : 3) * m
      func lost(from i: Int) -> Int { Int(missing[min(i + reach, missing.count - 1)] - missing[i]) }
      // Where so few are missing in all that is looked at, no span lacks too many.
      let all =
        missing.isEmpty
        ? 0 : missing[min(range.upperBound + reach, missing.count - 1)] - missing[range.lowerBound]
      guard all > most else {
        let first = values + range.lowerBound
        let squares =
          second
          ? cdifferences_squared_second(first, m, range.count) : cdifferences_squared_third(first, m, range.count)
        return Sum(
          squares: squares, terms: range.count, missing: all == 0 ? 0 : range.reduce(0) { $0 + lost(from: $1) })
      }
      var sum = Sum()
      for i in range {
        guard missing[i + m] - missing[i] <= most, missing[i + 2 * m] - missing[i + m] <= most else { continue }
        let difference: Double
        if second {
          difference = values[i + 2 * m] - 2 * values[i + m] + values[i]
        } else {
          guard missing[min(i + 3 * m, missing.count - 1)] - missing[i + 2 * m] <= most else { continue }
          difference = values[i + 3 * m] - values[i] - 3 * (values[i + 2 * m] - values[i + m])
        }
        sum.squares += difference * difference
        sum.terms += 1
        sum.missing += lost(from: i)
      }
      return sum
    }
  }

  /// The deviation from the sum, in the values' unit.
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

  /// What missing samples add to a variance: a mean of fewer samples has more white noise.
  private func excess(_ deviation: StabilityDeviation, _ m: Double, _ sum: Sum) -> Double {
    let places = Double(sum.terms) * Double(deviation.reach) * m
    let share = Double(sum.missing) / places
    let white = deviation == .modifiedAllan ? (1 + 1 / (m * m)) / 2 : 1
    // At a span's ends the line leans on samples of its neighbour, and the difference is smaller.
    return white * whiteVariance * excessPerMissing * share / (m + Self.endReach)
  }
}
