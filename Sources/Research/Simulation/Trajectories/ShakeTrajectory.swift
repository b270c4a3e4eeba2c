internal import InertialSensors

/// Bouts of shaking by hand between pauses: a device that swings back and forth along one axis, with the wrist's
/// rotation.
public struct ShakeTrajectory: Trajectory, Equatable {
  /// The frequency of the swings, in Hz; 3 to 5 for a hand.
  public var frequency: Double
  /// The amplitude of the main harmonic of the acceleration, in g.
  public var peakAcceleration: Double
  /// The amplitude of the wrist's rotation, in radians.
  public var swing: Double
  /// The mean pitch of the device, in radians: 0 = screen up, π/2 = upright.
  public var pitch: Double
  /// The duration of a pause, in seconds; every cycle begins with a pause.
  public var pauseDuration: Double
  /// The duration of a bout, in seconds, including the rise and the fall of 0.3 s each; at least 0.6.
  public var boutDuration: Double

  /// The duration of a bout's rise and of its fall, in seconds.
  static let rampDuration = 0.3

  /// Creates bouts of shaking; in Hz, g, radians, radians, seconds, seconds.
  public init(
    frequency: Double = 4, peakAcceleration: Double = 2.5, swing: Double = 0.25, pitch: Double = 0.7,
    pauseDuration: Double = 4, boutDuration: Double = 3
  ) {
    precondition(frequency > 0, "a shake of \(frequency) Hz")
    precondition(pauseDuration >= 0, "a pause of \(pauseDuration) s")
    precondition(boutDuration >= 2 * Self.rampDuration, "a bout of \(boutDuration) s is shorter than 0.6 s")
    self.frequency = frequency
    self.peakAcceleration = peakAcceleration
    self.swing = swing
    self.pitch = pitch
    self.pauseDuration = pauseDuration
    self.boutDuration = boutDuration
  }

  public func state(at time: Double) -> KinematicState {
    let cycle = pauseDuration + boutDuration
    let begin = (time / cycle).rounded(.down) * cycle + pauseDuration
    let ramp = Self.rampDuration
    let strength =
      Jet.smoothStep(start: begin, duration: ramp, at: time)
      - Jet.smoothStep(start: begin + boutDuration - ramp, duration: ramp, at: time)

    let omega = 2 * Double.pi * frequency
    let amplitude = peakAcceleration * standardGravity / (omega * omega)
    let side =
      Jet.sine(amplitude, frequency: frequency, at: time)
      // A hand does not swing in a pure sine: it decelerates more strongly on one side.
      + .sine(0.05 * amplitude, frequency: 2 * frequency, phase: 0.8, at: time)
    let along = Jet.sine(0.25 * amplitude, frequency: frequency, phase: 0.9, at: time)
    let up = Jet.sine(0.15 * amplitude, frequency: 2 * frequency, phase: 0.3, at: time)

    var chain = RotationChain()
    chain.rotate(
      yaw: strength * .sine(0.3 * swing, frequency: frequency, phase: 1.2, at: time),
      pitch: .constant(pitch) + strength * .sine(0.2 * swing, frequency: 2 * frequency, at: time),
      roll: strength * .sine(swing, frequency: frequency, phase: 0.5, at: time))
    return KinematicState(
      chain, strength * side, strength * along, strength * up,
      isMoving: time > begin && time < begin + boutDuration)
  }
}
