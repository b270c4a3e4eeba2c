internal import InertialSensors

/// Bouts of shaking by hand between pauses: a device swung to and fro along one axis, with the turn that the
/// wrist adds.
public struct ShakeTrajectory: Trajectory, Equatable {
  /// Swings to and fro per second, in Hz; a hand does 3 to 5.
  public var frequency: Double
  /// Amplitude of the main harmonic of the acceleration, in g.
  public var peakAcceleration: Double
  /// Amplitude of the wrist's turn in radians.
  public var swing: Double
  /// Mean pitch of the device in radians: 0 = screen up, π/2 = upright.
  public var pitch: Double
  /// Length of a pause, in seconds; every cycle begins with one.
  public var pauseDuration: Double
  /// Length of a bout, in seconds, the rise and the fall of 0.3 s each included; at least 0.6.
  public var boutDuration: Double

  /// Seconds in which a bout swells and dies down.
  static let rampDuration = 0.3

  /// Bouts of shaking: Hz, g, radians, radians, seconds, seconds.
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
      // A hand does not swing in a pure sine: it stops harder on one side.
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
