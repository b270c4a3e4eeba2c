internal import InertialNumerics
public import InertialRotations

/// A device on a turntable, or on a circular path: it rotates with its carrier, at a distance from the axis.
///
/// At constant speed the centripetal acceleration is constant in the device's axes. A filter without path or speed
/// information cannot distinguish it from a tilt of atan(ω² r / g).
public struct TurntableTrajectory: Trajectory, Equatable {
  /// The distance from the axis, in m.
  public var radius: Double
  /// The rotation rate about the vertical, in rad/s, counter-clockwise seen from above.
  public var rate: SpeedProfile
  /// The motion of the hand on the turntable.
  public var hand: HandMotion
  /// The mounting of the device: device to table.
  public var mount: Quaternion

  /// Creates a turntable; the radius is in m.
  public init(radius: Double, rate: SpeedProfile, hand: HandMotion = .still, mount: Quaternion = .identity) {
    self.radius = radius
    self.rate = rate
    self.hand = hand
    self.mount = mount
  }

  public func state(at time: Double) -> KinematicState {
    let angle = rate.distance(at: time)
    let hand = self.hand.pose(at: time)
    var chain = RotationChain()
    chain.rotate(yaw: angle + hand.yaw, pitch: hand.pitch, roll: hand.roll)
    chain.rotate(by: mount)
    return KinematicState(
      chain, radius * angle.cosine + hand.x, radius * angle.sine + hand.y, hand.z,
      isMoving: angle.first != 0 || self.hand.isMoving(at: time))
  }
}
