extension KalmanStep {
  /// The update by one scalar measurement, the cheap one: n² operations and no factorisation.
  ///
  /// The same form for m = 1.
  /// - Parameters:
  ///   - innovation: z, measured minus predicted.
  ///   - observation: h, the one row of H, n elements.
  ///   - variance: r, the measurement's variance.
  /// The other parameters, the result and the errors are those of `update`.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: Double, observation: [Double], variance: Double,
    gainMask: [Bool]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: 1)
    checkSquare(covariance, "covariance")
    checkMask(gainMask)
    precondition(
      observation.count == stateCount,
      "an observation row of \(observation.count) elements for \(stateCount) states")
    BLAS.copy(stateCount, observation, to: &row)
    let s = try scalarGain(covariance, innovation, variance, gainMask)
    innovationCovariance[0, 0] = s
    normalizedInnovationSquared = innovation * innovation / s
    BLAS.copy(stateCount, column, to: &gain.elements)
    guard normalizedInnovationSquared <= gate else { return false }
    BLAS.axpy(stateCount, innovation, column, &correction)
    applyScalarJoseph(&covariance, variance)
    return true
  }

  /// The update by m measurements with independent errors, one after another; equal to `update` with a
  /// diagonal noise matrix, without a factorisation.
  ///
  /// With a mask the two differ (each scalar gain is optimal for its own step), and both are honest.
  /// - Parameter variances: The diagonal of R, m elements.
  /// - Throws: As `update`; the covariance is then as it was after the measurements before the bad one, and
  ///   `correction` is theirs.
  public mutating func updateSequentially(
    _ covariance: inout Matrix, innovation: [Double], observation: Matrix, variances: [Double],
    gainMask: [Bool]? = nil
  ) throws(LinearAlgebraError) {
    let m = innovation.count
    precondition(
      observation.rowCount == m && observation.columnCount == stateCount && variances.count == m,
      "\(m) innovations and \(variances.count) variances with a \(observation.shape) observation matrix")
    prepare(measurementCount: m)
    for index in innovationCovariance.elements.indices { innovationCovariance.elements[index] = 0 }
    checkSquare(covariance, "covariance")
    checkMask(gainMask)
    for index in innovation.indices {
      for state in 0..<stateCount { row[state] = observation.elements[index + state * m] }
      // What the earlier measurements corrected is no longer in the innovation of this one.
      let remaining = innovation[index] - BLAS.dot(stateCount, row, correction)
      let s = try scalarGain(covariance, remaining, variances[index], gainMask)
      innovationCovariance[index, index] = s
      normalizedInnovationSquared += remaining * remaining / s
      for state in 0..<stateCount { gain.elements[state + index * stateCount] = column[state] }
      BLAS.axpy(stateCount, remaining, column, &correction)
      applyScalarJoseph(&covariance, variances[index])
    }
  }

  /// With h in `row`, leaves P h in `projected` and k in `column`; returns s = hᵀ P h + r.
  private mutating func scalarGain(
    _ covariance: Matrix, _ innovation: Double, _ variance: Double, _ gainMask: [Bool]?
  ) throws(LinearAlgebraError) -> Double {
    let n = stateCount
    BLAS.gemv(
      .none, m: n, n: n, alpha: 1, a: covariance.elements, lda: n, x: row, beta: 0,
      y: &projected)
    let s = BLAS.dot(n, row, projected) + variance
    guard s.isFinite, innovation.isFinite else { throw .nonFinite }
    guard s > 0 else { throw .notPositiveDefinite(leadingMinor: 1) }
    for index in 0..<n {
      column[index] = gainMask.map { $0[index] } ?? true ? projected[index] / s : 0
    }
    return s
  }

  /// P ← T − (T h) kᵀ + r k kᵀ with T = P − k (P h)ᵀ = (I − k hᵀ) P.
  private mutating func applyScalarJoseph(_ covariance: inout Matrix, _ variance: Double) {
    let n = stateCount
    BLAS.ger(
      m: n, n: n, alpha: -1, x: column, y: projected, a: &covariance.elements, lda: n)
    BLAS.copy(n, column, to: &remainder)
    BLAS.gemv(
      .none, m: n, n: n, alpha: -1, a: covariance.elements, lda: n, x: row, beta: variance,
      y: &remainder)
    BLAS.ger(m: n, n: n, alpha: 1, x: remainder, y: column, a: &covariance.elements, lda: n)
    covariance.symmetrize()
  }
}
