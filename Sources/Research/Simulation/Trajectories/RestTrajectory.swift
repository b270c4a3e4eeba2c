public import InertialRotations

/// A device that lies still.
public struct RestTrajectory: Trajectory, Equatable {
  /// Unit quaternion, device to earth.
  public var attitude: Quaternion

  /// Rest in an attitude.
  public init(attitude: Quaternion = .identity) { self.attitude = attitude }

  public func state(at time: Double) -> KinematicState { KinematicState(attitude: attitude, isMoving: false) }
}
