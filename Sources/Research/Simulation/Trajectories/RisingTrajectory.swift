internal import InertialNumerics

/// A motion on ground that rises and falls: a lift, stairs, a slope.
public struct RisingTrajectory: Trajectory {
  /// The motion on level ground.
  public var base: any Trajectory
  /// Upward speed of the ground, m/s; below 0 it falls.
  public var climb: SpeedProfile

  /// Another trajectory, carried up and down.
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
