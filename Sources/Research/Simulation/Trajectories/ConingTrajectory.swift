internal import InertialNumerics
internal import InertialRotations

/// Classical coning: the device's z axis moves along a cone about the vertical, without a net rotation of the device
/// about it. It is the hardest test for the integration of a gyroscope.
///
/// q(t) = Rz(Ωt) Rx(φ) Rz(−Ωt) with φ the half angle and Ω = 2π · frequency. The rate in the device frame is Ω (−sin φ
/// sin Ωt, sin φ cos Ωt, cos φ − 1): an integration that ignores the coning mistakes its constant part about z for a
/// drift (Savage, "Strapdown inertial navigation integration algorithm design, part 1: attitude algorithms", 1998).
public struct ConingTrajectory: Trajectory, Equatable {
  /// The cone's half angle φ in radians.
  public var halfAngle: Double
  /// The frequency, in Hz.
  public var frequency: Double

  /// Creates a coning motion; the half angle is in radians, the frequency in Hz.
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
