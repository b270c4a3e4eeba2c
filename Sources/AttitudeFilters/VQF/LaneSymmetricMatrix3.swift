internal import LinearAlgebra

/// `SymmetricMatrix3` in lanes, with its operations in the same order: what follows is equal to the last bit.
struct LaneSymmetricMatrix3: Sendable {
  var xx, xy, xz, yy, yz, zz: Lanes

  @inline(__always)
  init(xx: Lanes, xy: Lanes, xz: Lanes, yy: Lanes, yz: Lanes, zz: Lanes) {
    (self.xx, self.xy, self.xz, self.yy, self.yz, self.zz) = (xx, xy, xz, yy, yz, zz)
  }

  @inline(__always)
  init(_ a: SymmetricMatrix3) {
    func all(_ value: Double) -> Lanes { Lanes(repeating: value) }
    self.init(xx: all(a.xx), xy: all(a.xy), xz: all(a.xz), yy: all(a.yy), yz: all(a.yz), zz: all(a.zz))
  }

  subscript(lane: Int) -> SymmetricMatrix3 {
    get {
      SymmetricMatrix3(xx: xx[lane], xy: xy[lane], xz: xz[lane], yy: yy[lane], yz: yz[lane], zz: zz[lane])
    }
    set {
      (xx[lane], xy[lane], xz[lane]) = (newValue.xx, newValue.xy, newValue.xz)
      (yy[lane], yz[lane], zz[lane]) = (newValue.yy, newValue.yz, newValue.zz)
    }
  }

  @inline(__always)
  static func * (a: Self, v: LaneVector3<Lanes>) -> LaneVector3<Lanes> {
    LaneVector3(
      a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
      a.xz * v.x + a.yz * v.y + a.zz * v.z)
  }

  /// The inverse by cofactors, and where there is one: not where the determinant is not positive.
  @inline(__always)
  var inverse: (matrix: Self, exists: Lanes.Mask) {
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
    let determinant = xx * a + xy * b + xz * c
    let s = Lanes(repeating: 1) / determinant
    let matrix = Self(
      xx: a * s, xy: b * s, xz: c * s, yy: (xx * zz - xz * xz) * s, yz: (xy * xz - xx * yz) * s,
      zz: (xx * yy - xy * xy) * s)
    return (matrix, (Lanes.none .< determinant) .& (determinant .< Lanes(repeating: .infinity)))
  }

  /// Adds to each diagonal element that is below a bound.
  @inline(__always)
  func grown(by amount: Lanes, upTo bound: Lanes) -> Self {
    var grown = self
    grown.xx.set(xx + amount, where: xx .< bound)
    grown.yy.set(yy + amount, where: yy .< bound)
    grown.zz.set(zz + amount, where: zz .< bound)
    return grown
  }

  /// The Kalman update of a state with this covariance P: S = W + R P Rᵀ, K = P Rᵀ S⁻¹.
  ///
  /// - Parameters:
  ///   - rows: of the observation matrix R.
  ///   - noise: the diagonal of W: that of the first two rows, and that of the third.
  /// - Returns: what is added to the state, the covariance after it, and where there is such an update.
  @inline(__always)
  func correction(
    rows: (LaneVector3<Lanes>, LaneVector3<Lanes>, LaneVector3<Lanes>), _ innovation: LaneVector3<Lanes>,
    noise: (level: Lanes, vertical: Lanes)
  ) -> (step: LaneVector3<Lanes>, covariance: Self, exists: Lanes.Mask) {
    // Rows of R P; P is symmetric, so they are the columns of P Rᵀ.
    let (a, b, d) = (self * rows.0, self * rows.1, self * rows.2)
    let s = Self(
      xx: noise.level + rows.0.dot(a), xy: rows.0.dot(b), xz: rows.0.dot(d), yy: noise.level + rows.1.dot(b),
      yz: rows.1.dot(d), zz: noise.vertical + rows.2.dot(d))
    let (inverse, exists) = s.inverse
    let weighted = inverse * innovation
    let step = weighted.x * a + weighted.y * b + weighted.z * d
    return (step, subtractingCongruence(of: (a, b, d), inverse), exists)
  }

  /// Less C M Cᵀ, C being the matrix of these columns.
  @inline(__always)
  private func subtractingCongruence(
    of c: (LaneVector3<Lanes>, LaneVector3<Lanes>, LaneVector3<Lanes>), _ m: Self
  ) -> Self {
    // Columns of C M.
    let d0 = m.xx * c.0 + m.xy * c.1 + m.xz * c.2
    let d1 = m.xy * c.0 + m.yy * c.1 + m.yz * c.2
    let d2 = m.xz * c.0 + m.yz * c.1 + m.zz * c.2
    return Self(
      xx: xx - (d0.x * c.0.x + d1.x * c.1.x + d2.x * c.2.x), xy: xy - (d0.x * c.0.y + d1.x * c.1.y + d2.x * c.2.y),
      xz: xz - (d0.x * c.0.z + d1.x * c.1.z + d2.x * c.2.z), yy: yy - (d0.y * c.0.y + d1.y * c.1.y + d2.y * c.2.y),
      yz: yz - (d0.y * c.0.z + d1.y * c.1.z + d2.y * c.2.z), zz: zz - (d0.z * c.0.z + d1.z * c.1.z + d2.z * c.2.z))
  }

  @inline(__always)
  mutating func set(_ other: Self, where mask: Lanes.Mask) {
    xx.set(other.xx, where: mask)
    xy.set(other.xy, where: mask)
    xz.set(other.xz, where: mask)
    yy.set(other.yy, where: mask)
    yz.set(other.yz, where: mask)
    zz.set(other.zz, where: mask)
  }
}
