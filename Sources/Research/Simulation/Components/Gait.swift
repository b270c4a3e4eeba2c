/// A periodic motion during travel: a person's steps, a vehicle's vibration. Its amplitude is proportional to the
/// speed.
public struct Gait: Sendable, Equatable {
  /// The step frequency, in Hz.
  public var cadence: Double
  /// The amplitude of the vertical motion at the stated speed, in m.
  public var bounce: Double
  /// The amplitude of the roll at the stated speed, one sway every two steps, in radians.
  public var sway: Double
  /// The speed at which bounce and sway have the stated amplitudes, in m/s; more than 0.
  public var speed: Double

  /// Creates a gait from its cadence in Hz, its amplitudes in m and radians, and the speed in m/s at which they apply.
  public init(cadence: Double, bounce: Double, sway: Double = 0, speed: Double) {
    precondition(speed > 0, "a gait at \(speed) m/s")
    self.cadence = cadence
    self.bounce = bounce
    self.sway = sway
    self.speed = speed
  }

  /// Returns the height in m and the roll in radians.
  func pose(at time: Double, _ speed: Jet) -> (height: Jet, roll: Jet) {
    let strength = 1 / self.speed * speed
    // The second harmonic is the heel strike.
    let height =
      Jet.sine(bounce, frequency: cadence, at: time)
      + .sine(0.12 * bounce, frequency: 2 * cadence, phase: 0.5, at: time)
    return (strength * height, strength * .sine(sway, frequency: cadence / 2, phase: 0.8, at: time))
  }
}
