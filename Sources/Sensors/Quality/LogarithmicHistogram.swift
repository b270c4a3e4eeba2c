internal import InertialSystem

/// A histogram of positive numbers with bins of 1 %, so medians are known to a part of that in bounded memory.
package struct LogarithmicHistogram: Sendable, Equatable {
  /// The range of the bins. Values outside are counted in the first or the last bin.
  private static let (smallest, largest) = (1e-9, 1e9)
  private static let width = 0.01
  private static let binCount = Int(log(largest / smallest) / width) + 1

  package private(set) var count = 0
  private var counts: [Int] = []
  private var sums: [Double] = []

  package init() {}

  /// Adds a finite number above zero; others are ignored.
  package mutating func add(_ value: Double) {
    guard value > 0, value.isFinite else { return }
    if counts.isEmpty {
      counts = Array(repeating: 0, count: Self.binCount)
      sums = Array(repeating: 0, count: Self.binCount)
    }
    let clamped = min(max(value, Self.smallest), Self.largest)
    let bin = min(Int(log(clamped / Self.smallest) / Self.width), Self.binCount - 1)
    count += 1
    counts[bin] += 1
    sums[bin] += value
  }

  /// Returns the quantile of a fraction of the numbers: the mean of its bin, or 0 if the histogram is empty.
  package func quantile(_ fraction: Double) -> Double {
    guard count > 0 else { return 0 }
    let rank = max(Int((fraction * Double(count)).rounded(.up)), 1)
    var seen = 0
    for bin in counts.indices where counts[bin] > 0 {
      seen += counts[bin]
      if seen >= rank { return sums[bin] / Double(counts[bin]) }
    }
    return 0
  }

  /// Returns the fraction of the numbers that are whole multiples of `unit` up to `maximum`, their count, and the sum
  /// of the multiples.
  func multiples(of unit: Double, upTo maximum: Double) -> (fraction: Double, count: Int, sum: Double) {
    var (whole, sum) = (0, 0.0)
    for (count, total) in zip(counts, sums) where count > 0 {
      let ratio = total / (Double(count) * unit)
      guard ratio > 0.5, ratio * unit <= maximum, abs(ratio - ratio.rounded()) < 0.1 else { continue }
      whole += count
      sum += Double(count) * ratio.rounded()
    }
    return (count > 0 ? Double(whole) / Double(count) : 0, whole, sum)
  }

  package var median: Double { quantile(0.5) }

  /// The mean of the numbers, or 0 if the histogram is empty.
  package var mean: Double { count > 0 ? sums.reduce(0, +) / Double(count) : 0 }
}
