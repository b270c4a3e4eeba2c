internal import InertialNumerics
internal import InertialSystem

/// The centre and radius of a sphere by recursive least squares with forgetting, and the uncertainty of the centre.
///
/// |m|² = 2 mᵀc + (B² − |c|²) is linear in the centre c and the last bracket (Alonso and Shuster, "Complete linear
/// attitude-independent magnetometer calibration", J. Astronaut. Sci. 50 (2002), centred approximation).
struct SphereFit: Sendable, Codable, Equatable {
  /// The centre, in µT, device axes.
  private(set) var center = Vector3.zero
  /// The radius, in µT; 0 if it is unknown.
  private(set) var radius = 0.0
  /// The standard deviation of the centre in its worst direction, in µT.
  private(set) var sigma = Double.greatestFiniteMagnitude

  /// The origin of the linear equations: raw fields can be 100 times the earth's, and their squares lose precision by
  /// cancellation.
  private let origin: Vector3
  /// The normal equations for (c − origin, bracket / 100 µT), weighted by the noise.
  private var normalMatrix = FixedMatrix<4, 4>(diagonal: FixedVector([1e-6, 1e-6, 1e-6, 1e-9]))
  private var normalVector = FixedVector<4>()
  /// The scale of the fourth unknown, in µT, so that all four have similar magnitudes.
  private static let radiusScale = 100.0

  init(origin: Vector3, _ parameters: HardIronEstimator.Parameters) {
    self.origin = origin
    accumulate(.zero, parameters)
  }

  mutating func add(_ field: Vector3, _ parameters: HardIronEstimator.Parameters) {
    accumulate(field - origin, parameters)
    solve()
  }

  /// Returns the distance of a field from the sphere, in µT.
  func residual(of field: Vector3) -> Double { (field - center).norm - radius }

  private mutating func accumulate(_ m: Vector3, _ parameters: HardIronEstimator.Parameters) {
    var row = FixedVector<4>()
    (row[0], row[1], row[2], row[3]) = (2 * m.x, 2 * m.y, 2 * m.z, Self.radiusScale)
    // The error of |m|² is 2 B times a distance error; the estimate of B is 50 µT, the earth's, until it is known.
    let strength = parameters.strength.contains(radius) ? radius : 50
    let weight = 1 / (4 * strength * strength * parameters.noise * parameters.noise)
    let keep = 1 - 1 / parameters.memory
    normalMatrix = (keep * normalMatrix).addingOuter(row, row, scaledBy: weight)
    normalVector = (keep * normalVector).adding(row, scaledBy: weight * m.squaredNorm)
  }

  private mutating func solve() {
    guard let cholesky = try? FixedCholesky(normalMatrix, on: .blas) else { return }
    let solution = cholesky.solve(normalVector)
    let offset = Vector3(solution[0], solution[1], solution[2])
    let covariance = cholesky.solve(FixedMatrix<4, 3> { $0 == $1 ? 1 : 0 })
    let variance = Self.largestEigenvalue(
      diagonal: Vector3(covariance[0, 0], covariance[1, 1], covariance[2, 2]),
      offDiagonal: Vector3(covariance[2, 1], covariance[2, 0], covariance[1, 0]))
    guard variance > 0, variance.isFinite else { return }
    sigma = variance.standardDeviation
    radius = max(0, solution[3] * Self.radiusScale + offset.squaredNorm).squareRoot()
    center = origin + offset
  }

  /// Returns the largest eigenvalue of a symmetric 3 by 3 matrix, by its characteristic equation's trigonometric root.
  ///
  /// O. K. Smith, "Eigenvalues of a symmetric 3 × 3 matrix", Commun. ACM 4 (1961). For a positive definite matrix, the
  /// largest eigenvalue is a sum of positive terms, so it is as precise as the matrix.
  ///
  /// - Parameters:
  ///   - d: The elements a11, a22, a33.
  ///   - o: The elements a23, a13, a12.
  static func largestEigenvalue(diagonal d: Vector3, offDiagonal o: Vector3) -> Double {
    let mean = (d.x + d.y + d.z) / 3
    let e = Vector3(d.x - mean, d.y - mean, d.z - mean)
    let spread = ((e.squaredNorm + 2 * o.squaredNorm) / 6).squareRoot()
    guard spread > 0 else { return mean }
    let determinant =
      e.x * (e.y * e.z - o.x * o.x) - o.z * (o.z * e.z - o.x * o.y) + o.y * (o.z * o.x - e.y * o.y)
    let cosine = determinant / (2 * spread * spread * spread)
    return mean + 2 * spread * cos(acos(min(1, max(-1, cosine))) / 3)
  }
}
