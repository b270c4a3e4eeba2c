extension Matrix {
  /// Returns the product a b; the column count of a must equal the row count of b.
  public static func * (a: Matrix, b: Matrix) -> Matrix { product(a, .none, b, .none) }

  /// Returns the product a v; the column count of a must equal the length of v.
  public static func * (a: Matrix, v: [Double]) -> [Double] {
    precondition(
      v.count == a.columnCount, "cannot multiply a \(a.shape) matrix by a vector of \(v.count) elements")
    return a.product(.none, v, count: a.rowCount)
  }

  /// Returns the product selfᵀ b without forming a transpose; both must have the same number of rows.
  public func transposeTimes(_ b: Matrix) -> Matrix { Self.product(self, .transpose, b, .none) }

  /// Returns the product self bᵀ without forming a transpose; both must have the same number of columns.
  public func timesTranspose(_ b: Matrix) -> Matrix { Self.product(self, .none, b, .transpose) }

  /// Returns the product selfᵀ bᵀ without forming a transpose.
  public func transposeTimesTranspose(_ b: Matrix) -> Matrix {
    Self.product(self, .transpose, b, .transpose)
  }

  /// Returns the product selfᵀ v without forming the transpose; the row count of self must equal the length of v.
  public func transposeTimes(_ v: [Double]) -> [Double] {
    precondition(
      v.count == rowCount,
      "cannot multiply the transpose of a \(shape) matrix by a vector of \(v.count) elements")
    return product(.transpose, v, count: columnCount)
  }

  /// The product self selfᵀ, exactly symmetric, at half the cost of a general product.
  public var timesOwnTranspose: Matrix { ownProduct(.none, count: rowCount, inner: columnCount) }

  /// The product selfᵀ self, exactly symmetric, at half the cost of a general product.
  public var ownTransposeTimes: Matrix { ownProduct(.transpose, count: columnCount, inner: rowCount) }

  /// Creates the outer product u vᵀ.
  public init(outer u: [Double], _ v: [Double]) {
    self.init(rowCount: u.count, columnCount: v.count) { row, column in u[row] * v[column] }
  }

  /// Computes self ← scale · a b + keeping · self in the existing storage, without an allocation.
  ///
  /// - `a`: The left operand, transposed if `transposingFirst` is true.
  /// - `b`: The right operand, transposed if `transposingSecond` is true.
  /// - `scale`: The factor of the product.
  /// - `keeping`: The factor of the previous value; 0 overwrites it, even if it is not finite.
  public mutating func setProduct(
    _ a: Matrix, _ b: Matrix, transposingFirst: Bool = false, transposingSecond: Bool = false,
    scale: Double = 1, keeping: Double = 0
  ) {
    setProduct(
      a, transposingFirst ? .transpose : .none, b, transposingSecond ? .transpose : .none, scale: scale,
      keeping: keeping)
  }

  mutating func setProduct(
    _ a: Matrix, _ opA: Transposition, _ b: Matrix, _ opB: Transposition, scale: Double = 1,
    keeping: Double = 0
  ) {
    let (m, k) = opA == .none ? (a.rowCount, a.columnCount) : (a.columnCount, a.rowCount)
    let (inner, n) = opB == .none ? (b.rowCount, b.columnCount) : (b.columnCount, b.rowCount)
    precondition(
      inner == k && m == rowCount && n == columnCount,
      "the product of a \(m) by \(k) and a \(inner) by \(n) matrix does not fit in a \(shape) matrix")
    BLAS.gemm(
      opA, opB, m: m, n: n, k: k, alpha: scale, a: a.elements, lda: a.leadingDimension, b: b.elements,
      ldb: b.leadingDimension, beta: keeping, c: &elements, ldc: leadingDimension)
  }

  private static func product(
    _ a: Matrix, _ opA: Transposition, _ b: Matrix, _ opB: Transposition
  ) -> Matrix {
    var result = Matrix(
      rowCount: opA == .none ? a.rowCount : a.columnCount,
      columnCount: opB == .none ? b.columnCount : b.rowCount)
    result.setProduct(a, opA, b, opB)
    return result
  }

  private func product(_ op: Transposition, _ v: [Double], count: Int) -> [Double] {
    var result = [Double](repeating: 0, count: count)
    BLAS.gemv(
      op, m: rowCount, n: columnCount, alpha: 1, a: elements, lda: leadingDimension, x: v, beta: 0,
      y: &result)
    return result
  }

  private func ownProduct(_ op: Transposition, count: Int, inner: Int) -> Matrix {
    var result = Matrix(rowCount: count, columnCount: count)
    BLAS.syrk(
      op, n: count, k: inner, alpha: 1, a: elements, lda: leadingDimension, beta: 0,
      c: &result.elements, ldc: result.leadingDimension)
    result.mirrorLowerTriangle()
    return result
  }
}
