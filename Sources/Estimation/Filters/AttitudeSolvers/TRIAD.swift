internal import InertialNumerics
package import InertialRotations

/// Three orthonormal axes from two directions: the first, their common normal, and the completing axis.
struct Triad {
  /// The sine of the angle below which two directions count as parallel.
  ///
  /// At 2e-6 rad, the relative information about the rotation around both is sin²(θ/2) = 1e-12, the limit of
  /// `WahbaProblem`, so all methods reject the same input.
  static let minimumSine = 2e-6

  let first: Vector3
  let normal: Vector3
  let third: Vector3

  /// Creates the axes of two directions of norm 1.
  init(_ a: Vector3, _ b: Vector3) throws(OneShotError) {
    let cross = a.cross(b)
    let sine = cross.norm
    guard sine > Triad.minimumSine else { throw .undetermined }
    first = a
    normal = cross / sine
    third = a.cross(normal)
  }

  /// The matrix whose columns are the axes.
  var axes: Matrix3 { Matrix3(columns: first, normal, third) }

  /// The rotation from the frame in which `first` is Z and the second direction is in the half plane of X and Z with x
  /// > 0.
  var levelAxes: Matrix3 { Matrix3(columns: -third, normal, first) }
}

/// Black's algebraic method: the rotation between the triads that two directions span in each frame.
///
/// Black, "A passive system for determining the attitude of a satellite", AIAA Journal 2 (1964).
package enum TRIAD: OneShotMethod {
  package static let name = "triad"
  package static let summary = "the rotation between the axes that two directions span, the first assumed exact"
  package static let source = "Black 1964"
  package static let minimumPairs = 2
  package static let maximumPairs: Int? = 2
  package static let isOptimal = false

  package static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion {
    try check(count: pairs.count)
    return try attitude(pairs[0], pairs[1])
  }

  package static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion {
    try first.checkWeight(index: 0)
    try second.checkWeight(index: 1)
    let (first, second) = (try first.normalized(index: 0), try second.normalized(index: 1))
    let device = try Triad(first.device, second.device)
    let earth = try Triad(first.earth, second.earth)
    // R = M_earth M_deviceᵀ.
    return Quaternion(matrix: earth.axes * device.axes.transpose)
  }
}
