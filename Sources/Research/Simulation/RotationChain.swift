internal import InertialNumerics
internal import InertialRotations

/// An attitude as a product of rotations about fixed axes by angles that change, with its angular rate.
///
/// Each factor turns the device about an axis of the frame that the factors before it have made (intrinsic
/// rotations). For q = a ⊗ b the device-frame rate is ω = R(b)ᵀ ω_a + ω_b, exact whatever the angles do.
struct RotationChain {
  private(set) var attitude: Quaternion
  /// rad/s in the device frame.
  private(set) var angularRate = Vector3.zero

  init(from attitude: Quaternion = .identity) { self.attitude = attitude }

  /// Appends a rotation about a unit vector by an angle in radians.
  mutating func rotate(about axis: Vector3, by angle: Jet) {
    rotate(by: Quaternion(angle: angle.value, axis: axis))
    angularRate += angle.first * axis
  }

  /// Appends a rotation that does not change.
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
