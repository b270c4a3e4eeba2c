internal import InertialSystem

/// The reference detector's weighing of what it saw: a sum of six terms, each bounded.
///
/// The weights are rounded from logistic fits of labelled shakes, chops and steering against walking, running and the
/// like; `make cross-validate-shakes` fits them on one person and judges them on the other. The sum is in natural
/// logarithms of odds. 6 parts shakes from everything else with a margin of one on both sides; it is sensitivity 0.5.
enum ShakeScore {
  /// Without a gyroscope: between a shake's and a runner's.
  static let unknownRotationPeriodicity = 0.25

  /// The evidence that is a shake, for a sensitivity from 0 to 1.
  static func threshold(sensitivity: Double) -> Double { 8.5 - 5 * sensitivity }

  static func probability(_ evidence: Double) -> Double { 1 / (1 + exp(threshold(sensitivity: 0.5) - evidence)) }

  /// What excludes a shake before its axis is known.
  static func exclusion(energy: Double, recentShare: Double) -> ShakeReason.Exclusion? {
    if energy <= 0.5 { return .energy }
    return recentShare > 0.5 ? nil : .recent
  }

  /// What else excludes a shake.
  static func exclusion(_ reason: ShakeReason) -> ShakeReason.Exclusion? {
    if reason.reversals < 3 { return .reversals }
    if reason.frequency == nil { return .frequency }
    return reason.displacement >= 0.15 ? .displacement : nil
  }

  /// Of speed, energy, axis, turning, period and reversals: see `terms`.
  static let weights = SIMD8<Double>(12, 8, 10, 4, 6, 0.8, 0, 0)

  static func evidence(_ reason: ShakeReason) -> Double {
    guard let terms = terms(reason) else { return -20 }
    return (weights * terms).sum()
  }

  /// What the weights are multiplied by; more of each is more like a shake. nil where nothing repeats.
  static func terms(_ reason: ShakeReason) -> SIMD8<Double>? {
    guard let frequency = reason.frequency else { return nil }
    // Runners make 2.3 to 3.1 steps a second, choppers 1 to 2.3 strokes; a hand shakes at 3 to 6.
    let speed = log(clamp(frequency, 1.5, 3.7) / 3)
    let energy = log(clamp(reason.energy, 0.3, 1.8))
    let axis = clamp(reason.axisShare, 0.5, 0.95) - 0.75
    let turning = clamp(reason.rotationPeriodicity ?? unknownRotationPeriodicity, -0.7, 0.7)
    let period = min(reason.periodicity - 0.4, 0)
    let reversals = min(Double(reason.reversals) - 5, 0)
    return SIMD8(speed, energy, axis, turning, period, reversals, 0, 0)
  }

  private static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
}
