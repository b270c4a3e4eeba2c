/// The Householder decomposition A = Q R of a matrix of any shape (LAPACK dgeqrf).
public struct QR: Sendable, Equatable {
  /// R on and above the diagonal, the Householder vectors below it.
  private let factors: Matrix
  private let reflectorScales: [Double]

  /// Decomposes an m by n matrix.
  ///
  /// - Throws: `nonFinite`.
  public init(_ a: Matrix) throws(LinearAlgebraError) {
    try a.requireFinite()
    var factors = a
    var scales = [Double](repeating: 0, count: min(a.rowCount, a.columnCount))
    // dgeqrf fails only for wrong arguments, which trap.
    _ = LAPACK.geqrf(
      &factors.elements, m: a.rowCount, n: a.columnCount, lda: a.leadingDimension, tau: &scales)
    self.factors = factors
    reflectorScales = scales
  }

  /// R: min(m, n) by n, zeros below the diagonal. The signs of the diagonal are arbitrary, as in LAPACK.
  public var r: Matrix {
    var r = factors.block(0, 0, rowCount: reflectorScales.count, columnCount: factors.columnCount)
    r.clearTriangle(above: false)
    return r
  }

  /// The first min(m, n) columns of Q: m by min(m, n), orthonormal, with A = thinQ · r.
  public var thinQ: Matrix {
    let count = reflectorScales.count
    var q = factors.block(0, 0, rowCount: factors.rowCount, columnCount: count)
    _ = LAPACK.orgqr(
      &q.elements, m: q.rowCount, n: count, reflectors: count, lda: q.leadingDimension,
      tau: reflectorScales)
    return q
  }

  /// Returns the x that minimises ‖A x − b‖, for m ≥ n and full rank.
  ///
  /// - Throws: `singular` if a diagonal element of R is at most max(m, n) · 2.2e-16 of the largest
  ///   (`Matrix.leastSquares` handles that case), `nonFinite` if b is not finite.
  public func solveLeastSquares(_ b: Matrix) throws(LinearAlgebraError) -> Matrix {
    let (m, n) = (factors.rowCount, factors.columnCount)
    precondition(
      m >= n && b.rowCount == m, "no least squares of a \(factors.shape) system for a \(b.shape) matrix")
    try b.requireFinite()
    let diagonal = factors.diagonal.map(abs)
    let minimum = Double(max(m, n)) * Double.ulpOfOne * (diagonal.max() ?? 0)
    if let pivot = diagonal.firstIndex(where: { $0 <= minimum }) { throw .singular(pivot: pivot) }
    var x = b
    _ = LAPACK.ormqrTransposed(
      factors.elements, reflectors: reflectorScales.count, lda: factors.leadingDimension,
      tau: reflectorScales, c: &x.elements, m: m, n: b.columnCount, ldc: x.leadingDimension)
    BLAS.trsm(
      fromLeft: true, lower: false, .none, m: n, n: b.columnCount, a: factors.elements,
      lda: factors.leadingDimension, b: &x.elements, ldb: x.leadingDimension)
    return x.block(0, 0, rowCount: n, columnCount: b.columnCount)
  }

  /// Returns the x that minimises ‖A x − b‖ for one right-hand side; see the overload with a matrix.
  public func solveLeastSquares(_ b: [Double]) throws(LinearAlgebraError) -> [Double] {
    try solveLeastSquares(Matrix(column: b)).elements
  }
}
