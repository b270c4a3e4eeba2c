internal import LinearAlgebra

/// One component of the measured field as a function of the errors.
struct FieldObservation: Sendable, Equatable {
  var attitude: Vector3
  var horizontal: Double
  var down: Double
  var delay: Double
}

/// The measurements of one epoch, scalar by scalar: what they correct is collected and applied once, at its end.
struct ErrorCorrection: Sendable {
  /// The collected correction of every error.
  private(set) var correction = [Double](repeating: 0, count: ErrorIndex.count)
  /// What an offline form needs; nil where there is none.
  var trace: SmoothingTrace?
  /// The dense equations on BLAS, where they are asked for.
  private var reference: KalmanStep?

  init(on core: KalmanCore) {
    if core == .blas { reference = KalmanStep(stateCount: ErrorIndex.count) }
  }

  /// P ← F P Fᵀ.
  mutating func propagate(_ p: inout ErrorCovariance, by transition: ErrorTransition) {
    guard reference != nil else { return p.propagate(by: transition) }
    var dense = p.matrix
    reference?.predict(&dense, transition: transition.matrix)
    p = ErrorCovariance(dense)
  }

  mutating func clear() {
    for index in 0..<ErrorIndex.count { correction[index] = 0 }
  }

  func vector(at start: Int) -> Vector3 {
    Vector3(correction[start], correction[start + 1], correction[start + 2])
  }

  /// Takes a measurement of each of three errors that follow each other, one after the other; the covariance is gone
  /// through only once.
  ///
  /// - Parameter residual: the measured values less the predicted ones, before this epoch's corrections.
  mutating func measure(_ p: inout ErrorCovariance, at start: Int, residual: Vector3, variances: Vector3) {
    guard reference == nil else {
      for axis in 0..<3 {
        measureByReference(&p, .single(start + axis), residual: residual[axis], factors: nil) { _, _ in variances[axis]
        }
      }
      return
    }
    withErrorVectors(4) { memory in
      let (first, second, third) = (ErrorVector(memory, 0), ErrorVector(memory, 1), ErrorVector(memory, 2))
      let gain = ErrorVector(memory, 3)
      p.product(with: start, into: first)
      apply(first, gain, start, residual: residual.x, variance: variances.x)
      p.product(with: start + 1, into: second)
      second.add(first, scaledBy: -first[start + 1])
      apply(second, gain, start + 1, residual: residual.y, variance: variances.y)
      p.product(with: start + 2, into: third)
      third.add(first, scaledBy: -first[start + 2])
      third.add(second, scaledBy: -second[start + 2])
      apply(third, gain, start + 2, residual: residual.z, variance: variances.z)
      p.subtractSquares(first, second, third)
    }
  }

  private mutating func apply(
    _ product: ErrorVector, _ gain: ErrorVector, _ index: Int, residual: Double, variance: Double
  ) {
    apply(
      .single(index), product, gain, innovation: residual - correction[index], explained: product[index],
      variance: variance,
      factors: nil)
  }

