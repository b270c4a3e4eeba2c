import InertialNumerics
import InertialSensors

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Somebody runs with the device at the upper arm or on the hip: the ground bears the body in half sines, one a step, and
/// between them it falls.
struct SimulatedRun {
  /// Steps a second, at full speed.
  var cadence = 2.9
  /// Share of the time at full speed in which a foot is on the ground.
  var contact = 0.42
  /// Seconds in which the runner gets from a jog without flight to full speed, and then of full speed.
  var start = 6.0
  var duration = 34.0
  /// rad/s: how far the body turns with each step.
  var rotation = 3.0
  /// Where down is, device axes, a unit vector.
  var gravity = Vector3(0.36, -0.8, 0.48)

  func samples(rate: Double) -> [MotionSample] {
    var phase = 0.0
    return (0..<Int((start + duration) * rate)).map { index in
      let time = Double(index) / rate
      let speed = min(time / start, 1)
      let share = 0.85 + speed * (contact - 0.85)
      phase += (2.4 + speed * (cadence - 2.4)) / rate
      let part = phase - phase.rounded(.down)
      // The mean over a step is 1 g.
      let force = part < share ? .pi / (2 * share) * sin(.pi * part / share) : 0
      let user = (force - 1) * gravity
      let turn = rotation * cos(2 * .pi * phase) * Vector3(0.8, 0.36, 0)
      return MotionSample(time: time, acceleration: gravity + user, userAcceleration: user, rotationRate: turn)
    }
  }
}
