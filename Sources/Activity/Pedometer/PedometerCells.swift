internal import LinearAlgebra

/// Turns accelerations at any rate and spacing into their means over cells of 40 ms, the first at the first sample.
///
/// The signal counts as piecewise linear between the samples and is averaged over each cell exactly, so that 15 Hz and
/// 400 Hz give the same cells but for what a coarse rate loses.
struct PedometerCells: Sendable, Codable, Equatable {
  /// Seconds.
  static let period = 0.04

  /// Of the first sample, seconds.
  private(set) var origin = 0.0
  /// Of the last sample, seconds; nil before the first.
  private(set) var lastTime: Double?
  private var last = Vector3.zero
  /// Up to where the sum has come, and the acceleration there.
  private var reached = 0.0
  private var value = Vector3.zero
  /// Of the cell that is filled, seconds.
  private var end = 0.0
  private var index = 0
  private var sum = Vector3.zero

  /// Takes a sample that is later than the last one. Whether it completes a cell: then `nextCell` gives it.
  @inline(__always)
  mutating func append(time: Double, acceleration: Vector3) -> Bool {
    guard lastTime != nil else {
      (origin, lastTime, last, reached, value) = (time, time, acceleration, time, acceleration)
      end = time + Self.period
      return false
    }
    (lastTime, last) = (time, acceleration)
    // A stamp that is a rounding short of the cell's end completes it.
    guard time + 1e-9 < end else { return true }
    integrate(to: time, acceleration)
    return false
  }

  /// The next whole cell's mean; nil where another sample is needed.
  mutating func nextCell() -> Vector3? {
    guard let lastTime else { return nil }
    guard lastTime + 1e-9 >= end else {
      if lastTime > reached { integrate(to: lastTime, last) }
      return nil
    }
    let share = lastTime > reached ? min(1, (end - reached) / (lastTime - reached)) : 1
    integrate(to: end, value + share * (last - value))
    let mean = sum / Self.period
    sum = .zero
    index += 1
    end = origin + Double(index + 1) * Self.period
    return mean
  }

  @inline(__always)
  private mutating func integrate(to time: Double, _ acceleration: Vector3) {
    sum += (0.5 * (time - reached)) * (value + acceleration)
    (reached, value) = (time, acceleration)
  }
}
