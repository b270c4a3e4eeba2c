internal import InertialNumerics

/// An estimator of the gyroscope's bias from the rate alone: a rate that stays small for long is rest, and its low-pass
/// is the bias.
///
/// After the documentation of x-io's Fusion library. The first rest is a running mean, so that a large bias is known
/// right after it, and not a time constant later.
struct StationaryBias: Sendable, Codable, Equatable {
  struct Settings: Sendable {
    /// The largest rate about any axis at rest, in rad/s, bias removed.
    var threshold: Double
    /// The duration for which it must hold, in seconds.
    var period: Double
    /// The time constant of the low-pass, in seconds.
    var timeConstant: Double
    /// The largest bias about any axis, in rad/s.
    var bound: Double
  }

  /// The gyroscope bias, in rad/s, in device axes.
  private(set) var value = Vector3.zero
  private var quietTime = 0.0
  /// The duration of rest in the bias's mean, in seconds, at most the time constant.
  private var learnedTime = 0.0

  mutating func add(_ rate: Vector3, over duration: Double, _ settings: Settings) {
    let residual = rate - value
    guard residual.maximumMagnitude < settings.threshold else {
      quietTime = 0
      return
    }
    quietTime = min(quietTime + duration, settings.period)
    guard quietTime >= settings.period else { return }
    learnedTime = min(learnedTime + duration, max(settings.timeConstant, duration))
    value = (value + (duration / learnedTime) * residual).clipped(to: settings.bound)
  }
}
