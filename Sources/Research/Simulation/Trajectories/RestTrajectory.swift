public import InertialRotations

/// A device at rest.
public struct RestTrajectory: Trajectory, Equatable {
  /// The attitude: a unit quaternion, device to earth.
  public var attitude: Quaternion

  /// Creates a rest in an attitude.
  public init(attitude: Quaternion = .identity) { self.attitude = attitude }

  public func state(at time: Double) -> KinematicState { KinematicState(attitude: attitude, isMoving: false) }
}
