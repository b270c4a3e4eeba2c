import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport

/// The simulated motion of a device that a person carries.
struct SimulatedActivity {
  /// The sample rate in Hz.
  var rate = 100.0
  var attitude = Quaternion(angle: 0.7, axis: Vector3(1, 2, -0.5))
  /// The angle in radians by which a hand rotates the device back and forth, once in 2.5 s.
  var swing = 0.0
  var hasUserAcceleration = true
  private var generator = SeededGenerator(seed: 7)
  private(set) var samples: [MotionSample] = []
  private(set) var time: Double

  init(rate: Double = 100, from time: Double = 0) { (self.rate, self.time) = (rate, time) }

  enum Kind {
    case rest, walking, running, pedalling, bicycle
    /// The shaking of a car, with a level in g.
    case car(Double)
  }

  /// Returns consecutive kinds of motion with durations in seconds.
  static func of(_ parts: (Kind, Double)..., rate: Double = 100, from time: Double = 0) -> SimulatedActivity {
    var motion = SimulatedActivity(rate: rate, from: time)
    for (kind, seconds) in parts { motion.add(kind, seconds: seconds) }
    return motion
  }

  /// Adds samples of a kind of motion.
  mutating func add(_ kind: Kind, seconds: Double) {
    let end = time + seconds
    while time < end - 1e-9 {
      // Upwards and in two horizontal directions, in g.
      let own = acceleration(kind)
      let turned = attitude * Quaternion(angle: swing * sin(2 * .pi * 0.4 * time), axis: Vector3(1, 0.5, 0))
      let noise = generator.vector(0.002)
      // Core Motion's sign: the negative of the device's own acceleration.
      let user = turned.rotateInverse(Vector3(-own.x, -own.y, -own.z)) + noise
      let gravity = turned.rotateInverse(Vector3(0, 0, -1))
      samples.append(
        MotionSample(time: time, acceleration: gravity + user, userAcceleration: hasUserAcceleration ? user : nil))
      time += 1 / rate
    }
  }

  mutating func pause(seconds: Double) { time += seconds }

  private func acceleration(_ kind: Kind) -> Vector3 {
    func wave(_ frequency: Double, _ phase: Double = 0) -> Double { sin(2 * .pi * frequency * time + phase) }
    func jolt(_ frequency: Double, _ sharpness: Double) -> Double {
      // A pulse per period, sharp upwards.
      exp(sharpness * (cos(2 * .pi * frequency * time) - 1))
    }
    switch kind {
    case .rest: return .zero
    case .walking:
      return Vector3(
        0.12 * wave(0.95) + 0.05 * wave(1.9, 1), 0.08 * wave(0.95, 1) + 0.04 * wave(3.8),
        0.22 * wave(1.9) + 0.45 * (jolt(1.9, 6) - 0.17) + 0.05 * wave(5.7, 2))
    case .running:
      return Vector3(
        0.25 * wave(1.35) + 0.1 * wave(2.7), 0.2 * wave(1.35, 1), 0.9 * wave(2.7) + 1.2 * (jolt(2.7, 4) - 0.21))
    case .pedalling:
      return Vector3(
        0.12 * wave(1.2), 0.12 * wave(2.4, 0.5) + 0.04 * wave(7, 1), -0.35 * (jolt(2.4, 2) - 0.3) + 0.03 * wave(9, 2))
    case .car(let level):
      let shaking = wave(7.3) + wave(9.1, 1) + wave(11.9, 2) + wave(14.3, 3) + wave(16.7, 4)
      let sway = wave(1.3, 1) + wave(2.2, 2)
      return Vector3(
        level * (0.25 * sway + 0.2 * shaking), level * 0.3 * wave(12.7), level * (0.35 * shaking + 0.25 * sway))
    case .bicycle:
      let shaking = wave(5.9) + wave(6.7, 1) + wave(8.3, 2)
      let sway = wave(1.7, 1) + wave(2.9, 2) + wave(3.3, 3)
      return Vector3(0.04 * sway + 0.02 * shaking, 0.03 * wave(3.1), 0.06 * sway + 0.04 * shaking)
    }
  }
}
