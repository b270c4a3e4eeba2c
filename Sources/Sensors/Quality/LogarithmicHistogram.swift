internal import InertialSystem

/// Counts positive numbers in bins of 1 %, so that medians are known to a part of that in bounded memory.
package struct LogarithmicHistogram: Sendable, Equatable {
  /// What lies outside falls into the first or the last bin.
  private static let (smallest, largest) = (1e-9, 1e9)
  private static let width = 0.01
  private static let binCount = Int(log(largest / smallest) / width) + 1

  package private(set) var count = 0
  private var counts: [Int] = []
  private var sums: [Double] = []

  package init() {}

  /// Takes a finite number above zero; others are ignored.
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

  /// The number that a share of the others does not exceed: the mean of the bin that it falls in. 0 where there is none.
  package func quantile(_ share: Double) -> Double {
    guard count > 0 else { return 0 }
    let rank = max(Int((share * Double(count)).rounded(.up)), 1)
    var seen = 0
    for bin in counts.indices where counts[bin] > 0 {
      seen += counts[bin]
      if seen >= rank { return sums[bin] / Double(counts[bin]) }
    }
    return 0
  }

  package var median: Double { quantile(0.5) }

  /// 0 where there is none.
  package var mean: Double { count > 0 ? sums.reduce(0, +) / Double(count) : 0 }
}
