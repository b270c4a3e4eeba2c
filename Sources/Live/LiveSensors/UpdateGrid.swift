/// Reduces a stream to a requested interval by selecting samples.
///
/// The samples closest to a grid of the interval are selected. The grid starts at the first sample and follows the
/// sensor's own clock, so that jitter and a rate error of a few per cent neither duplicate nor lose samples. If the
/// interval is shorter than the sensor's own, every sample is selected; no samples are interpolated.
package struct UpdateGrid: Sendable {
  /// The fraction of a sample's distance from the grid by which the grid is shifted.
  private static let following = 0.1
  /// The weight of a new interval in the mean interval of the sensor.
  private static let learning = 0.1

  private var last: Double?
  private var due = 0.0
  private var lastSelected = 0.0
  private var interval = 0.0
  /// The sensor's own interval in seconds, or `nil` before the second sample.
  private var period: Double?

  package init() {}

  /// Returns whether to select the sample at a time; times increase from call to call.
  package mutating func selects(_ time: Double, interval requested: Double) -> Bool {
    let wanted = max(requested, 0)
    guard let last else {
      (self.last, lastSelected, interval) = (time, time, wanted)
      due = time + wanted
      return true
    }
    learn(time - last)
    self.last = time
    if wanted != interval {
      interval = wanted
      due = lastSelected + wanted
    }
    let distance = time - due
    let period = period ?? 0
    guard distance >= -0.5 * period else { return false }
    // Far behind after a gap, or if the interval is shorter than the sensor's: the grid restarts.
    due = distance > period ? time + interval : due + interval + Self.following * distance
    lastSelected = time
    return true
  }

  private mutating func learn(_ step: Double) {
    guard step > 0 else { return }
    guard let period else {
      self.period = step
      return
    }
    // A gap does not change the rate; a first step across a gap is discarded immediately.
    self.period = 3 * step < period ? step : period + Self.learning * (min(step, 2 * period) - period)
  }
}
