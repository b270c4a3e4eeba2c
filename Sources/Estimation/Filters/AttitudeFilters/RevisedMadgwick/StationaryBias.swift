internal import InertialNumerics

/// The gyroscope's bias from the rate alone: what stays small for long is rest, and its low-pass the bias.
///
/// After the documentation of x-io's Fusion library. The first rest counts as a running mean, so that a large bias is
/// known after it, not a time constant later.
struct StationaryBias: Sendable, Codable, Equatable {
  struct Settings: Sendable {
    /// Largest rate about any axis at rest, rad/s, bias removed.
    var threshold: Double
    /// Seconds that it must hold.
    var period: Double
    /// Seconds.
    var timeConstant: Double
    /// Largest bias about any axis, rad/s.
    var bound: Double
  }

  /// rad/s, device axes.
  private(set) var value = Vector3.zero
  private var quietTime = 0.0
  /// Seconds of rest that the bias is the mean of, up to the time constant.
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
    let next = value + (duration / learnedTime) * residual
    func clip(_ value: Double) -> Double { min(max(value, -settings.bound), settings.bound) }
    value = Vector3(clip(next.x), clip(next.y), clip(next.z))
  }
}
