extension KalmanStep {
  /// Performs the update by one scalar measurement, with n² operations and no factorisation.
  ///
  /// The form is the same for m = 1.
  /// - `innovation`: z, measured minus predicted.
  /// - `observation`: h, the row of H, n elements.
  /// - `variance`: r, the measurement's variance.
  /// The other parameters, the result and the errors are the same as in `update`.
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

  /// Performs the updates by m measurements with independent errors, one after another; equal to `update` with a
  /// diagonal noise matrix, without a factorisation.
  ///
  /// With gain factors the two differ (each scalar gain is optimal for its own step), but both are consistent.
  /// - `variances`: The diagonal of R, m elements.
  /// - Throws: The same errors as `update`; covariance and `correction` are then those after the measurements before
  ///   the failed one.
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
