/// The eigenvalues and eigenvectors of a symmetric matrix, A = V diag(λ) Vᵀ (LAPACK dsyevd).
public struct SymmetricEigen: Sendable, Equatable {
  /// The eigenvalues in ascending order.
  public let eigenvalues: [Double]

  /// V: one eigenvector per column, orthonormal, in the order of the eigenvalues; their signs are arbitrary.
  public let eigenvectors: Matrix

  /// Decomposes a square matrix; only its lower triangle is used.
  ///
  /// - Throws: `notConverged` (never observed for finite input), `nonFinite`.
  public init(_ a: Matrix) throws(LinearAlgebraError) {
    precondition(a.isSquare, "a \(a.shape) matrix is not symmetric")
    try a.requireFinite()
    var vectors = a
    var values = [Double](repeating: 0, count: a.rowCount)
    let remaining = LAPACK.syevd(
      &vectors.elements, n: a.rowCount, lda: a.leadingDimension, values: &values)
    guard remaining == 0 else {
      throw .notConverged(decomposition: "symmetric eigenproblem", remaining: remaining)
    }
    eigenvalues = values
    eigenvectors = vectors
  }
}
