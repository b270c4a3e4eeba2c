internal import InertialNumerics

/// A barometric altitude that is older than the state by a delay, z = l − delay · l' + n: equation (9) of
/// docs/theory/error-state.md. The lagged altitude l follows the altitude h with l' = (h − l)/τ, or equals it without a
/// lag.
extension VerticalFilter {
  /// Corrects a state at the present time by an altitude.
  ///
  /// The noise n is learned from the innovations. An altitude beyond the gate is an outlier; if outliers have lasted for
  /// `rejectionTime`, the pressure has stepped and stayed, and the uncertainty of the altitude includes the step.
  mutating func correct(_ state: inout State, by value: Double, at time: Double) -> Innovation? {
    state.settle(parameters)
    let row = row(state, value, delay: state.time - time)
    let innovation = state.kalman.take(row, gate: .reject(above: parameters.gate * parameters.gate))
    let (y, s) = (innovation.value.x, innovation.variance.x)
    // A single outlier should hardly change the learned noise, but a minute of outliers should.
    learnNoise(&state, min(y * y, 9 * s) - (s - row.variance), after: time - state.barometerTime)
    state.barometerTime = time
    var result = Innovation(value: y, sigma: s.standardDeviation, isAccepted: true)
    switch innovation.outcome {
    case .taken, .weakened: break
    case .unusable: return nil
    case .rejected:
      let since = state.rejectedSince ?? time
      state.rejectedSince = since
      guard time - since >= parameters.rejectionTime else {
        rejectedCount += 1
        result.isAccepted = false
        close(&state)
        return result
      }
      state.kalman.add(altitudeVariance: y * y)
      state.kalman.take(row)
    }
    state.rejectedSince = nil
    close(&state)
    return result
  }

  /// Returns the measurement of an altitude.
  private func row(_ state: State, _ value: Double, delay: Double) -> MeasurementRow {
    typealias Index = VerticalState.Index
    let (mean, lag) = (state.mean, state.lag ?? 0)
    let slope = lag > 0 ? (mean.altitude - mean.lagged) / lag : mean.speed
    var row = MeasurementRow(
      residual: value - (mean.lagged - delay * slope), variance: state.barometerVariance(parameters))
    if lag > 0 {
      row.add(-delay / lag, at: Index.altitude)
      row.add(1 + delay / lag, at: Index.lagged)
    } else {
      row.add(-delay, at: Index.speed)
      row.add(1, at: Index.lagged)
    }
    return row
  }

  private func learnNoise(_ state: inout State, _ excess: Double, after interval: Double) {
    let gain = ExponentialLowPass.gain(after: interval, timeConstant: parameters.noiseTimeConstant)
    state.noiseVariance += gain * (max(0, excess) - state.noiseVariance)
  }
}
