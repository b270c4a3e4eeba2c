/// A level circle at constant speed, counter-clockwise seen from above, with the top of the device (+y) always in the
/// direction of travel.
///
/// The centripetal acceleration never averages out in the device frame: a filter that treats the specific force as
/// gravity tilts by atan(v² / (r g)).
public struct CircleTrajectory: Trajectory, Equatable {
  /// The radius, in m; more than 0.
  public var radius: Double
  /// The speed, in m/s.
  public var speed: Double

  /// Creates a circle; the radius is in m, the speed in m/s.
  public init(radius: Double = 5, speed: Double = 1.5) {
    precondition(radius > 0, "a circle of radius \(radius) m")
    self.radius = radius
    self.speed = speed
  }

  public func state(at time: Double) -> KinematicState {
    let frequency = speed / (2 * .pi * radius)
    var chain = RotationChain()
    // The velocity points along (−sin, cos), to which yaw rotates the y axis.
    chain.rotate(yaw: .linear(rate: speed / radius, at: time))
    return KinematicState(
      chain, .cosine(radius, frequency: frequency, at: time), .sine(radius, frequency: frequency, at: time),
      isMoving: speed != 0)
  }
}
