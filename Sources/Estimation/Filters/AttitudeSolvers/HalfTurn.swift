internal import InertialNumerics
internal import InertialRotations

/// The rotations of Shuster's sequential method: none, and a half turn about each device axis.
///
/// A method that divides by one component of the quaternion fails if that component is zero. Rotating the device
/// vectors first permutes the components. At least one component of a unit quaternion has magnitude ½ or more, so one
/// of the four rotated problems is always well conditioned (Shuster and Oh 1981, "The method of sequential rotations").
/// A half turn only changes signs, so it adds no rounding error.
enum HalfTurn: CaseIterable {
  case none, aboutX, aboutY, aboutZ

  /// The signs by which the half turn multiplies the components of a vector.
  var signs: Vector3 {
    switch self {
    case .none: Vector3(1, 1, 1)
    case .aboutX: Vector3(1, -1, -1)
    case .aboutY: Vector3(-1, 1, -1)
    case .aboutZ: Vector3(-1, -1, 1)
    }
  }

  /// Returns the attitude of the device from the attitude of the rotated device, q = q' ⊗ h.
  func undone(_ q: Quaternion) -> Quaternion {
    switch self {
    case .none: q
    case .aboutX: Quaternion(x: q.w, y: q.z, z: -q.y, w: -q.x)
    case .aboutY: Quaternion(x: -q.z, y: q.w, z: q.x, w: -q.y)
    case .aboutZ: Quaternion(x: q.y, y: -q.x, z: q.w, w: -q.z)
    }
  }
}
