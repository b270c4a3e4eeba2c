internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A walk with the device held in front of the body, with the screen tilted to the face.
///
/// The walk is straight at a constant mean speed with a zero-mean oscillation: the body's height and speed vary once
/// per step, and it sways laterally once per stride (two steps); the hand sways with it.
public struct WalkTrajectory: Trajectory, Equatable {
  /// The step frequency, in Hz.
  public var cadence: Double
  /// The mean speed, in m/s.
  public var speed: Double
  /// The direction of travel, in radians, counter-clockwise from north.
  public var course: Double
  /// The mean pitch of the device, in radians: 0 = screen up, π/2 = upright.
  public var pitch: Double
  /// The amplitude of the body's vertical motion, in m; the other displacements are proportional to it.
  public var bounce: Double
  /// The amplitude of the hand's yaw, in radians; its pitch and roll are proportional to it.
  public var sway: Double

  /// Creates a walk; in Hz, m/s, radians, radians, m, radians.
  public init(
    cadence: Double = 1.9, speed: Double = 1.4, course: Double = 0, pitch: Double = 0.6,
    bounce: Double = 0.022, sway: Double = 0.1
  ) {
    self.cadence = cadence
    self.speed = speed
    self.course = course
    self.pitch = pitch
    self.bounce = bounce
    self.sway = sway
  }

  public func state(at time: Double) -> KinematicState {
    let step = cadence
    let stride = cadence / 2
    var chain = RotationChain()
    chain.rotate(
      // With yaw = course − π/2 the top of the device points along the course.
      yaw: .constant(course - .pi / 2) + .sine(sway, frequency: stride, at: time),
      pitch: .constant(pitch) + .sine(0.6 * sway, frequency: step, phase: 0.7, at: time),
      roll: .sine(0.8 * sway, frequency: stride, phase: 1.9, at: time))

    let forward =
      .linear(rate: speed, at: time) + Jet.sine(0.5 * bounce, frequency: step, phase: 0.4, at: time)
    let left = Jet.sine(0.9 * bounce, frequency: stride, phase: 1.1, at: time)
    // The higher harmonics form the heel strike: all push upwards at once, just after the body's lowest position.
    let up =
      Jet.cosine(bounce, frequency: step, at: time)
      + .cosine(-0.12 * bounce, frequency: 2 * step, phase: -0.5, at: time)
      + .cosine(0.04 * bounce, frequency: 3 * step, phase: -0.75, at: time)
    let (x, y) = rotatedByCourse(forward, left)
    return KinematicState(chain, x, y, up, isMoving: true)
  }

  private func rotatedByCourse(_ forward: Jet, _ left: Jet) -> (Jet, Jet) {
    let (s, c) = (sin(course), cos(course))
    return (c * forward - s * left, s * forward + c * left)
  }
}
