internal import InertialNumerics
public import InertialRotations

/// A journey along a level path with changing speed: on foot with a device in the hand, or in a vehicle.
///
/// The top of the carrier points along the path; the hand and the gait turn the device against it.
public struct TravelTrajectory: Trajectory, Equatable {
  /// Where the way leads.
  public var path: LevelPath
  /// m/s along the path.
  public var speed: SpeedProfile
  /// How the person walks; nil = in a vehicle.
  public var gait: Gait?
  /// What the hand does meanwhile.
  public var hand: HandMotion
  /// How the device is held: device to carrier, whose y axis points along the path and whose z axis is up.
  public var mount: Quaternion

  /// A way along a path, and how the device is held.
  public init(
    path: LevelPath, speed: SpeedProfile, gait: Gait? = nil, hand: HandMotion = .still, mount: Quaternion = .identity
  ) {
    self.path = path
    self.speed = speed
    self.gait = gait
    self.hand = hand
    self.mount = mount
  }

  public func state(at time: Double) -> KinematicState {
    let point = path.point(at: speed.distance(at: time))
    let hand = self.hand.pose(at: time)
    let now = speed.speed(at: time)
    let step = gait?.pose(at: time, now) ?? (height: .zero, roll: .zero)
    var chain = RotationChain()
    chain.rotate(
      yaw: .constant(-.pi / 2) + point.direction + hand.yaw, pitch: hand.pitch, roll: hand.roll + step.roll)
    chain.rotate(by: mount)
    return KinematicState(
      chain, point.x + hand.x, point.y + hand.y, hand.z + step.height,
      isMoving: now.value != 0 || self.hand.isMoving(at: time))
  }
}
