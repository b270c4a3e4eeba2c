internal import InertialNumerics
package import InertialRotations

/// The factored quaternion algorithm: elevation and roll from gravity, azimuth from the levelled field, each as a
/// half-angle quaternion, without trigonometric functions.
///
/// Yun, Bachmann and McGhee, "A simplified quaternion-based algorithm for orientation estimation from earth gravity
/// and magnetic field measurements", IEEE Trans. Instrum. Meas. 57 (2008). The paper's frame is NED and its
/// accelerometer shows −g; here up is Z, so sin(elevation) = −u_x.
///
/// At elevation ±90°, roll and azimuth share their axis. The paper rotates the sample by an offset there, which is not
/// needed here: the paper's cos θ = √(1 − sin²θ) loses its digits, but cos θ = √(u_y² + u_z²) does not. The roll's sine
/// and cosine stay a unit pair, and for any roll, the azimuth follows from the field levelled with it. If cos θ is
/// exactly zero, roll is 0, as in the paper.
package enum FQA: TwoVectorMethod {
  package static let name = "fqa"
  package static let summary = "factored quaternions: elevation and roll from gravity, azimuth from the field"
  package static let source = "Yun, Bachmann and McGhee 2008"

  package static func levelFromDevice(up: Vector3, field: Vector3) throws(OneShotError) -> Quaternion {
    let cosElevation = Vector3(0, up.y, up.z).norm
    let elevation = halfAngle(sine: -up.x, cosine: cosElevation)
    let roll =
      cosElevation > 0
      ? halfAngle(sine: up.y / cosElevation, cosine: up.z / cosElevation) : (sine: 0, cosine: 1)
    let tilt =
      Quaternion(x: 0, y: elevation.sine, z: 0, w: elevation.cosine)
      * Quaternion(x: roll.sine, y: 0, z: 0, w: roll.cosine)
    // The azimuth rotates the horizontal part of the field to +X.
    let levelled = tilt.rotate(field)
    let horizontal = Vector3(levelled.x, levelled.y, 0).norm
    guard horizontal > Triad.minimumSine else { throw .undetermined }
    let azimuth = halfAngle(sine: -levelled.y / horizontal, cosine: levelled.x / horizontal)
    let q = Quaternion(x: 0, y: 0, z: azimuth.sine, w: azimuth.cosine) * tilt
    return q.normalized ?? q
  }

  /// Returns the sine and cosine of half an angle in (−π, π] from those of the angle.
  ///
  /// The paper computes both from √((1 ± cos)/2), which loses half of the digits of a small sine. Here only the larger
  /// one is a root; the other follows from sin = 2 sin(half) cos(half).
  private static func halfAngle(sine: Double, cosine: Double) -> (sine: Double, cosine: Double) {
    if cosine >= 0 {
      let half = ((1 + cosine) / 2).squareRoot()
      return (sine / (2 * half), half)
    }
    let half = ((1 - cosine) / 2).squareRoot()
    return (sine < 0 ? -half : half, abs(sine) / (2 * half))
  }
}
