import Foundation
import Inertial

/// Somebody who walks for 20 s and stands for 10 s, by turns, with a device that nods with each stride; in memory.
struct WalkSamples {
  let motion: [MotionSample]
  /// Once a second, kPa: stairs of 0.25 m/s up and down, by turns.
  let barometer: [BarometerSample]

  /// - Parameters:
  ///   - rate: Hz, of the motion.
  ///   - duration: seconds.
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
