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
    // The norm of a product is that of its factors, which are known before it is. What the last step left by rounding
    // is made good in the one, the step's own norm in the other, and nothing waits for a root or a division.
    let excess = squaredNorm - 1
    guard let factor = step.inverseNorm, abs(excess) < 1e-6 else {
      return (self * Quaternion(half * step.scale, step.scalar)).normalized ?? self
    }
    // 1/√(1 + e) by its series: the first term left out is below 4e-13, and for a quaternion of the step before nothing.
    let share = 1 - 0.5 * excess
    let unit = Quaternion(x: share * x, y: share * y, z: share * z, w: share * w)
    return unit * Quaternion(half * (factor * step.scale), factor * step.scalar)
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
    /// One over its norm, by a series; nil where the step is too large for that.
    var inverseNorm: Double?

    @inline(__always)
    init(_ half: Vector3, _ order: IntegrationOrder) {
      let s = half.squaredNorm
      guard order == .third else {
        // 1/√(1 + s): the first term left out is below 4e-16.
        if s < 1e-5 { inverseNorm = 1 - s * (0.5 - 0.375 * s) }
        return
      }
      scale = 1 - s * (1.0 / 6)
      scalar = 1 - s * 0.5
      // The squared norm is (1 − s/2)² + s (1 − s/6)² = 1 − s²/12 + s³/36; the first term left out is s⁵/576.
      if s < 0.01 { inverseNorm = 1 + s * s * (1.0 / 24 - s * (1.0 / 72 - s * (1.0 / 384))) }
    }
  }
}
