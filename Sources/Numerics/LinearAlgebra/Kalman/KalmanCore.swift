/// The implementation of the products and factorisations of a Kalman filter's fixed-size matrices.
///
/// The equations are the same in both, and so are the results, except for rounding. Which one is faster depends on the
/// size and the processor; `make bench TARGET=LinearAlgebraCosts` compares both on the same matrices.
public enum KalmanCore: String, Sendable, Codable, CaseIterable {
  /// BLAS and LAPACK: OpenBLAS, or Accelerate on Apple platforms.
  case blas
  /// Loops over a size that is known at compile time.
  case fixed
}

extension FixedCholesky {
  /// Decomposes a matrix by LAPACK's dpotrf or by the loops of `init(_:)`; only the lower triangle is used.
  ///
  /// - Throws: `notPositiveDefinite` with the order of the first leading minor that is not positive,
  ///   `nonFinite`.
  @inlinable
  public init(_ a: FixedMatrix<Size, Size>, on core: KalmanCore) throws(LinearAlgebraError) {
    guard core == .blas else {
      try self.init(a)
      return
    }
    guard a.isFinite else { throw .nonFinite }
    // Read by columns, the lower triangle of a matrix stored by rows is the upper one, and L is Lᵀ.
    var factor = FixedMatrix<Size, Size>()
    for row in 0..<Size {
      for column in 0...row { factor.rows[row][column] = a.rows[row][column] }
    }
    let order = factor.withMutableNumbers { KalmanKernel.factorize($0, Size) }
    guard order == 0 else { throw .notPositiveDefinite(leadingMinor: order) }
    self.init(lowerFactor: factor)
  }
}

extension KalmanKernel {
  /// Computes the lower factor of a matrix that is stored row by row, in place. Returns 0, or the order of the first
  /// minor that is not positive.
  @usableFromInline
  static func factorize(_ a: Output, _ n: Int) -> Int {
    LAPACK.potrf(a, upper: true, n: n, lda: n)
  }
}
