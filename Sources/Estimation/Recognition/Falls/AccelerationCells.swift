internal import InertialNumerics
internal import InertialSystem

/// A fiftieth of a second of acceleration with gravity.
struct AccelerationCell: Sendable, Hashable, Codable {
  /// Mean over the cell, g, device axes.
  var mean: Vector3
  /// Mean of the norm, g: does not shrink where the device turns within the cell.
  var norm: Double
  /// The largest norm of a sample, g.
  var peak: Double
  /// The largest force of a body's impact that is to be expected behind the samples (`ImpactPulse`), g.
  var force: Double
}

/// The impact of a body, and how much of its peak a sensor of some rate sees.
///
/// A body that hits the floor is a mass on a spring: for half of a period it is decelerated as a half sine. With the effective
/// mass of 40 kg and the stiffness of 71 kN/m that Robinovitch, Hayes and McMahon measured for falls on the hip ("Prediction
/// of femoral impact forces in falls on the hip", Journal of Biomechanical Engineering 113 (1991): 366) that takes 75 ms.
/// Samples at an interval Δ, each a moment or the mean over Δ, show on average the share sin(x)/x of its peak, with
/// x = πΔ / (2 · 75 ms): 0.99 at 100 Hz, 0.89 at 25 Hz, 0.71 at 15 Hz.
enum ImpactPulse {
  /// Seconds; what comes at longer intervals says too little of an impact.
  private static let duration = 0.075

  /// g: the peak that is to be expected where a sample with this norm was seen, so many seconds after the one before.
  static func force(norm: Double, after interval: Double) -> Double {
    guard norm > 1, interval > 0 else { return norm }
    let x = .pi / 2 * min(interval, duration) / duration
    return 1 + (norm - 1) * x / sin(x)
  }
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
  private var interval = 0.0
  private var count = 0.0
  private var last: AccelerationCell?
  private var lastIndex = 0

  /// Takes a finite sample and its norm, later than the one before; cells that it completes are handed on in order.
  ///
  /// - Parameter interval: seconds since the sample before; 0 where nobody asks for a cell's `force`.
  mutating func append(
    _ acceleration: Vector3, norm: Double, at time: Double, after interval: Double = 0,
    _ consume: (AccelerationCell) -> Void
  ) {
    if index == nil { origin = time }
    // A stamp that is a rounding short of a cell's beginning belongs to it.
    let place = Int((time - origin) / Self.period + 1e-6)
    if let index, place > index { complete(index, consume) }
    index = place
    sum += acceleration
    normSum += norm
    peak = max(peak, norm)
    self.interval = interval
    count += 1
  }

  private mutating func complete(_ index: Int, _ consume: (AccelerationCell) -> Void) {
    let cell = AccelerationCell(
      mean: sum / count, norm: normSum / count, peak: peak, force: ImpactPulse.force(norm: peak, after: interval))
    if let last {
      for missing in stride(from: lastIndex + 1, to: index, by: 1) {
        let share = Double(missing - lastIndex) / Double(index - lastIndex)
        let norm = last.norm + share * (cell.norm - last.norm)
        consume(
          AccelerationCell(mean: last.mean + share * (cell.mean - last.mean), norm: norm, peak: norm, force: norm))
      }
    }
    consume(cell)
    (last, lastIndex) = (cell, index)
    (sum, normSum, peak, count) = (.zero, 0, 0, 0)
  }
}
