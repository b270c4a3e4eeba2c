internal import InertialNumerics

/// A magnetometer's matrix as what it does to lengths, a symmetric matrix that turns no axis more than another, and a turn
/// after that: matrix = turn · iron.
///
/// The length of the field tells the first, and only gravity tells the second.
struct TurnedIron {
  let turn: Matrix3
  let iron: Matrix3

  /// - Returns: nil for a matrix that has no inverse.
  init?(_ matrix: Matrix3) {
    guard let iron = EllipsoidFit.squareRoot(matrix.transpose * matrix), let inverse = iron.inverse else { return nil }
    (self.iron, turn) = (iron, matrix * inverse)
  }

  /// The turn in quarters about the axes that is nearest: how a chip is soldered. Nil where none is near.
  var quarterTurn: Matrix3? {
    var quarters = Matrix3.zero
    for row in 0..<3 {
      guard let column = (0..<3).first(where: { abs(turn[row, $0]) > 0.7071 }) else { return nil }
      quarters[row, column] = turn[row, column] > 0 ? 1 : -1
    }
    return quarters.determinant > 0.5 ? quarters : nil
  }

  /// What a small change of the matrix changes of the iron's part.
  ///
  /// With A = turnᵀ · change = dS + [ω]× S the turn is in A − Aᵀ = [ω]× S + S [ω]×, which is [(trace S − S) ω]×.
  func ironChange(_ change: Matrix3) -> Matrix3 {
    let a = turn.transpose * change
    let axis = Vector3(a.m32 - a.m23, a.m13 - a.m31, a.m21 - a.m12)
    let trace = iron.m11 + iron.m22 + iron.m33
    guard let inverse = (trace * Matrix3.identity - iron).inverse else { return a }
    return a - Matrix3(skew: inverse * axis) * iron
  }
}
