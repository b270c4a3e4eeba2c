internal import InertialNumerics
internal import InertialRotations

/// Classical coning: the device's z axis runs round a cone about the vertical while the device as a whole does
/// not turn about it. The hardest test for integrating a gyroscope.
///
/// q(t) = Rz(Ωt) Rx(φ) Rz(−Ωt) with φ the half angle and Ω = 2π · frequency. The rate in the device frame is
/// Ω (−sin φ sin Ωt, sin φ cos Ωt, cos φ − 1): its constant part about z is what an integration that
/// overlooks the coning takes for a drift (Savage, "Strapdown inertial navigation integration algorithm
/// design, part 1: attitude algorithms", 1998).
public struct ConingTrajectory: Trajectory, Equatable {
  /// The cone's half angle φ in radians.
  public var halfAngle: Double
  /// Rounds per second, in Hz.
  public var frequency: Double

  /// A cone: radians and Hz.
  public init(halfAngle: Double = 0.2, frequency: Double = 1) {
    self.halfAngle = halfAngle
    self.frequency = frequency
  }

  public func state(at time: Double) -> KinematicState {
    let phase = Jet.linear(rate: 2 * .pi * frequency, at: time)
    var chain = RotationChain()
    chain.rotate(about: .unitZ, by: phase)
    chain.rotate(about: .unitX, by: .constant(halfAngle))
    chain.rotate(about: .unitZ, by: -1 * phase)
    return KinematicState(chain, isMoving: true)
  }
}
