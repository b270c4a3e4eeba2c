// The only file that depends on the BLAS in use: OpenBLAS, or Accelerate on Apple platforms. The names, the
// column-major order and the 32-bit integers are the same in both, so they share the code.
#if canImport(Accelerate)
  internal import Accelerate
#else
  internal import CInertialOpenBLAS
#endif

/// The threads of BLAS and LAPACK calls.
public enum BLASThreads {
  /// Keeps BLAS and LAPACK on the calling thread.
  ///
  /// The covariances of filters are far too small to benefit from a second thread, and many filters may run in
  /// parallel. With OpenBLAS, this module calls this function automatically before its first BLAS call, once for the
  /// whole process: a program that needs more threads for other purposes may set them afterwards. With Accelerate, it
  /// applies to the calling thread, and Kalman filters and smoothers call it when they are created.
  public static func useOne() {
    #if canImport(Accelerate)
      _ = BLASSetThreading(BLAS_THREADING_SINGLE_THREADED)
    #else
      keepOne()
    #endif
  }

  /// Limits BLAS to one thread; called before every BLAS call. OpenBLAS 0.3.21 occasionally gives wrong results if one
  /// thread sets the number while another is in a call: `dpotri` of 24 rows in 2 of 80 runs of the tests on a loaded
  /// machine.
  @inline(__always)
  static func keepOne() {
    #if !canImport(Accelerate)
      _ = setOnce
    #endif
  }

  #if !canImport(Accelerate)
    /// Evaluated by the first caller only; later calls cost one atomic load.
    private static let setOnce: Void = openblas_set_num_threads(1)
  #endif
}

/// Whether an operand is used directly or transposed.
enum Transposition {
  case none
  case transpose

  fileprivate var blas: CBLAS_TRANSPOSE { self == .none ? CblasNoTrans : CblasTrans }
}

/// Thin wrappers with Int sizes over the BLAS routines in use; matrices are column-major.
enum BLAS {
  /// Computes C ← α op(A) op(B) + β C, where op(A) is m by k and op(B) is k by n.
  static func gemm(
    _ opA: Transposition, _ opB: Transposition, m: Int, n: Int, k: Int, alpha: Double,
    a: UnsafePointer<Double>, lda: Int, b: UnsafePointer<Double>, ldb: Int, beta: Double,
    c: UnsafeMutablePointer<Double>, ldc: Int
  ) {
    BLASThreads.keepOne()
    cblas_dgemm(
      CblasColMajor, opA.blas, opB.blas, Int32(m), Int32(n), Int32(k), alpha, a, Int32(lda), b,
      Int32(ldb), beta, c, Int32(ldc))
  }

  /// Computes the lower triangle of C ← α op(A) op(A)ᵀ + β C, where op(A) is n by k.
  static func syrk(
    _ opA: Transposition, n: Int, k: Int, alpha: Double, a: UnsafePointer<Double>, lda: Int,
    beta: Double, c: UnsafeMutablePointer<Double>, ldc: Int
  ) {
    BLASThreads.keepOne()
    cblas_dsyrk(
      CblasColMajor, CblasLower, opA.blas, Int32(n), Int32(k), alpha, a, Int32(lda), beta, c, Int32(ldc))
  }

  /// Computes y ← α op(A) x + β y, where A is m by n before op.
  static func gemv(
    _ opA: Transposition, m: Int, n: Int, alpha: Double, a: UnsafePointer<Double>, lda: Int,
    x: UnsafePointer<Double>, beta: Double, y: UnsafeMutablePointer<Double>
  ) {
    BLASThreads.keepOne()
    cblas_dgemv(CblasColMajor, opA.blas, Int32(m), Int32(n), alpha, a, Int32(lda), x, 1, beta, y, 1)
  }

  /// Computes B ← op(A)⁻¹ B (`fromLeft`) or B op(A)⁻¹, where A is triangular and B is m by n.
  static func trsm(
    fromLeft: Bool, lower: Bool, _ opA: Transposition, unitDiagonal: Bool = false, m: Int, n: Int,
    a: UnsafePointer<Double>, lda: Int, b: UnsafeMutablePointer<Double>, ldb: Int
  ) {
    BLASThreads.keepOne()
    cblas_dtrsm(
      CblasColMajor, fromLeft ? CblasLeft : CblasRight, lower ? CblasLower : CblasUpper, opA.blas,
      unitDiagonal ? CblasUnit : CblasNonUnit, Int32(m), Int32(n), 1, a, Int32(lda), b, Int32(ldb))
  }

