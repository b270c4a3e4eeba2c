internal import InertialNumerics

/// Resamples accelerations at any rate and spacing to means over cells of 40 ms, the first of which starts at the
/// first sample.
///
/// The signal is interpolated linearly between the samples and averaged exactly over each cell, so 15 Hz and 400 Hz
/// give the same cells except for the loss of detail at a low rate.
struct PedometerBins: Sendable, Codable, Equatable {
  /// The duration of a cell, in seconds.
  static let period = 0.04
  /// The tolerance of timestamps, in seconds: a timestamp that is earlier than a cell's end by a rounding error
  /// completes it.
  private static let rounding = 1e-9

  /// The time of the first sample, in seconds.
  private(set) var origin = 0.0
  /// The time of the last sample, in seconds, or `nil` before the first.
  var lastTime: Double? { isEmpty ? nil : last }
  private var isEmpty = true
  private var last = 0.0
  private var index = 0
  /// The time up to which the sum is complete, and the acceleration at that time.
  private var reached = 0.0
  private var value = SIMD4<Double>.zero
  /// The end of the current cell, in seconds; before the first sample, a time earlier than any.
  private var end = -Double.greatestFiniteMagnitude
  /// The sum over the current cell. It is always accessed as four numbers, since a processor stalls on memory
  /// accesses of different widths.
  private var sum = SIMD4<Double>.zero

  /// Adds the first sample.
  mutating func begin(time: Double, acceleration: Vector3) {
    (isEmpty, origin, last, reached, value) = (false, time, time, time, Self.wide(acceleration))
    end = time + Self.period
  }

  /// Adds a finite sample within the current cell that is later than the last one, by at most `maximumGap` seconds.
  /// Returns `false` without a change if the sample does not meet these conditions. Most samples do, so this is the
  /// cost of a sample.
  @inline(__always)
  mutating func extend(to time: Double, _ acceleration: Vector3, maximumGap: Double) -> Bool {
    let interval = time - last
    // A sum is finite only if its terms are.
    let total = abs(acceleration.x + acceleration.y + acceleration.z)
    guard time + Self.rounding < end, interval > 0, interval <= maximumGap, total < .infinity else { return false }
    last = time
    integrate(to: time, Self.wide(acceleration))
    return true
  }

  /// Returns the mean of the next complete cell before a sample that is later than the last one, or `nil` once the
  /// sample is reached.
  @inline(__always)
  mutating func nextCell(before time: Double, _ acceleration: Vector3) -> Vector3? {
    let acceleration = Self.wide(acceleration)
    guard time + Self.rounding >= end else {
      last = time
      if time > reached { integrate(to: time, acceleration) }
      return nil
    }
    let fraction = time > reached ? min(1, (end - reached) / (time - reached)) : 1
    integrate(to: end, value + fraction * (acceleration - value))
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
