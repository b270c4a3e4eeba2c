internal import InertialNumerics
public import InertialRotations

/// A device held on the spot by an unsteady hand, with turns about the vertical and a vibration.
public struct HeldTrajectory: Trajectory, Equatable {
  /// A turn about the vertical: a smooth step of the angle, whose peak rate is 2.1875 angle / duration.
  public struct Turn: Sendable, Equatable {
    /// Seconds.
    public var start: Double
    /// Seconds; more than 0.
    public var duration: Double
    /// Radians, counter-clockwise seen from above; more than 2π is possible.
    public var angle: Double

    /// A turn about the vertical: seconds, seconds, radians.
    public init(start: Double, duration: Double, angle: Double) {
      precondition(duration > 0, "a turn cannot take \(duration) s")
      self.start = start
      self.duration = duration
      self.angle = angle
    }
  }

  /// A vibration along a line in earth axes, in a pure sine, that begins with the hand's motion.
  public struct Vibration: Sendable, Equatable {
    /// Hz.
    public var frequency: Double
    /// Amplitude of the acceleration, m/s², earth axes.
    public var acceleration: Vector3

    /// A vibration: Hz, and its amplitude as an acceleration.
    public init(frequency: Double, acceleration: Vector3) {
      precondition(frequency > 0, "a vibration of \(frequency) Hz")
      self.frequency = frequency
      self.acceleration = acceleration
    }
  }

  /// What the hand does.
  public var hand: HandMotion
  /// Turns about the vertical, in order of time.
  public var turns: [Turn]
  /// What shakes the hand; nil = nothing.
  public var vibration: Vibration?
  /// Unit quaternion at the start, device to earth.
  public var mount: Quaternion

  /// A hand that turns, and how the device is held in it.
  public init(
    hand: HandMotion, turns: [Turn] = [], vibration: Vibration? = nil, mount: Quaternion = .identity
  ) {
    self.hand = hand
    self.turns = turns
    self.vibration = vibration
    self.mount = mount
  }

  public func state(at time: Double) -> KinematicState {
    let hand = self.hand.pose(at: time)
    let turned = turns.reduce(Jet.zero) { sum, turn in
      sum + turn.angle * Jet.smoothStep(start: turn.start, duration: turn.duration, at: time)
    }
    var chain = RotationChain()
    chain.rotate(yaw: turned + hand.yaw, pitch: hand.pitch, roll: hand.roll)
    chain.rotate(by: mount)
    let shaken = vibration.map { shake($0, at: time) } ?? (.zero, .zero, .zero)
    return KinematicState(
      chain, hand.x + shaken.0, hand.y + shaken.1, hand.z + shaken.2,
      isMoving: turned.first != 0 || self.hand.isMoving(at: time))
  }

  private func shake(_ vibration: Vibration, at time: Double) -> (Jet, Jet, Jet) {
    let omega = 2 * Double.pi * vibration.frequency
    let ramp =
      hand.start.map { Jet.smoothStep(start: $0, duration: hand.rampDuration, at: time) } ?? .constant(1)
    let sine = 1 / (omega * omega) * (ramp * Jet.sine(1, frequency: vibration.frequency, at: time))
    let size = vibration.acceleration
    return (size.x * sine, size.y * sine, size.z * sine)
  }
}
