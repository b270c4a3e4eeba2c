internal import InertialNumerics
public import InertialRotations

/// A journey along a level path with changing speed: on foot with a handheld device, or in a vehicle.
///
/// The forward axis of the carrier points along the path; the hand and the gait rotate the device relative to it.
public struct TravelTrajectory: Trajectory, Equatable {
  /// The path in the horizontal plane.
  public var path: LevelPath
  /// The speed along the path, in m/s.
  public var speed: SpeedProfile
  /// The gait of the person, or `nil` in a vehicle.
  public var gait: Gait?
  /// The motion of the hand.
  public var hand: HandMotion
  /// The mounting of the device: device to carrier, whose y axis points along the path and whose z axis is up.
  public var mount: Quaternion

  /// Creates a journey along a path, with the device's mounting.
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
