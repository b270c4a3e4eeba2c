internal import InertialSystem

/// The Cholesky decomposition A = L Lᵀ of a symmetric positive definite matrix (LAPACK dpotrf).
public struct Cholesky: Sendable, Equatable {
  /// L: lower triangular with a positive diagonal, zeros above it.
  public let lowerFactor: Matrix

  /// Decomposes a square matrix; only its lower triangle is used.
  ///
  /// - Throws: `notPositiveDefinite` with the order of the first leading minor that is not positive,
  ///   `nonFinite`.
  public init(_ a: Matrix) throws(LinearAlgebraError) {
    precondition(a.isSquare, "a \(a.shape) matrix has no Cholesky decomposition")
    try a.requireFinite()
    var factor = a
    let order = LAPACK.potrf(&factor.elements, n: a.rowCount, lda: a.leadingDimension)
    guard order == 0 else { throw .notPositiveDefinite(leadingMinor: order) }
    factor.clearTriangle(above: true)
    lowerFactor = factor
  }

  /// Returns the solution X of A X = b, with one right-hand side per column.
  public func solve(_ b: Matrix) -> Matrix {
    let n = lowerFactor.rowCount
    precondition(b.rowCount == n, "cannot solve a \(lowerFactor.shape) system for a \(b.shape) matrix")
    var x = b
    for op in [Transposition.none, .transpose] {
      BLAS.trsm(
        fromLeft: true, lower: true, op, m: n, n: b.columnCount, a: lowerFactor.elements,
        lda: lowerFactor.leadingDimension, b: &x.elements, ldb: x.leadingDimension)
    }
    return x
  }

  /// Returns the solution x of A x = b.
  public func solve(_ b: [Double]) -> [Double] { solve(Matrix(column: b)).elements }

  /// Returns L⁻¹ b, whose covariance is the identity if A is the covariance of b.
  public func whiten(_ b: [Double]) -> [Double] {
    let n = lowerFactor.rowCount
    precondition(b.count == n, "cannot whiten \(b.count) elements by a \(lowerFactor.shape) factor")
    var x = b
    BLAS.trsm(
      fromLeft: true, lower: true, .none, m: n, n: 1, a: lowerFactor.elements,
      lda: lowerFactor.leadingDimension, b: &x, ldb: lowerFactor.leadingDimension)
    return x
  }

  /// A⁻¹, exactly symmetric (LAPACK dpotri).
  public var inverse: Matrix {
    var inverse = lowerFactor
    // The factor's diagonal is positive, so dpotri cannot find it singular.
    let info = LAPACK.potri(&inverse.elements, n: inverse.rowCount, lda: inverse.leadingDimension)
    precondition(info == 0, "a Cholesky factor has a zero at \(info) on its diagonal")
    inverse.mirrorLowerTriangle()
    return inverse
  }

  /// The natural logarithm of the determinant of A. The determinant itself may not be representable.
  public var logDeterminant: Double { 2 * lowerFactor.diagonal.reduce(0) { $0 + log($1) } }
}
