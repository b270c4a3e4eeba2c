internal import InertialNumerics

/// The decomposition of a magnetometer's matrix into the iron, a symmetric matrix that rotates no axis more than
/// another, followed by a rotation: matrix = turn · iron.
///
/// The iron follows from the magnitude of the field, the rotation only from gravity.
struct SoftIronDecomposition {
  let turn: Matrix3
  let iron: Matrix3

  /// - Returns: `nil` for a singular matrix.
  init?(_ matrix: Matrix3) {
    guard let iron = EllipsoidFit.squareRoot(matrix.transpose * matrix), let inverse = iron.inverse else { return nil }
    (self.iron, turn) = (iron, matrix * inverse)
  }

  /// The nearest rotation by multiples of 90° about the axes, as a chip is mounted on its board, or `nil` if none is
  /// near.
  var quarterTurn: Matrix3? {
    var quarters = Matrix3.zero
    for row in 0..<3 {
      guard let column = (0..<3).first(where: { abs(turn[row, $0]) > 0.7071 }) else { return nil }
      quarters[row, column] = turn[row, column] > 0 ? 1 : -1
    }
    return quarters.determinant > 0.5 ? quarters : nil
  }

  /// Returns the change of the iron's part due to a small change of the matrix.
  ///
  /// With A = turnᵀ · change = dS + [ω]× S, the rotation is in A − Aᵀ = [ω]× S + S [ω]×, which is [(trace S − S) ω]×.
  func ironChange(_ change: Matrix3) -> Matrix3 {
    let a = turn.transpose * change
    let axis = Vector3(a.m32 - a.m23, a.m13 - a.m31, a.m21 - a.m12)
    let trace = iron.m11 + iron.m22 + iron.m33
    guard let inverse = (trace * Matrix3.identity - iron).inverse else { return a }
    return a - Matrix3(skew: inverse * axis) * iron
  }
}
