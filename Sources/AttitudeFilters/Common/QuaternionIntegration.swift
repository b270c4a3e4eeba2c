internal import LinearAlgebra
internal import Rotations

/// How far a rotation per step is followed.
enum IntegrationOrder: Sendable {
  /// q + q̇ dt, as most papers write it.
  case first
  /// Three terms of the exponential: no sine, and right to 1e-6 rad at 0.2 rad a step.
  case third

  /// The value of the parameter `integrationOrder`.
  init(_ order: Double) { self = order < 2 ? .first : .third }
}

extension Quaternion {
  /// The attitude after turning at `rate` (rad/s, device axes) for `duration` seconds, normalised.
  func turned(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    turnedUnnormalized(at: rate, for: duration, order).normalized ?? self
  }

  /// The same before it is normalised, for what is to be added to it.
  func turnedUnnormalized(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    let half = (0.5 * duration) * rate
    var vector = half
    var scalar = 1.0
    if order == .third {
      let squared = half.squaredNorm
      vector *= 1 - squared / 6
      scalar -= squared / 2
    }
    return self * Quaternion(x: vector.x, y: vector.y, z: vector.z, w: scalar)
  }
}
