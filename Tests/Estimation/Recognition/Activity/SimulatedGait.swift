import InertialNumerics
import InertialSensors

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Accelerations of somebody who walks, with the number of steps known.
struct SimulatedGait {
  /// Steps a second.
  var cadence = 1.8
  /// Of the acceleration at the frequency of steps, g.
  var amplitude = 0.25
  /// Part of the amplitude by which one leg's steps are stronger.
  var asymmetry = 0.2
  /// How far the device turns to either side with each stride, rad.
  var swing = 0.1
  /// Standard deviation of the noise, g.
  var noise = 0.01
  var seed: UInt64 = 1

  /// Samples of walks and rests by turns, seconds each, beginning with a walk.
  func samples(rate: Double, from start: Double = 0, _ durations: Double...) -> [MotionSample] {
    var generator = SeededGenerator(seed: seed)
    var samples: [MotionSample] = []
    var begin = 0.0
    for (index, duration) in durations.enumerated() {
      let isWalking = index % 2 == 0
      var time = (begin * rate).rounded(.up) / rate
      while time < begin + duration - 1e-9 {
        let clean = isWalking ? acceleration(at: time - begin) : Vector3(0, 0, -1)
        let shaken = clean + noise * Vector3(generator.normal(), generator.normal(), generator.normal())
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
