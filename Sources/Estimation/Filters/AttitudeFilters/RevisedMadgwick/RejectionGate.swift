internal import InertialNumerics

/// Which of a sensor's samples are used: those near to what is known, and all of them once most have been far off for
/// long, because then it is rather the known that is wrong.
///
/// After the documentation of x-io's Fusion library. Far samples raise a trigger by their share of the recovery
/// period, near ones lower it nine times as fast: with a share p of far samples it rises by (10 p − 9) / period per
/// second. Recovery lasts from a trigger of 1 to one of 0.
struct RejectionGate: Sendable, Codable, Equatable {
  /// 0 to 1.
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
