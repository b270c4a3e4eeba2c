package import InertialNumerics

extension VerticalFilter {
  /// One of the barometer's times, as the smoother needs it.
  struct Epoch: Sendable {
    /// Seconds, of the filter's state.
    var time: Double
    var step: FixedRauchTungStriebelSmoother<4>.Step
  }

  /// The estimates that the filter has given, each from the whole record: by Rauch, Tung and Striebel's smoother at the
  /// barometer's times, with what it changes there carried linearly over the times between.
  ///
  /// What a lagging barometer tells seconds later is about now, so that a slow barometer gains most. The filter must
  /// have kept its trace (`init(parameters:state:keepsTrace:)`); estimates before the first altitude do not exist.
  ///
  /// - Parameter estimates: of this filter, in any order.
  /// - Returns: As many; sigmas are the smoothed ones at the barometer's time before.
  /// - Throws: `LinearAlgebraError` where a covariance of the record is not positive definite.
  package func smoothed(_ estimates: [Estimate]) throws(LinearAlgebraError) -> [Estimate] {
    precondition(trace != nil, "the filter has not kept its trace")
    let epochs = trace ?? []
    guard !epochs.isEmpty else { return estimates }
    let smooth = try FixedRauchTungStriebelSmoother<4>.smooth(epochs.map(\.step), on: parameters.core)
    return estimates.map { estimate in
      // The newest of the barometer's times up to the estimate's.
      var (low, high) = (0, epochs.count)
      while low + 1 < high {
        let middle = (low + high) / 2
        if epochs[middle].time <= estimate.time { low = middle } else { high = middle }
      }
      var change = smooth[low].mean - epochs[low].step.filteredMean
      if high < epochs.count {
        let share = (estimate.time - epochs[low].time) / (epochs[high].time - epochs[low].time)
        let later = smooth[high].mean - epochs[high].step.predictedMean
        change = change + share * (later - change)
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
