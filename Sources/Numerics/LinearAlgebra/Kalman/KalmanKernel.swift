/// The step of a Kalman filter on BLAS and LAPACK, in memory owned by the caller. It is shared by `KalmanStep`, whose
/// matrices have shapes known at run time, and `FixedKalman`.
///
/// Matrices are column-major; F and H may also be stored row by row. For the notation see `KalmanStep`. Products of
/// matrices use BLAS, without a transposed left factor and without accumulation: OpenBLAS has special kernels for such
/// small products, two to three times as fast as the others. Additions, and operations cheaper than a call, are
/// implemented here: a filter that calls few routines keeps them in the processor's cache.
@usableFromInline
enum KalmanKernel {
  @usableFromInline typealias Input = UnsafePointer<Double>
  @usableFromInline typealias Output = UnsafeMutablePointer<Double>

  /// Returns the number of scratch elements that a step of n states and m measurements needs.
  @usableFromInline
  static func scratchCount(_ n: Int, _ m: Int) -> Int {
    max(2 * n * n, 3 * n * m + max(n * n, m * m + m), 3 * n)
  }

  // MARK: Prediction

  /// Computes P ← F P Fᵀ + Q, symmetrised; without Q if it is `nil`.
  @usableFromInline
  static func predict(
    _ n: Int, covariance p: Output, transition: Input, byRows: Bool, processNoise q: Input?, scratch: Output
  ) {
    let product = scratch
    let f = columns(transition, byRows, rowCount: n, columnCount: n, scratch + n * n)
    multiply(p, f, .transpose, m: n, n: n, k: n, into: product)
    multiply(f, product, .none, m: n, n: n, k: n, into: p)
    if let q { for index in 0..<n * n { p[index] += q[index] } }
    symmetrize(p, n)
  }

  // MARK: Measurements

  /// The outcome of an update in addition to K, S and the correction.
  @usableFromInline
  struct Outcome {
    @usableFromInline var normalizedInnovationSquared = 0.0
    @usableFromInline var isAccepted = false
    /// The reason that there was no update; the covariance is then unchanged.
    @usableFromInline var failure: LinearAlgebraError?

    init(isAccepted: Bool = false) { self.isAccepted = isAccepted }
  }

  /// The memory for the results of an update.
  @usableFromInline
  struct Results {
    /// The correction K z, n elements, set to zero by the caller.
    @usableFromInline var correction: Output
    /// The gain K, n by m.
    @usableFromInline var gain: Output
    /// The innovation covariance S, m by m.
    @usableFromInline var innovationCovariance: Output

    @usableFromInline
    init(correction: Output, gain: Output, innovationCovariance: Output) {
      self.correction = correction
      self.gain = gain
      self.innovationCovariance = innovationCovariance
    }
  }

  /// Performs the measurement update in Joseph's form as described in `KalmanStep.update`: T = P − K (P Hᵀ)ᵀ, P ← T +
  /// (K R − T Hᵀ) Kᵀ.
  @usableFromInline
  static func update(
    _ n: Int, _ m: Int, covariance p: Output, innovation z: Input, observation: Input, byRows: Bool, noise r: Input,
    gainFactors: [Double]?, gate: Double, results: Results, scratch: Output
  ) -> Outcome {
    var outcome = Outcome()
    let (cross, remainder) = (scratch, scratch + n * m)
    let h = columns(observation, byRows, rowCount: m, columnCount: n, scratch + 2 * n * m)
    // L⁻¹ and L⁻¹ z are no longer needed when the product is computed.
    let product = scratch + 3 * n * m
    let (inverse, whitened, s) = (product, product + m * m, results.innovationCovariance)
    multiply(p, h, .transpose, m: n, n: m, k: n, into: cross)
    multiply(h, cross, .none, m: m, n: m, k: n, into: s)
    for index in 0..<m * m { s[index] += r[index] }
    symmetrize(s, m)
    // Neither the Cholesky decomposition of BLAS nor that of LAPACK is guaranteed to detect NaN.
    guard isFinite(s, m * m), isFinite(z, m) else {
      outcome.failure = .nonFinite
      return outcome
    }

    // With S = L Lᵀ: V = P Hᵀ L⁻ᵀ, K = V L⁻¹, K z = V (L⁻¹ z) and NIS = |L⁻¹ z|².
    let order = invertFactor(of: s, m, into: inverse)
    guard order == 0 else {
      outcome.failure = .notPositiveDefinite(leadingMinor: order)
      return outcome
    }
    for row in 0..<m {
      whitened[row] = 0
      for column in 0...row { whitened[row] += inverse[row + column * m] * z[column] }
      outcome.normalizedInnovationSquared += whitened[row] * whitened[row]
    }
    outcome.isAccepted = outcome.normalizedInnovationSquared <= gate
    multiply(cross, inverse, .transpose, m: n, n: m, k: m, into: remainder)
    multiply(remainder, inverse, .none, m: n, n: m, k: m, into: results.gain)
    if outcome.isAccepted { multiply(remainder, whitened, .none, m: n, n: 1, k: m, into: results.correction) }
    scale(gainFactors, n, m, results)
    guard outcome.isAccepted else { return outcome }

    multiply(results.gain, cross, .transpose, m: n, n: n, k: m, into: product)
    for index in 0..<n * n { p[index] -= product[index] }
    multiply(results.gain, r, .none, m: n, n: m, k: m, into: remainder)
    multiply(p, h, .transpose, m: n, n: m, k: n, into: cross)
    for index in 0..<n * m { remainder[index] -= cross[index] }
    multiply(remainder, results.gain, .transpose, m: n, n: n, k: m, into: product)
    for index in 0..<n * n { p[index] += product[index] }
    symmetrize(p, n)
    return outcome
  }

