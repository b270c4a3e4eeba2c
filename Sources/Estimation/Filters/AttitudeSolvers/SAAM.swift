internal import InertialNumerics
public import InertialRotations

/// The super-fast attitude from accelerometer and magnetometer: the eigenvector of Davenport's matrix written out.
///
/// Wu, Zhou, Fourati and Liu, "A super fast attitude determination algorithm for consumer-level accelerometer and
/// magnetometer", IEEE Trans. Consum. Electron. 64 (2018), eqs. (12) and (16). The dip comes from the sample, so the
/// eigenvalue is exactly 1 and the weights cancel.
public enum SAAM: TwoVectorMethod {
  public static let name = "saam"
  public static let summary = "the eigenvector of gravity and field in closed form, dip from the sample"
  public static let source = "Wu, Zhou, Fourati and Liu 2018"

  public static func levelFromDevice(up: Vector3, field: Vector3) throws(OneShotError) -> Quaternion {
    // Eq. (12), with the root of 1 − m_D² as a norm, which keeps its digits in a steep field.
    let vertical = up.dot(field)
    let horizontal = up.cross(field).norm
    guard horizontal > Triad.minimumSine else { throw .undetermined }
    // The vector of eq. (16) is 4 m_N q_x q. It vanishes with q_x, so a rotated problem with a large q_x is solved.
    for turn in HalfTurn.allCases {
      let q = eigenvector(
        up.turned(about: turn), field.turned(about: turn), horizontal: horizontal, vertical: vertical)
      let norm = q.norm
      // One of the four has |q_x| ≥ ½; the first with at least 0.4 is used.
      guard norm >= 1.6 * horizontal else { continue }
      return turn.undone(Quaternion(x: q.x / norm, y: q.y / norm, z: q.z / norm, w: q.w / norm))
    }
    throw .undetermined
  }

  /// Returns the vector of eq. (16), not normalised. The paper's quaternion is its conjugate with the opposite sign.
  private static func eigenvector(
    _ a: Vector3, _ m: Vector3, horizontal mN: Double, vertical mD: Double
  ) -> Quaternion {
    Quaternion(
      x: (a.z - 1) * (mN + m.x) + a.x * (mD - m.z),
      y: (a.z - 1) * m.y + a.y * (mD - m.z),
      z: a.z * mD - a.x * mN - m.z,
      w: a.x * m.y - a.y * (mN + m.x))
  }
}