  /// Takes one component of the field.
  ///
  /// The innovation's own square, where the errors' covariance does not explain it, is further noise: a disturbance
  /// weighs as 1/y² and a good field as it is, whatever the order of the samples (a redescending weight).
  ///
  /// - Parameters:
  ///   - innovationWeight: further variance per squared unexplained innovation.
  ///   - factors: of the gain, by error: a partial update (Brink, "Partial-update Schmidt–Kalman filter", J. Guidance 40
  ///     (2017)).
  mutating func measure(
    _ p: inout ErrorCovariance, _ row: FieldObservation, residual: Double, variance: Double,
    innovationWeight: Double, factors: [Double]?
  ) {
    // Two standard deviations are what the errors may well be.
    func weakened(_ innovation: Double, _ explained: Double) -> Double {
      variance + innovationWeight * max(0, innovation * innovation - 4 * explained)
    }
    guard reference == nil else {
      return measureByReference(&p, .field(row), residual: residual, factors: factors, variance: weakened)
    }
    withErrorVectors(3) { memory in
      let (product, gain, kept) = (ErrorVector(memory, 0), ErrorVector(memory, 1), ErrorVector(memory, 2))
      p.product(with: row, into: product)
      let (b, d, t) = (ErrorIndex.fieldHorizontal, ErrorIndex.fieldDown, ErrorIndex.fieldDelay)
      let explained =
        row.attitude.dot(Vector3(product[0], product[1], product[2]))
        + row.horizontal * product[b] + row.down * product[d] + row.delay * product[t]
      let innovation =
        residual - row.attitude.dot(vector(at: ErrorIndex.attitude))
        - row.horizontal * correction[b] - row.down * correction[d] - row.delay * correction[t]
      apply(
        .field(row), product, gain, innovation: innovation, explained: explained,
        variance: weakened(innovation, explained), factors: factors)
      kept.set(product, keptBy: factors)
      p.subtractSquare(product, addSquare: kept)
    }
  }

  /// Corrects every error by one scalar measurement.
  ///
  /// P ← P − k (P Hᵀ)ᵀ − (P Hᵀ) kᵀ + k S kᵀ is right for any gain k. With k = f P Hᵀ / S and a = P Hᵀ / √S that is
  /// P − a aᵀ + b bᵀ, b = (1 − f) a: symmetric to the last bit, and nothing is left of b for the optimal gain.
  ///
  /// - Parameters:
  ///   - errors: H.
  ///   - product: P Hᵀ on entry; on return a, zero where the measurement teaches nothing.
  ///   - gain: k on return.
  ///   - explained: H P Hᵀ.
  @inline(__always)
  private mutating func apply(
    _ errors: MeasuredErrors, _ product: ErrorVector, _ gain: ErrorVector, innovation: Double, explained: Double,
    variance: Double, factors: [Double]?
  ) {
    let total = explained + variance
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard total > 0, total.isFinite, innovation.isFinite else { return product.clear() }
    gain.set(product, scaledBy: 1 / total)
    if let factors { gain.scale(by: factors) }
    correction.withUnsafeMutableBufferPointer { ErrorVector($0).add(gain, scaledBy: innovation) }
    product.set(product, scaledBy: 1 / total.squareRoot())
    trace?.add(
      SmoothingTrace.Update(errors: errors, weightedInnovation: innovation / total, information: 1 / total),
      gain: gain)
  }

  /// Corrects every error by one scalar measurement, by the dense equations.
  ///
  /// - Parameter variance: of the measurement, from its innovation and from hᵀ P h.
  private mutating func measureByReference(
    _ p: inout ErrorCovariance, _ errors: MeasuredErrors, residual: Double, factors: [Double]?,
    variance: (_ innovation: Double, _ explained: Double) -> Double
  ) {
    var dense = p.matrix
    let h = errors.row
    var innovation = residual
    for index in 0..<ErrorIndex.count { innovation -= h[index] * correction[index] }
    let explained = zip(h, dense * h).reduce(0) { $0 + $1.0 * $1.1 }
    let variance = variance(innovation, explained)
    let isUpdated =
      try? reference?.update(
        &dense, innovation: innovation, observation: h, variance: variance, gainFactors: factors)
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard isUpdated == true, let reference else { return }
    p = ErrorCovariance(dense)
    for index in 0..<ErrorIndex.count { correction[index] += reference.correction[index] }
    guard trace != nil else { return }
    withErrorVectors(1) { memory in
      for index in 0..<ErrorIndex.count { memory[index] = reference.gain[index, 0] }
      let total = explained + variance
      trace?.add(
        SmoothingTrace.Update(errors: errors, weightedInnovation: innovation / total, information: 1 / total),
        gain: ErrorVector(memory))
    }
  }
}
