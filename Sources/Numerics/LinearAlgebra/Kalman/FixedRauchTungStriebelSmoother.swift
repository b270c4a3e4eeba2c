/// The smoother of `RauchTungStriebelSmoother` for states of fixed size: equal to it to rounding, on either core.
public enum FixedRauchTungStriebelSmoother<let States: Int> {
  /// What the forward filter leaves at one time.
  public struct Step: Sendable {
    /// F: from the time before to this one; not used at the first time.
    public var transition: FixedMatrix<States, States>
    /// The mean before this time's measurements.
    public var predictedMean: FixedVector<States>
    /// The covariance before this time's measurements.
    public var predictedCovariance: FixedMatrix<States, States>
    /// The mean after this time's measurements.
    public var filteredMean: FixedVector<States>
    /// The covariance after this time's measurements.
    public var filteredCovariance: FixedMatrix<States, States>

    /// What the filter had at one time.
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

    /// A mean with its covariance.
    @inlinable
    public init(mean: FixedVector<States>, covariance: FixedMatrix<States, States>) {
      self.mean = mean
      self.covariance = covariance
    }
  }

  /// One step from a time whose smoothed estimate is known to the time before; see
  /// `RauchTungStriebelSmoother.stepBack`.
  ///
  /// - Returns: What to add to the filtered mean.
  /// - Throws: `notPositiveDefinite` or `nonFinite` where the predicted covariance is so.
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

  /// The smoothed states at all times of a record, in its order; the last one is the filter's own.
  ///
  /// - Throws: `notPositiveDefinite` or `nonFinite` where a predicted covariance is so.
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
