extension Quaternion {
  /// Creates the rotation with a given matrix R (R v = `rotate(v)`), with w ≥ 0 if w is the largest component.
  ///
  /// Shepperd's method ("Quaternion from rotation matrix", J. Guidance and Control 1(3), 1978): the largest of the four
  /// squared components is computed first and divides the others, so that no result depends on the difference of nearly
  /// equal numbers. The result is normalised; for a matrix that is only nearly a rotation, the result is equally near.
  /// Reflections and other matrices are not supported.
  public init(matrix m: Matrix3) {
    let (xx, yy, zz, ww) = (
      1 + m.m11 - m.m22 - m.m33, 1 - m.m11 + m.m22 - m.m33, 1 - m.m11 - m.m22 + m.m33, 1 + m.trace
    )
    // Each branch is the quaternion times four times its largest component.
    let scaled =
      if ww >= xx && ww >= yy && ww >= zz {
        Quaternion(x: m.m32 - m.m23, y: m.m13 - m.m31, z: m.m21 - m.m12, w: ww)
      } else if xx >= yy && xx >= zz {
        Quaternion(x: xx, y: m.m12 + m.m21, z: m.m13 + m.m31, w: m.m32 - m.m23)
      } else if yy >= zz {
        Quaternion(x: m.m12 + m.m21, y: yy, z: m.m23 + m.m32, w: m.m13 - m.m31)
      } else {
        Quaternion(x: m.m13 + m.m31, y: m.m23 + m.m32, z: zz, w: m.m21 - m.m12)
      }
    self = scaled.normalized ?? scaled
  }

  /// Creates the rotation of a Core Motion rotation matrix: device to reference, the inverse of the matrix's own
  /// direction.
  public init(rotationMatrix m: RotationMatrix) { self.init(matrix: m.matrix.transpose) }

  /// Creates the shortest rotation from the direction of `a` to the direction of `b`, or `nil` if either vector is zero
  /// or not finite. Magnitudes do not matter.
  ///
  /// If `b` is exactly opposite to `a`, every rotation by 180° about an axis perpendicular to `a` is shortest. The axis
  /// is then a × e, with e the coordinate axis least aligned with `a` (the first if several are equal): from +X to −X
  /// about +Z, from +Y to −Y about −Z, from +Z to −Z about +Y.
  public init?(from a: Vector3, to b: Vector3) {
    guard let a = a.normalized, let b = b.normalized else { return nil }
    if a.dot(b) >= 0 {
      self.init(fromUnit: a, toNearUnit: b)
    } else {
      // Beyond 90° the sum a + b loses precision. A rotation by 180° about an axis perpendicular to `a` maps `a` to −a
      // except for rounding, and the remaining rotation from −a to b about the same axis is well-conditioned.
      let axis = Quaternion.axis(perpendicularTo: a, near: a.cross(b))
      let halfTurn = Quaternion(x: axis.x, y: axis.y, z: axis.z, w: 0)
      self = Quaternion(fromUnit: -a, toNearUnit: b) * halfTurn
    }
  }

  /// Creates the shortest rotation between unit vectors at most 90° apart.
  private init(fromUnit a: Vector3, toNearUnit b: Vector3) {
    // |a + b| = 2 cos(θ/2) and a × b = sin θ u = 2 sin(θ/2) cos(θ/2) u.
    let sum = (a + b).norm
    let v = a.cross(b) / sum
    let q = Quaternion(x: v.x, y: v.y, z: v.z, w: sum / 2)
    self = q.normalized ?? q
  }

  /// Returns a unit vector perpendicular to the unit vector `a`: the component of `candidate` perpendicular to `a` if
  /// it exists, otherwise a × e for the coordinate axis e least aligned with `a`.
  private static func axis(perpendicularTo a: Vector3, near candidate: Vector3) -> Vector3 {
    if let unit = candidate.normalized, let axis = (unit - unit.dot(a) * a).normalized,
      abs(axis.dot(a)) < 1e-12
    {
      return axis
    }
    let (x, y, z) = (abs(a.x), abs(a.y), abs(a.z))
    let e: Vector3 = x <= y && x <= z ? .unitX : y <= z ? .unitY : .unitZ
    // At least one component is at most 1/√3, so the product is never short.
    return a.cross(e).normalized ?? e
  }
}
