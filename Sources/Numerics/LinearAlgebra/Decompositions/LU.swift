/// The decomposition P A = L U of a square matrix, with partial pivoting (LAPACK dgetrf).
public struct LU: Sendable, Equatable {
  /// U in the upper triangle, L below the diagonal (its own diagonal is ones).
  private let factors: Matrix
  /// Row i was exchanged with row pivots[i] - 1.
  private let pivots: [Int32]

  /// Decomposes a square matrix.
  ///
  /// - Throws: `singular` where a pivot is exactly zero (rounding may hide a singular matrix: where that
  ///   matters use `SVD`), `nonFinite`.
  public init(_ a: Matrix) throws(LinearAlgebraError) {
    precondition(a.isSquare, "a \(a.shape) matrix has no LU decomposition here")
    try a.requireFinite()
    var factors = a
    var pivots = [Int32](repeating: 0, count: a.rowCount)
    let position = LAPACK.getrf(&factors.elements, n: a.rowCount, lda: a.leadingDimension, pivots: &pivots)
    guard position == 0 else { throw .singular(pivot: position - 1) }
    self.factors = factors
    self.pivots = pivots
  }

  /// The solution X of A X = b, one right-hand side a column.
  public func solve(_ b: Matrix) -> Matrix {
    precondition(
      b.rowCount == factors.rowCount, "cannot solve a \(factors.shape) system for a \(b.shape) matrix")
    var x = b
    // dgetrs has no failure but wrong arguments, which trap.
    _ = LAPACK.getrs(
      factors.elements, n: factors.rowCount, lda: factors.leadingDimension, pivots: pivots,
      b: &x.elements, columns: b.columnCount, ldb: x.leadingDimension)
    return x
  }

  /// The solution x of A x = b.
  public func solve(_ b: [Double]) -> [Double] { solve(Matrix(column: b)).elements }

  /// The determinant of A; it overflows or underflows for large matrices.
  public var determinant: Double {
    var determinant = factors.diagonal.reduce(1, *)
    for (row, pivot) in pivots.enumerated() where Int(pivot) != row + 1 { determinant.negate() }
    return determinant
  }
}
