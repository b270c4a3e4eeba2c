/// The step of a Kalman filter whose covariance is a `Matrix`, on BLAS and LAPACK.
///
/// It holds what an update produces and the scratch storage it needs, so that a step in steady state
/// allocates nothing; a filter owns one beside its covariance and stays a copyable value. The mean is
/// the filter's business: an error-state filter applies `correction` to its rotation as it must.
///
/// Notation: n states, m measurements, P covariance (n by n), F transition, Q process noise, H observation
/// (m by n), R measurement noise (m by m), z innovation (measured minus predicted), S innovation covariance,
/// K gain. For small fixed sizes `FixedKalman` does the same without BLAS.
public struct KalmanStep: Sendable {
  /// The number n of states.
  public let stateCount: Int

  /// K z of the latest update, n elements; zeros where the update was refused by its gate or threw.
  public internal(set) var correction: [Double]

  /// K of the latest update, n by m, after the mask.
  public internal(set) var gain: Matrix

  /// S = H P Hᵀ + R of the latest update, m by m. After sequential updates: diagonal, each element the
  /// variance of that measurement's innovation given those before it.
  public internal(set) var innovationCovariance: Matrix

  /// zᵀ S⁻¹ z of the latest update: χ² distributed with m degrees of freedom where the model holds.
  public internal(set) var normalizedInnovationSquared = 0.0

  /// P Hᵀ, then K R − T Hᵀ.
  private var cross: Matrix
  /// The Cholesky factor of S in the lower triangle.
  private var factor: Matrix
  /// F P.
  private var product: Matrix
  /// z, then L⁻¹ z.
  private var whitened: [Double]
  /// For scalar updates, n elements each: h, P h, k and r k − T h.
  var row, projected, column, remainder: [Double]

  /// Storage for n states; that of the measurements grows to the largest m seen.
  ///
  /// Also keeps BLAS on one thread: see `BLASThreads`.
  public init(stateCount n: Int) {
    precondition(n > 0, "a Kalman filter has at least one state, not \(n)")
    BLASThreads.useOne()
    stateCount = n
    correction = Array(repeating: 0, count: n)
    gain = Matrix(rowCount: n, columnCount: 3)
    innovationCovariance = Matrix(rowCount: 3, columnCount: 3)
    cross = Matrix(rowCount: n, columnCount: 3)
    factor = Matrix(rowCount: 3, columnCount: 3)
    product = Matrix(rowCount: n, columnCount: n)
    whitened = Array(repeating: 0, count: 3)
    row = correction
    projected = correction
    column = correction
    remainder = correction
  }

  /// P ← F P Fᵀ + Q, symmetrised.
  public mutating func predict(
    _ covariance: inout Matrix, transition: Matrix, processNoise: Matrix
  ) {
    checkSquare(covariance, "covariance")
    product.setProduct(transition, .none, covariance, .none)
    covariance.assign(processNoise)
    covariance.setProduct(product, .none, transition, .transpose, keeping: 1)
    covariance.symmetrize()
  }

