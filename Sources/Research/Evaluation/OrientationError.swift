internal import InertialNumerics
public import InertialRotations
internal import InertialSystem

/// How far an estimated orientation is from a reference, as one angle and split into heading and inclination.
///
/// Both orientations map sensor to an earth frame with Z up; the error rotation is seen from the earth,
/// e = q_estimate ⊗ conj(q_reference). It splits into a turn about the vertical (heading) and a turn about a
/// horizontal axis (inclination), with cos(total/2) = cos(heading/2) cos(inclination/2)
/// (Laidig, Caruso, Cereatti and Seel, "BROAD: a benchmark for robust inertial orientation estimation", Data
/// 6(7), 2021; theirs with acos replaced by atan2, which keeps its digits for small errors).
/// Quaternions need not be of norm 1, and their signs do not matter.
public struct OrientationError: Sendable, Hashable {
  /// The angle of the whole error, 2 acos |w|: radians, 0 to π.
  public let total: Double
  /// The part about the vertical, 2 atan2(|z|, |w|): radians, 0 to π.
  public let heading: Double
  /// The part about a horizontal axis, 2 acos √(w² + z²): radians, 0 to π. It is the angle between the two
  /// estimates of the vertical.
  public let inclination: Double

  /// The error of one orientation against another.
  public init(estimate: Quaternion, reference: Quaternion) {
    self.init(error: estimate * reference.conjugate)
  }

  /// The parts of an error rotation e = q_estimate ⊗ conj(q_reference).
  public init(error e: Quaternion) {
    total = Self.total(of: e)
    heading = Self.heading(of: e)
    inclination = Self.inclination(of: e)
  }

  /// `total` alone, of an error rotation.
  package static func total(of e: Quaternion) -> Double { 2 * atan2(e.vector.norm, abs(e.w)) }
  /// `heading` alone, of an error rotation.
  package static func heading(of e: Quaternion) -> Double { 2 * atan2(abs(e.z), abs(e.w)) }
  /// `inclination` alone, of an error rotation.
  package static func inclination(of e: Quaternion) -> Double { 2 * atan2(hypot(e.x, e.y), hypot(e.w, e.z)) }

  /// The heading part with its sign, positive where the estimate is turned counter-clockwise against the
  /// reference: radians, −π to π.
  package static func signedHeading(estimate: Quaternion, reference: Quaternion) -> Double {
    signedHeading(of: estimate * reference.conjugate)
  }
  /// `signedHeading` of an error rotation.
  package static func signedHeading(of e: Quaternion) -> Double {
    e.w < 0 ? 2 * atan2(-e.z, -e.w) : 2 * atan2(e.z, e.w)
  }
}
