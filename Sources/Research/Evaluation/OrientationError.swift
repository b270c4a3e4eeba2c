internal import InertialNumerics
public import InertialRotations
internal import InertialSystem

/// The difference of an estimated orientation from a reference, as one angle and split into heading and inclination.
///
/// Both orientations map sensor to an earth frame with Z up. The error rotation is expressed in the earth frame, e =
/// q_estimate ⊗ conj(q_reference). It splits into a rotation about the vertical (heading) and a rotation about a
/// horizontal axis (inclination), with cos(total/2) = cos(heading/2) cos(inclination/2) (Laidig, Caruso, Cereatti and
/// Seel, "BROAD: a benchmark for robust inertial orientation estimation", Data 6(7), 2021; with atan2 in place of acos,
/// which is precise for small errors). Quaternions need not have norm 1, and their signs do not matter.
public struct OrientationError: Sendable, Hashable {
  /// The angle of the whole error, 2 acos |w|, in radians, 0...π.
  public let total: Double
  /// The part about the vertical, 2 atan2(|z|, |w|), in radians, 0...π.
  public let heading: Double
  /// The part about a horizontal axis, 2 acos √(w² + z²), in radians, 0...π. It is the angle between the two estimates
  /// of the vertical.
  public let inclination: Double

  /// Creates the error of an estimate relative to a reference.
  public init(estimate: Quaternion, reference: Quaternion) {
    self.init(error: estimate * reference.conjugate)
  }

  /// Creates the error from an error rotation e = q_estimate ⊗ conj(q_reference).
  public init(error e: Quaternion) {
    total = Self.total(of: e)
    heading = Self.heading(of: e)
    inclination = Self.inclination(of: e)
  }

  /// Returns only the `total` of an error rotation.
  package static func total(of e: Quaternion) -> Double { 2 * atan2(e.vector.norm, abs(e.w)) }
  /// Returns only the `heading` of an error rotation.
  package static func heading(of e: Quaternion) -> Double { 2 * atan2(abs(e.z), abs(e.w)) }
  /// Returns only the `inclination` of an error rotation.
  package static func inclination(of e: Quaternion) -> Double { 2 * atan2(hypot(e.x, e.y), hypot(e.w, e.z)) }

  /// Returns the signed heading error, in radians, −π...π. It is positive if the estimate is rotated counter-clockwise
  /// relative to the reference.
  package static func signedHeading(estimate: Quaternion, reference: Quaternion) -> Double {
    signedHeading(of: estimate * reference.conjugate)
  }
  /// Returns the `signedHeading` of an error rotation.
  package static func signedHeading(of e: Quaternion) -> Double {
    e.w < 0 ? 2 * atan2(-e.z, -e.w) : 2 * atan2(e.z, e.w)
  }
}
