internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The smallest rotation that turns the direction `up` onto Z; none for a vector without a direction.
package func rotationOntoZ(_ up: Vector3) -> Quaternion { Quaternion(from: up, to: .unitZ) ?? .identity }

/// The rotation by `angle` radians about the earth's vertical.
package func rotationAboutZ(_ angle: Double) -> Quaternion {
  Quaternion(x: 0, y: 0, z: sin(angle / 2), w: cos(angle / 2))
}

/// An angle brought to (−π, π].
package func wrapped(_ angle: Double) -> Double {
  let turns = (angle / (2 * .pi)).rounded()
  let result = angle - 2 * .pi * turns
  return result <= -.pi ? result + 2 * .pi : result
}

/// The start attitude for a measured up direction: tilt from gravity, and Core Motion's yaw 0.
package func startAttitude(up: Vector3) -> Quaternion {
  let tilt = rotationOntoZ(up)
  return (rotationAboutZ(-EulerAngles(tilt).yaw) * tilt).normalized ?? tilt
}
