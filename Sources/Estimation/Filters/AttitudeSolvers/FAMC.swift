internal import InertialNumerics
package import InertialRotations

/// The fast accelerometer-magnetometer combination: Davenport's equation by elimination, with a known eigenvalue.
///
/// Liu, Liu, Gong and Wu, "Simplified attitude determination algorithm using accelerometer and magnetometer with
/// extremely low execution time", Journal of Sensors (2018). The dip comes from the sample, so the largest eigenvalue
/// is 1 with equal weights, and the rows of K − I are eliminated one by one, eqs. (18) to (23). The paper sets the
/// scalar part to −1, which fails at half turns; here the device is rotated first if the pivots require it.
package enum FAMC: TwoVectorMethod {
  package static let name = "famc"
  package static let summary = "Davenport's equation of gravity and field by elimination, dip from the sample"
  package static let source = "Liu, Liu, Gong and Wu 2018"

  package static func levelFromDevice(up: Vector3, field: Vector3) throws(OneShotError) -> Quaternion {
    // Eq. (13).
    let vertical = up.dot(field)
    let horizontal = up.cross(field).norm
    guard horizontal > Triad.minimumSine else { throw .undetermined }
    for turn in HalfTurn.allCases {
      let (a, m) = (up.turned(about: turn), field.turned(about: turn))
      // Eq. (18): B = ½ Σ e dᵀ has an empty second row.
      let north = 0.5 * horizontal * m
      let top = 0.5 * (vertical * m + a)
      guard let v = eliminate(north, top, minimumDeterminant: 0.4 * horizontal * horizontal) else { continue }
      let norm = (1 + v.squaredNorm).squareRoot()
      return turn.undone(Quaternion(x: v.x / norm, y: v.y / norm, z: v.z / norm, w: 1 / norm))
    }
    throw .undetermined
  }

  /// Returns the vector part of the null vector of K − I for scalar part 1, or `nil` if the scalar part is small.
  ///
  /// α₁, α₂ and α₃ are the pivots of I − K without the scalar row. Their product is 2 m_N² q_w², and of the four
  /// turned problems one has q_w² ≥ ¼. The first above 0.2 will do.
  private static func eliminate(_ north: Vector3, _ top: Vector3, minimumDeterminant: Double) -> Vector3? {
    let tau = north.z + top.x
    let alpha1 = 1 - north.x + top.z
    guard alpha1 > 0 else { return nil }
    let alpha2 = 1 + north.x + top.z - north.y * north.y / alpha1
    guard alpha2 > 0 else { return nil }
    let coupling = top.y + north.y * tau / alpha1
    let alpha3 = 1 + north.x - top.z - tau * tau / alpha1 - coupling * coupling / alpha2
    guard alpha1 * alpha2 * alpha3 >= minimumDeterminant else { return nil }
    // The right-hand side is the vector part of K: forward elimination, then back substitution.
    let right1 = top.y
    let right2 = north.z - top.x + north.y * right1 / alpha1
    let right3 = -north.y + tau * right1 / alpha1 + coupling * right2 / alpha2
    let z = right3 / alpha3
    let y = (right2 + coupling * z) / alpha2
    let x = (right1 + north.y * y + tau * z) / alpha1
    return Vector3(x, y, z)
  }
}