  /// The measurement update in Joseph's form: P ← (I − K H) P (I − K H)ᵀ + K R Kᵀ, symmetrised.
  ///
  /// The form stays positive definite where P − K H P does not, and it is right for any gain, so also for
  /// one with rows masked to zero (Bucy and Joseph 1968; Schmidt 1966 for the mask). It is evaluated as
  /// T = P − K (P Hᵀ)ᵀ, P ← T + (K R − T Hᵀ) Kᵀ, Bierman's "stabilized" update (1977) for m measurements:
  /// the same polynomial with no product larger than P in it. With I − K H formed, precise measurements
  /// of nearly one direction make that factor large, and the covariance loses up to a thousand times more
  /// accuracy, and its positive definiteness, to cancellation; see the test on Joseph's form.
  ///
  /// - Parameters:
  ///   - covariance: P before and after; before, it must be symmetric.
  ///   - innovation: z, m elements.
  ///   - observation: H, m by n.
  ///   - noise: R, m by m.
  ///   - gainMask: For each state whether it is corrected. A state masked out (false) keeps its mean and
  ///     variance, while its uncertainty counts and its correlations with the others are updated.
  ///     Nil: all are corrected.
  ///   - gate: The update is refused where the normalized innovation squared is above it.
  /// - Returns: Whether the update was made; where not, the covariance is as it was and `correction` is
  ///   zero, while S, the gain and the normalized innovation squared tell what would have been.
  /// - Throws: `nonFinite` where z or S is not finite, `notPositiveDefinite` where S is not positive
  ///   definite; the covariance is as it was.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: [Double], observation: Matrix, noise: Matrix,
    gainMask: [Bool]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: innovation.count)
    for index in innovation.indices { whitened[index] = innovation[index] }
    return try update(&covariance, observation, noise, gainMask, gate)
  }

  /// The same with an innovation of three elements.
  @discardableResult
  public mutating func update(
    _ covariance: inout Matrix, innovation: Vector3, observation: Matrix, noise: Matrix,
    gainMask: [Bool]? = nil, gate: Double = .infinity
  ) throws(LinearAlgebraError) -> Bool {
    prepare(measurementCount: 3)
    (whitened[0], whitened[1], whitened[2]) = (innovation.x, innovation.y, innovation.z)
    return try update(&covariance, observation, noise, gainMask, gate)
  }

  private mutating func update(
    _ covariance: inout Matrix, _ observation: Matrix, _ noise: Matrix, _ gainMask: [Bool]?,
    _ gate: Double
  ) throws(LinearAlgebraError) -> Bool {
    checkSquare(covariance, "covariance")
    checkMask(gainMask)
    let m = whitened.count
    cross.setProduct(covariance, .none, observation, .transpose)
    innovationCovariance.assign(noise)
    innovationCovariance.setProduct(observation, .none, cross, .none, keeping: 1)
    innovationCovariance.symmetrize()
    // Neither BLAS's nor LAPACK's Cholesky promises to notice a NaN.
    guard innovationCovariance.isFinite, whitened.allSatisfy(\.isFinite) else { throw .nonFinite }
    factor.assign(innovationCovariance)
    let order = LAPACK.potrf(&factor.elements, n: m, lda: m)
    guard order == 0 else { throw .notPositiveDefinite(leadingMinor: order) }

    // With S = L Lᵀ: K z = (P Hᵀ L⁻ᵀ) (L⁻¹ z) and NIS = |L⁻¹ z|².
    BLAS.trsm(
      fromLeft: true, lower: true, .none, m: m, n: 1, a: factor.elements, lda: m, b: &whitened, ldb: m)
    normalizedInnovationSquared = BLAS.dot(m, whitened, whitened)
    gain.assign(cross)
    Self.solveFromRight(&gain, .transpose, factor)
    let accepted = normalizedInnovationSquared <= gate
    if accepted {
      BLAS.gemv(
        .none, m: stateCount, n: m, alpha: 1, a: gain.elements, lda: stateCount, x: whitened, beta: 0,
        y: &correction)
    }
    Self.solveFromRight(&gain, .none, factor)
    mask(gainMask)
    if accepted { applyJoseph(&covariance, observation, noise) }
    return accepted
  }

  /// With T = P − K (P Hᵀ)ᵀ in place of P: P ← T + (K R − T Hᵀ) Kᵀ.
  private mutating func applyJoseph(_ covariance: inout Matrix, _ observation: Matrix, _ noise: Matrix) {
    covariance.setProduct(gain, .none, cross, .transpose, scale: -1, keeping: 1)
    cross.setProduct(gain, .none, noise, .none)
    cross.setProduct(covariance, .none, observation, .transpose, scale: -1, keeping: 1)
    covariance.setProduct(cross, .none, gain, .transpose, keeping: 1)
    covariance.symmetrize()
  }

  /// X ← X op(L)⁻¹ with the Cholesky factor L of S.
  ///
  /// Static, because a method would hold a second reference to X's storage and so force a copy.
  private static func solveFromRight(_ x: inout Matrix, _ op: Transposition, _ factor: Matrix) {
    BLAS.trsm(
      fromLeft: false, lower: true, op, m: x.rowCount, n: x.columnCount, a: factor.elements,
      lda: factor.leadingDimension, b: &x.elements, ldb: x.leadingDimension)
  }

  private mutating func mask(_ gainMask: [Bool]?) {
    guard let gainMask else { return }
    for state in 0..<stateCount where !gainMask[state] {
      correction[state] = 0
      for measurement in 0..<gain.columnCount { gain[state, measurement] = 0 }
    }
  }

  /// Shapes the results for m measurements and clears the correction and its normalized square.
  mutating func prepare(measurementCount m: Int) {
    precondition(m > 0, "an update needs at least one measurement")
    gain.reshape(rowCount: stateCount, columnCount: m)
    cross.reshape(rowCount: stateCount, columnCount: m)
    innovationCovariance.reshape(rowCount: m, columnCount: m)
    factor.reshape(rowCount: m, columnCount: m)
    if whitened.count != m {
      whitened.removeAll(keepingCapacity: true)
      whitened.append(contentsOf: repeatElement(0, count: m))
    }
    normalizedInnovationSquared = 0
    for index in 0..<stateCount { correction[index] = 0 }
  }

  func checkSquare(_ matrix: Matrix, _ name: StaticString) {
    precondition(
      matrix.rowCount == stateCount && matrix.columnCount == stateCount,
      "a \(matrix.shape) \(name) for \(stateCount) states")
  }

  func checkMask(_ gainMask: [Bool]?) {
    if let gainMask {
      precondition(
        gainMask.count == stateCount, "a mask of \(gainMask.count) for \(stateCount) states")
    }
  }
}
