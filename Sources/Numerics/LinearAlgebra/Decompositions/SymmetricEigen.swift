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

extension SymmetricEigen {
  /// Returns the eigenvector of the largest eigenvalue of a symmetric 4 by 4 matrix, of norm 1 and arbitrary sign. It
  /// equals that of `eigenvectors` and needs no memory on the heap.
  ///
  /// - Throws: `notConverged` (never observed for finite input), `nonFinite`.
  package static func dominantVector(of a: FixedMatrix<4, 4>) throws(LinearAlgebraError) -> FixedVector<4> {
    guard a.isFinite else { throw .nonFinite }
    var vector = FixedVector<4>()
    let remaining = withUnsafeTemporaryAllocation(of: Double.self, capacity: 20) { numbers in
      let elements = numbers.baseAddress.unsafelyUnwrapped
      for row in 0..<4 { for column in 0..<4 { elements[4 * column + row] = a[row, column] } }
      let remaining = LAPACK.syevd(elements, n: 4, lda: 4, values: elements + 16)
      for row in 0..<4 { vector[row] = elements[12 + row] }
      return remaining
    }
    guard remaining == 0 else {
      throw .notConverged(decomposition: "symmetric eigenproblem", remaining: remaining)
    }
    return vector
  }
}
