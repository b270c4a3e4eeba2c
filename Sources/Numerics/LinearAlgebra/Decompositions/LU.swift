/// The decomposition P A = L U of a square matrix, with partial pivoting (LAPACK dgetrf).
public struct LU: Sendable, Equatable {
  /// U in the upper triangle, L below the diagonal (its own diagonal is all ones).
  private let factors: Matrix
  /// The exchanged rows: row i was exchanged with row pivots[i] - 1.
  private let pivots: [Int32]

  /// Decomposes a square matrix.
  ///
  /// - Throws: `singular` if a pivot is exactly zero (rounding may hide a singular matrix: use `SVD` if that matters),
  ///   `nonFinite`.
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

  /// Returns the solution X of A X = b, with one right-hand side per column.
  public func solve(_ b: Matrix) -> Matrix {
    precondition(
      b.rowCount == factors.rowCount, "cannot solve a \(factors.shape) system for a \(b.shape) matrix")
    var x = b
    // dgetrs fails only for wrong arguments, which trap.
    _ = LAPACK.getrs(
      factors.elements, n: factors.rowCount, lda: factors.leadingDimension, pivots: pivots,
      b: &x.elements, columns: b.columnCount, ldb: x.leadingDimension)
    return x
  }

  /// Returns the solution x of A x = b.
  public func solve(_ b: [Double]) -> [Double] { solve(Matrix(column: b)).elements }

  /// The determinant of A; it overflows or underflows for large matrices.
  public var determinant: Double {
    var determinant = factors.diagonal.reduce(1, *)
    for (row, pivot) in pivots.enumerated() where Int(pivot) != row + 1 { determinant.negate() }
    return determinant
  }
}
