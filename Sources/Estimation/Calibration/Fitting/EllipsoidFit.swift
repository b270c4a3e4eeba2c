internal import InertialNumerics
internal import InertialSensors

/// The ellipsoid fitted to raw vectors with the same calibrated magnitude, by linear least squares.
enum EllipsoidFit {
  /// Returns the symmetric matrix and the centre with |matrix · (v − centre)| = 1, or `nil` if they do not form an
  /// ellipsoid.
  static func fit(_ values: [Vector3]) -> LinearModel? {
    guard values.count >= 9 else { return nil }
    let center = values.reduce(Vector3.zero, +) / Double(values.count)
    let size = values.reduce(0) { max($0, ($1 - center).maximumMagnitude) }
    guard size > 0 else { return nil }
    let scaled = values.map { ($0 - center) / size }
    let design = Matrix(rowCount: scaled.count, columnCount: 9) { row, column in
      let v = scaled[row]
      switch column {
      case 0: return v.x * v.x
      case 1: return v.y * v.y
      case 2: return v.z * v.z
      case 3: return 2 * v.x * v.y
      case 4: return 2 * v.x * v.z
      case 5: return 2 * v.y * v.z
      default: return 2 * v[column - 6]
      }
    }
    guard let fit = try? design.leastSquares([Double](repeating: 1, count: scaled.count)), fit.rank == 9 else {
      return nil
    }
    let q = fit.solution
    let quadratic = Matrix3(rows: Vector3(q[0], q[3], q[4]), Vector3(q[3], q[1], q[5]), Vector3(q[4], q[5], q[2]))
    guard let inverse = quadratic.inverse else { return nil }
    let offset = -(inverse * Vector3(q[6], q[7], q[8]))
    let level = 1 + offset.dot(quadratic * offset)
    guard level != 0, let root = squareRoot(quadratic * (1 / level)) else { return nil }
    return LinearModel(bias: center + size * offset, matrix: root * (1 / size))
  }

  /// Returns the symmetric square root, or `nil` if the matrix is not positive definite.
  static func squareRoot(_ matrix: Matrix3) -> Matrix3? {
    guard let eigen = try? SymmetricEigen(Matrix(matrix)), eigen.eigenvalues[0] > 0 else { return nil }
    let scaled = Matrix(diagonal: eigen.eigenvalues.map { $0.squareRoot() })
    return Matrix3((eigen.eigenvectors * scaled).timesTranspose(eigen.eigenvectors))
  }

  /// Returns the rotation nearest to a matrix, or to its negative if the determinant is negative.
  static func nearestRotation(_ matrix: Matrix3) -> Matrix3? {
    guard let svd = try? SVD(Matrix(matrix)) else { return nil }
    let rotation = Matrix3(svd.u * svd.vTransposed)
    return rotation.determinant < 0 ? rotation * -1 : rotation
  }
}
