internal import InertialNumerics
internal import InertialRotations

/// A symmetric 4 by 4 matrix that acts on quaternions, with ten named elements.
struct Symmetric4: Equatable {
  var xx, xy, xz, xw: Double
  var yy, yz, yw: Double
  var zz, zw: Double
  var ww: Double

  var trace: Double { xx + yy + zz + ww }

  /// The sum of the squares of all elements.
  var squaredNorm: Double {
    xx * xx + yy * yy + zz * zz + ww * ww + 2
      * (xy * xy + xz * xz + xw * xw + yz * yz + yw * yw + zw * zw)
  }

  /// Returns the matrix with a number added to its diagonal.
  func shifted(by s: Double) -> Symmetric4 {
    Symmetric4(xx: xx + s, xy: xy, xz: xz, xw: xw, yy: yy + s, yz: yz, yw: yw, zz: zz + s, zw: zw, ww: ww + s)
  }

  static func * (a: Symmetric4, s: Double) -> Symmetric4 {
    Symmetric4(
      xx: a.xx * s, xy: a.xy * s, xz: a.xz * s, xw: a.xw * s, yy: a.yy * s, yz: a.yz * s, yw: a.yw * s, zz: a.zz * s,
      zw: a.zw * s, ww: a.ww * s)
  }

  static func * (a: Symmetric4, q: Quaternion) -> Quaternion {
    Quaternion(
      x: a.xx * q.x + a.xy * q.y + a.xz * q.z + a.xw * q.w,
      y: a.xy * q.x + a.yy * q.y + a.yz * q.z + a.yw * q.w,
      z: a.xz * q.x + a.yz * q.y + a.zz * q.z + a.zw * q.w,
      w: a.xw * q.x + a.yw * q.y + a.zw * q.z + a.ww * q.w)
  }

  /// The columns, each as a quaternion.
  var columns: (x: Quaternion, y: Quaternion, z: Quaternion, w: Quaternion) {
    (
      Quaternion(x: xx, y: xy, z: xz, w: xw), Quaternion(x: xy, y: yy, z: yz, w: yw),
      Quaternion(x: xz, y: yz, z: zz, w: zw), Quaternion(x: xw, y: yw, z: zw, w: ww)
    )
  }

  /// The product of the matrix with itself.
  var squared: Symmetric4 {
    let (x, y, z, w) = columns
    return Symmetric4(
      xx: x.dot(x), xy: x.dot(y), xz: x.dot(z), xw: x.dot(w), yy: y.dot(y), yz: y.dot(z), yw: y.dot(w), zz: z.dot(z),
      zw: z.dot(w), ww: w.dot(w))
  }

  /// The column with the largest diagonal element: for a matrix close to λ q qᵀ, the best conditioned multiple of q.
  var dominantColumn: Quaternion {
    let (x, y, z, w) = columns
    return if ww >= xx, ww >= yy, ww >= zz { w } else if xx >= yy, xx >= zz { x } else if yy >= zz { y } else { z }
  }

  /// The transposed cofactors and the determinant, from 2 by 2 minors of the upper two and the lower two rows.
  var adjugate: (matrix: Symmetric4, determinant: Double) {
    let (s0, s1, s2) = (xx * yy - xy * xy, xx * yz - xy * xz, xx * yw - xy * xw)
    let (s3, s4, s5) = (xy * yz - yy * xz, xy * yw - yy * xw, xz * yw - yz * xw)
    let (c5, c4, c3) = (zz * ww - zw * zw, yz * ww - yw * zw, yz * zw - yw * zz)
    let (c2, c1) = (xz * ww - xw * zw, xz * zw - xw * zz)
    let matrix = Symmetric4(
      xx: yy * c5 - yz * c4 + yw * c3,
      xy: -xy * c5 + xz * c4 - xw * c3,
      xz: yw * s5 - zw * s4 + ww * s3,
      xw: -yz * s5 + zz * s4 - zw * s3,
      yy: xx * c5 - xz * c2 + xw * c1,
      yz: -xw * s5 + zw * s2 - ww * s1,
      yw: xz * s5 - zz * s2 + zw * s1,
      zz: xw * s4 - yw * s2 + ww * s0,
      zw: -xz * s4 + yz * s2 - zw * s0,
      ww: xz * s3 - yz * s1 + zz * s0)
    // c0 is s5: the lower left block is the transpose of the upper right one.
    return (matrix, s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * s5)
  }
}
