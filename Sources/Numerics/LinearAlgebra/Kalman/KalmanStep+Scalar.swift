extension KalmanStep {
  /// The update by one scalar measurement, the cheap one: n² operations and no factorisation.
  ///
  /// The same form for m = 1.
  /// - `innovation`: z, measured minus predicted.
  /// - `observation`: h, the one row of H, n elements.
  /// - `variance`: r, the measurement's variance.
  /// The other parameters, the result and the errors are those of `update`.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: Double, observation: [Double], variance: Double,
    gainFactors: [Double]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: 1)
    checkSquare(covariance, "covariance")
    checkFactors(gainFactors)
    precondition(
      observation.count == stateCount,
      "an observation row of \(observation.count) elements for \(stateCount) states")
    let n = stateCount
    return try run { results, scratch in
      KalmanKernel.update(
        n, covariance: &covariance.elements, innovation: innovation, observation: observation, variance: variance,
        gainFactors: gainFactors, gate: gate, results: results, scratch: scratch)
    }
  }

  /// The update by m measurements with independent errors, one after another; equal to `update` with a
  /// diagonal noise matrix, without a factorisation.
  ///
  /// With gain factors the two differ (each scalar gain is optimal for its own step), and both are honest.
  /// - `variances`: The diagonal of R, m elements.
  /// - Throws: As `update`; the covariance is then as it was after the measurements before the bad one, and
  ///   `correction` is theirs.
  public mutating func updateSequentially(
    _ covariance: inout Matrix, innovation: [Double], observation: Matrix, variances: [Double],
    gainFactors: [Double]? = nil
  ) throws(LinearAlgebraError) {
    let m = innovation.count
    precondition(
      observation.rowCount == m && observation.columnCount == stateCount && variances.count == m,
      "\(m) innovations and \(variances.count) variances with a \(observation.shape) observation matrix")
    prepare(measurementCount: m)
    for index in innovationCovariance.elements.indices { innovationCovariance.elements[index] = 0 }
    checkSquare(covariance, "covariance")
    checkFactors(gainFactors)
    let n = stateCount
    _ = try run { results, scratch in
      KalmanKernel.updateSequentially(
        n, m, covariance: &covariance.elements, innovation: innovation, observation: observation.elements,
        variances: variances, gainFactors: gainFactors, results: results, scratch: scratch)
    }
  }
}
