/// The sampling interval of a sensor with a constant rate, learned from timestamps with jitter.
///
/// Derived quantities, such as filter coefficients, must not change with every sample: `value` is adopted from a
/// running mean, often at the start and later only if the two have diverged.
struct SampleInterval: Sendable, Codable, Equatable {
  /// The interval in seconds; 0 until two samples were taken.
  private(set) var value: Double
  var mean: Double
  /// The number of intervals in the mean, at most `memory`.
  var count = 0
  /// The number of consecutive intervals far from the mean; after several of them, the rate has changed.
  var strayCount = 0

  static let memory = 256
  /// The relative distance from the mean at which `value` follows, once the mean has its full memory.
  static let slack = 0.02

  /// - Parameter interval: The time between samples in seconds, or 0 if it is unknown.
  init(_ interval: Double = 0) {
    value = interval
    mean = interval
    if interval > 0 { count = Self.memory }
  }

  /// - Parameter rate: The sensor's rate in Hz, or 0 if it is unknown.
  init(rate: Double) { self.init(rate > 0 ? 1 / rate : 0) }

  /// Adds the time between two samples.
  ///
  /// - Returns: Whether `value` changed.
  @inline(__always)
  mutating func add(_ dt: Double) -> Bool {
    // Almost every sample is regular, and the mean has its full memory.
    guard count == Self.memory, abs(dt - mean) <= 0.25 * mean else { return addUnusual(dt) }
    strayCount = 0
    return adopt(mean + (dt - mean) * (1 / Double(Self.memory)))
  }

  private mutating func addUnusual(_ dt: Double) -> Bool {
    strayCount = count > 0 && abs(dt - mean) > 0.25 * mean ? strayCount + 1 : 0
    if strayCount == 8 { (count, strayCount) = (0, 0) }
    // A lost sample or two change the mean by less than the slack.
    guard count < Self.memory else { return adopt(mean + (min(dt, 3 * mean) - mean) * (1 / Double(Self.memory))) }
    count += 1
    let improved = mean + (dt - mean) / Double(count)
    // While the mean improves, it is adopted at 1, 2, 4, ... samples; regular timestamps then cause no change.
    let isDue = count < Self.memory && count & (count - 1) == 0
    return adopt(improved, slack: isDue ? 1e-6 : Self.slack)
  }

  /// Sets the mean, and `value` if the mean is farther from it than the slack.
  @inline(__always)
  private mutating func adopt(_ newMean: Double, slack: Double = Self.slack) -> Bool {
    mean = newMean
    guard abs(mean - value) > slack * value else { return false }
    value = Self.withoutRounding(mean)
    return true
  }

  /// Returns an interval rounded to a picosecond: a log at 50 Hz should have 0.02 s without the rounding of two
  /// timestamps' difference, so that a duration ends at the correct sample.
  static func withoutRounding(_ interval: Double) -> Double { (interval * 1e12).rounded() / 1e12 }
}
