internal import InertialNumerics

/// A detector of single samples that a sensor's noise does not explain, such as flipped bits or foreign records.
package enum OutlierDetector {
  /// The number of values in a block, whose median and spread determine the expected range.
  private static let block = 64
  /// The threshold, in deviations from the block's median. Of ten million normal numbers none exceeds it, except in one
  /// of 40,000 logs.
  private static let outlierThreshold = 7.0
  /// The maximum number of steps between values in the median.
  private static let maximumStepCount = 65_536
  /// The distance to values that do not belong to the same event, before and after.
  private static let reach = 8

  /// Returns the indices of values that differ from the values before and after them, up to 7 in a row. A step, a
  /// drift, and repeated or rounded values are not outliers.
  package static func find(in values: [Double]) -> [Int] {
    guard values.count >= block else { return [] }
    let some = stride(from: 1, to: values.count, by: max(1, values.count / maximumStepCount))
    let steps = some.map { abs(values[$0] - values[$0 - 1]) }.filter { $0 > 0 }
    guard let step = Statistics.median(steps) else { return [] }
    let starts = stride(from: 0, through: values.count - block, by: block)
    let blocks = starts.map { start -> (median: Double, spread: Double) in
      let part = values[start..<(start + block)]
      return (Statistics.median(part)!, Statistics.medianAbsoluteDeviation(part, scaledToNormal: true)!)
    }
    // Coarsely rounded values have no spread, but a step.
    let common = max(step, Statistics.median(blocks.map(\.spread))!)
    var found: [Int] = []
    for (index, value) in values.enumerated() {
      let position = min(index / block, blocks.count - 1)
      let median = blocks[position].median
      guard abs(value - median) > outlierThreshold * common else { continue }
      // Increasing noise grows within a block.
      let spread = blocks[max(0, position - 1)...min(position + 1, blocks.count - 1)].reduce(0) { max($0, $1.spread) }
      let limit = outlierThreshold * max(common, spread)
      guard abs(value - median) > limit else { continue }
      let before = index >= reach ? index - reach : index + reach
      let after = index + reach < values.count ? index + reach : index - reach
      let sign: Double = value > median ? 1 : -1
      if sign * (value - values[before]) > limit / 2, sign * (value - values[after]) > limit / 2 { found.append(index) }
    }
    return found
  }
}
