import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport

/// The simulated motion of a device in a trouser pocket: a thigh that swings about the hip, pedalling or walking.
struct SimulatedThigh {
  /// The swing frequency in Hz.
  var frequency = 1.1
  /// The thigh's mean forward angle from hanging down, and the amplitude of its swing, in radians.
  var middle = 1.0
  var swing = 0.35
  /// The distance from the hip to the device, in metres.
  var radius = 0.2
  /// The vertical acceleration of the hip at each of two steps, in g, sharper upwards.
  var bounce = 0.0
  /// The rotation of the pelvis about the vertical, in radians.
  var pelvis = 0.0
  /// The standard deviation of the shaking of the road or the device in each direction, in g.
  var shaking = 0.03
  /// The orientation of the device in the pocket.
  var mount = Quaternion(angle: 1.3, axis: Vector3(1, -2, 0.7))
  var rate = 100.0
  var seed: UInt64 = 5

  static let pedalling = SimulatedThigh()
  static let walking = SimulatedThigh(frequency: 0.9, middle: 0.1, swing: 0.4, bounce: 0.3, pelvis: 0.5, shaking: 0.02)

  func samples(from start: Double = 0, seconds: Double) -> [MotionSample] {
    var generator = SeededGenerator(seed: seed)
    let turn = 2 * Double.pi * frequency
    return (0..<Int(seconds * rate)).map { index in
      let time = Double(index) / rate
      let (sine, cosine) = (sin(turn * time), cos(turn * time))
      let (angle, speed, change) = (middle + swing * sine, swing * turn * cosine, -swing * turn * turn * sine)
      let (yaw, yawSpeed) = (pelvis * cosine, -pelvis * turn * sine)
      // Along and across the thigh, with z up and x forwards.
      let (along, across) = (Vector3(sin(angle), 0, -cos(angle)), Vector3(cos(angle), 0, sin(angle)))
      let step = exp(4 * (cos(2 * turn * time) - 1)) - 0.21
      var acceleration = (radius / 9.81) * (change * across - speed * speed * along) + Vector3(0, 0, 2 * bounce * step)
      acceleration += generator.vector(shaking)
      let heading = Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      let attitude = heading * Quaternion(angle: -angle, axis: Vector3(0, 1, 0)) * mount
      let user = attitude.rotateInverse(-heading.rotate(acceleration))
      let gravity = attitude.rotateInverse(Vector3(0, 0, -1))
      let rotation = heading.rotate(Vector3(0, -speed, 0)) + Vector3(0, 0, yawSpeed)
      return MotionSample(
        time: start + time, acceleration: gravity + user, userAcceleration: user,
        rotationRate: attitude.rotateInverse(rotation))
    }
  }
}
