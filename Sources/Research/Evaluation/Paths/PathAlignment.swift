internal import InertialNumerics
public import InertialRotations
internal import InertialSystem

/// A rotation and a translation that align an estimated path with a reference: p_reference ≈ rotation · p_estimate +
/// translation.
public struct PathAlignment: Sendable, Hashable, Codable {
  /// The rotation from the estimate's frame to the reference's.
  public var rotation: Quaternion
  /// The translation in the reference's frame, in m.
  public var translation: Vector3

  /// Creates an alignment from its parts.
  public init(rotation: Quaternion, translation: Vector3) {
    self.rotation = rotation
    self.translation = translation
  }

  /// The alignment that changes nothing.
  public static let identity = PathAlignment(rotation: .identity, translation: .zero)

  /// The rotation about the vertical, counter-clockwise, in radians in (−π, π].
  package var yaw: Double { 2 * atan2(rotation.w < 0 ? -rotation.z : rotation.z, abs(rotation.w)) }

  /// Returns the aligned position.
  public func apply(_ position: Vector3) -> Vector3 { rotation.rotate(position) + translation }

  /// Fits the alignment that a mode allows to pairs of positions at the same times, by least squares.
  ///
  /// - `none`: Both are in one frame.
  /// - `origin`: A translation; both begin at one position.
  /// - `yaw`: A rotation about the vertical and a translation, fitted to all points: the degrees of freedom that
  ///   inertial sensors cannot observe. Four degrees of freedom (Zhang and Scaramuzza, "A tutorial on quantitative
  ///   trajectory evaluation for visual(-inertial) odometry", IROS 2018, section III-D).
  /// - `frame`: Any rotation and a translation, fitted to all points: SE(3), six degrees of freedom, as `evo_ape
  ///   --align`. It gives an undeserved advantage to a path with a known vertical.
  ///
  /// The whole rotation is Umeyama's ("Least-squares estimation of transformation parameters between two point
  /// patterns", IEEE PAMI 13(4), 1991, eq. (40) to (42), without scale), which evo uses; the rotation about the
  /// vertical is the angle of the horizontal Σ conj(e) r, with e and r as complex numbers relative to their means.
  /// - Throws: `alignmentUndetermined` if the points do not determine the alignment: all at one horizontal position for
  ///   `yaw`, all on one line for `frame`.
  public static func fit(
    _ mode: AlignmentMode, to pairs: [(estimate: Vector3, reference: Vector3)]
  ) throws(EvaluationError) -> PathAlignment {
    guard mode != .none, let first = pairs.first else { return .identity }
    if mode == .origin { return PathAlignment(rotation: .identity, translation: first.reference - first.estimate) }
    let fraction = 1 / Double(pairs.count)
    let (meanEstimate, meanReference) = pairs.reduce((Vector3.zero, Vector3.zero)) {
      ($0.0 + fraction * $1.estimate, $0.1 + fraction * $1.reference)
    }
    let centred = pairs.map { (estimate: $0.estimate - meanEstimate, reference: $0.reference - meanReference) }
    guard let rotation = mode == .yaw ? turn(centred) : rotation(centred) else {
      throw .alignmentUndetermined(mode, points: pairs.count)
    }
    return PathAlignment(rotation: rotation, translation: meanReference - rotation.rotate(meanEstimate))
  }

  /// The distance below which points count as one position, in m.
  private static let minimumSpread = 1e-3

  private static func turn(_ pairs: [(estimate: Vector3, reference: Vector3)]) -> Quaternion? {
    var (along, across, spread) = (0.0, 0.0, (estimate: 0.0, reference: 0.0))
    for (e, r) in pairs {
      along += e.x * r.x + e.y * r.y
      across += e.x * r.y - e.y * r.x
      spread.estimate = max(spread.estimate, hypot(e.x, e.y))
      spread.reference = max(spread.reference, hypot(r.x, r.y))
    }
    guard spread.estimate > minimumSpread, spread.reference > minimumSpread, along != 0 || across != 0 else {
      return nil
    }
    return Quaternion(angle: atan2(across, along), axis: .unitZ)
  }

  private static func rotation(_ pairs: [(estimate: Vector3, reference: Vector3)]) -> Quaternion? {
    var covariance = Matrix(rowCount: 3, columnCount: 3)
    for (e, r) in pairs {
      for row in 0..<3 { for column in 0..<3 { covariance[row, column] += r[row] * e[column] / Double(pairs.count) } }
    }
    guard let svd = try? SVD(covariance), svd.singularValues[1] > minimumSpread * minimumSpread,
      svd.singularValues[1] > 1e-9 * svd.singularValues[0]
    else { return nil }
    func matrix(_ m: Matrix) -> Matrix3 {
      Matrix3(
        rows: Vector3(m[0, 0], m[0, 1], m[0, 2]), Vector3(m[1, 0], m[1, 1], m[1, 2]),
        Vector3(m[2, 0], m[2, 1], m[2, 2]))
    }
    let (u, v) = (matrix(svd.u), matrix(svd.vTransposed))
    // Eq. (43) excludes a mirror image.
    let sign = u.determinant * v.determinant < 0 ? -1.0 : 1.0
    return Quaternion(matrix: u * Matrix3(diagonal: Vector3(1, 1, sign)) * v)
  }
}
