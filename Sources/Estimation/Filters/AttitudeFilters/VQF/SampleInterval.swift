/// The time between samples of a sensor that ticks evenly, learned from stamps that jitter.
///
/// What is made from it (filter coefficients) must not change with every sample: `value` is adopted from a running
/// mean, often at the start and later only where the two have come apart.
struct SampleInterval: Sendable, Codable, Equatable {
  /// Seconds; 0 until two samples were seen.
  private(set) var value: Double
  var mean: Double
  /// Intervals in the mean, up to `memory`.
  var count = 0
  /// Intervals in a row that are far from the mean: after some of them the rate is another one.
  var strayCount = 0

  static let memory = 256
  /// Relative distance from the mean at which `value` follows once the mean has its full memory.
  static let slack = 0.02

  /// - Parameter interval: seconds between samples where that is known, else 0.
  init(_ interval: Double = 0) {
    value = interval
    mean = interval
    if interval > 0 { count = Self.memory }
  }

  /// - Parameter rate: the sensor's rate in Hz where it is known, else 0.
  init(rate: Double) { self.init(rate > 0 ? 1 / rate : 0) }

  /// Takes the time between two samples.
  ///
  /// - Returns: whether `value` changed.
  mutating func add(_ dt: Double) -> Bool {
    strayCount = count > 0 && abs(dt - mean) > 0.25 * mean ? strayCount + 1 : 0
    if strayCount == 8 { (count, strayCount) = (0, 0) }
    if count < Self.memory {
      count += 1
      mean += (dt - mean) / Double(count)
    } else {
      // A lost sample or two move it by less than the slack.
      mean += (min(dt, 3 * mean) - mean) * (1 / Double(Self.memory))
    }
    let distance = abs(mean - value)
    // While the mean still sharpens it is adopted at 1, 2, 4, ... samples; even stamps change nothing then.
    let isDue = count < Self.memory && count & (count - 1) == 0 && distance > 1e-6 * value
    guard isDue || distance > Self.slack * value else { return false }
    value = Self.withoutRounding(mean)
    return true
  }

  /// An interval to a picosecond: a log at 50 Hz should have 0.02 s and not what the difference of two stamps rounds
  /// to, so that a duration ends at the sample where it should.
  static func withoutRounding(_ interval: Double) -> Double { (interval * 1e12).rounded() / 1e12 }
}