  /// Performs the update by one scalar: the same form for m = 1, with n² operations and without a factorisation.
  ///
  /// - Parameters:
  ///   - h: The row of H, n elements.
  ///   - r: The measurement's variance.
  @usableFromInline
  static func update(
    _ n: Int, covariance p: Output, innovation: Double, observation h: Input, variance r: Double,
    gainFactors: [Double]?,
    gate: Double, results: Results, scratch: Output
  ) -> Outcome {
    var outcome = Outcome()
    let (projected, remainder, k) = (scratch, scratch + n, results.gain)
    multiply(p, h, .none, m: n, n: 1, k: n, into: projected)
    var s = r
    for index in 0..<n { s += h[index] * projected[index] }
    guard s.isFinite, innovation.isFinite else {
      outcome.failure = .nonFinite
      return outcome
    }
    guard s > 0 else {
      outcome.failure = .notPositiveDefinite(leadingMinor: 1)
      return outcome
    }
    results.innovationCovariance[0] = s
    outcome.normalizedInnovationSquared = innovation * innovation / s
    outcome.isAccepted = outcome.normalizedInnovationSquared <= gate
    for index in 0..<n { k[index] = projected[index] / s }
    if let gainFactors { for index in 0..<n { k[index] *= gainFactors[index] } }
    guard outcome.isAccepted else { return outcome }
    for index in 0..<n { results.correction[index] += innovation * k[index] }
    addOuter(k, projected, scaledBy: -1, to: p, n)
    multiply(p, h, .none, m: n, n: 1, k: n, into: remainder)
    for index in 0..<n { remainder[index] = r * k[index] - remainder[index] }
    addOuter(remainder, k, scaledBy: 1, to: p, n)
    symmetrize(p, n)
    return outcome
  }

  /// Performs the updates by m scalars with independent errors, one after another; H is column-major.
  ///
  /// S has been set to zero; its diagonal receives the variance of each innovation given the previous ones. If an
  /// update fails, the previous ones remain.
  static func updateSequentially(
    _ n: Int, _ m: Int, covariance p: Output, innovation z: Input, observation: Input, variances: Input,
    gainFactors: [Double]?, results: Results, scratch: Output
  ) -> Outcome {
    var total = Outcome(isAccepted: true)
    let row = scratch + 2 * n
    for index in 0..<m {
      for state in 0..<n { row[state] = observation[index + state * m] }
      // The innovation minus the effect of the corrections by earlier measurements.
      let remaining = z[index] - BLAS.dot(n, row, results.correction)
      let own = Results(
        correction: results.correction, gain: results.gain + index * n,
        innovationCovariance: results.innovationCovariance + index * (m + 1))
      let one = update(
        n, covariance: p, innovation: remaining, observation: row, variance: variances[index], gainFactors: gainFactors,
        gate: .infinity, results: own, scratch: scratch)
      guard one.failure == nil else {
        total.failure = one.failure
        return total
      }
      total.normalizedInnovationSquared += one.normalizedInnovationSquared
    }
    return total
  }

  // MARK: Smoothing

