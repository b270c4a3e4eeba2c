/// The result of a measurement update of `FixedKalman`.
public struct FixedKalmanUpdate<let States: Int, let Measurements: Int>: Sendable {
  /// The correction K z; zeros if the update was rejected by its gate.
  public var correction: FixedVector<States>

  /// The gain K, with its factors.
  public var gain: FixedMatrix<States, Measurements>

  /// The innovation covariance S = H P Hᵀ + R.
  public var innovationCovariance: FixedMatrix<Measurements, Measurements>

  /// The normalized innovation squared zᵀ S⁻¹ z: χ² distributed with as many degrees of freedom as measurements if the
  /// model holds.
  public var normalizedInnovationSquared: Double

  /// Whether the normalized innovation squared was within the gate, so the covariance was updated.
  public var isAccepted: Bool

  @inlinable
  init(
    correction: FixedVector<States>, gain: FixedMatrix<States, Measurements>,
    innovationCovariance: FixedMatrix<Measurements, Measurements>,
    normalizedInnovationSquared: Double, isAccepted: Bool
  ) {
    self.correction = correction
    self.gain = gain
    self.innovationCovariance = innovationCovariance
    self.normalizedInnovationSquared = normalizedInnovationSquared
    self.isAccepted = isAccepted
  }
}

/// The step of a Kalman filter whose covariance is a `FixedMatrix`: the equations of `KalmanStep`, with equal results
/// except for rounding, on either core, without storage of its own.
public enum FixedKalman {
  /// Computes P ← F P Fᵀ + Q, symmetrised; without Q if it is `nil`.
  @inlinable
  public static func predict<let States: Int>(
    _ covariance: inout FixedMatrix<States, States>, transition: FixedMatrix<States, States>,
    processNoise: FixedMatrix<States, States>? = nil, on core: KalmanCore
  ) {
    switch core {
    case .blas: predictByBLAS(&covariance, transition, processNoise)
    case .fixed:
      covariance = (transition * covariance).timesTranspose(transition)
      if let processNoise { covariance = covariance + processNoise }
      covariance.symmetrize()
    }
  }

  /// Performs the measurement update in Joseph's form; see `KalmanStep.update`.
  ///
  /// - Throws: `nonFinite` if z or S is not finite, `notPositiveDefinite` if S is not positive definite; the covariance
  ///   is then unchanged.
  @inlinable
  @discardableResult
  public static func update<let States: Int, let Measurements: Int>(
    _ covariance: inout FixedMatrix<States, States>, innovation: FixedVector<Measurements>,
    observation: FixedMatrix<Measurements, States>, noise: FixedMatrix<Measurements, Measurements>,
    gainFactors: [Double]? = nil, gate: Double = .infinity, on core: KalmanCore
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, Measurements> {
    checkFactors(gainFactors, States)
    guard core == .fixed else {
      return try updateByBLAS(&covariance, innovation, observation, noise, gainFactors, gate)
    }
    guard innovation.isFinite else { throw .nonFinite }
    let cross = covariance.timesTranspose(observation)
    var innovationCovariance = observation * cross + noise
    innovationCovariance.symmetrize()
    let cholesky = try FixedCholesky(innovationCovariance)
    let whitened = cholesky.whiten(innovation)
    let squared = whitened.dot(whitened)
    var gain = cholesky.solveFromRight(cross)
    if let gainFactors {
      for state in 0..<States {
        for measurement in 0..<Measurements { gain.rows[state][measurement] *= gainFactors[state] }
      }
    }
    let isAccepted = squared <= gate
    if isAccepted {
      let reduced = covariance - gain.timesTranspose(cross)
      let remainder = gain * noise - reduced.timesTranspose(observation)
      covariance = reduced + remainder.timesTranspose(gain)
      covariance.symmetrize()
    }
    return FixedKalmanUpdate(
      correction: isAccepted ? gain * innovation : FixedVector(), gain: gain,
      innovationCovariance: innovationCovariance, normalizedInnovationSquared: squared,
      isAccepted: isAccepted)
  }

  /// Performs the update by one scalar measurement with observation row h and variance r; see the scalar
  /// `KalmanStep.update`.
  ///
  /// - Throws: `nonFinite` if z or s = hᵀ P h + r is not finite, `notPositiveDefinite` if s is not positive; the
  ///   covariance is then unchanged.
  @inlinable
  @discardableResult
  public static func update<let States: Int>(
    _ covariance: inout FixedMatrix<States, States>, innovation: Double,
    observation: FixedVector<States>, variance: Double, gainFactors: [Double]? = nil,
    gate: Double = .infinity, on core: KalmanCore
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, 1> {
    checkFactors(gainFactors, States)
    guard core == .fixed else {
      return try updateByBLAS(&covariance, innovation, observation, variance, gainFactors, gate)
    }
    let projected = covariance * observation
    let s = observation.dot(projected) + variance
    guard s.isFinite, innovation.isFinite else { throw .nonFinite }
    guard s > 0 else { throw .notPositiveDefinite(leadingMinor: 1) }
    var gain = (1 / s) * projected
    if let gainFactors {
      for state in 0..<States { gain[state] *= gainFactors[state] }
    }
    let squared = innovation * innovation / s
    let isAccepted = squared <= gate
    if isAccepted {
      let reduced = covariance.addingOuter(gain, projected, scaledBy: -1)
      let remainder = (variance * gain) - reduced * observation
      covariance = reduced.addingOuter(remainder, gain, scaledBy: 1)
      covariance.symmetrize()
    }
    return FixedKalmanUpdate(
      correction: isAccepted ? innovation * gain : FixedVector(),
      gain: FixedMatrix { row, _ in gain[row] },
      innovationCovariance: FixedMatrix(repeating: s), normalizedInnovationSquared: squared,
      isAccepted: isAccepted)
  }

  /// Performs the updates by measurements with independent errors, one after another; see
  /// `KalmanStep.updateSequentially`.
  ///
  /// - Throws: The same errors as the scalar `update`; the covariance is then the one after the measurements before the
  ///   failed one.
  @inlinable
  @discardableResult
  public static func updateSequentially<let States: Int, let Measurements: Int>(
    _ covariance: inout FixedMatrix<States, States>, innovation: FixedVector<Measurements>,
    observation: FixedMatrix<Measurements, States>, variances: FixedVector<Measurements>,
    gainFactors: [Double]? = nil, on core: KalmanCore
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, Measurements> {
    var total = FixedKalmanUpdate<States, Measurements>(
      correction: FixedVector(), gain: FixedMatrix(), innovationCovariance: FixedMatrix(),
      normalizedInnovationSquared: 0, isAccepted: true)
    for index in 0..<Measurements {
      let row = observation.row(index)
      let remaining = innovation[index] - row.dot(total.correction)
      let one = try update(
        &covariance, innovation: remaining, observation: row, variance: variances[index],
        gainFactors: gainFactors, on: core)
      total.correction = total.correction + one.correction
      for state in 0..<States { total.gain[state, index] = one.gain[state, 0] }
      total.innovationCovariance[index, index] = one.innovationCovariance[0, 0]
      total.normalizedInnovationSquared += one.normalizedInnovationSquared
    }
    return total
  }

  @inlinable
  static func checkFactors(_ gainFactors: [Double]?, _ stateCount: Int) {
    if let gainFactors {
      precondition(gainFactors.count == stateCount, "\(gainFactors.count) gain factors for \(stateCount) states")
    }
  }
}
