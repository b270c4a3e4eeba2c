/// The result of `Matrix.leastSquares`.
public struct LeastSquaresSolution: Sendable, Equatable {
  /// The shortest x that minimises ‖A x − b‖, n elements.
  public let solution: [Double]

  /// ‖A x − b‖.
  public let residualNorm: Double

  /// The rank of A to the given tolerance; below n, the solution is not unique.
  public let rank: Int

  /// The singular values of A, in descending order.
  public let singularValues: [Double]
}

extension Matrix {
  /// Returns the x of minimum norm that minimises ‖self x − b‖, for any shape and any rank (LAPACK dgelsd).
  ///
  /// `QR.solveLeastSquares` is faster for matrices of full rank.
  /// - Parameters:
  ///   - b: The right-hand side, one element per row.
  ///   - relativeTolerance: Singular values at most this times the largest are treated as zero; `nil` means max(m, n) ·
  ///     2.2e-16.
  /// - Throws: `notConverged` (never observed for finite input), `nonFinite`.
  public func leastSquares(
    _ b: [Double], relativeTolerance: Double? = nil
  ) throws(LinearAlgebraError) -> LeastSquaresSolution {
    precondition(
      b.count == rowCount, "no least squares of a \(shape) system for \(b.count) right-hand elements")
    try requireFinite()
    guard b.allSatisfy(\.isFinite) else { throw .nonFinite }
    let tolerance = relativeTolerance ?? Double(Swift.max(rowCount, columnCount)) * Double.ulpOfOne
    var scratch = elements
    var x = b + Array(repeating: 0, count: Swift.max(1, rowCount, columnCount) - rowCount)
    var values = [Double](repeating: 0, count: Swift.min(rowCount, columnCount))
    var rank = 0
    let remaining = LAPACK.gelsd(
      &scratch, m: rowCount, n: columnCount, lda: leadingDimension, b: &x, values: &values,
      tolerance: tolerance, rank: &rank)
    guard remaining == 0 else {
      throw .notConverged(decomposition: "least squares", remaining: remaining)
    }
    let solution = Array(x.prefix(columnCount))
    var residual = self * solution
    BLAS.axpy(rowCount, -1, b, &residual)
    return LeastSquaresSolution(
      solution: solution, residualNorm: BLAS.norm(rowCount, residual), rank: rank, singularValues: values)
  }
}
