internal import InertialNumerics

/// A gate for a sensor's samples. It admits samples near the prediction, and all samples once most have been far off
/// for long, because then the prediction is more likely to be wrong.
///
/// After the documentation of x-io's Fusion library. Far samples raise a trigger by their fraction of the recovery
/// period, and near ones lower it nine times as fast: with a fraction p of far samples, it rises by (10 p − 9) / period
/// per second. Recovery lasts from a trigger of 1 to a trigger of 0.
struct RejectionGate: Sendable, Codable, Equatable {
  /// The trigger, 0 to 1.
  private(set) var trigger = 0.0
  private(set) var isRecovering = false
  /// Whether the last sample was too far off.
  private(set) var isBeyond = false

  mutating func admits(_ error: Vector3, within limit: Double, over duration: Double, _ period: Double) -> Bool {
    isBeyond = error.squaredNorm > limit * limit
    guard isBeyond || trigger > 0 else { return true }
    trigger = min(max(trigger + (isBeyond ? duration : -9 * duration) / period, 0), 1)
    isRecovering = trigger == 1 || (isRecovering && trigger > 0)
    return isRecovering || !isBeyond
  }
}
