internal import InertialNumerics
public import InertialRotations

/// A device on a turntable, or carried round a circle: it turns with what carries it, at a distance from the axis.
///
/// At constant speed the centripetal acceleration is constant in the device's axes, and no filter that knows neither path
/// nor speed can tell it from a tilt of atan(ω² r / g).
public struct TurntableTrajectory: Trajectory, Equatable {
  /// Distance from the axis, m.
  public var radius: Double
  /// rad/s about the vertical, counter-clockwise seen from above.
  public var rate: SpeedProfile
  /// What the hand on the turntable does.
  public var hand: HandMotion
  /// How the device lies on the table: device to table.
  public var mount: Quaternion

  /// A turntable: metres from the axis, and how fast it turns.
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
