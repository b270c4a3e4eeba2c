internal import InertialNumerics
internal import InertialSystem

/// The acceleration with gravity over 20 ms.
struct AccelerationBin: Sendable, Hashable, Codable {
  /// The mean over the cell, in g, device axes.
  var mean: Vector3
  /// The mean of the norm, in g. Unlike the norm of the mean, it does not shrink if the device rotates within the
  /// cell.
  var norm: Double
  /// The largest norm of a sample, in g.
  var peak: Double
  /// The expected peak force of a body's impact, given the samples (`ImpactPulse`), in g.
  var force: Double
}

/// A model of a body's impact, and of the fraction of its peak that a sensor observes at a given sample rate.
///
/// A body that hits the floor is a mass on a spring: for half a period it is decelerated as a half sine. With the
/// effective mass of 40 kg and the stiffness of 71 kN/m that Robinovitch, Hayes and McMahon measured for falls on the
/// hip ("Prediction of femoral impact forces in falls on the hip", Journal of Biomechanical Engineering 113 (1991):
/// 366) that takes 75 ms. Samples at an interval Δ, whether instantaneous or means over Δ, show on average the
/// fraction sin(x)/x of its peak, with x = πΔ / (2 · 75 ms): 0.99 at 100 Hz, 0.89 at 25 Hz, 0.71 at 15 Hz.
enum ImpactPulse {
  /// The duration of the impact, in seconds. Longer sample intervals contain too little information about an impact
  /// and are clamped to it.
  private static let duration = 0.075

  /// Returns the expected peak of an impact, in g, given the norm of a sample and the seconds since the previous
  /// sample.
  static func force(norm: Double, after interval: Double) -> Double {
    guard norm > 1, interval > 0 else { return norm }
    let x = .pi / 2 * min(interval, duration) / duration
    return 1 + (norm - 1) * x / sin(x)
  }
}

/// Resamples acceleration of any rate to cells of 20 ms. A cell is the mean of the samples within it; cells without a
/// sample are interpolated linearly.
struct AccelerationBins: Sendable, Hashable, Codable {
  /// The duration of a cell, in seconds.
  static let period = 0.02

  /// The start time of the first cell; undefined before the first sample.
  private(set) var origin = 0.0
  /// The index of the current cell, counted from `origin`, or `nil` before the first sample.
  private var index: Int?
  private var sum = Vector3.zero
  private var normSum = 0.0
  private var peak = 0.0
  private var interval = 0.0
  private var count = 0.0
  private var last: AccelerationBin?
  private var lastIndex = 0

  /// Adds a finite sample and its norm, later than the previous sample, and passes completed cells to `consume` in
  /// order.
  ///
  /// - Parameter interval: The seconds since the previous sample, or 0 if the `force` of the cells is not used.
  mutating func append(
    _ acceleration: Vector3, norm: Double, at time: Double, after interval: Double = 0,
    _ consume: (AccelerationBin) -> Void
  ) {
    if index == nil { origin = time }
    // A timestamp that is less than a cell's start only by a rounding error belongs to that cell.
    let position = Int((time - origin) / Self.period + 1e-6)
    if let index, position > index { complete(index, consume) }
    index = position
    sum += acceleration
    normSum += norm
    peak = max(peak, norm)
    self.interval = interval
    count += 1
  }

  private mutating func complete(_ index: Int, _ consume: (AccelerationBin) -> Void) {
    let cell = AccelerationBin(
      mean: sum / count, norm: normSum / count, peak: peak, force: ImpactPulse.force(norm: peak, after: interval))
    if let last {
      for missing in stride(from: lastIndex + 1, to: index, by: 1) {
        let fraction = Double(missing - lastIndex) / Double(index - lastIndex)
        let norm = last.norm + fraction * (cell.norm - last.norm)
        consume(
          AccelerationBin(mean: last.mean + fraction * (cell.mean - last.mean), norm: norm, peak: norm, force: norm))
      }
    }
    consume(cell)
    (last, lastIndex) = (cell, index)
    (sum, normSum, peak, count) = (.zero, 0, 0, 0)
  }
}
