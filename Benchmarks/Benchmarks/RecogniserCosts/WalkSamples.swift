import Foundation
import Inertial

/// Simulated samples, in memory, of alternating walks of 20 s and stops of 10 s, with a device that nods with each stride.
struct WalkSamples {
  let motion: [MotionSample]
  /// The air pressure at 1 Hz, in kPa, on stairs that alternately ascend and descend at 0.25 m/s.
  let barometer: [BarometerSample]

  /// - Parameters:
  ///   - rate: The rate of the motion, in Hz.
  ///   - duration: The duration, in seconds.
  init(rate: Double, duration: Double = 150) {
    motion = (0..<Int(rate * duration)).map { Self.sample(at: Double($0) / rate) }
    barometer = (0..<Int(duration)).map { second in
      let phase = Double(second).truncatingRemainder(dividingBy: 60)
      let altitude = 0.25 * min(phase, 60 - phase)
      return BarometerSample(time: Double(second), pressure: StandardAtmosphere.pressure(altitude: altitude))
    }
  }

  private static func sample(at time: Double) -> MotionSample {
    let phase = 2 * Double.pi * 1.8 * time
    let isWalking = time.truncatingRemainder(dividingBy: 30) < 20
    let strength = isWalking ? 0.25 * (1 + 0.2 * cos(phase / 2)) : 0
    let angle = isWalking ? 0.1 * sin(phase / 2) : 0
    // A heel strike is sharper than a sine.
    let jolt = strength * (cos(phase) + 0.3 * cos(2 * phase))
    let down = Vector3(0, -sin(angle), -cos(angle))
    let user = jolt * down + Vector3(0.4 * strength * sin(phase / 2), 0, 0)
    let rate = isWalking ? Vector3(0.1 * Double.pi * 1.8 * cos(phase / 2), 0, 0) : .zero
    return MotionSample(time: time, acceleration: down + user, userAcceleration: user, rotationRate: rate)
  }
}
