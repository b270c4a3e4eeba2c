internal import LinearAlgebra

/// A fiftieth of a second of acceleration with gravity.
struct AccelerationCell: Sendable, Hashable, Codable {
  /// Mean over the cell, g, device axes.
  var mean: Vector3
  /// Mean of the norm, g: does not shrink where the device turns within the cell.
  var norm: Double
  /// The largest norm of a sample, g.
  var peak: Double
}

/// Turns samples at any rate into cells of 20 ms: means of the samples that fall into one, straight lines over cells
/// without a sample.
struct AccelerationCells: Sendable, Hashable, Codable {
  /// Seconds.
  static let period = 0.02

  /// Time of the first cell's beginning; void before the first sample.
  private(set) var origin = 0.0
  /// The cell that is filled, counted from `origin`; nil before the first sample.
  private var index: Int?
  private var sum = Vector3.zero
  private var normSum = 0.0
  private var peak = 0.0
  private var count = 0.0
  private var last: AccelerationCell?
  private var lastIndex = 0

  /// Takes a finite sample and its norm, later than the one before; cells that it completes are handed on in order.
  mutating func append(
    _ acceleration: Vector3, norm: Double, at time: Double, _ consume: (AccelerationCell) -> Void
  ) {
    if index == nil { origin = time }
    // A stamp that is a rounding short of a cell's beginning belongs to it.
    let place = Int((time - origin) / Self.period + 1e-6)
    if let index, place > index { complete(index, consume) }
    index = place
    sum += acceleration
    normSum += norm
    peak = max(peak, norm)
    count += 1
  }

  private mutating func complete(_ index: Int, _ consume: (AccelerationCell) -> Void) {
    let cell = AccelerationCell(mean: sum / count, norm: normSum / count, peak: peak)
    if let last {
      for missing in stride(from: lastIndex + 1, to: index, by: 1) {
        let share = Double(missing - lastIndex) / Double(index - lastIndex)
        let norm = last.norm + share * (cell.norm - last.norm)
        consume(AccelerationCell(mean: last.mean + share * (cell.mean - last.mean), norm: norm, peak: norm))
      }
    }
    consume(cell)
    (last, lastIndex) = (cell, index)
    (sum, normSum, peak, count) = (.zero, 0, 0, 0)
  }
}
