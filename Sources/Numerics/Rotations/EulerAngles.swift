internal import InertialSystem

/// Core Motion's Euler angles in radians: roll about the device's Y axis, pitch about X, yaw about Z.
///
/// The textbook matrix of the attitude (device to reference) is R = Rz(yaw) Rx(pitch) Ry(roll), the intrinsic order
/// Z-X′-Y″. These are not the aerospace angles, see `AerospaceAngles`. In terms of R: pitch = asin(R32), roll =
/// atan2(−R31, R33), yaw = atan2(−R12, R22); verified on device logs to 4.4e-16 rad.
///
/// Gimbal lock: at pitch ±90°, a phone held upright, roll and yaw are rotations about the same vertical axis and only
/// their sum (at +90°) or difference (at −90°) is defined. Within 2e-10 rad of ±90° roll is 0 and yaw contains the
/// whole rotation. Elsewhere the angles are exact, but they change fast near ±90°: roll and yaw multiply the noise of
/// the attitude by 1 / cos(pitch). For the direction of an upright phone, use `Attitude.heading(pointing:)`.
public struct EulerAngles: Sendable, Hashable, Codable {
  /// The rotation about the device's Y axis (top edge), in radians in (−π, π].
  public var roll: Double
  /// The rotation about the device's X axis (right side), in radians in [−π/2, π/2].
  public var pitch: Double
  /// The rotation about the vertical, counter-clockwise seen from above, in radians in (−π, π].
  public var yaw: Double

  /// Creates the angles, in radians; they may exceed the ranges that conversions return.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// Creates the angles of a unit quaternion that maps device to reference. The quaternion's sign does not matter.
  ///
  /// Up to |sin pitch| = 0.999 these are Core Motion's formulas, applied to the components without normalisation:
  /// Apple's quaternions have norm 1 to single precision only, and both Apple's angles and these follow from them to
  /// 4e-16 rad. Beyond, where those formulas lose precision, the angles are derived from sums and differences that do
  /// not; for a quaternion of norm 1 both methods agree except for rounding.
  public init(_ q: Quaternion) {
    let sinPitch = 2 * (q.y * q.z + q.w * q.x)
    guard abs(sinPitch) <= 0.999 else {
      // From q = qz(ψ) qx(θ) qy(φ), halves throughout:
      //   w + x = (cos θ + sin θ) cos(ψ + φ),  z + y = (cos θ + sin θ) sin(ψ + φ),
      //   w − x = (cos θ − sin θ) cos(ψ − φ),  z − y = (cos θ − sin θ) sin(ψ − φ).
      let angles = TaitBryan(plus: (q.w + q.x, q.z + q.y), minus: (q.w - q.x, q.z - q.y))
      self.init(roll: angles.inner, pitch: angles.middle, yaw: angles.outer)
      return
    }
    let roll = atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    let yaw = atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z))
    // `wrapped` converts the −π of a negative zero to +π.
    self.init(roll: wrapped(roll), pitch: asin(sinPitch), yaw: wrapped(yaw))
  }
}

extension Quaternion {
  /// Creates the rotation qz(yaw) ⊗ qx(pitch) ⊗ qy(roll), device to reference.
  public init(eulerAngles angles: EulerAngles) {
    let (cr, sr) = (cos(angles.roll / 2), sin(angles.roll / 2))
    let (cp, sp) = (cos(angles.pitch / 2), sin(angles.pitch / 2))
    let (cy, sy) = (cos(angles.yaw / 2), sin(angles.yaw / 2))
    self.init(
      x: cy * sp * cr - sy * cp * sr,
      y: cy * cp * sr + sy * sp * cr,
      z: cy * sp * sr + sy * cp * cr,
      w: cy * cp * cr - sy * sp * sr)
  }
}
