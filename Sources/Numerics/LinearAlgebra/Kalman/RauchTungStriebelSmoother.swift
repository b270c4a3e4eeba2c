/// The fixed-interval smoother of Rauch, Tung and Striebel (1965), on BLAS and LAPACK.
///
/// After a Kalman filter has gone forward over a record, the smoother goes backward and gives at every time
/// the estimate from the whole record. With C = P F⁺ᵀ P⁺₋⁻¹ (P filtered here, F⁺ the transition to the next
/// time, P⁺₋ predicted there): x ← x + C (x⁺ − x⁺₋) and P ← P + C (P⁺ − P⁺₋) Cᵀ.
///
/// `smooth` does it for states that are vectors. For states with a rotation, call `stepBack` and apply
/// its correction as the filter applies its own.
public struct RauchTungStriebelSmoother: Sendable {
  /// What the forward filter leaves at one time: n states.
  public struct Step: Sendable, Equatable, Codable {
    /// F: from the time before to this one; not used at the first time.
    public var transition: Matrix
    /// The mean before this time's measurements.
    public var predictedMean: [Double]
    /// The covariance before this time's measurements.
    public var predictedCovariance: Matrix
    /// The mean after this time's measurements.
    public var filteredMean: [Double]
    /// The covariance after this time's measurements.
    public var filteredCovariance: Matrix

    /// What the filter had at one time; all shapes are those of n states.
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

  /// C (x⁺ − x⁺₋) of the latest step back: what to add to the filtered mean.
  public private(set) var correction: [Double]

  /// C of the latest step back, n by n.
  public private(set) var gain: Matrix

  private var scratch: [Double]

  /// Storage for n states. Also keeps BLAS on one thread: see `BLASThreads`.
  public init(stateCount n: Int) {
    precondition(n > 0, "a smoother has at least one state, not \(n)")
    BLASThreads.useOne()
    stateCount = n
    correction = Array(repeating: 0, count: n)
    gain = Matrix(rowCount: n, columnCount: n)
    scratch = Array(repeating: 0, count: KalmanKernel.scratchCount(n, 0))
  }

  /// One step from a time whose smoothed estimate is known to the time before; allocates nothing.
  ///
  /// - Parameters:
  ///   - smoothed: The smoothed covariance at the later time; replaced by that at the earlier time.
  ///   - difference: Smoothed minus predicted mean at the later time, n elements.
  ///   - transition: F from the earlier to the later time.
  ///   - predicted: The predicted covariance at the later time.
  ///   - filtered: The filtered covariance at the earlier time.
  /// - Throws: `notPositiveDefinite` or `nonFinite` where the predicted covariance is so; `smoothed` is as
  ///   it was.
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

  /// The smoothed states at all times of a record, in its order; the last one is the filter's own.
  ///
  /// - Throws: `notPositiveDefinite` or `nonFinite` where a predicted covariance is so.
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
