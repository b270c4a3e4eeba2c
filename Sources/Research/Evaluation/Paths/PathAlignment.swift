public import InertialNumerics
public import InertialRotations
internal import InertialSystem

/// A rotation and a translation that bring an estimated path to a reference: p_reference ≈ rotation · p_estimate + translation.
public struct PathAlignment: Sendable, Hashable, Codable {
  /// From the estimate's frame to the reference's.
  public var rotation: Quaternion
  /// m, in the reference's frame.
  public var translation: Vector3

  /// An alignment from its parts.
  public init(rotation: Quaternion, translation: Vector3) {
    self.rotation = rotation
    self.translation = translation
  }

  /// Nothing to take out.
  public static let identity = PathAlignment(rotation: .identity, translation: .zero)

  /// The turn about the vertical, counter-clockwise, radians in (−π, π].
  package var yaw: Double { 2 * atan2(rotation.w < 0 ? -rotation.z : rotation.z, abs(rotation.w)) }

  /// The aligned position.
  public func apply(_ position: Vector3) -> Vector3 { rotation.rotate(position) + translation }

  /// Fits what a mode allows to pairs of positions at the same times, by least squares.
  ///
  /// - `none`: both are in one frame.
  /// - `origin`: a translation; both begin at one place.
  /// - `yaw`: a turn about the vertical and a translation, fitted to all points: what no inertial sensor can know. Four degrees
  ///   of freedom (Zhang and Scaramuzza, "A tutorial on quantitative trajectory evaluation for visual(-inertial) odometry", IROS
  ///   2018, section III-D).
  /// - `frame`: any rotation and a translation, fitted to all points: SE(3), six degrees of freedom, as `evo_ape --align`. A path
  ///   that knows where up is gains by it what it does not deserve.
  ///
  /// The whole rotation is Umeyama's ("Least-squares estimation of transformation parameters between two point patterns", IEEE
  /// PAMI 13(4), 1991, eq. (40) to (42), without scale), which evo uses; the turn about the vertical is the angle of
  /// Σ conj(e) r over the ground, e and r as complex numbers about their means.
  /// - Throws: `alignmentUndetermined` where the points do not tell: all at one place over the ground for `yaw`, all on one line
  ///   for `frame`.
  public static func fit(
    _ mode: AlignmentMode, to pairs: [(estimate: Vector3, reference: Vector3)]
  ) throws(EvaluationError) -> PathAlignment {
    guard mode != .none, let first = pairs.first else { return .identity }
    if mode == .origin { return PathAlignment(rotation: .identity, translation: first.reference - first.estimate) }
    let share = 1 / Double(pairs.count)
    let (meanEstimate, meanReference) = pairs.reduce((Vector3.zero, Vector3.zero)) {
      ($0.0 + share * $1.estimate, $0.1 + share * $1.reference)
    }
    let centred = pairs.map { (estimate: $0.estimate - meanEstimate, reference: $0.reference - meanReference) }
    guard let rotation = mode == .yaw ? turn(centred) : rotation(centred) else {
      throw .alignmentUndetermined(mode, points: pairs.count)
    }
    return PathAlignment(rotation: rotation, translation: meanReference - rotation.rotate(meanEstimate))
  }

  /// Points that are nearer to one another than this are one place, m.
  private static let leastSpread = 1e-3

  private static func turn(_ pairs: [(estimate: Vector3, reference: Vector3)]) -> Quaternion? {
    var (along, across, spread) = (0.0, 0.0, (estimate: 0.0, reference: 0.0))
    for (e, r) in pairs {
      along += e.x * r.x + e.y * r.y
      across += e.x * r.y - e.y * r.x
      spread.estimate = max(spread.estimate, hypot(e.x, e.y))
      spread.reference = max(spread.reference, hypot(r.x, r.y))
    }
    guard spread.estimate > leastSpread, spread.reference > leastSpread, along != 0 || across != 0 else { return nil }
    return Quaternion(angle: atan2(across, along), axis: .unitZ)
  }

  private static func rotation(_ pairs: [(estimate: Vector3, reference: Vector3)]) -> Quaternion? {
    var covariance = Matrix(rowCount: 3, columnCount: 3)
    for (e, r) in pairs {
      for row in 0..<3 { for column in 0..<3 { covariance[row, column] += r[row] * e[column] / Double(pairs.count) } }
    }
    guard let svd = try? SVD(covariance), svd.singularValues[1] > leastSpread * leastSpread,
      svd.singularValues[1] > 1e-9 * svd.singularValues[0]
    else { return nil }
    func matrix(_ m: Matrix) -> Matrix3 {
      Matrix3(
        rows: Vector3(m[0, 0], m[0, 1], m[0, 2]), Vector3(m[1, 0], m[1, 1], m[1, 2]),
        Vector3(m[2, 0], m[2, 1], m[2, 2]))
    }
    let (u, v) = (matrix(svd.u), matrix(svd.vTransposed))
    // Eq. (43): no mirror image.
    let sign = u.determinant * v.determinant < 0 ? -1.0 : 1.0
    return Quaternion(matrix: u * Matrix3(diagonal: Vector3(1, 1, sign)) * v)
  }
}
