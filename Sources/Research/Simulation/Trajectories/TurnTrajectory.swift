internal import InertialNumerics
public import InertialRotations

/// A rest, one rotation about an axis of the device, and a rest.
///
/// The angle follows a smooth step of seventh order: the rate's peak is 2.1875 angle / duration.
public struct TurnTrajectory: Trajectory, Equatable {
  /// The attitude at the start: a unit quaternion, device to earth.
  public var initialAttitude: Quaternion
  /// The axis in the device frame; its length does not matter.
  public var axis: Vector3
  /// The angle of rotation in radians, by the right-hand rule; it may exceed 2π.
  public var angle: Double
  /// The start of the rotation, in seconds.
  public var start: Double
  /// The duration of the rotation, in seconds; more than 0.
  public var duration: Double

  /// Creates a rotation about an axis of the device, by an angle in radians; times in seconds.
  public init(
    initialAttitude: Quaternion = .identity, axis: Vector3 = .unitZ, angle: Double = .pi / 2,
    start: Double = 5, duration: Double = 2
  ) {
    precondition(duration > 0, "a turn cannot take \(duration) s")
    self.initialAttitude = initialAttitude
    self.axis = axis
    self.angle = angle
    self.start = start
    self.duration = duration
  }

  public func state(at time: Double) -> KinematicState {
    var chain = RotationChain(from: initialAttitude)
    chain.rotate(
      about: axis.normalized ?? .unitZ,
      by: angle * Jet.smoothStep(start: start, duration: duration, at: time))
    return KinematicState(chain, isMoving: time > start && time < start + duration)
  }
}
