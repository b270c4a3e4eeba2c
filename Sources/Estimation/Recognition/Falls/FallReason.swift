internal import InertialSystem

/// What the detector saw about an impact, and why it took it for a fall or not.
///
/// Four quantities are weighed against a value between a fall's and what people do every day, each as the natural
/// logarithm of its ratio; their sum is the evidence. None has a fitted weight.
package struct FallReason: Sendable, Hashable, Codable {
  /// Speed that was gained downwards in the second before the impact, m/s: the integral of what is missing to 1 g.
  ///
  /// A lower bound, since legs and hands hold back: 0.9 to 1.9 in falls, 0.8 where a person kneels or sits down.
  package var descent = 0.0
  /// Speed that the hit took, m/s: the integral of what is above 1 g, from a second before the hardest hit to rest, but
  /// at most 1.5 s behind it. It hardly depends on the rate, as the peak does.
  package var impulse = 0.0
  /// The same of the motion that went before, over the same time, m/s: steps and shakes hit all the time.
  package var priorImpulse = 0.0
  /// The largest acceleration, g.
  package var peak = 0.0
  /// The peak of the body's impact behind it, however coarse the sensor is (`ImpactPulse`), g.
  package var force = 0.0
  /// The largest of the 3.5 to 1.2 s before, g.
  package var priorForce = 0.0
  /// Angle between gravity before and after, rad.
  package var orientationChange = 0.0
  /// Seconds from the hardest hit to rest.
  package var restDelay = 0.0
  /// The lowest mean of 0.12 s in the 1.5 s before the impact, g.
  package var lowestAcceleration = 1.0
  /// Sum of the terms; 0.7 is the threshold of the default sensitivity.
  package var evidence = -20.0
  /// What excludes a fall whatever the evidence is; nil where nothing does.
  package var exclusion: Exclusion?

  /// Hard limits.
  package enum Exclusion: String, Sendable, Codable, CaseIterable {
    /// The device turned by less than 0.59 rad: a jump, a stumble, a pothole (Bourke and Lyons 2008, threshold 3).
    case sameOrientation
    /// Less than 0.2 g for 0.12 s: no body that someone stands on or topples with falls so freely. The device was
    /// dropped or thrown by itself, or the person jumped.
    case weightless
  }

  package init() {}

  /// 0 to 1; 0.5 at the default sensitivity's threshold.
  package var score: Double {
    exclusion == nil ? 1 / (1 + exp(4 * (FallReason.threshold(sensitivity: 0.5) - evidence))) : 0
  }

  /// Evidence from which an impact is a fall, for a sensitivity from 0 to 1.
  static func threshold(sensitivity: Double) -> Double { 1.3 - 1.2 * sensitivity }

  /// m/s: between kneeling or sitting down (1 to 2.3) and the falls of a body (2.5 to 8).
  private static let usualImpulse = 2.0
  /// m/s: what is gained within 3 cm of free fall, or 0.2 m of sitting down.
  private static let usualDescent = 0.8
  /// g: between the upper thresholds of Bourke et al. (2007), 2.74 at the thigh and 3.52 at the trunk.
  private static let usualPeak = 3.0
  /// rad: what parts lying from upright, 60° (Kangas et al. 2008).
  private static let usualTurn = Double.pi / 3
  /// Seconds: rest that comes later counts less, by one a second.
  private static let usualDelay = 1.6

  /// Sets the evidence and what excludes a fall.
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
