internal import InertialSystem

/// The measurements of an impact and the reason why it was or was not classified as a fall.
///
/// Four quantities are compared with a reference value between those of falls and of everyday motion. The evidence is
/// the sum of the natural logarithms of the ratios. No weight is fitted.
package struct FallReason: Sendable, Hashable, Codable {
  /// The downward speed gained in the second before the impact, in m/s: the integral of the deficit to 1 g.
  ///
  /// This is a lower bound, since legs and hands support the body: 0.9 to 1.9 in falls, 0.8 when a person kneels or
  /// sits down.
  package var descent = 0.0
  /// The speed absorbed by the impact, in m/s: the integral of the excess over 1 g, from a second before the peak to
  /// the rest, but at most to 1.5 s after the peak. Unlike the peak, it hardly depends on the sample rate.
  package var impulse = 0.0
  /// The same integral over the previous motion, scaled to the same duration, in m/s. It is large for repeated
  /// impacts such as steps and shakes.
  package var priorImpulse = 0.0
  /// The largest acceleration, in g.
  package var peak = 0.0
  /// The expected peak force of the body's impact, corrected for the sample rate (`ImpactPulse`), in g.
  package var force = 0.0
  /// The largest force from 3.5 to 1.2 s before the impact, in g.
  package var priorForce = 0.0
  /// The angle between gravity before and after the fall, in radians.
  package var orientationChange = 0.0
  /// The time from the peak to the rest, in seconds.
  package var restDelay = 0.0
  /// The lowest mean over 0.12 s in the 1.5 s before the impact, in g.
  package var lowestAcceleration = 1.0
  /// The sum of the terms; 0.7 is the threshold of the default sensitivity.
  package var evidence = -20.0
  /// The condition that excludes a fall regardless of the evidence, or `nil`.
  package var exclusion: Exclusion?

  /// Conditions that exclude a fall.
  package enum Exclusion: String, Sendable, Codable, CaseIterable {
    /// The device rotated by less than 0.59 rad: a jump, a stumble, a pothole (Bourke and Lyons 2008, threshold 3).
    case sameOrientation
    /// Less than 0.2 g for 0.12 s: closer to free fall than a person who topples over. The device was dropped or
    /// thrown, or the person jumped.
    case weightless
  }

  package init() {}

  /// The score, 0...1; 0.5 at the threshold of the default sensitivity.
  package var score: Double {
    exclusion == nil ? 1 / (1 + exp(4 * (FallReason.threshold(sensitivity: 0.5) - evidence))) : 0
  }

  /// Returns the minimum evidence of a fall for a sensitivity, 0...1.
  static func threshold(sensitivity: Double) -> Double { 1.3 - 1.2 * sensitivity }

  /// An impulse between those of kneeling or sitting down (1 to 2.3) and of falls (2.5 to 8), in m/s.
  private static let usualImpulse = 2.0
  /// The speed gained in 3 cm of free fall, or in 0.2 m of sitting down, in m/s.
  private static let usualDescent = 0.8
  /// A peak between the upper thresholds of Bourke et al. (2007), 2.74 at the thigh and 3.52 at the trunk, in g.
  private static let usualPeak = 3.0
  /// The angle that separates lying from upright, 60° (Kangas et al. 2008), in radians.
  private static let usualTurn = Double.pi / 3
  /// The time to rest, in seconds, after which the evidence falls by 1 per second.
  private static let usualDelay = 1.6

  /// Sets the evidence and the exclusion.
  mutating func weigh() {
    let own = max(impulse - priorImpulse, 0.2)
    let higher = max(force - max(priorForce - 1, 0), 0.2)
    evidence =
      log(own / Self.usualImpulse) + log(max(descent, 0.1) / Self.usualDescent) + log(higher / Self.usualPeak)
      + min(0, log(max(orientationChange, 0.1) / Self.usualTurn)) - max(0, restDelay - Self.usualDelay)
    if orientationChange < 0.59 {
      exclusion = .sameOrientation
    } else {
      exclusion = lowestAcceleration < 0.2 ? .weightless : nil
    }
  }
}
