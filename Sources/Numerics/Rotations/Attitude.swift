/// The orientation of a device relative to a reference frame whose Z axis points up, with the semantics of Core Motion.
///
/// Unlike Apple's class, this is a value: `multiply(byInverseOf:)` changes only this variable.
public struct Attitude: Sendable, Hashable, Codable {
  /// The unit quaternion that maps device to reference: v_reference = q ⊗ v_device ⊗ q⁻¹.
  ///
  /// Apple describes the same quaternion as the rotation from the reference frame to the device's current frame.
  public let quaternion: Quaternion

  /// Creates the attitude of a quaternion that maps device to reference.
  ///
  /// A quaternion whose squared norm is 1 to 1e-6 is kept exactly: Apple's own are no more precise, and its angles are
  /// derived from them. Any other is normalised. A zero quaternion or one that is not finite is kept unchanged, and all
  /// results derived from it are meaningless.
  @inlinable
  public init(quaternion: Quaternion) {
    let isUnit = abs(quaternion.squaredNorm - 1) <= 1e-6
    self.quaternion = isUnit ? quaternion : quaternion.normalized ?? quaternion
  }

  /// Creates the attitude of a matrix that maps reference to device, as Core Motion's does.
  public init(rotationMatrix: RotationMatrix) {
    self.init(quaternion: Quaternion(rotationMatrix: rotationMatrix))
  }

  /// Creates the attitude of Core Motion's Euler angles.
  public init(eulerAngles: EulerAngles) { self.init(quaternion: Quaternion(eulerAngles: eulerAngles)) }

  /// The attitude of a device aligned with its reference frame: flat, face up, yaw 0.
  public static let identity = Attitude(quaternion: .identity)

  /// The matrix that maps reference to device: the transpose of the quaternion's textbook matrix.
  public var rotationMatrix: RotationMatrix { RotationMatrix(quaternion) }

  /// Roll about Y, pitch about X and yaw about Z; at pitch ±90° as defined by `EulerAngles`.
  public var eulerAngles: EulerAngles { EulerAngles(quaternion) }

  /// The rotation about the device's Y axis, in radians in (−π, π]. For several angles, reading `eulerAngles` once is
  /// faster.
  public var roll: Double { eulerAngles.roll }

  /// The rotation about the device's X axis, in radians in [−π/2, π/2].
  public var pitch: Double { eulerAngles.pitch }

  /// The rotation about the vertical, counter-clockwise seen from above, in radians in (−π, π].
  public var yaw: Double { eulerAngles.yaw }

  /// The direction of gravity in the device frame, of norm 1: R(q)ᵀ (0, 0, −1). It is (0, 0, −1) for a device lying
  /// flat and face up.
  @inlinable
  public var gravity: Vector3 {
    let q = quaternion
    return Vector3(
      2 * (q.w * q.y - q.x * q.z), -2 * (q.y * q.z + q.w * q.x), 2 * (q.x * q.x + q.y * q.y) - 1)
  }

  /// Converts a vector from device coordinates to reference coordinates.
  public func toReference(_ v: Vector3) -> Vector3 { quaternion.rotate(v) }

  /// Converts a vector from reference coordinates to device coordinates.
  public func toDevice(_ v: Vector3) -> Vector3 { quaternion.rotateInverse(v) }

  /// Makes this attitude relative to `attitude`: a := b⁻¹ ⊗ a, so that a maps device to the pose b.
  ///
  /// With Apple's matrices, which map in the other direction, this is M_a := M_a M_bᵀ, "a times the inverse of b". The
  /// effect on gravity shows the order: R(b⁻¹ ⊗ a) g_a = g_b for the gravity vectors in the device frame at a and b.
  public mutating func multiply(byInverseOf attitude: Attitude) {
    self = multiplied(byInverseOf: attitude)
  }

  /// Returns this attitude relative to `attitude`: b⁻¹ ⊗ a.
  public func multiplied(byInverseOf attitude: Attitude) -> Attitude {
    Attitude(quaternion: attitude.quaternion.conjugate * quaternion)
  }
}
