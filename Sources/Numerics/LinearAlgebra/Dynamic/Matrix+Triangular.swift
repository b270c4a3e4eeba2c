extension Matrix {
  /// A triangle of a matrix; the other one is not read.
  public enum Triangle: Sendable {
    /// The diagonal and the elements below it.
    case lower
    /// The diagonal and the elements above it.
    case upper
  }

  /// Returns the solution X of op(T) X = b, where T is one triangle of this square matrix, including the diagonal.
  ///
  /// - Parameters:
  ///   - b: The right-hand sides, one per column.
  ///   - triangle: The triangle T.
  ///   - transposed: Whether op(T) is Tᵀ.
  ///   - unitDiagonal: Whether the diagonal is assumed to be ones and not read.
  /// - Throws: `singular` if a diagonal element is exactly zero.
  public func solveTriangular(
    _ b: Matrix, _ triangle: Triangle, transposed: Bool = false, unitDiagonal: Bool = false
  ) throws(LinearAlgebraError) -> Matrix {
    precondition(
      isSquare && b.rowCount == rowCount, "cannot solve a \(shape) triangle for a \(b.shape) matrix")
    if !unitDiagonal, let pivot = diagonal.firstIndex(of: 0) { throw .singular(pivot: pivot) }
    var solution = b
    BLAS.trsm(
      fromLeft: true, lower: triangle == .lower, transposed ? .transpose : .none,
      unitDiagonal: unitDiagonal, m: b.rowCount, n: b.columnCount, a: elements, lda: leadingDimension,
      b: &solution.elements, ldb: solution.leadingDimension)
    return solution
  }

  /// Returns the solution x of op(T) x = b for one right-hand side; see the overload with a matrix.
  public func solveTriangular(
    _ b: [Double], _ triangle: Triangle, transposed: Bool = false, unitDiagonal: Bool = false
  ) throws(LinearAlgebraError) -> [Double] {
    try solveTriangular(
      Matrix(column: b), triangle, transposed: transposed, unitDiagonal: unitDiagonal
    ).elements
  }

  /// Returns the solution X of self X = b for a square matrix, by `LU`.
  ///
  /// - Throws: `singular` if the matrix is exactly singular; `nonFinite` if an element is not finite.
  public func solve(_ b: Matrix) throws(LinearAlgebraError) -> Matrix { try LU(self).solve(b) }

  /// Returns the solution x of self x = b for a square matrix, by `LU`.
  ///
  /// - Throws: `singular` if the matrix is exactly singular; `nonFinite` if an element is not finite.
  public func solve(_ b: [Double]) throws(LinearAlgebraError) -> [Double] { try LU(self).solve(b) }

  /// Returns the inverse of a square matrix, by `LU`. To solve equations, `solve` is faster and more accurate.
  ///
  /// - Throws: `singular` if the matrix is exactly singular; `nonFinite` if an element is not finite.
  public func inverse() throws(LinearAlgebraError) -> Matrix {
    try LU(self).solve(.identity(rowCount))
  }

  /// Throws `nonFinite` for input for which LAPACK's behaviour is undefined.
  func requireFinite() throws(LinearAlgebraError) {
    guard isFinite else { throw .nonFinite }
  }
}
