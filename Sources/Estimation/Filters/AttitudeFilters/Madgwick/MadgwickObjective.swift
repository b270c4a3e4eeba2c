internal import InertialNumerics
internal import InertialRotations

/// The difference between the direction predicted from the attitude and the measured direction; Madgwick 2010.
struct MadgwickObjective: Sendable {
  /// The direction in the earth frame: b_x and b_z of eq. (29); gravity's is 0 and 1, eq. (25).
  var north: Double
  var up: Double
  /// The measured direction in device axes, of norm 1.
  var measured: Vector3

  /// Returns eq. (29): predicted − measured, in device axes.
  @inline(__always)
  func error(at q: Quaternion) -> Vector3 {
    // The report writes the diagonal of R without the square of w, like `matrix`.
    let R = q.matrix
    return north * R.row(0) + up * R.row(2) - measured
  }

  /// Returns Jᵀ f with the Jacobian of eq. (30), which is half the gradient of |f|²; by components, not a rotation.
  @inline(__always)
  func gradient(at q: Quaternion) -> Quaternion {
    let f = error(at: q)
    let (a, b) = (2 * north, 2 * up)
    let (twoA, twoB) = (2 * a, 2 * b)
    let x1: Double = b * q.z * f.x
    let x2: Double = (a * q.y + b * q.w) * f.y
    let x3: Double = (a * q.z - twoB * q.x) * f.z
    let y1: Double = (a * q.x + b * q.z) * f.y
    let y2: Double = (twoA * q.y + b * q.w) * f.x
    let y3: Double = (a * q.w - twoB * q.y) * f.z
    let z1: Double = (b * q.x - twoA * q.z) * f.x
    let z2: Double = (b * q.y - a * q.w) * f.y
    let w1: Double = (b * q.x - a * q.z) * f.y
    return Quaternion(
      x: x1 + x2 + x3, y: y1 - y2 + y3, z: z1 + z2 + a * q.x * f.z, w: w1 - b * q.y * f.x + a * q.y * f.z)
  }

  /// Returns the same gradient for gravity, whose direction is 0 to the north and 1 up, so most of the products vanish:
  /// Jᵀ f with the Jacobian of eq. (26).
  @inline(__always)
  static func gravityGradient(at q: Quaternion, measured: Vector3) -> Quaternion {
    let f = q.matrix.row(2) - measured
    let twice = f.z + f.z
    let x: Double = q.z * f.x + q.w * f.y - q.x * twice
    let y: Double = q.z * f.y - q.w * f.x - q.y * twice
    let z: Double = q.x * f.x + q.y * f.y
    let w: Double = q.x * f.y - q.y * f.x
    return Quaternion(x: x + x, y: y + y, z: z + z, w: w + w)
  }
}
