/// The step of a Kalman filter whose covariance is a `Matrix`, on BLAS and LAPACK.
///
/// It contains the results of an update and the scratch storage, so that a step in steady state allocates nothing. A
/// filter owns a step in addition to its covariance and remains a copyable value. The filter updates the mean: an
/// error-state filter applies `correction` to its rotation.
///
/// Notation: n states, m measurements, P covariance (n by n), F transition, Q process noise, H observation (m by n), R
/// measurement noise (m by m), z innovation (measured minus predicted), S innovation covariance, K gain. For small
/// fixed sizes, use `FixedKalman`.
public struct KalmanStep: Sendable {
  /// The number n of states.
  public let stateCount: Int

  /// The correction K z of the latest update, n elements; zeros if the update was rejected by its gate or threw.
  public internal(set) var correction: [Double]

  /// The gain K of the latest update, n by m, with its factors.
  public internal(set) var gain: Matrix

  /// The innovation covariance S = H P Hᵀ + R of the latest update, m by m. After sequential updates: diagonal, with
  /// the variance of each measurement's innovation given the previous ones.
  public internal(set) var innovationCovariance: Matrix

  /// The normalized innovation squared zᵀ S⁻¹ z of the latest update: χ² distributed with m degrees of freedom if the
  /// model holds.
  public internal(set) var normalizedInnovationSquared = 0.0

  /// Memory for the kernel and z, as large as the largest step so far needed.
  var scratch: [Double]
  private var innovation: [Double]

  /// Creates storage for n states; the storage for measurements grows to the largest m.
  ///
  /// It limits BLAS to one thread: see `BLASThreads`.
  public init(stateCount n: Int) {
    precondition(n > 0, "a Kalman filter has at least one state, not \(n)")
    BLASThreads.useOne()
    stateCount = n
    correction = Array(repeating: 0, count: n)
    gain = Matrix(rowCount: n, columnCount: 3)
    innovationCovariance = Matrix(rowCount: 3, columnCount: 3)
    scratch = Array(repeating: 0, count: KalmanKernel.scratchCount(n, 3))
    innovation = Array(repeating: 0, count: 3)
  }

  /// Computes P ← F P Fᵀ + Q, symmetrised; without Q if it is `nil`.
  public mutating func predict(
    _ covariance: inout Matrix, transition: Matrix, processNoise: Matrix? = nil
  ) {
    checkSquare(covariance, "covariance")
    checkSquare(transition, "transition")
    guard let processNoise else {
      return KalmanKernel.predict(
        stateCount, covariance: &covariance.elements, transition: transition.elements, byRows: false,
        processNoise: nil, scratch: &scratch)
    }
    checkSquare(processNoise, "process noise")
    KalmanKernel.predict(
      stateCount, covariance: &covariance.elements, transition: transition.elements, byRows: false,
      processNoise: processNoise.elements, scratch: &scratch)
  }

