internal import InertialSystem

/// The aerospace Euler angles in radians: yaw (heading), pitch (nose up) and roll (right wing down) of a body
/// frame front-right-down against the earth frame north-east-down.
///
/// The matrix from body to earth is R = Rz(yaw) Ry(pitch) Rx(roll), the intrinsic order Z-Y′-X″ (DIN 9300,
/// ISO 1151).
/// At pitch ±90°, within 2e-10 rad, roll is 0 and yaw takes the whole turn.
public struct AerospaceAngles: Sendable, Hashable, Codable {
  /// The turn about the front axis, positive right side down, radians in (−π, π].
  public var roll: Double
  /// The turn about the right axis, positive nose up, radians in [−π/2, π/2].
  public var pitch: Double
  /// The turn about down, clockwise from north seen from above, radians in (−π, π].
  public var yaw: Double

  /// The angles as given, in radians; they need not be in the ranges that conversions return.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// The angles of a unit quaternion that maps front-right-down body coordinates to north-east-down.
  public init(earthNEDFromBodyFRD q: Quaternion) {
    // From q = qz(ψ) qy(θ) qx(φ), halves throughout:
    //   w + y = (cos θ + sin θ) cos(ψ − φ),  z − x = (cos θ + sin θ) sin(ψ − φ),
    //   w − y = (cos θ − sin θ) cos(ψ + φ),  z + x = (cos θ − sin θ) sin(ψ + φ).
    let angles = TaitBryan(plus: (q.w + q.y, q.z - q.x), minus: (q.w - q.y, q.z + q.x))
    self.init(roll: wrap(-angles.inner), pitch: angles.middle, yaw: angles.outer)
  }

  /// The angles of an attitude in a north-west-up reference frame.
  /// - `body`: what the device's axes are on the vehicle; a phone lying flat with its top edge to
  ///   the front is `rightFrontUp`.
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
