internal import InertialNumerics

/// Single samples that a sensor's noise does not explain: a bit that fell over, a record of something else.
package enum OutlyingSamples {
  /// Values in a block, whose median and spread say where a value belongs.
  private static let block = 64
  /// Deviations from the block's median. Of ten million normal numbers none is this far off, but for one log of 40,000.
  private static let farthest = 7.0
  /// Steps from value to value whose median is taken.
  private static let mostSteps = 65_536
  /// Places to values that are not of the same event, before and after.
  private static let reach = 8

  /// The indices of values that stick out of those before and behind them, up to 7 in a row. A step, a drift, values that
  /// are held or rounded do not.
  package static func find(in values: [Double]) -> [Int] {
    guard values.count >= block else { return [] }
    let some = stride(from: 1, to: values.count, by: max(1, values.count / mostSteps))
    let steps = some.map { abs(values[$0] - values[$0 - 1]) }.filter { $0 > 0 }
    guard let step = Statistics.median(steps) else { return [] }
    let starts = stride(from: 0, through: values.count - block, by: block)
    let blocks = starts.map { start -> (median: Double, spread: Double) in
      let part = values[start..<(start + block)]
      return (Statistics.median(part)!, Statistics.medianAbsoluteDeviation(part, scaledToNormal: true)!)
    }
    // Values that are rounded coarsely have a spread of nothing, but their step.
    let common = max(step, Statistics.median(blocks.map(\.spread))!)
    var found: [Int] = []
    for (index, value) in values.enumerated() {
      let place = min(index / block, blocks.count - 1)
      let median = blocks[place].median
      guard abs(value - median) > farthest * common else { continue }
      // Noise that grows does so within a block.
      let spread = blocks[max(0, place - 1)...min(place + 1, blocks.count - 1)].reduce(0) { max($0, $1.spread) }
      let limit = farthest * max(common, spread)
      guard abs(value - median) > limit else { continue }
      let before = index >= reach ? index - reach : index + reach
      let after = index + reach < values.count ? index + reach : index - reach
      let sign: Double = value > median ? 1 : -1
      if sign * (value - values[before]) > limit / 2, sign * (value - values[after]) > limit / 2 { found.append(index) }
    }
    return found
  }
}
