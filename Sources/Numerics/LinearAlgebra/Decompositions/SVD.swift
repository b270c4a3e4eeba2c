/// The singular value decomposition A = U Σ Vᵀ of a matrix of any shape (LAPACK dgesdd).
public struct SVD: Sendable, Equatable {
  /// The extent of the singular vectors, for an m by n matrix and k = min(m, n).
  public enum Extent: Sendable {
    /// U is m by k and Vᵀ is k by n, sufficient for products.
    case thin
    /// U is m by m and Vᵀ is n by n, including null spaces.
    case full
  }

  /// The left singular vectors, one per column.
  public let u: Matrix

  /// The min(m, n) singular values, in descending order, all nonnegative.
  public let singularValues: [Double]

  /// The right singular vectors, one per row.
  public let vTransposed: Matrix

  /// Decomposes an m by n matrix.
  ///
  /// - Throws: `notConverged` (never observed for finite input), `nonFinite`.
  public init(_ a: Matrix, _ extent: Extent = .thin) throws(LinearAlgebraError) {
    try a.requireFinite()
    let (m, n) = (a.rowCount, a.columnCount)
    let count = min(m, n)
    var scratch = a
    var values = [Double](repeating: 0, count: count)
    var u = Matrix(rowCount: m, columnCount: extent == .full ? m : count)
    var vTransposed = Matrix(rowCount: extent == .full ? n : count, columnCount: n)
    let remaining = LAPACK.gesdd(
      full: extent == .full, &scratch.elements, m: m, n: n, lda: a.leadingDimension, values: &values,
      u: &u.elements, ldu: u.leadingDimension, vTransposed: &vTransposed.elements,
      ldvt: vTransposed.leadingDimension)
    guard remaining == 0 else { throw .notConverged(decomposition: "SVD", remaining: remaining) }
    self.u = u
    singularValues = values
    self.vTransposed = vTransposed
  }

  /// The rounding level of the singular values relative to the largest: max(m, n) · 2.2e-16.
  public var defaultTolerance: Double {
    Double(max(u.rowCount, vTransposed.columnCount)) * Double.ulpOfOne
  }

  /// Returns the number of singular values above a tolerance relative to the largest one.
  ///
  /// - Parameter relativeTolerance: The tolerance, or `nil` for `defaultTolerance`.
  public func rank(relativeTolerance: Double? = nil) -> Int {
    let minimum = (relativeTolerance ?? defaultTolerance) * (singularValues.first ?? 0)
    return singularValues.count { $0 > minimum }
  }

  /// The largest singular value over the smallest: infinite for a singular matrix, NaN for a zero matrix.
  public var conditionNumber: Double {
    guard let largest = singularValues.first, let smallest = singularValues.last else { return 1 }
    return largest / smallest
  }

  /// Returns the Moore-Penrose inverse, n by m; singular values not counted by `rank` are treated as zero.
  ///
  /// - Parameter relativeTolerance: The tolerance, or `nil` for `defaultTolerance`.
  public func pseudoInverse(relativeTolerance: Double? = nil) -> Matrix {
    let rank = rank(relativeTolerance: relativeTolerance)
    var scaled = vTransposed.block(0, 0, rowCount: rank, columnCount: vTransposed.columnCount)
    for column in 0..<scaled.columnCount {
      for row in 0..<rank { scaled[row, column] /= singularValues[row] }
    }
    return scaled.transposeTimesTranspose(u.block(0, 0, rowCount: u.rowCount, columnCount: rank))
  }
}
