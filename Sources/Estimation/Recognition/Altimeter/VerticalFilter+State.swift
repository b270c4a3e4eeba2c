internal import InertialNumerics

extension VerticalFilter {
  /// The complete state: a filter restored from it continues without interruption.
  package struct State: Sendable, Codable, Equatable {
    /// The motion since the last update of `mean` and `covariance`.
    var motion: VerticalMotion
    var mean: VerticalState
    /// The covariance of the errors of the mean, with the trace for a smoother if it is kept.
    var kalman: ErrorKalman
    /// The lag of the barometer, in seconds, or `nil` before the second barometric altitude if it depends on the
    /// rate.
    package internal(set) var lag: Double?
    /// The learned noise variance of the barometer, in m².
    var noiseVariance = 0.0
    var barometerTime: Double
    var rejectedSince: Double?

    /// The time of the newest motion or altitude sample, in seconds.
    package var time: Double { motion.time }

    /// Returns the estimate after a motion since the last update.
    func estimate(_ parameters: Parameters, after motion: VerticalMotion) -> Estimate {
      let variances = VerticalModel(lag: lag, motion, parameters).variances(kalman, after: motion.duration)
      // The duration over which the bias acted.
      let driven = motion.isKnown ? motion.duration : 0
      return Estimate(
        time: motion.time,
        altitude: mean.altitude + motion.duration * mean.speed + motion.rise - 0.5 * driven * driven * mean.bias,
        verticalSpeed: mean.speed + motion.speed - driven * mean.bias, accelerationBias: mean.bias,
        altitudeSigma: variances.altitude.standardDeviation, verticalSpeedSigma: variances.speed.standardDeviation,
        barometerSigma: barometerVariance(parameters).standardDeviation)
    }

    /// Returns the variance of the barometer's noise, in m².
    func barometerVariance(_ parameters: Parameters) -> Double {
      let minimum = parameters.barometerSigma * parameters.barometerSigma
      return parameters.noiseTimeConstant.isFinite ? max(minimum, noiseVariance) : minimum
    }

    init(altitude: Double, time: Double, parameters: Parameters, keepsTrace: Bool) {
      motion = VerticalMotion(time: time, gap: parameters.gapThreshold, lag: parameters.maximumLag)
      mean = VerticalState(altitude: altitude, lagged: altitude)
      barometerTime = time
      lag = parameters.barometerLag
      noiseVariance = parameters.barometerSigma * parameters.barometerSigma
      let (speed, bias) = (parameters.initialSpeedSigma, parameters.initialBiasSigma)
      kalman = ErrorKalman(VerticalState.layout)
      // The altitude's zero is defined by the first sample, so only the lag of the barometer is uncertain.
      kalman.add(altitudeVariance: noiseVariance)
      kalman[VerticalState.Index.speed, VerticalState.Index.speed] = speed * speed
      kalman[VerticalState.Index.bias, VerticalState.Index.bias] = bias * bias
      if keepsTrace { keepTrace() }
    }

    /// Starts the trace for a smoother.
    mutating func keepTrace() {
      kalman.trace = ErrorTrace(VerticalState.layout, keeping: [ErrorLayout.Block(start: 0, count: 4)])
    }
  }
}

extension ErrorKalman {
  /// Adds an error that the altitude and the lagged altitude have in common.
  mutating func add(altitudeVariance variance: Double) {
    let (altitude, lagged) = (VerticalState.Index.altitude, VerticalState.Index.lagged)
    self[altitude, altitude] += variance
    self[altitude, lagged] += variance
    self[lagged, lagged] += variance
  }
}
