internal import InertialNumerics
internal import InertialRotations

extension Quaternion {
  /// The exponential map for what a device turns between two samples: the series to 1e-14 where the angle is small,
  /// which costs a fifth of sine and cosine.
  @inline(__always)
  init(stepBy turn: Vector3) {
    // h² with h half the angle; the first terms left out are h¹⁰/10! and h⁸/9!.
    let squared = 0.25 * turn.squaredNorm
    guard squared < 0.0025 else {
      self.init(rotationVector: turn)
      return
    }
    let cosine = 1 - squared / 2 * (1 - squared / 12 * (1 - squared / 30 * (1 - squared / 56)))
    let scale = 0.5 * (1 - squared / 6 * (1 - squared / 20 * (1 - squared / 42)))
    self.init(x: scale * turn.x, y: scale * turn.y, z: scale * turn.z, w: cosine)
  }

  /// A unit quaternion after a step, a unit quaternion again; itself where the step is no number.
  @inline(__always)
  func stepped(by turn: Vector3) -> Quaternion {
    let turned = self * Quaternion(stepBy: turn)
    // Only rounding is to be made good: 1/√(1 + e) by its series, without a root and a division.
    let excess = turned.squaredNorm - 1
    guard abs(excess) < 1e-6 else { return turned.normalized ?? self }
    let factor = 1 - excess * (0.5 - 0.375 * excess)
    return Quaternion(x: factor * turned.x, y: factor * turned.y, z: factor * turned.z, w: factor * turned.w)
  }
}
