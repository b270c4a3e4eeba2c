/// The Cholesky decomposition A = L Lᵀ of a symmetric positive definite matrix of fixed size.
public struct FixedCholesky<let Size: Int>: Sendable {
  /// L: lower triangular with a positive diagonal, zeros above it.
  public let lowerFactor: FixedMatrix<Size, Size>

  @usableFromInline
  init(lowerFactor: FixedMatrix<Size, Size>) { self.lowerFactor = lowerFactor }

  /// Decomposes a matrix, row by row (Cholesky-Banachiewicz); only its lower triangle is used.
  ///
  /// - Throws: `notPositiveDefinite` with the order of the first leading minor that is not positive,
  ///   `nonFinite`.
  @inlinable
  public init(_ a: FixedMatrix<Size, Size>) throws(LinearAlgebraError) {
    guard a.isFinite else { throw .nonFinite }
    var factor = FixedMatrix<Size, Size>()
    for row in 0..<Size {
      var line = InlineArray<Size, Double>(repeating: 0)
      for column in 0..<row {
        var sum = a.rows[row][column]
        for inner in 0..<column { sum -= line[inner] * factor.rows[column][inner] }
        line[column] = sum / factor.rows[column][column]
      }
      var sum = a.rows[row][row]
      for inner in 0..<row { sum -= line[inner] * line[inner] }
      guard sum > 0 else { throw .notPositiveDefinite(leadingMinor: row + 1) }
      line[row] = sum.squareRoot()
      factor.rows[row] = line
    }
    lowerFactor = factor
  }

  /// Returns L⁻¹ b, whose covariance is the identity if A is the covariance of b.
  @inlinable
  public func whiten(_ b: FixedVector<Size>) -> FixedVector<Size> {
    var x = b.elements
    for row in 0..<Size {
      var sum = x[row]
      for column in 0..<row { sum -= lowerFactor.rows[row][column] * x[column] }
      x[row] = sum / lowerFactor.rows[row][row]
    }
    var result = b
    result.elements = x
    return result
  }

  /// Returns the solution x of A x = b.
  @inlinable
  public func solve(_ b: FixedVector<Size>) -> FixedVector<Size> {
    var result = whiten(b)
    var x = result.elements
    for row in stride(from: Size - 1, through: 0, by: -1) {
      var sum = x[row]
      for below in (row + 1)..<max(Size, row + 1) { sum -= lowerFactor.rows[below][row] * x[below] }
      x[row] = sum / lowerFactor.rows[row][row]
    }
    result.elements = x
    return result
  }

  /// Returns the solution X of X A = b, one equation per row: b A⁻¹.
  @inlinable
  public func solveFromRight<let Others: Int>(
    _ b: FixedMatrix<Others, Size>
  ) -> FixedMatrix<Others, Size> {
    var result = b
    for row in 0..<Others { result.rows[row] = solve(b.row(row)).elements }
    return result
  }

  /// Returns the solution X of A X = b, one right-hand side per column: A⁻¹ b.
  @inlinable
  public func solve<let Others: Int>(_ b: FixedMatrix<Size, Others>) -> FixedMatrix<Size, Others> {
    solveFromRight(b.transpose).transpose
  }
}
