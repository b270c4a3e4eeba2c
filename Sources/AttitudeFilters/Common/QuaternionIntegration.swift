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
  /// The attitude after turning a unit quaternion at `rate` (rad/s, device axes) for `duration` seconds, normalised.
  @inline(__always)
  func turned(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    let half = (0.5 * duration) * rate
    let step = Step(half, order)
    // The norm of a product is that of its factors, which are known before it is: what is to be made good, and what
    // the step before left by rounding, goes into the small factor, and nothing waits for it.
    let excess = squaredNorm * (1 + step.excess) - 1
    guard abs(excess) < 1e-5 else {
      return (self * Quaternion(half * step.scale, step.scalar)).normalized ?? self
    }
    // 1/√(1 + e) by its series: the first term left out is below 4e-16.
    let factor = 1 - excess * (0.5 - 0.375 * excess)
    return self * Quaternion(half * (factor * step.scale), factor * step.scalar)
  }

  /// The same before it is normalised, for what is to be added to it.
  @inline(__always)
  func turnedUnnormalized(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    let half = (0.5 * duration) * rate
    let step = Step(half, order)
    return self * Quaternion(half * step.scale, step.scalar)
  }

  /// The unit quaternion in the same direction, for one whose norm is not far from 1; nil where there is none.
  ///
  /// 1/√(1 + e) by its series, in less time than a root and a division: the first term left out is below 1e-15.
  @inline(__always)
  var normalizedNearOne: Quaternion? {
    let e = squaredNorm - 1
    guard abs(e) < 4e-3 else { return normalized }
    let squared = e * e
    let factor =
      (1 - 0.5 * e) + squared * ((0.375 - 0.3125 * e) + squared * (0.2734375 - 0.24609375 * e))
    return Quaternion(x: factor * x, y: factor * y, z: factor * z, w: factor * w)
  }

  @inline(__always)
  private init(_ vector: Vector3, _ scalar: Double) {
    self.init(x: vector.x, y: vector.y, z: vector.z, w: scalar)
  }

  /// The rotation of one step as far as it is followed: half the rotation vector times `scale`, and the scalar part.
  private struct Step {
    var scale = 1.0
    var scalar = 1.0
    /// How much its squared norm is above 1.
    var excess: Double

    @inline(__always)
    init(_ half: Vector3, _ order: IntegrationOrder) {
      let squared = half.squaredNorm
      guard order == .third else {
        excess = squared
        return
      }
      scale = 1 - squared * (1.0 / 6)
      scalar = 1 - squared * 0.5
      // (1 − s/2)² + s (1 − s/6)² − 1 with s the square of half the angle.
      excess = squared * squared * (squared * (1.0 / 36) - 1.0 / 12)
    }
  }
}
