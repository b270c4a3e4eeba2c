/// What multiplies and factorises the matrices of fixed size of a Kalman filter.
///
/// The equations are the same on both and so are the results, to rounding. Which is faster depends on the size and on the
/// processor; `make bench TARGET=LinearAlgebraCosts` shows both on the same matrices.
public enum KalmanCore: String, Sendable, Codable, CaseIterable {
  /// BLAS and LAPACK: OpenBLAS, or Accelerate on Apple platforms.
  case blas
  /// Loops over a size that the compiler knows.
  case fixed
}

extension FixedCholesky {
  /// The decomposition, by LAPACK's dpotrf or by the loops of `init(_:)`; only the lower triangle is used.
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
    // By columns the lower triangle of what is stored by rows is the upper one, and L is Lᵀ.
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
  /// The lower factor of a matrix that is stored row by row, in place; 0, or the order of the first minor that is not
  /// positive.
  @usableFromInline
  static func factorize(_ a: Output, _ n: Int) -> Int {
    LAPACK.potrf(a, upper: true, n: n, lda: n)
  }
}
