internal import InertialSystem

/// The evidence of the reference detector: a weighted sum of six bounded terms.
///
/// The weights are rounded from logistic fits of labelled shakes, chopping and steering against walking, running and
/// similar motion; `make study NAME=shake-weights` fits them on one participant and evaluates them on the other. The sum
/// is in natural logarithms of odds. A value of 6 separates shakes from all other motion with a margin of one on both
/// sides; it is the threshold at sensitivity 0.5.
enum ShakeScore {
  /// The rotation periodicity without a gyroscope, between those of a shake and of a run.
  static let unknownRotationPeriodicity = 0.25

  /// Returns the minimum evidence of a shake for a sensitivity, 0...1.
  static func threshold(sensitivity: Double) -> Double { 8.5 - 5 * sensitivity }

  static func probability(_ evidence: Double) -> Double { 1 / (1 + exp(threshold(sensitivity: 0.5) - evidence)) }

  /// Returns the condition that excludes a shake before its axis is known, or `nil`.
  static func exclusion(energy: Double, recentFraction: Double) -> ShakeReason.Exclusion? {
    if energy <= 0.5 { return .energy }
    return recentFraction > 0.5 ? nil : .recent
  }

  /// Returns the condition that excludes a shake once all measurements are known, or `nil`.
  static func exclusion(_ reason: ShakeReason) -> ShakeReason.Exclusion? {
    if reason.reversals < 3 { return .reversals }
    if reason.frequency == nil { return .frequency }
    return reason.displacement >= 0.15 ? .displacement : nil
  }

  /// The weights of speed, energy, axis, rotation, period and reversals; see `terms`.
  static let weights = SIMD8<Double>(12, 8, 10, 4, 6, 0.8, 0, 0)

  static func evidence(_ reason: ShakeReason) -> Double {
    guard let terms = terms(reason) else { return -20 }
    return (weights * terms).sum()
  }

  /// Returns the terms that are multiplied by the weights, or `nil` if the motion is not periodic. Each term is
  /// larger for a shake.
  static func terms(_ reason: ShakeReason) -> SIMD8<Double>? {
    guard let frequency = reason.frequency else { return nil }
    // Runners take 2.3 to 3.1 steps per second, choppers make 1 to 2.3 strokes; a hand shakes at 3 to 6 Hz.
    let speed = log(clamp(frequency, 1.5, 3.7) / 3)
    let energy = log(clamp(reason.energy, 0.3, 1.8))
    let axis = clamp(reason.axisFraction, 0.5, 0.95) - 0.75
    let turning = clamp(reason.rotationPeriodicity ?? unknownRotationPeriodicity, -0.7, 0.7)
    let period = min(reason.periodicity - 0.4, 0)
    let reversals = min(Double(reason.reversals) - 5, 0)
    return SIMD8(speed, energy, axis, turning, period, reversals, 0, 0)
  }

  private static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
}
