internal import InertialNumerics
internal import InertialRotations

/// The rotations of Shuster's sequential method: none, and a half turn about each device axis.
///
/// A method that divides by one component of the quaternion fails where that component is zero. The problem with
/// device vectors turned first has the components in another place: of a unit quaternion one component is at least ½
/// in size, so one of the four turned problems is always well conditioned (Shuster and Oh 1981, "The method of
/// sequential rotations"). A half turn only changes signs, so nothing is lost to rounding.
enum HalfTurn: CaseIterable {
  case none, aboutX, aboutY, aboutZ

  /// The signs that the components of a vector get.
  var signs: Vector3 {
    switch self {
    case .none: Vector3(1, 1, 1)
    case .aboutX: Vector3(1, -1, -1)
    case .aboutY: Vector3(-1, 1, -1)
    case .aboutZ: Vector3(-1, -1, 1)
    }
  }

  /// The attitude of the device from that of the turned one, q = q' ⊗ h.
  func undone(_ q: Quaternion) -> Quaternion {
    switch self {
    case .none: q
    case .aboutX: Quaternion(x: q.w, y: q.z, z: -q.y, w: -q.x)
    case .aboutY: Quaternion(x: -q.z, y: q.w, z: q.x, w: -q.y)
    case .aboutZ: Quaternion(x: q.y, y: -q.x, z: q.w, w: -q.z)
    }
  }
}
