internal import InertialNumerics
internal import InertialRotations

/// A device waved in a figure of eight while the wrist rotates it: the motion that phones request to calibrate the
/// magnetometer.
public struct FigureEightTrajectory: Trajectory, Equatable {
  /// The frequency of the eights, in Hz.
  public var frequency: Double
  /// Half the eight's width, in m.
  public var width: Double
  /// Half the eight's height, m.
  public var height: Double
  /// The amplitude of the wrist's rotations, in radians: half a turn reaches most of the sphere.
  public var swing: Double

  /// Creates a motion; the defaults are typical of a hand.
  public init(frequency: Double = 0.4, width: Double = 0.25, height: Double = 0.12, swing: Double = 2.4) {
    (self.frequency, self.width, self.height, self.swing) = (frequency, width, height, swing)
  }

  public func state(at time: Double) -> KinematicState {
    // The other rotations are slower, so that no eight repeats the previous one.
    let roll = Jet.sine(swing, frequency: frequency, at: time)
    let pitch = Jet.sine(0.5 * swing, frequency: 0.37 * frequency, at: time)
    let yaw = Jet.sine(0.5 * swing, frequency: 0.23 * frequency, phase: 1, at: time)
    var chain = RotationChain()
    chain.rotate(yaw: yaw, pitch: pitch, roll: roll)
    return KinematicState(
      chain, Jet.sine(width, frequency: frequency, at: time), Jet.sine(height, frequency: 2 * frequency, at: time),
      isMoving: true)
  }
}
