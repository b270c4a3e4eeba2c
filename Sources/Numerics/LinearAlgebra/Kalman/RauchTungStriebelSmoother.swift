/// The fixed-interval smoother of Rauch, Tung and Striebel (1965), on BLAS and LAPACK.
///
/// After the forward pass of a Kalman filter over a record, the backward pass of the smoother yields the estimate from
/// the whole record at every time. With C = P F⁺ᵀ P⁺₋⁻¹ (P filtered at this time, F⁺ the transition to the next time,
/// P⁺₋ predicted for the next time): x ← x + C (x⁺ − x⁺₋) and P ← P + C (P⁺ − P⁺₋) Cᵀ.
///
/// `smooth` applies it to states that are vectors. For states with a rotation, call `stepBack` and apply its correction
/// in the same way as the filter's.
public struct RauchTungStriebelSmoother: Sendable {
  /// The result of the forward filter at one time, for n states.
  public struct Step: Sendable, Equatable, Codable {
    /// The transition F from the previous time to this one; not used at the first time.
    public var transition: Matrix
    /// The mean before this time's measurements.
    public var predictedMean: [Double]
    /// The covariance before this time's measurements.
    public var predictedCovariance: Matrix
    /// The mean after this time's measurements.
    public var filteredMean: [Double]
    /// The covariance after this time's measurements.
    public var filteredCovariance: Matrix

    /// Creates a step from the filter's state at one time; all shapes are for n states.
    public init(
      transition: Matrix, predictedMean: [Double], predictedCovariance: Matrix, filteredMean: [Double],
      filteredCovariance: Matrix
    ) {
      self.transition = transition
      self.predictedMean = predictedMean
      self.predictedCovariance = predictedCovariance
      self.filteredMean = filteredMean
      self.filteredCovariance = filteredCovariance
    }
  }

  /// A smoothed state.
  public struct Estimate: Sendable, Equatable, Codable {
    /// The mean given the whole record, n elements.
    public var mean: [Double]
    /// The covariance given the whole record, n by n.
    public var covariance: Matrix
  }

  /// The number n of states.
  public let stateCount: Int

  /// The correction C (x⁺ − x⁺₋) of the filtered mean in the latest backward step.
  public private(set) var correction: [Double]

  /// The matrix C of the latest backward step, n by n.
  public private(set) var gain: Matrix

  private var scratch: [Double]

  /// Creates storage for n states, and limits BLAS to one thread: see `BLASThreads`.
  public init(stateCount n: Int) {
    precondition(n > 0, "a smoother has at least one state, not \(n)")
    BLASThreads.useOne()
    stateCount = n
    correction = Array(repeating: 0, count: n)
    gain = Matrix(rowCount: n, columnCount: n)
    scratch = Array(repeating: 0, count: KalmanKernel.scratchCount(n, 0))
  }

  /// Steps from a time with a smoothed estimate to the previous time; allocates nothing.
  ///
  /// - Parameters:
  ///   - smoothed: The smoothed covariance at the later time; replaced by that at the earlier time.
  ///   - difference: The smoothed minus the predicted mean at the later time, n elements.
  ///   - transition: F from the earlier to the later time.
  ///   - predicted: The predicted covariance at the later time.
  ///   - filtered: The filtered covariance at the earlier time.
  /// - Throws: `notPositiveDefinite` or `nonFinite` if the predicted covariance is not positive definite or not finite;
  ///   `smoothed` is then unchanged.
  public mutating func stepBack(
    _ smoothed: inout Matrix, difference: [Double], transition: Matrix, predicted: Matrix,
    filtered: Matrix
  ) throws(LinearAlgebraError) {
    let n = stateCount
    precondition(difference.count == n, "a difference of \(difference.count) elements for \(n) states")
    for (matrix, name) in [
      (smoothed, "smoothed covariance"), (transition, "transition"), (predicted, "predicted covariance"),
      (filtered, "filtered covariance"),
    ] {
      precondition(
        matrix.rowCount == n && matrix.columnCount == n, "a \(matrix.shape) \(name) for \(n) states")
    }
    let failure = KalmanKernel.stepBack(
      n, smoothed: &smoothed.elements, difference: difference, transition: transition.elements, byRows: false,
      predicted: predicted.elements, filtered: filtered.elements, correction: &correction, gain: &gain.elements,
      scratch: &scratch)
    if let failure { throw failure }
  }

  /// Returns the smoothed states at all times of a record, in its order; the last one is the filter's own.
  ///
  /// - Throws: `notPositiveDefinite` or `nonFinite` if a predicted covariance is not positive definite or not finite.
  public static func smooth(_ steps: [Step]) throws(LinearAlgebraError) -> [Estimate] {
    guard let last = steps.last else { return [] }
    var smoother = RauchTungStriebelSmoother(stateCount: last.filteredMean.count)
    var current = Estimate(mean: last.filteredMean, covariance: last.filteredCovariance)
    var estimates = [current]
    estimates.reserveCapacity(steps.count)
    for index in steps.indices.dropLast().reversed() {
      let next = steps[index + 1]
      BLAS.axpy(smoother.stateCount, -1, next.predictedMean, &current.mean)
      try smoother.stepBack(
        &current.covariance, difference: current.mean, transition: next.transition,
        predicted: next.predictedCovariance, filtered: steps[index].filteredCovariance)
      current.mean = steps[index].filteredMean
      BLAS.axpy(smoother.stateCount, 1, smoother.correction, &current.mean)
      estimates.append(current)
    }
    return estimates.reversed()
  }
}
