internal import InertialNumerics
internal import InertialRotations

/// An attitude as a product of rotations about fixed axes by varying angles, with its angular rate.
///
/// Each factor rotates the device about an axis of the frame after the previous factors (intrinsic rotations). For q =
/// a ⊗ b, the device-frame rate is ω = R(b)ᵀ ω_a + ω_b, exact for all angles.
struct RotationChain {
  private(set) var attitude: Quaternion
  /// The angular rate in the device frame, in rad/s.
  private(set) var angularRate = Vector3.zero

  init(from attitude: Quaternion = .identity) { self.attitude = attitude }

  /// Appends a rotation about a unit vector by an angle in radians.
  mutating func rotate(about axis: Vector3, by angle: Jet) {
    rotate(by: Quaternion(angle: angle.value, axis: axis))
    angularRate += angle.first * axis
  }

  /// Appends a constant rotation.
  mutating func rotate(by rotation: Quaternion) {
    attitude = attitude * rotation
    angularRate = rotation.rotateInverse(angularRate)
  }

  /// Appends yaw about z, pitch about x and roll about y, in radians (Core Motion's Euler angles).
  mutating func rotate(yaw: Jet = .zero, pitch: Jet = .zero, roll: Jet = .zero) {
    rotate(about: .unitZ, by: yaw)
    rotate(about: .unitX, by: pitch)
    rotate(about: .unitY, by: roll)
  }
}
