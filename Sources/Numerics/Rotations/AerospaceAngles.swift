internal import InertialSystem

/// The aerospace Euler angles in radians: yaw (heading), pitch (nose up) and roll (right wing down) of a body frame
/// front-right-down relative to the earth frame north-east-down.
///
/// The matrix from body to earth is R = Rz(yaw) Ry(pitch) Rx(roll), the intrinsic order Z-Y′-X″ (DIN 9300, ISO 1151).
/// At pitch ±90°, within 2e-10 rad, roll is 0 and yaw contains the whole rotation.
public struct AerospaceAngles: Sendable, Hashable, Codable {
  /// The rotation about the front axis, positive right side down, in radians in (−π, π].
  public var roll: Double
  /// The rotation about the right axis, positive nose up, in radians in [−π/2, π/2].
  public var pitch: Double
  /// The rotation about down, clockwise from north seen from above, in radians in (−π, π].
  public var yaw: Double

  /// Creates the angles, in radians; they may exceed the ranges that conversions return.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// Creates the angles of a unit quaternion that maps front-right-down body coordinates to north-east-down.
  public init(earthNEDFromBodyFRD q: Quaternion) {
    // From q = qz(ψ) qy(θ) qx(φ), halves throughout:
    //   w + y = (cos θ + sin θ) cos(ψ − φ),  z − x = (cos θ + sin θ) sin(ψ − φ),
    //   w − y = (cos θ − sin θ) cos(ψ + φ),  z + x = (cos θ − sin θ) sin(ψ + φ).
    let angles = TaitBryan(plus: (q.w + q.y, q.z - q.x), minus: (q.w - q.y, q.z + q.x))
    self.init(roll: wrapped(-angles.inner), pitch: angles.middle, yaw: angles.outer)
  }

  /// Creates the angles of an attitude in a north-west-up reference frame.
  ///
  /// - Parameters:
  ///   - attitude: The attitude.
  ///   - body: The device's axes on the vehicle; `rightFrontUp` for a phone lying flat with its top edge to the front.
  public init(_ attitude: Attitude, body: BodyFrame = .rightFrontUp) {
    let earthNEDFromBody = EarthFrame.quaternion(attitude.quaternion, from: .nwu, to: .ned)
    self.init(earthNEDFromBodyFRD: BodyFrame.quaternion(earthNEDFromBody, from: body, to: .frontRightDown))
  }

  /// The rotation qz(yaw) ⊗ qy(pitch) ⊗ qx(roll), which maps body FRD to earth NED.
  public var earthNEDFromBodyFRD: Quaternion {
    let (cr, sr) = (cos(roll / 2), sin(roll / 2))
    let (cp, sp) = (cos(pitch / 2), sin(pitch / 2))
    let (cy, sy) = (cos(yaw / 2), sin(yaw / 2))
    return Quaternion(
      x: cy * cp * sr - sy * sp * cr,
      y: cy * sp * cr + sy * cp * sr,
      z: sy * cp * cr - cy * sp * sr,
      w: cy * cp * cr + sy * sp * sr)
  }
}
