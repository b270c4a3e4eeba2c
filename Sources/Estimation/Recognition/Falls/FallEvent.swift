/// A fall of a person who wears or carries the device: down, a hit, another orientation than before, rest.
public struct FallEvent: Sendable, Hashable, Codable {
  /// When the way down began, at most a second before the impact; seconds on the log's clock.
  public var start: Double
  /// The hardest hit, seconds on the log's clock.
  public var impact: Double
  /// When rest had come, seconds on the log's clock.
  public var end: Double
  /// The largest acceleration, with gravity, g.
  public var peak: Double
  /// Seconds of the last one before the impact with less than 0.6 g, the lower threshold of Bourke et al. (2007) at the
  /// thigh. A person who falls is rarely weightless: 0 is possible.
  public var freeFall: Double
  /// Angle between gravity before and after, rad, device axes.
  public var orientationChange: Double
  /// 0 to 1; 0.5 is the threshold of the default sensitivity. No frequency of truth.
  public var score: Double
  /// What the score is made of.
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
