internal import InertialNumerics
internal import InertialRotations

extension Quaternion {
  /// Creates the exponential of a rotation between two samples. For small angles, it uses the series to 1e-14, at a
  /// fifth of the cost of sine and cosine.
  @inline(__always)
  init(stepBy turn: Vector3) {
    // h² with h half the angle; the first omitted terms are h¹⁰/10! and h⁸/9!.
    let squared = 0.25 * turn.squaredNorm
    guard squared < 0.0025 else {
      self.init(rotationVector: turn)
      return
    }
    let cosine = 1 - squared / 2 * (1 - squared / 12 * (1 - squared / 30 * (1 - squared / 56)))
    let scale = 0.5 * (1 - squared / 6 * (1 - squared / 20 * (1 - squared / 42)))
    self.init(x: scale * turn.x, y: scale * turn.y, z: scale * turn.z, w: cosine)
  }

  /// The unit quaternion after a step of a unit quaternion, or `nil` if the step is not a number.
  @inline(__always)
  var normalizedAfterStep: Quaternion? {
    // Only rounding is corrected: 1/√(1 + e) by its series, without a root and a division.
    let excess = squaredNorm - 1
    guard abs(excess) < 1e-6 else { return normalized }
    let factor = 1 - excess * (0.5 - 0.375 * excess)
    return Quaternion(x: factor * x, y: factor * y, z: factor * z, w: factor * w)
  }
}
