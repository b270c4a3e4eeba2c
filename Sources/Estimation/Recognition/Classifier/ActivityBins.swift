internal import InertialNumerics

/// Resamples acceleration of any rate to cells of 20 ms. A cell is the mean of the samples within it; cells without a
/// sample are interpolated linearly.
struct ActivityBins: Sendable, Hashable, Codable {
  static let period = 0.02
  /// The number of cells per second.
  private static let rate = 50.0
  /// The tolerance of timestamps, in seconds: a timestamp that is earlier than a cell's end by a rounding error
  /// belongs to the next cell.
  private static let rounding = 1e-6

  /// The mean accelerations of a cell, in g, device axes: without gravity in the first three lanes, with gravity in
  /// lanes five to seven.
  typealias Means = SIMD8<Float>

  /// The start time of the first cell.
  private(set) var origin = 0.0
  /// The end time of the current cell; before the first sample, a time earlier than any.
  private var end = -Double.greatestFiniteMagnitude
  /// The index of the current cell, counted from `origin`.
  private var index = 0
  private var user = Vector3.zero
  private var total = Vector3.zero
  private var count = 0.0
  private var last = Means.zero
  private var lastIndex = -1

  /// Adds a sample if it does not complete a cell. Returns whether it was added.
  @inline(__always)
  mutating func add(time: Double, user: Vector3, total: Vector3) -> Bool {
    guard time < end else { return false }
    self.user += user
    self.total += total
    count += 1
    return true
  }

  /// Adds a sample and passes completed cells to `consume` in order.
  mutating func append(time: Double, user: Vector3, total: Vector3, _ consume: (Means) -> Void) {
    guard !add(time: time, user: user, total: total) else { return }
    if count == 0 {
      origin = time
    } else {
      complete(consume)
      index = max(index + 1, Int((time + Self.rounding - origin) * Self.rate))
    }
    end = origin + Double(index + 1) * Self.period - Self.rounding
    (self.user, self.total, count) = (user, total, 1)
  }

  private mutating func complete(_ consume: (Means) -> Void) {
    let fraction = 1 / count
    let (user, total) = (fraction * user, fraction * total)
    let means = Means(
      Float(user.x), Float(user.y), Float(user.z), 0, Float(total.x), Float(total.y), Float(total.z), 0)
    if lastIndex >= 0, index > lastIndex + 1 {
      for missing in (lastIndex + 1)..<index {
        consume(last + Float(missing - lastIndex) / Float(index - lastIndex) * (means - last))
      }
    }
    consume(means)
    (last, lastIndex) = (means, index)
  }
}
