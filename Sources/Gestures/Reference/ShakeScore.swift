#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The reference detector's weighing of what it saw: a sum of six terms, each bounded.
///
/// The weights are rounded from logistic fits of labelled shakes, chops and steering against walking, running and the
/// like; fits on one person's shakes and on the other's agree in sign and size. The sum is in natural logarithms of
/// odds. 6 parts shakes from everything else with a margin of one on both sides; it is sensitivity 0.5.
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

  static func evidence(_ reason: ShakeReason) -> Double {
    guard let frequency = reason.frequency else { return -20 }
    // Runners make 2.3 to 3.1 steps a second, choppers 1 to 2.3 strokes; a hand shakes at 3 to 6.
    let speed = 12 * log(clamp(frequency, 1.5, 3.7) / 3)
    let energy = 8 * log(clamp(reason.energy, 0.3, 1.8))
    let axis = 10 * (clamp(reason.axisShare, 0.5, 0.95) - 0.75)
    let turning = 4 * clamp(reason.rotationPeriodicity ?? unknownRotationPeriodicity, -0.7, 0.7)
    let period = 6 * min(reason.periodicity - 0.4, 0)
    let reversals = 0.8 * min(Double(reason.reversals) - 5, 0)
    return speed + energy + axis + turning + period + reversals
  }

  private static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
}
