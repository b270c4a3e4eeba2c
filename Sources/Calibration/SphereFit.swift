internal import LinearAlgebra

/// Centre and radius of a sphere by recursive least squares with forgetting, and how sure the centre is.
///
/// |m|² = 2 mᵀc + (B² − |c|²) is linear in the centre c and the last bracket (Alonso and Shuster, "Complete linear
/// attitude-independent magnetometer calibration", J. Astronaut. Sci. 50 (2002), centred approximation).
struct SphereFit: Sendable, Codable, Equatable {
  /// µT, device axes.
  private(set) var center = Vector3.zero
  /// µT; 0 where nothing is known.
  private(set) var radius = 0.0
  /// Standard deviation of the centre in its worst direction, µT.
  private(set) var sigma = Double.greatestFiniteMagnitude

  /// The sample about which all is linear: raw fields can be 100 times the earth's, and squares cancel badly.
  private let origin: Vector3
  /// Normal equations for (c − origin, bracket / 100 µT): 4 by 4 and 4, weighted by the noise.
  private var normalMatrix = Matrix(diagonal: [1e-6, 1e-6, 1e-6, 1e-9])
  private var normalVector = [0.0, 0.0, 0.0, 0.0]
  /// Scale of the fourth unknown, µT, so that all four are of one size.
  private static let radiusScale = 100.0

  init(origin: Vector3, _ parameters: HardIronEstimator.Parameters) {
    self.origin = origin
    accumulate(.zero, parameters)
  }

  mutating func add(_ field: Vector3, _ parameters: HardIronEstimator.Parameters) {
    accumulate(field - origin, parameters)
    solve()
  }

  /// How far a field is from the sphere, µT.
  func residual(of field: Vector3) -> Double { (field - center).norm - radius }

  private mutating func accumulate(_ m: Vector3, _ parameters: HardIronEstimator.Parameters) {
    let row = [2 * m.x, 2 * m.y, 2 * m.z, Self.radiusScale]
    // |m|² is off by 2 B times a distance error; B is the earth's, about 50 µT, until it is known.
    let strength = parameters.strength.contains(radius) ? radius : 50
    let weight = 1 / (4 * strength * strength * parameters.noise * parameters.noise)
    let keep = 1 - 1 / parameters.memory
    normalMatrix = normalMatrix * keep + Matrix(outer: row, row) * weight
    for index in 0..<4 {
      normalVector[index] = keep * normalVector[index] + weight * m.squaredNorm * row[index]
    }
  }

  private mutating func solve() {
    guard let cholesky = try? Cholesky(normalMatrix) else { return }
    let solution = cholesky.solve(normalVector)
    let offset = Vector3(solution[0], solution[1], solution[2])
    guard let eigen = try? SymmetricEigen(cholesky.inverse.block(0, 0, rowCount: 3, columnCount: 3)),
      let largest = eigen.eigenvalues.last, largest > 0
    else { return }
    sigma = largest.squareRoot()
    radius = max(0, solution[3] * Self.radiusScale + offset.squaredNorm).squareRoot()
    center = origin + offset
  }
}
