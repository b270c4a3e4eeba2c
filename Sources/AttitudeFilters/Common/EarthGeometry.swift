internal import LinearAlgebra
internal import Rotations

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The smallest rotation that turns the direction `up` onto Z.
func rotationOntoZ(_ up: Vector3) -> Quaternion {
  guard let u = up.normalized else { return .identity }
  // q = (u × z, 1 + u · z), normalised; for u = −z every horizontal axis will do, and X is taken.
  guard let q = Quaternion(x: u.y, y: -u.x, z: 0, w: 1 + u.z).normalized, 1 + u.z > 1e-12 else {
    return Quaternion(x: 1, y: 0, z: 0, w: 0)
  }
  return q
}

/// The rotation by `angle` radians about the earth's vertical.
func rotationAboutZ(_ angle: Double) -> Quaternion {
  Quaternion(x: 0, y: 0, z: sin(angle / 2), w: cos(angle / 2))
}

/// An angle brought to (−π, π].
func wrapped(_ angle: Double) -> Double {
  let turns = (angle / (2 * .pi)).rounded()
  let result = angle - 2 * .pi * turns
  return result <= -.pi ? result + 2 * .pi : result
}

/// The start attitude for a measured up direction: tilt from gravity, and Core Motion's yaw 0.
func startAttitude(up: Vector3) -> Quaternion {
  let tilt = rotationOntoZ(up)
  return (rotationAboutZ(-EulerAngles(tilt).yaw) * tilt).normalized ?? tilt
}
