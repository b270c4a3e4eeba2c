package import InertialNumerics

extension VerticalFilter {
  /// A barometer update, as required by the smoother.
  struct Epoch: Sendable {
    /// The time of the filter's state, in seconds.
    var time: Double
    var step: FixedRauchTungStriebelSmoother<4>.Step
  }

  /// Returns the filter's estimates, smoothed over the whole recording: with the Rauch-Tung-Striebel smoother at the
  /// barometer's times, and its corrections interpolated linearly between them.
  ///
  /// A lagging barometer measures the current altitude seconds later, so a slow barometer gains most. The filter must
  /// have kept its trace (`init(parameters:state:keepsTrace:)`); there are no estimates before the first altitude.
  ///
  /// - Parameter estimates: The estimates of this filter, in any order.
  /// - Returns: One smoothed estimate per estimate. Its standard deviations are the smoothed ones at the previous
  ///   barometer time.
  /// - Throws: `LinearAlgebraError` if a covariance of the recording is not positive definite.
  package func smoothed(_ estimates: [Estimate]) throws(LinearAlgebraError) -> [Estimate] {
    precondition(trace != nil, "the filter has not kept its trace")
    let epochs = trace ?? []
    guard !epochs.isEmpty else { return estimates }
    let smooth = try FixedRauchTungStriebelSmoother<4>.smooth(epochs.map(\.step), on: parameters.core)
    return estimates.map { estimate in
      // The newest barometer time that is not later than the estimate.
      var (low, high) = (0, epochs.count)
      while low + 1 < high {
        let middle = (low + high) / 2
        if epochs[middle].time <= estimate.time { low = middle } else { high = middle }
      }
      var change = smooth[low].mean - epochs[low].step.filteredMean
      if high < epochs.count {
        let fraction = (estimate.time - epochs[low].time) / (epochs[high].time - epochs[low].time)
        let later = smooth[high].mean - epochs[high].step.predictedMean
        change = change + fraction * (later - change)
      }
      var result = estimate
      result.altitude += change[0]
      result.verticalSpeed += change[1]
      result.accelerationBias += change[2]
      result.altitudeSigma = smooth[low].covariance[0, 0].standardDeviation
      result.verticalSpeedSigma = smooth[low].covariance[1, 1].standardDeviation
      return result
    }
  }
}
