internal import InertialNumerics

/// Turns accelerations at any rate and spacing into their means over cells of 40 ms, the first at the first sample.
///
/// The signal counts as piecewise linear between the samples and is averaged over each cell exactly, so that 15 Hz and
/// 400 Hz give the same cells but for what a coarse rate loses.
struct PedometerCells: Sendable, Codable, Equatable {
  /// Seconds.
  static let period = 0.04
  /// Seconds: a stamp that is a rounding short of a cell's end completes it.
  private static let rounding = 1e-9

  /// Of the first sample, seconds.
  private(set) var origin = 0.0
  /// Of the last sample, seconds; nil before the first.
  var lastTime: Double? { isEmpty ? nil : last }
  private var isEmpty = true
  private var last = 0.0
  private var index = 0
  /// Up to where the sum has come, and the acceleration there.
  private var reached = 0.0
  private var value = SIMD4<Double>.zero
  /// Of the cell that is filled, seconds; before the first sample earlier than any.
  private var end = -Double.greatestFiniteMagnitude
  /// Four numbers wide wherever they are written: a processor waits for memory where widths change.
  private var sum = SIMD4<Double>.zero

  /// Takes the first sample.
  mutating func begin(time: Double, acceleration: Vector3) {
    (isEmpty, origin, last, reached, value) = (false, time, time, time, Self.wide(acceleration))
    end = time + Self.period
  }

  /// Takes a sample that is later than the last one, not by more than `longest` seconds, finite and within the cell that is
  /// filled; false where it is not, and nothing has changed. Most samples are, so that this is what a sample costs.
  @inline(__always)
  mutating func extend(to time: Double, _ acceleration: Vector3, longest: Double) -> Bool {
    let interval = time - last
    // A sum is finite where its terms are.
    let total = abs(acceleration.x + acceleration.y + acceleration.z)
    guard time + Self.rounding < end, interval > 0, interval <= longest, total < .infinity else { return false }
    last = time
    integrate(to: time, Self.wide(acceleration))
    return true
  }

  /// The next whole cell's mean on the way to a sample that is later than the last one; nil where the sample is reached.
  @inline(__always)
  mutating func nextCell(before time: Double, _ acceleration: Vector3) -> Vector3? {
    let acceleration = Self.wide(acceleration)
    guard time + Self.rounding >= end else {
      last = time
      if time > reached { integrate(to: time, acceleration) }
      return nil
    }
    let share = time > reached ? min(1, (end - reached) / (time - reached)) : 1
    integrate(to: end, value + share * (acceleration - value))
    let mean = sum * (1 / Self.period)
    sum = .zero
    index += 1
    end = origin + Double(index + 1) * Self.period
    return Vector3(mean.x, mean.y, mean.z)
  }

  @inline(__always)
  private mutating func integrate(to time: Double, _ acceleration: SIMD4<Double>) {
    sum += (0.5 * (time - reached)) * (value + acceleration)
    (reached, value) = (time, acceleration)
  }

  @inline(__always)
  private static func wide(_ v: Vector3) -> SIMD4<Double> { SIMD4(v.x, v.y, v.z, 0) }
}