  /// Returns the Euclidean norm, safe against overflow and underflow.
  static func norm(_ n: Int, _ x: UnsafePointer<Double>) -> Double {
    BLASThreads.keepOne()
    return cblas_dnrm2(Int32(n), x, 1)
  }

  /// Computes y ← y + α x.
  static func axpy(_ n: Int, _ alpha: Double, _ x: UnsafePointer<Double>, _ y: UnsafeMutablePointer<Double>) {
    BLASThreads.keepOne()
    cblas_daxpy(Int32(n), alpha, x, 1, y, 1)
  }
}

/// Thin wrappers over the LAPACK routines in use. Each returns LAPACK's `info`: 0 is success, the meaning of a positive
/// value depends on the routine; a negative value, a wrong argument, is a programming error and traps.
enum LAPACK {
  private static func checked(_ info: Int32, _ routine: StaticString) -> Int {
    precondition(info >= 0, "\(routine): argument \(-info) is wrong")
    return Int(info)
  }

  private static func letter(_ character: Unicode.Scalar) -> CChar {
    CChar(truncatingIfNeeded: character.value)
  }

  /// Runs a routine twice: once with `lwork` = -1 for the size of its workspace, then with it.
  private static func withWorkspace(
    _ call: (_ work: UnsafeMutablePointer<Double>, _ size: inout Int32) -> Void
  ) {
    BLASThreads.keepOne()
    var query = 0.0
    var size: Int32 = -1
    call(&query, &size)
    size = max(1, Int32(query))
    var work = [Double](repeating: 0, count: Int(size))
    call(&work, &size)
  }

  /// Computes the lower Cholesky factor in place; the strict upper triangle is unchanged.
  static func potrf(_ a: UnsafeMutablePointer<Double>, n: Int, lda: Int) -> Int {
    var (uplo, n, lda, info) = (letter("L"), Int32(n), Int32(lda), Int32(0))
    BLASThreads.keepOne()
    dpotrf_(&uplo, &n, a, &lda, &info)
    return checked(info, "dpotrf")
  }

  /// Computes the lower triangle of the inverse from the lower Cholesky factor, in place.
  static func potri(_ a: UnsafeMutablePointer<Double>, n: Int, lda: Int) -> Int {
    var (uplo, n, lda, info) = (letter("L"), Int32(n), Int32(lda), Int32(0))
    BLASThreads.keepOne()
    dpotri_(&uplo, &n, a, &lda, &info)
    return checked(info, "dpotri")
  }

  static func getrf(
    _ a: UnsafeMutablePointer<Double>, n: Int, lda: Int, pivots: UnsafeMutablePointer<Int32>
  ) -> Int {
    var (m, n, lda, info) = (Int32(n), Int32(n), Int32(lda), Int32(0))
    BLASThreads.keepOne()
    dgetrf_(&m, &n, a, &lda, pivots, &info)
    return checked(info, "dgetrf")
  }

  static func getrs(
    _ a: UnsafePointer<Double>, n: Int, lda: Int, pivots: UnsafePointer<Int32>,
    b: UnsafeMutablePointer<Double>, columns: Int, ldb: Int
  ) -> Int {
    var (trans, n, nrhs) = (letter("N"), Int32(n), Int32(columns))
    var (lda, ldb, info) = (Int32(lda), Int32(ldb), Int32(0))
    // Accelerate's older headers declare the read-only operands as mutable pointers.
    BLASThreads.keepOne()
    dgetrs_(
      &trans, &n, &nrhs, UnsafeMutablePointer(mutating: a), &lda, UnsafeMutablePointer(mutating: pivots),
      b, &ldb, &info)
    return checked(info, "dgetrs")
  }

  static func geqrf(
    _ a: UnsafeMutablePointer<Double>, m: Int, n: Int, lda: Int, tau: UnsafeMutablePointer<Double>
  ) -> Int {
    var (m, n, lda, info) = (Int32(m), Int32(n), Int32(lda), Int32(0))
    withWorkspace { work, size in dgeqrf_(&m, &n, a, &lda, tau, work, &size, &info) }
    return checked(info, "dgeqrf")
  }

