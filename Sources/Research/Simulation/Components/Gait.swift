/// What repeats itself while something travels: a person's steps, a vehicle's vibration. It grows with the speed.
public struct Gait: Sendable, Equatable {
  /// Steps per second, Hz.
  public var cadence: Double
  /// Amplitude of the rise and fall at the stated speed, m.
  public var bounce: Double
  /// Amplitude of the roll at the stated speed, one sway every two steps, radians.
  public var sway: Double
  /// The speed at which bounce and sway are as stated, m/s; more than 0.
  public var speed: Double

  /// A gait: steps per second, metres, radians, and the speed in m/s at which they are so.
  public init(cadence: Double, bounce: Double, sway: Double = 0, speed: Double) {
    precondition(speed > 0, "a gait at \(speed) m/s")
    self.cadence = cadence
    self.bounce = bounce
    self.sway = sway
    self.speed = speed
  }

  /// Height in m and roll in radians.
  func pose(at time: Double, _ speed: Jet) -> (height: Jet, roll: Jet) {
    let strength = 1 / self.speed * speed
    // The second harmonic is the heel strike.
    let height =
      Jet.sine(bounce, frequency: cadence, at: time)
      + .sine(0.12 * bounce, frequency: 2 * cadence, phase: 0.5, at: time)
    return (strength * height, strength * .sine(sway, frequency: cadence / 2, phase: 0.8, at: time))
  }
}
