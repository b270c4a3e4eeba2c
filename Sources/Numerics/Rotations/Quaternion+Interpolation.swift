extension Quaternion {
  /// The inverse of a nonzero quaternion: the conjugate over the squared norm. For a unit quaternion, it is the inverse
  /// rotation and equals `conjugate`, which is faster. The inverse of zero is not finite.
  public var inverse: Quaternion {
    let n = squaredNorm
    return Quaternion(x: -x / n, y: -y / n, z: -z / n, w: w / n)
  }

  /// Returns the inner product of the four components: the cosine of half the angle between two orientations.
  public func dot(_ other: Quaternion) -> Double {
    x * other.x + y * other.y + z * other.z + w * other.w
  }

  /// Returns the spherical linear interpolation from self at fraction 0 to the rotation `other` at fraction 1, at
  /// constant angular rate, by the shorter arc. Fractions outside 0...1 extrapolate.
  ///
  /// Both must be unit quaternions; their signs do not matter for the rotation, and the result is continuous in the
  /// fraction starting from self. Between two orientations exactly 180° apart, both arcs have equal length; then the
  /// rotation is about the axis +(x, y, z) of self⁻¹ ⊗ `other`, which depends on the sign of `other` and on rounding
  /// errors. No formula resolves this ambiguity, so avoid interpolation across rotations by 180°.
  ///
  /// Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985, as q₀ ⊗ (q₀⁻¹ ⊗ q₁)^t, which needs no
  /// special case for small angles.
  public func slerp(to other: Quaternion, fraction: Double) -> Quaternion {
    self * Quaternion(rotationVector: fraction * (conjugate * other).rotationVector)
  }

  /// Returns the weighted mean of rotations, which minimises the weighted sum of squared angles to all of them.
  ///
  /// Signs of the quaternions do not matter. The mean is well defined if all rotations lie within 90° of it; with wider
  /// spreads the result is a local optimum. It is `nil` if there are no rotations, if the weights do not sum to a
  /// positive finite number or if the rotations cancel.
  ///
  /// The iteration of Manton, "A globally convergent numerical algorithm for computing the centre of mass on compact
  /// Lie groups", ICARCV 2004: the mean of the logarithms at the estimate is its correction.
  ///
  /// - Parameters:
  ///   - rotations: The rotations.
  ///   - weights: One weight ≥ 0 per rotation, or `nil` for equal weights.
  public static func mean(of rotations: [Quaternion], weights: [Double]? = nil) -> Quaternion? {
    precondition(
      weights == nil || weights?.count == rotations.count, "the mean of rotations needs one weight per rotation"
    )
    let weight = { (index: Int) in weights?[index] ?? 1 }
    guard let first = rotations.first else { return nil }
    let total = rotations.indices.reduce(0) { $0 + weight($1) }
    guard total > 0, total.isFinite else { return nil }
    // The start value is the sum of the quaternions, with signs to match the first one.
    var sum = Quaternion(x: 0, y: 0, z: 0, w: 0)
    for (index, q) in rotations.enumerated() {
      let s = q.dot(first) < 0 ? -weight(index) : weight(index)
      sum = Quaternion(x: sum.x + s * q.x, y: sum.y + s * q.y, z: sum.z + s * q.z, w: sum.w + s * q.w)
    }
    guard var mean = sum.normalized else { return nil }
    for _ in 0..<100 {
      var correction = Vector3.zero
      for (index, q) in rotations.enumerated() {
        correction += weight(index) * (mean.conjugate * q).rotationVector
      }
      correction /= total
      let next = mean * Quaternion(rotationVector: correction)
      guard let next = next.normalized else { return nil }
      mean = next
      if correction.norm < 1e-14 { break }
    }
    return mean
  }
}