  /// Performs the measurement update in Joseph's form: P ← (I − K H) P (I − K H)ᵀ + K R Kᵀ, symmetrised.
  ///
  /// The form stays positive definite even if P − K H P does not, and is correct for any gain, including one with rows
  /// scaled down (Bucy and Joseph 1968). It is evaluated as T = P − K (P Hᵀ)ᵀ, P ← T + (K R − T Hᵀ) Kᵀ, Bierman's
  /// "stabilized" update (1977) for m measurements: the same polynomial without a product larger than P. If I − K H
  /// were formed, precise measurements of nearly the same direction would make that factor large, and cancellation
  /// would cost the covariance up to a thousand times more accuracy, and its positive definiteness; see the test on
  /// Joseph's form.
  ///
  /// - Parameters:
  ///   - covariance: P before and after; before, it must be symmetric.
  ///   - innovation: z, m elements.
  ///   - observation: H, m by n.
  ///   - noise: R, m by m.
  ///   - gainFactors: The fraction of the optimal correction that is applied to each state, 0...1: a partial update
  ///     (Brink, "Partial-update Schmidt-Kalman filter", J. Guidance 40 (2017)). A state with 0 keeps its mean and
  ///     variance, while its uncertainty is accounted for and its correlations with the others are updated (Schmidt
  ///     1966). `nil` means 1 for all states.
  ///   - gate: The largest normalized innovation squared of an accepted update.
  /// - Returns: Whether the update was accepted. If not, the covariance is unchanged and `correction` is zero, while S,
  ///   the gain and the normalized innovation squared describe the rejected update.
  /// - Throws: `nonFinite` if z or S is not finite, `notPositiveDefinite` if S is not positive definite; the covariance
  ///   is then unchanged.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: [Double], observation: Matrix, noise: Matrix,
    gainFactors: [Double]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: innovation.count)
    for index in innovation.indices { self.innovation[index] = innovation[index] }
    return try update(&covariance, observation, noise, gainFactors, gate)
  }

  /// Same as above, with an innovation of three elements.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: Vector3, observation: Matrix, noise: Matrix,
    gainFactors: [Double]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: 3)
    (self.innovation[0], self.innovation[1], self.innovation[2]) = (innovation.x, innovation.y, innovation.z)
    return try update(&covariance, observation, noise, gainFactors, gate)
  }

  private mutating func update(
    _ covariance: inout Matrix, _ observation: Matrix, _ noise: Matrix, _ gainFactors: [Double]?,
    _ gate: Double
  ) throws(LinearAlgebraError) -> Bool {
    let m = innovation.count
    checkSquare(covariance, "covariance")
    checkFactors(gainFactors)
    precondition(
      observation.rowCount == m && observation.columnCount == stateCount && noise.rowCount == m
        && noise.columnCount == m,
      "a \(observation.shape) observation and a \(noise.shape) noise matrix for \(m) innovations")
    let (n, z) = (stateCount, innovation)
    return try run { results, scratch in
      KalmanKernel.update(
        n, m, covariance: &covariance.elements, innovation: z, observation: observation.elements, byRows: false,
        noise: noise.elements, gainFactors: gainFactors, gate: gate, results: results, scratch: scratch)
    }
  }

  /// Runs an update of the kernel with the memory for its results and its scratch memory.
  mutating func run(
    _ body: (KalmanKernel.Results, UnsafeMutablePointer<Double>) -> KalmanKernel.Outcome
  ) throws(LinearAlgebraError) -> Bool {
    let outcome = correction.withUnsafeMutableBufferPointer { correction in
      gain.elements.withUnsafeMutableBufferPointer { gain in
        innovationCovariance.elements.withUnsafeMutableBufferPointer { s in
          scratch.withUnsafeMutableBufferPointer { scratch in
            body(
              KalmanKernel.Results(
                correction: correction.baseAddress.unsafelyUnwrapped, gain: gain.baseAddress.unsafelyUnwrapped,
                innovationCovariance: s.baseAddress.unsafelyUnwrapped), scratch.baseAddress.unsafelyUnwrapped)
          }
        }
      }
    }
    normalizedInnovationSquared = outcome.normalizedInnovationSquared
    if let failure = outcome.failure { throw failure }
    return outcome.isAccepted
  }

  /// Shapes the results for m measurements and clears the correction and its normalized square.
  mutating func prepare(measurementCount m: Int) {
    precondition(m > 0, "an update needs at least one measurement")
    gain.reshape(rowCount: stateCount, columnCount: m)
    innovationCovariance.reshape(rowCount: m, columnCount: m)
    if innovation.count != m {
      innovation.removeAll(keepingCapacity: true)
      innovation.append(contentsOf: repeatElement(0, count: m))
    }
    let needed = KalmanKernel.scratchCount(stateCount, m)
    if scratch.count < needed { scratch.append(contentsOf: repeatElement(0, count: needed - scratch.count)) }
    normalizedInnovationSquared = 0
    for index in 0..<stateCount { correction[index] = 0 }
  }

  func checkSquare(_ matrix: Matrix, _ name: StaticString) {
    precondition(
      matrix.rowCount == stateCount && matrix.columnCount == stateCount,
      "a \(matrix.shape) \(name) for \(stateCount) states")
  }

  func checkFactors(_ gainFactors: [Double]?) {
    if let gainFactors {
      precondition(
        gainFactors.count == stateCount, "\(gainFactors.count) gain factors for \(stateCount) states")
    }
  }
}