  /// Computes the first n columns of the orthogonal factor, replacing the reflectors.
  static func orgqr(
    _ a: UnsafeMutablePointer<Double>, m: Int, n: Int, reflectors: Int, lda: Int,
    tau: UnsafePointer<Double>
  ) -> Int {
    var (m, n, k, lda, info) = (Int32(m), Int32(n), Int32(reflectors), Int32(lda), Int32(0))
    let tau = UnsafeMutablePointer(mutating: tau)
    withWorkspace { work, size in dorgqr_(&m, &n, &k, a, &lda, tau, work, &size, &info) }
    return checked(info, "dorgqr")
  }

  /// Computes C ← Qᵀ C, where C is m by n.
  static func ormqrTransposed(
    _ a: UnsafePointer<Double>, reflectors: Int, lda: Int, tau: UnsafePointer<Double>,
    c: UnsafeMutablePointer<Double>, m: Int, n: Int, ldc: Int
  ) -> Int {
    var (side, trans) = (letter("L"), letter("T"))
    var (m, n, k) = (Int32(m), Int32(n), Int32(reflectors))
    var (lda, ldc, info) = (Int32(lda), Int32(ldc), Int32(0))
    let (a, tau) = (UnsafeMutablePointer(mutating: a), UnsafeMutablePointer(mutating: tau))
    withWorkspace { work, size in
      dormqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &size, &info)
    }
    return checked(info, "dormqr")
  }

  /// Computes singular values in descending order; U has m (`full`) or min(m, n) columns, Vᵀ as many rows.
  static func gesdd(
    full: Bool, _ a: UnsafeMutablePointer<Double>, m: Int, n: Int, lda: Int,
    values: UnsafeMutablePointer<Double>, u: UnsafeMutablePointer<Double>, ldu: Int,
    vTransposed: UnsafeMutablePointer<Double>, ldvt: Int
  ) -> Int {
    var integers = [Int32](repeating: 0, count: max(1, 8 * min(m, n)))
    var (job, m, n, lda) = (letter(full ? "A" : "S"), Int32(m), Int32(n), Int32(lda))
    var (ldu, ldvt, info) = (Int32(ldu), Int32(ldvt), Int32(0))
    withWorkspace { work, size in
      dgesdd_(
        &job, &m, &n, a, &lda, values, u, &ldu, vTransposed, &ldvt, work, &size, &integers, &info)
    }
    return checked(info, "dgesdd")
  }

  /// Computes eigenvalues in ascending order from the lower triangle; the eigenvectors replace `a`.
  static func syevd(
    _ a: UnsafeMutablePointer<Double>, n: Int, lda: Int, values: UnsafeMutablePointer<Double>
  ) -> Int {
    // The minimum sizes that dsyevd documents for eigenvectors; n = 1 needs less.
    var (doubles, integerCount) = (Int32(1 + 6 * n + 2 * n * n), Int32(3 + 5 * n))
    var (job, uplo, n, lda, info) = (letter("V"), letter("L"), Int32(n), Int32(lda), Int32(0))
    BLASThreads.keepOne()
    // Small matrices use memory on the stack.
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Int(doubles)) { work in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(integerCount)) { integers in
        dsyevd_(
          &job, &uplo, &n, a, &lda, values, work.baseAddress, &doubles, integers.baseAddress, &integerCount, &info)
      }
    }
    return checked(info, "dsyevd")
  }

  /// Solves least squares with one right-hand side of max(m, n) elements, which the solution replaces.
  static func gelsd(
    _ a: UnsafeMutablePointer<Double>, m: Int, n: Int, lda: Int, b: UnsafeMutablePointer<Double>,
    values: UnsafeMutablePointer<Double>, tolerance: Double, rank: inout Int
  ) -> Int {
    // dgelsd needs 3 k levels + 11 k integers, k = min(m, n), levels ≤ log2(k) + 1.
    let smaller = max(1, min(m, n))
    let levels = Int.bitWidth - smaller.leadingZeroBitCount
    var integers = [Int32](repeating: 0, count: smaller * (3 * levels + 11))
    var (ldb, m, n, nrhs) = (Int32(max(1, m, n)), Int32(m), Int32(n), Int32(1))
    var (lda, tolerance, found, info) = (Int32(lda), tolerance, Int32(0), Int32(0))
    withWorkspace { work, size in
      dgelsd_(
        &m, &n, &nrhs, a, &lda, b, &ldb, values, &tolerance, &found, work, &size, &integers, &info)
    }
    rank = Int(found)
    return checked(info, "dgelsd")
  }
}
