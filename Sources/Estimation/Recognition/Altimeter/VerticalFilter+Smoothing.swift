internal import InertialNumerics

extension VerticalFilter {
  /// A barometer update, as required by the smoother.
  struct Epoch: Sendable, Codable {
    /// The time of the filter's state, in seconds.
    var time: Double
    /// The index of the epoch in the trace of the covariance.
    var index: Int
    /// The correction of altitude, speed and bias by the update.
    var correction: Vector3
  }

  /// Returns the filter's estimates, smoothed over the whole recording: with `ErrorAdjoint` at the barometer's times, and
  /// its corrections interpolated linearly between them.
  ///
  /// A lagging barometer measures the current altitude seconds later, so a slow barometer gains most. The filter must
  /// have kept its trace (`init(parameters:state:keepsTrace:)`); there are no estimates before the first altitude.
  ///
  /// - Parameter estimates: The estimates of this filter, in any order.
  /// - Returns: One smoothed estimate per estimate. Its standard deviations are the smoothed ones at the previous
  ///   barometer time.
  package func smoothed(_ estimates: [Estimate]) -> [Estimate] {
    precondition(epochs != nil, "the filter has not kept its trace")
    guard let epochs, !epochs.isEmpty, let trace = state?.kalman.trace else { return estimates }
    let smooth = Self.errors(trace, at: epochs)
    return estimates.map { estimate in
      // The newest barometer time that is not later than the estimate.
      var (low, high) = (0, epochs.count)
      while low + 1 < high {
        let middle = (low + high) / 2
        if epochs[middle].time <= estimate.time { low = middle } else { high = middle }
      }
      var change = smooth[low].error
      if high < epochs.count {
        let fraction = (estimate.time - epochs[low].time) / (epochs[high].time - epochs[low].time)
        change += fraction * (epochs[high].correction + smooth[high].error - change)
      }
      var result = estimate
      result.altitude += change.x
      result.verticalSpeed += change.y
      result.accelerationBias += change.z
      result.altitudeSigma = smooth[low].variances.x.standardDeviation
      result.verticalSpeedSigma = smooth[low].variances.y.standardDeviation
      return result
    }
  }

  /// Returns the smoothed errors of altitude, speed and bias at each barometer time, with their variances.
  private static func errors(_ trace: ErrorTrace, at epochs: [Epoch]) -> [(error: Vector3, variances: Vector3)] {
    var adjoint = ErrorAdjoint(trace.layout)
    var (next, result) = (trace.count - 1, [(error: Vector3, variances: Vector3)]())
    for epoch in epochs.reversed() {
      while next > epoch.index {
        adjoint.cross(trace, next)
        next -= 1
      }
      result.append(
        (adjoint.errors(VerticalState.moving, trace, next), adjoint.variances(VerticalState.moving, trace, next)))
    }
    return result.reversed()
  }
}
