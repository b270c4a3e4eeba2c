internal import LinearAlgebra

/// A symmetric 3 by 3 matrix: its upper triangle.
struct SymmetricMatrix3: Sendable, Codable, Equatable {
  var xx, xy, xz, yy, yz, zz: Double

  @inline(__always)
  init(xx: Double, xy: Double, xz: Double, yy: Double, yz: Double, zz: Double) {
    (self.xx, self.xy, self.xz, self.yy, self.yz, self.zz) = (xx, xy, xz, yy, yz, zz)
  }

  /// The identity times a number.
  init(scale: Double) { self.init(xx: scale, xy: 0, xz: 0, yy: scale, yz: 0, zz: scale) }

  @inline(__always)
  static func * (a: Self, v: Vector3) -> Vector3 {
    (LaneSymmetricMatrix3<Double>(a) * LaneVector3(v))[0]
  }

  static func + (a: Self, b: Self) -> Self {
    Self(xx: a.xx + b.xx, xy: a.xy + b.xy, xz: a.xz + b.xz, yy: a.yy + b.yy, yz: a.yz + b.yz, zz: a.zz + b.zz)
  }

  /// The inverse by cofactors; nil where the determinant is not positive, which no covariance's is.
  @inline(__always)
  var inverse: Self? {
    let inverse = LaneSymmetricMatrix3<Double>(self).inverse
    return inverse.exists ? inverse.matrix[0] : nil
  }

  /// The largest sum of a row's absolute elements: no eigenvalue is larger.
  var largestRowSum: Double {
    max(
      abs(xx) + abs(xy) + abs(xz), max(abs(xy) + abs(yy) + abs(yz), abs(xz) + abs(yz) + abs(zz)))
  }
}
