internal import InertialNumerics

/// A symmetric 3 by 3 matrix, stored as its upper triangle.
struct SymmetricMatrix3: Sendable, Codable, Equatable, BitwiseCopyable {
  var xx, xy, xz, yy, yz, zz: Double

  @inline(__always)
  init(xx: Double, xy: Double, xz: Double, yy: Double, yz: Double, zz: Double) {
    (self.xx, self.xy, self.xz, self.yy, self.yz, self.zz) = (xx, xy, xz, yy, yz, zz)
  }

  /// Creates the identity times a number.
  init(scale: Double) { self.init(xx: scale, xy: 0, xz: 0, yy: scale, yz: 0, zz: scale) }

  @inline(__always)
  static func * (a: Self, v: Vector3) -> Vector3 {
    Vector3(
      a.xx * v.x + a.xy * v.y + a.xz * v.z,
      a.xy * v.x + a.yy * v.y + a.yz * v.z,
      a.xz * v.x + a.yz * v.y + a.zz * v.z)
  }

  static func + (a: Self, b: Self) -> Self {
    Self(xx: a.xx + b.xx, xy: a.xy + b.xy, xz: a.xz + b.xz, yy: a.yy + b.yy, yz: a.yz + b.yz, zz: a.zz + b.zz)
  }

  /// The inverse by cofactors, or `nil` if the determinant is not positive, which does not occur for a covariance.
  @inline(__always)
  var inverse: Self? {
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
    let determinant = xx * a + xy * b + xz * c
    guard determinant > 0, determinant.isFinite else { return nil }
    let s = 1 / determinant
    return Self(
      xx: a * s, xy: b * s, xz: c * s, yy: (xx * zz - xz * xz) * s, yz: (xy * xz - xx * yz) * s,
      zz: (xx * yy - xy * xy) * s)
  }

  /// The largest sum of a row's absolute elements, an upper bound of the eigenvalues.
  var largestRowSum: Double {
    max(
      abs(xx) + abs(xy) + abs(xz), max(abs(xy) + abs(yy) + abs(yz), abs(xz) + abs(yz) + abs(zz)))
  }

  /// Adds an amount to each diagonal element that is below a bound.
  @inline(__always)
  mutating func grow(by amount: Double, upTo bound: Double) {
    if xx < bound { xx += amount }
    if yy < bound { yy += amount }
    if zz < bound { zz += amount }
  }

  /// Subtracts C M Cᵀ, where C is the matrix of these columns.
  @inline(__always)
  mutating func subtractCongruence(of c: (Vector3, Vector3, Vector3), _ m: Self) {
    // Columns of C M.
    let d0 = c.0 * m.xx + c.1 * m.xy + c.2 * m.xz
    let d1 = c.0 * m.xy + c.1 * m.yy + c.2 * m.yz
    let d2 = c.0 * m.xz + c.1 * m.yz + c.2 * m.zz
    xx -= d0.x * c.0.x + d1.x * c.1.x + d2.x * c.2.x
    xy -= d0.x * c.0.y + d1.x * c.1.y + d2.x * c.2.y
    xz -= d0.x * c.0.z + d1.x * c.1.z + d2.x * c.2.z
    yy -= d0.y * c.0.y + d1.y * c.1.y + d2.y * c.2.y
    yz -= d0.y * c.0.z + d1.y * c.1.z + d2.y * c.2.z
    zz -= d0.z * c.0.z + d1.z * c.1.z + d2.z * c.2.z
  }
}
