internal import InertialNumerics
public import InertialRotations

/// A device held in place by an unsteady hand, with rotations about the vertical and a vibration.
public struct HandheldTrajectory: Trajectory, Equatable {
  /// A rotation about the vertical: a smooth step of the angle, whose peak rate is 2.1875 angle / duration.
  public struct Turn: Sendable, Equatable {
    /// The start, in seconds.
    public var start: Double
    /// The duration, in seconds; more than 0.
    public var duration: Double
    /// The angle in radians, counter-clockwise seen from above; it may exceed 2π.
    public var angle: Double

    /// Creates a rotation about the vertical; times in seconds, the angle in radians.
    public init(start: Double, duration: Double, angle: Double) {
      precondition(duration > 0, "a turn cannot take \(duration) s")
      self.start = start
      self.duration = duration
      self.angle = angle
    }
  }

  /// A sinusoidal vibration along a line in earth axes, which begins with the hand's motion.
  public struct Vibration: Sendable, Equatable {
    /// The frequency, in Hz.
    public var frequency: Double
    /// The amplitude of the acceleration, in m/s², earth axes.
    public var acceleration: Vector3

    /// Creates a vibration from its frequency in Hz and the amplitude of its acceleration in m/s².
    public init(frequency: Double, acceleration: Vector3) {
      precondition(frequency > 0, "a vibration of \(frequency) Hz")
      self.frequency = frequency
      self.acceleration = acceleration
    }
  }

  /// The motion of the hand.
  public var hand: HandMotion
  /// The rotations about the vertical, sorted by time.
  public var turns: [Turn]
  /// The vibration of the hand, or `nil` for none.
  public var vibration: Vibration?
  /// The attitude of the held device: a unit quaternion at the start, device to earth.
  public var mount: Quaternion

  /// Creates a trajectory of a hand, with the device's attitude in it.
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