  /// Performs one backward step of the smoother of Rauch, Tung and Striebel as described in
  /// `RauchTungStriebelSmoother`.
  ///
  /// - Parameters:
  ///   - correction: C (x⁺ − x⁺₋) on return.
  ///   - gain: C on return, column-major.
  /// - Returns: The reason that there was no step, or `nil`; in case of an error, the smoothed covariance is unchanged.
  static func stepBack(
    _ n: Int, smoothed: Output, difference: Input, transition: Input, byRows: Bool, predicted: Input, filtered: Input,
    correction: Output, gain: Output, scratch: Output
  ) -> LinearAlgebraError? {
    guard isFinite(predicted, n * n) else { return .nonFinite }
    let (factor, product) = (scratch, scratch + n * n)
    for index in 0..<n * n { factor[index] = predicted[index] }
    let order = LAPACK.potrf(factor, n: n, lda: n)
    guard order == 0 else { return .notPositiveDefinite(leadingMinor: order) }
    multiply(
      filtered, columns(transition, byRows, rowCount: n, columnCount: n, product), .transpose, m: n, n: n, k: n,
      into: gain)
    for op in [Transposition.transpose, .none] {
      BLAS.trsm(fromLeft: false, lower: true, op, m: n, n: n, a: factor, lda: n, b: gain, ldb: n)
    }
    BLAS.gemv(.none, m: n, n: n, alpha: 1, a: gain, lda: n, x: difference, beta: 0, y: correction)
    for index in 0..<n * n { smoothed[index] -= predicted[index] }
    multiply(gain, smoothed, .none, m: n, n: n, k: n, into: product)
    multiply(product, gain, .transpose, m: n, n: n, k: n, into: smoothed)
    for index in 0..<n * n { smoothed[index] += filtered[index] }
    symmetrize(smoothed, n)
    return nil
  }

  // MARK: Parts

  /// Computes C ← A op(B), where A is m by k and C m by n.
  static func multiply(
    _ a: Input, _ b: Input, _ op: Transposition, m: Int, n: Int, k: Int, into c: Output
  ) {
    BLAS.gemm(
      .none, op, m: m, n: n, k: k, alpha: 1, a: a, lda: m, b: b, ldb: op == .none ? k : n, beta: 0, c: c, ldc: m)
  }

  /// Returns a matrix stored column by column: itself, or a copy if it is stored row by row.
  private static func columns(
    _ matrix: Input, _ byRows: Bool, rowCount: Int, columnCount: Int, _ copy: Output
  ) -> Input {
    guard byRows else { return matrix }
    for row in 0..<rowCount {
      for column in 0..<columnCount { copy[row + column * rowCount] = matrix[row * columnCount + column] }
    }
    return Input(copy)
  }

  /// Computes L⁻¹ of S = L Lᵀ, zeros above the diagonal. Returns 0, or the order of the first minor that is not
  /// positive.
  ///
  /// It uses LAPACK except for a few rows, as the measurements of an epoch have: a call takes longer than the
  /// computation.
  private static func invertFactor(of s: Input, _ m: Int, into inverse: Output) -> Int {
    for column in 0..<m {
      for row in 0..<m { inverse[row + column * m] = row < column ? 0 : s[row + column * m] }
    }
    guard m <= 3 else {
      let order = LAPACK.potrf(inverse, n: m, lda: m)
      return order == 0 ? LAPACK.trtri(inverse, n: m, lda: m) : order
    }
    for column in 0..<m {
      var pivot = inverse[column + column * m]
      for k in 0..<column { pivot -= inverse[column + k * m] * inverse[column + k * m] }
      guard pivot > 0 else { return column + 1 }
      pivot = pivot.squareRoot()
      inverse[column + column * m] = pivot
      for row in column + 1..<max(m, column + 1) {
        var sum = inverse[row + column * m]
        for k in 0..<column { sum -= inverse[row + k * m] * inverse[column + k * m] }
        inverse[row + column * m] = sum / pivot
      }
    }
    for column in 0..<m {
      inverse[column + column * m] = 1 / inverse[column + column * m]
      for row in column + 1..<max(m, column + 1) {
        var sum = 0.0
        for k in column..<row { sum += inverse[row + k * m] * inverse[k + column * m] }
        inverse[row + column * m] = -sum / inverse[row + row * m]
      }
    }
    return 0
  }

  /// Computes A ← A + s u vᵀ.
  private static func addOuter(_ u: Input, _ v: Input, scaledBy s: Double, to a: Output, _ n: Int) {
    for column in 0..<n {
      let factor = s * v[column]
      for row in 0..<n { a[row + column * n] += factor * u[row] }
    }
  }

  private static func scale(_ gainFactors: [Double]?, _ n: Int, _ m: Int, _ results: Results) {
    guard let gainFactors else { return }
    for state in 0..<n {
      results.correction[state] *= gainFactors[state]
      for measurement in 0..<m { results.gain[state + measurement * n] *= gainFactors[state] }
    }
  }

  private static func symmetrize(_ a: Output, _ n: Int) {
    for column in 0..<n {
      for row in column + 1..<max(n, column + 1) {
        let mean = (a[row + column * n] + a[column + row * n]) / 2
        a[row + column * n] = mean
        a[column + row * n] = mean
      }
    }
  }

  private static func isFinite(_ a: Input, _ count: Int) -> Bool {
    for index in 0..<count where !a[index].isFinite { return false }
    return true
  }
}
