internal import InertialNumerics

/// A motion with a changing height: a lift, stairs, a slope.
public struct RisingTrajectory: Trajectory {
  /// The motion on level ground.
  public var base: any Trajectory
  /// The upward speed of the ground, in m/s; negative speeds go down.
  public var climb: SpeedProfile

  /// Creates a trajectory that is moved up and down.
  public init(_ base: any Trajectory, climb: SpeedProfile) {
    self.base = base
    self.climb = climb
  }

  public func state(at time: Double) -> KinematicState {
    var state = base.state(at: time)
    let height = climb.distance(at: time)
    state.position.z += height.value
    state.velocity.z += height.first
    state.acceleration.z += height.second
    state.isMoving = state.isMoving || height.first != 0
    return state
  }
}
