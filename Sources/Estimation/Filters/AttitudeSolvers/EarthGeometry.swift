internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// Returns the smallest rotation from the direction `up` to Z; the identity for a vector without a direction.
package func rotationOntoZ(_ up: Vector3) -> Quaternion { Quaternion(from: up, to: .unitZ) ?? .identity }

/// Returns the rotation by `angle` radians about the earth's vertical.
package func rotationAboutZ(_ angle: Double) -> Quaternion {
  Quaternion(x: 0, y: 0, z: sin(angle / 2), w: cos(angle / 2))
}

/// Returns the initial attitude for a measured up direction: the tilt from gravity, and yaw 0 as in Core Motion.
package func startAttitude(up: Vector3) -> Quaternion {
  let tilt = rotationOntoZ(up)
  return (rotationAboutZ(-EulerAngles(tilt).yaw) * tilt).normalized ?? tilt
}
