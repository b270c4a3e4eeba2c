/// The implementation of the products of matrices in `ErrorKalman` and `ErrorAdjoint`: the same equations, with results
/// that are equal except for rounding.
public enum ErrorProducts: Sendable {
  /// BLAS: OpenBLAS, or Accelerate on Apple platforms.
  case blas
  /// Loops over a size that is known at run time.
  case loops

  /// The implementation of this build: BLAS, or loops if the package is compiled with `-D INERTIAL_LOOPS`, for a BLAS
  /// that is slower than loops.
  public static var standard: ErrorProducts {
    #if INERTIAL_LOOPS
      .loops
    #else
      .blas
    #endif
  }

  typealias Input = UnsafePointer<Double>
  typealias Output = UnsafeMutablePointer<Double>

  /// Computes C ← C + Aᵀ B, a symmetric n by n matrix, from k rows of n elements each.
  func addProduct(_ n: Int, _ k: Int, _ a: Input, _ b: Input, to c: Output) {
    guard self == .blas else {
      for row in 0..<n {
        for index in 0..<k { Self.add(n, a[index * n + row], b + index * n, to: c + row * n) }
      }
      return
    }
    // Rows of n elements are the columns of a matrix that is stored by columns.
    BLAS.gemm(.none, .transpose, m: n, n: n, k: k, alpha: 1, a: a, lda: n, b: b, ldb: n, beta: 1, c: c, ldc: n)
    // Kernels may add up the two triangles in different orders, depending on the processor and the size.
    Self.symmetrize(n, c)
  }

  /// Computes y ← Aᵀ x from k rows of n elements each.
  func multiply(_ n: Int, _ k: Int, _ a: Input, _ x: Input, into y: Output) {
    guard self == .blas else {
      for index in 0..<n { y[index] = 0 }
      for index in 0..<k { Self.add(n, x[index], a + index * n, to: y) }
      return
    }
    BLAS.gemv(.none, m: n, n: k, alpha: 1, a: a, lda: n, x: x, beta: 0, y: y)
  }

  /// Replaces the upper triangle by the transpose of the lower one.
  static func symmetrize(_ n: Int, _ c: Output) {
    for row in 0..<n { for column in 0..<row { c[column * n + row] = c[row * n + column] } }
  }

  /// Computes y ← y + α x.
  @inline(__always)
  static func add(_ n: Int, _ alpha: Double, _ x: Input, to y: Output) {
    for index in 0..<n { y[index] += alpha * x[index] }
  }

  /// Computes P ← F P Fᵀ, equation (6), or Fᵀ P F, equation (19), so that P stays symmetric to the last bit.
  ///
  /// - Parameters:
  ///   - p: The n by n matrix P.
  ///   - x: Memory for n + 1 rows of n elements.
  ///   - terms: The terms of F = D (I + G).
  static func transform(
    _ n: Int, _ p: Output, _ x: Output, by terms: Span<ErrorTransition.Term>, transposed: Bool
  ) {
    if transposed { fade(n, p, terms) }
    // X = (I + G) P, in the rows that G changes.
    var changed: UInt64 = 0
    for index in terms.indices where terms[index].kind != .fade {
      let term = transposed ? terms[index].transposed : terms[index]
      for row in term.target..<term.target + term.count where changed & (1 << row) == 0 {
        changed |= 1 << row
        (x + row * n).update(from: p + row * n, count: n)
      }
    }
    for index in terms.indices where terms[index].kind != .fade {
      let term = transposed ? terms[index].transposed : terms[index]
      let (source, target) = (p + term.source * n, x + term.target * n)
      guard term.kind == .matrix else {
        for row in 0..<term.count { add(n, term.matrix.m11, source + row * n, to: target + row * n) }
        continue
      }
      let m = term.matrix
      for column in 0..<n {
        let (a, b, c) = (source[column], source[n + column], source[2 * n + column])
        target[column] += m.m11 * a + m.m12 * b + m.m13 * c
        target[n + column] += m.m21 * a + m.m22 * b + m.m23 * c
        target[2 * n + column] += m.m31 * a + m.m32 * b + m.m33 * c
      }
    }
    // X (I + G)ᵀ, of which the rows that G leaves unchanged follow by symmetry.
    let change = x + n * n
    for row in 0..<n where changed & (1 << row) != 0 {
      let x = x + row * n
      for column in 0..<n { change[column] = 0 }
      for index in terms.indices where terms[index].kind != .fade {
        let term = transposed ? terms[index].transposed : terms[index]
        let (source, target) = (x + term.source, change + term.target)
        guard term.kind == .matrix else {
          for column in 0..<term.count { target[column] += term.matrix.m11 * source[column] }
          continue
        }
        let m = term.matrix
        let (a, b, c) = (source[0], source[1], source[2])
        target[0] += m.m11 * a + m.m12 * b + m.m13 * c
        target[1] += m.m21 * a + m.m22 * b + m.m23 * c
        target[2] += m.m31 * a + m.m32 * b + m.m33 * c
      }
      for column in 0..<n where column <= row || changed & (1 << column) == 0 {
        let value = x[column] + change[column]
        p[row * n + column] = value
        p[column * n + row] = value
      }
    }
    if !transposed { fade(n, p, terms) }
  }

  /// Computes P ← D P D.
  private static func fade(_ n: Int, _ p: Output, _ terms: Span<ErrorTransition.Term>) {
    for index in terms.indices where terms[index].kind == .fade {
      let term = terms[index]
      for row in term.target..<term.target + term.count {
        for column in 0..<n { p[row * n + column] *= term.matrix.m11 }
        for other in 0..<n { p[other * n + row] *= term.matrix.m11 }
      }
    }
  }

  /// Computes λ ← Fᵀ λ, equation (19).
  ///
  /// - Parameter change: Memory for n elements.
  static func transform(_ n: Int, vector: Output, _ change: Output, by terms: Span<ErrorTransition.Term>) {
    for index in terms.indices where terms[index].kind == .fade {
      let term = terms[index]
      for row in term.target..<term.target + term.count { vector[row] *= term.matrix.m11 }
    }
    for index in 0..<n { change[index] = 0 }
    for index in terms.indices where terms[index].kind != .fade {
      let term = terms[index].transposed
      let (source, target) = (vector + term.source, change + term.target)
      guard term.kind == .matrix else {
        for row in 0..<term.count { target[row] += term.matrix.m11 * source[row] }
        continue
      }
      let product = term.matrix * Vector3(source[0], source[1], source[2])
      for axis in 0..<3 { target[axis] += product[axis] }
    }
    for index in 0..<n { vector[index] += change[index] }
  }
}

extension MeasurementRow {
  /// Computes c ← P hᵀ.
  @inline(__always)
  func project(_ n: Int, _ p: ErrorProducts.Input, into c: ErrorProducts.Output) {
    var isFirst = true
    for entry in 0..<count {
      entries[entry].forEach { index, derivative in
        guard derivative != 0 else { return }
        if isFirst {
          for column in 0..<n { c[column] = derivative * p[index * n + column] }
        } else {
          ErrorProducts.add(n, derivative, p + index * n, to: c)
        }
        isFirst = false
      }
    }
    if isFirst { for column in 0..<n { c[column] = 0 } }
  }

  /// Returns h·x.
  @inline(__always)
  func dot(_ x: ErrorProducts.Input) -> Double {
    var sum = 0.0
    for entry in 0..<count { entries[entry].forEach { index, derivative in sum += derivative * x[index] } }
    return sum
  }
}
