import InertialNumerics
import InertialSensors

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A simulated run with the device at the upper arm or on the hip: the ground supports the body in half sines, one per
/// step, and the body falls between them.
struct SimulatedRun {
  /// The step rate at full speed, in steps per second.
  var cadence = 2.9
  /// The fraction of the time at full speed in which a foot is on the ground.
  var contact = 0.42
  /// The duration from a jog without flight to full speed, and the duration at full speed, in seconds.
  var start = 6.0
  var duration = 34.0
  /// The peak rotation rate of the body with each step, in rad/s.
  var rotation = 3.0
  /// The direction of gravity, device axes, a unit vector.
  var gravity = Vector3(0.36, -0.8, 0.48)

  func samples(rate: Double) -> [MotionSample] {
    var phase = 0.0
    return (0..<Int((start + duration) * rate)).map { index in
      let time = Double(index) / rate
      let speed = min(time / start, 1)
      let fraction = 0.85 + speed * (contact - 0.85)
      phase += (2.4 + speed * (cadence - 2.4)) / rate
      let part = phase - phase.rounded(.down)
      // The mean over a step is 1 g.
      let force = part < fraction ? .pi / (2 * fraction) * sin(.pi * part / fraction) : 0
      let user = (force - 1) * gravity
      let turn = rotation * cos(2 * .pi * phase) * Vector3(0.8, 0.36, 0)
      return MotionSample(time: time, acceleration: gravity + user, userAcceleration: user, rotationRate: turn)
    }
  }
}
