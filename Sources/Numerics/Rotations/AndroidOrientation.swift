/// Android's orientation angles in radians, as defined by `SensorManager.getOrientation`.
///
/// Android's rotation matrix maps device coordinates (Core Motion's axes) to east-north-up, and its angles are azimuth
/// = atan2(R12, R22), pitch = asin(−R32), roll = atan2(−R31, R33). Relative to Core Motion's angles in a north-west-up
/// frame, azimuth = −90° − yaw (mod 360°), pitch = −pitch, roll = roll.
public struct AndroidOrientation: Sendable, Hashable, Codable {
  /// The bearing of the top edge, clockwise from north, in radians in (−π, π].
  public var azimuth: Double
  /// The tilt of the top edge, positive downwards, in radians in [−π/2, π/2].
  public var pitch: Double
  /// The rotation about the device's Y axis, in radians in (−π, π].
  public var roll: Double

  /// Creates the angles, in radians.
  public init(azimuth: Double, pitch: Double, roll: Double) {
    self.azimuth = azimuth
    self.pitch = pitch
    self.roll = roll
  }

  /// Creates the angles from Core Motion's Euler angles in a north-west-up frame.
  public init(_ angles: EulerAngles) {
    self.init(azimuth: wrapped(-.pi / 2 - angles.yaw), pitch: -angles.pitch, roll: angles.roll)
  }

  /// Creates the angles of an attitude in a north-west-up frame; at pitch ±90° as defined by `EulerAngles`.
  public init(_ attitude: Attitude) { self.init(attitude.eulerAngles) }

  /// Core Motion's Euler angles in a north-west-up frame.
  public var eulerAngles: EulerAngles {
    EulerAngles(roll: roll, pitch: -pitch, yaw: wrapped(-.pi / 2 - azimuth))
  }
}
