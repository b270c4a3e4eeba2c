/// A fall of a person who wears or carries the device: a descent, an impact, a change of orientation, and rest.
public struct FallEvent: Sendable, Hashable, Codable {
  /// The start of the descent, at most a second before the impact, in seconds on the log's clock.
  public var start: Double
  /// The time of the hardest impact, in seconds on the log's clock.
  public var impact: Double
  /// The start of the rest, in seconds on the log's clock.
  public var end: Double
  /// The largest acceleration, with gravity, in g.
  public var peak: Double
  /// The time with less than 0.6 g in the last second before the impact, in seconds.
  ///
  /// The threshold is the lower one of Bourke et al. (2007) at the thigh. A falling person is rarely weightless: 0 is
  /// possible.
  public var freeFall: Double
  /// The angle between gravity before and after the fall, in radians, device axes.
  public var orientationChange: Double
  /// The score, 0...1; 0.5 is the threshold of the default sensitivity. It is not a probability.
  public var score: Double
  /// The quantities that determine the score.
  package var reason: FallReason

  package init(
    start: Double, impact: Double, end: Double, peak: Double, freeFall: Double, orientationChange: Double,
    score: Double, reason: FallReason
  ) {
    (self.start, self.impact, self.end) = (start, impact, end)
    (self.peak, self.freeFall, self.orientationChange) = (peak, freeFall, orientationChange)
    (self.score, self.reason) = (score, reason)
  }
}
