/// The smoother of `RauchTungStriebelSmoother` for states of fixed size, with equal results except for rounding, on
/// either core.
public enum FixedRauchTungStriebelSmoother<let States: Int> {
  /// The result of the forward filter at one time.
  public struct Step: Sendable {
    /// The transition F from the previous time to this one; not used at the first time.
    public var transition: FixedMatrix<States, States>
    /// The mean before this time's measurements.
    public var predictedMean: FixedVector<States>
    /// The covariance before this time's measurements.
    public var predictedCovariance: FixedMatrix<States, States>
    /// The mean after this time's measurements.
    public var filteredMean: FixedVector<States>
    /// The covariance after this time's measurements.
    public var filteredCovariance: FixedMatrix<States, States>

    /// Creates a step from the filter's state at one time.
    @inlinable
    public init(
      transition: FixedMatrix<States, States>, predictedMean: FixedVector<States>,
      predictedCovariance: FixedMatrix<States, States>, filteredMean: FixedVector<States>,
      filteredCovariance: FixedMatrix<States, States>
    ) {
      self.transition = transition
      self.predictedMean = predictedMean
      self.predictedCovariance = predictedCovariance
      self.filteredMean = filteredMean
      self.filteredCovariance = filteredCovariance
    }
  }

  /// A smoothed state.
  public struct Estimate: Sendable {
    /// The mean given the whole record.
    public var mean: FixedVector<States>
    /// The covariance given the whole record.
    public var covariance: FixedMatrix<States, States>

    /// Creates an estimate from a mean and its covariance.
    @inlinable
    public init(mean: FixedVector<States>, covariance: FixedMatrix<States, States>) {
      self.mean = mean
      self.covariance = covariance
    }
  }

  /// Steps from a time with a smoothed estimate to the previous time; see `RauchTungStriebelSmoother.stepBack`.
  ///
  /// - Returns: The correction of the filtered mean.
  /// - Throws: `notPositiveDefinite` or `nonFinite` if the predicted covariance is not positive definite or not finite.
  @inlinable
  public static func stepBack(
    _ smoothed: inout FixedMatrix<States, States>, difference: FixedVector<States>,
    transition: FixedMatrix<States, States>, predicted: FixedMatrix<States, States>,
    filtered: FixedMatrix<States, States>, on core: KalmanCore
  ) throws(LinearAlgebraError) -> FixedVector<States> {
    guard core == .fixed else {
      return try stepBackByBLAS(&smoothed, difference, transition, predicted, filtered)
    }
    let cholesky = try FixedCholesky(predicted)
    let gain = cholesky.solveFromRight(filtered.timesTranspose(transition))
    smoothed = filtered + (gain * (smoothed - predicted)).timesTranspose(gain)
    smoothed.symmetrize()
    return gain * difference
  }

  /// Returns the smoothed states at all times of a record, in its order; the last one is the filter's own.
  ///
  /// - Throws: `notPositiveDefinite` or `nonFinite` if a predicted covariance is not positive definite or not finite.
  @inlinable
  public static func smooth(_ steps: [Step], on core: KalmanCore) throws(LinearAlgebraError) -> [Estimate] {
    guard let last = steps.last else { return [] }
    var current = Estimate(mean: last.filteredMean, covariance: last.filteredCovariance)
    var estimates = [current]
    estimates.reserveCapacity(steps.count)
    for index in steps.indices.dropLast().reversed() {
      let next = steps[index + 1]
      let correction = try stepBack(
        &current.covariance, difference: current.mean - next.predictedMean,
        transition: next.transition, predicted: next.predictedCovariance,
        filtered: steps[index].filteredCovariance, on: core)
      current.mean = steps[index].filteredMean + correction
      estimates.append(current)
    }
    return estimates.reversed()
  }
}
