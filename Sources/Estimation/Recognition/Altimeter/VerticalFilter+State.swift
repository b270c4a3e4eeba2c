package import InertialNumerics

extension VerticalFilter {
  /// The complete state: a filter restored from it continues without interruption.
  package struct State: Sendable, Codable, Equatable {
    /// The motion since the last update of `mean` and `covariance`.
    var motion: VerticalMotion
    /// Altitude (m), speed (m/s, up positive), bias of the vertical acceleration (m/s²), and the lagged altitude that
    /// the barometer shows (m).
    var mean: FixedVector<4>
    /// The covariance of the mean.
    package internal(set) var covariance: FixedMatrix<4, 4>
    /// The lag of the barometer, in seconds, or `nil` before the second barometric altitude if it depends on the
    /// rate.
    package internal(set) var lag: Double?
    /// The transition from the newest barometer time to the time of the covariance.
    var transition = FixedMatrix<4, 4>.identity
    /// The learned noise variance of the barometer, in m².
    var noiseVariance = 0.0
    var barometerTime: Double
    var rejectedSince: Double?

    /// The time of the newest motion or altitude sample, in seconds.
    package var time: Double { motion.time }

    /// The bias of the vertical acceleration, in m/s².
    package var accelerationBias: Double { mean[2] }

    /// The vertical speed at `time`, in m/s, up positive.
    package var verticalSpeed: Double { mean[1] + motion.speed - drivenTime * mean[2] }

    /// The altitude at `time`, in m.
    package var altitude: Double {
      mean[0] + motion.duration * mean[1] + motion.rise - 0.5 * drivenTime * drivenTime * mean[2]
    }

    /// The duration over which the bias acted, in seconds.
    private var drivenTime: Double { motion.isKnown ? motion.duration : 0 }

    init(altitude: Double, time: Double, parameters: Parameters) {
      motion = VerticalMotion(time: time, gap: parameters.gapThreshold, lag: parameters.maximumLag)
      mean = FixedVector(altitude, 0, 0, altitude)
      barometerTime = time
      lag = parameters.barometerLag
      noiseVariance = parameters.barometerSigma * parameters.barometerSigma
      let (speed, bias) = (parameters.initialSpeedSigma, parameters.initialBiasSigma)
      // The altitude's zero is defined by the first sample, so only the lag of the barometer is uncertain.
      var covariance = FixedMatrix<4, 4>(
        diagonal: FixedVector(noiseVariance, speed * speed, bias * bias, noiseVariance))
      covariance[0, 3] = noiseVariance
      covariance[3, 0] = noiseVariance
      self.covariance = covariance
    }
  }
}

extension FixedVector where Count == 4 {
  init(_ first: Double, _ second: Double, _ third: Double, _ fourth: Double) {
    self.init()
    (self[0], self[1], self[2], self[3]) = (first, second, third, fourth)
  }
}
