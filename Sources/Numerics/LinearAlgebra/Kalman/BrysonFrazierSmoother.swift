/// The modified Bryson-Frazier smoother: a fixed-interval smoother without matrix inversion, on BLAS.
///
/// After the forward pass of a Kalman filter over a record, λ and Λ accumulate, in the backward pass, the information
/// of later measurements on the errors at a time: given these, the errors have the mean −P λ and the covariance P − P Λ
/// P, with the filter's P. After Bierman, "Fixed interval smoothing with discrete measurements", Int. J. Control 18
/// (1973), section 3, for scalar measurements. The results are the same as from `RauchTungStriebelSmoother`, but it
/// uses the filter's gains and innovations instead of the predicted covariances, which may be singular.
public struct BrysonFrazierSmoother: Sendable {
  /// The number n of states.
  public let stateCount: Int
  /// λ, n elements; zero at the end of the record.
  public var adjoint: [Double]
  /// Λ, n by n, symmetric; zero at the end of the record.
  public var information: Matrix

  private var product: [Double]
  private var scratch: [Double]

  /// Creates a smoother at the end of a record of n states, and limits BLAS to one thread: see `BLASThreads`.
  public init(stateCount n: Int) {
    precondition(n > 0, "a smoother has at least one state, not \(n)")
    BLASThreads.useOne()
    stateCount = n
    adjoint = Array(repeating: 0, count: n)
    information = Matrix(rowCount: n, columnCount: n)
    product = adjoint
    scratch = Array(repeating: 0, count: KalmanKernel.scratchCount(n, 1))
  }

  /// Processes a measurement of one scalar backward: λ ← λ − h (kᵀ λ + y / s), Λ ← (I − h kᵀ) Λ (I − k hᵀ) + h hᵀ / s.
  ///
  /// - Parameters:
  ///   - observation: h, the row of H, n elements.
  ///   - gain: k as used by the filter, whether optimal or not, n elements.
  ///   - innovation: y.
  ///   - variance: s, the innovation's variance, hᵀ P h + r.
  public mutating func measure(observation: [Double], gain: [Double], innovation: Double, variance: Double) {
    let n = stateCount
    precondition(
      observation.count == n && gain.count == n,
      "an observation of \(observation.count) and a gain of \(gain.count) elements for \(n) states")
    BLAS.axpy(n, -BLAS.dot(n, gain, adjoint) - innovation / variance, observation, &adjoint)
    // With u = Λ k: Λ − h uᵀ − u hᵀ + (kᵀ u + 1 / s) h hᵀ.
    BLAS.gemv(.none, m: n, n: n, alpha: 1, a: information.elements, lda: n, x: gain, beta: 0, y: &product)
    let quadratic = BLAS.dot(n, gain, product) + 1 / variance
    BLAS.axpy(n, -0.5 * quadratic, observation, &product)
    BLAS.ger(m: n, n: n, alpha: -1, x: observation, y: product, a: &information.elements, lda: n)
    BLAS.ger(m: n, n: n, alpha: -1, x: product, y: observation, a: &information.elements, lda: n)
    information.symmetrize()
  }

  /// Processes a transition F backward: λ ← Fᵀ λ, Λ ← Fᵀ Λ F.
  public mutating func propagate(by transition: Matrix) {
    let n = stateCount
    precondition(
      transition.rowCount == n && transition.columnCount == n, "a \(transition.shape) transition for \(n) states")
    BLAS.gemv(.transpose, m: n, n: n, alpha: 1, a: transition.elements, lda: n, x: adjoint, beta: 0, y: &product)
    swap(&adjoint, &product)
    // A matrix stored by columns, read by rows, is the transpose.
    KalmanKernel.predict(
      n, covariance: &information.elements, transition: transition.elements, byRows: true, processNoise: nil,
      scratch: &scratch)
  }

  /// Returns −P λ: the correction of the filter's mean at a time with covariance P.
  public func correction(of covariance: Matrix) -> [Double] { (covariance * adjoint).map { -$0 } }

  /// Returns P − P Λ P: the smoothed covariance at a time, from the filter's covariance.
  public func smoothed(_ covariance: Matrix) -> Matrix {
    var result = covariance - (covariance * information) * covariance
    result.symmetrize()
    return result
  }
}
