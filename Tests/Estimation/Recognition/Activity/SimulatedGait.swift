import InertialNumerics
import InertialSensors
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The simulated accelerations of a walking person, with a known number of steps.
struct SimulatedGait {
  /// The step rate in steps per second.
  var cadence = 1.8
  /// The amplitude of the acceleration at the step frequency, in g.
  var amplitude = 0.25
  /// The relative amplitude difference between the steps of the two legs.
  var asymmetry = 0.2
  /// The rotation of the device to either side with each stride, in radians.
  var swing = 0.1
  /// The standard deviation of the noise, in g.
  var noise = 0.01
  var seed: UInt64 = 1

  /// Returns samples of alternating walks and rests with durations in seconds, starting with a walk.
  func samples(rate: Double, from start: Double = 0, _ durations: Double...) -> [MotionSample] {
    var generator = SeededGenerator(seed: seed)
    var samples: [MotionSample] = []
    var begin = 0.0
    for (index, duration) in durations.enumerated() {
      let isWalking = index % 2 == 0
      var time = (begin * rate).rounded(.up) / rate
      while time < begin + duration - 1e-9 {
        let clean = isWalking ? acceleration(at: time - begin) : Vector3(0, 0, -1)
        let shaken = clean + generator.vector(noise)
        samples.append(MotionSample(time: start + time, acceleration: shaken))
        time = ((time * rate).rounded() + 1) / rate
      }
      begin += duration
    }
    return samples
  }

  private func acceleration(at time: Double) -> Vector3 {
    let phase = 2 * Double.pi * cadence * time
    let leg = 1 + asymmetry * cos(phase / 2)
    // A heel strike is sharper than a sine.
    let vertical = 1 + amplitude * leg * (cos(phase) + 0.3 * cos(2 * phase))
    let angle = swing * sin(phase / 2)
    return Vector3(0.4 * amplitude * sin(phase / 2), -vertical * sin(angle), -vertical * cos(angle))
  }
}
