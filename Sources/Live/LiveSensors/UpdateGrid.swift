/// Thins a stream to an asked interval: which of its samples are given on.
///
/// Samples are taken where they lie nearest to a grid of the interval, which begins at the first and follows the
/// sensor's own clock, so that jitter and a rate that is off by a few per cent neither double nor lose any. An interval
/// that is shorter than the sensor's own takes every sample: nothing is made up in between.
package struct UpdateGrid: Sendable {
  /// How much of a sample's distance from the grid the grid follows.
  private static let following = 0.1
  /// Weight of a new interval in the mean that is taken for the sensor's own.
  private static let learning = 0.1

  private var last: Double?
  private var due = 0.0
  private var lastTaken = 0.0
  private var interval = 0.0
  /// The sensor's own interval, seconds; nil until two samples are known.
  private var period: Double?

  package init() {}

  /// Whether the sample at a time, which rises from call to call, is given on.
  package mutating func takes(_ time: Double, interval asked: Double) -> Bool {
    let wanted = max(asked, 0)
    guard let last else {
      (self.last, lastTaken, interval) = (time, time, wanted)
      due = time + wanted
      return true
    }
    learn(time - last)
    self.last = time
    if wanted != interval {
      interval = wanted
      due = lastTaken + wanted
    }
    let distance = time - due
    let period = period ?? 0
    guard distance >= -0.5 * period else { return false }
    // Far behind after a gap, or where the interval is shorter than the sensor's: the grid begins anew.
    due = distance > period ? time + interval : due + interval + Self.following * distance
    lastTaken = time
    return true
  }

  private mutating func learn(_ step: Double) {
    guard step > 0 else { return }
    guard let period else {
      self.period = step
      return
    }
    // A gap is no slower sensor; a first step that was one is forgotten at once.
    self.period = 3 * step < period ? step : period + Self.learning * (min(step, 2 * period) - period)
  }
}
