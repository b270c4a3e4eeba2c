internal import LinearAlgebra
internal import Rotations

/// The standard deviations of roll, pitch and yaw, of those of turns about the frame's axes.
enum AngleSigma {
  /// By how the angles change with a small turn about each axis; the turns are taken as independent. Near a pitch of 90°
  /// roll and yaw are known badly, as they should be.
  static func of(_ q: Quaternion, _ sigma: Vector3) -> (roll: Double, pitch: Double, yaw: Double) {
    let small = 1e-6
    let here = EulerAngles(q)
    var squares = (0.0, 0.0, 0.0)
    for (axis, size) in [
      (Vector3(1, 0, 0), sigma.x), (Vector3(0, 1, 0), sigma.y), (Vector3(0, 0, 1), sigma.z),
    ] {
      let there = EulerAngles(Quaternion(rotationVector: small * axis) * q)
      func change(_ a: Double, _ b: Double) -> Double {
        let rate = (b - a).remainder(dividingBy: 2 * .pi) / small * size
        return rate * rate
      }
      squares.0 += change(here.roll, there.roll)
      squares.1 += change(here.pitch, there.pitch)
      squares.2 += change(here.yaw, there.yaw)
    }
    return (squares.0.squareRoot(), squares.1.squareRoot(), squares.2.squareRoot())
  }
}
