package import InertialNumerics

extension VerticalFilter {
  /// All that changes; a filter goes on from a saved one as if it had not stopped.
  package struct State: Sendable, Codable, Equatable {
    /// What the motion has added since `mean` and `covariance` were carried on.
    var motion: VerticalMotion
    /// Altitude (m), speed (m/s, up positive), bias (m/s²: what the vertical acceleration tells too much), and where the
    /// barometer has come to behind the altitude (m).
    var mean: FixedVector<4>
    /// Of the mean.
    package internal(set) var covariance: FixedMatrix<4, 4>
    /// Seconds; nil before the second barometric altitude where it depends on the rate.
    package internal(set) var lag: Double?
    /// From the newest of the barometer's times to that of the covariance.
    var transition = FixedMatrix<4, 4>.identity
    /// m², what the barometer has shown.
    var noiseVariance = 0.0
    var barometerTime: Double
    var rejectedSince: Double?

    /// Seconds, of the newest motion or altitude that was taken in.
    package var time: Double { motion.time }

    /// m/s²: what the vertical acceleration tells too much.
    package var accelerationBias: Double { mean[2] }

    /// m/s at `time`, up positive.
    package var verticalSpeed: Double { mean[1] + motion.speed - drivenTime * mean[2] }

    /// m at `time`.
    package var altitude: Double {
      mean[0] + motion.duration * mean[1] + motion.rise - 0.5 * drivenTime * drivenTime * mean[2]
    }

    /// Seconds that the bias was at work.
    private var drivenTime: Double { motion.isKnown ? motion.duration : 0 }

    init(altitude: Double, time: Double, parameters: Parameters) {
      motion = VerticalMotion(time: time, gap: parameters.gapThreshold, lag: parameters.mostLag)
      mean = FixedVector(altitude, 0, 0, altitude)
      barometerTime = time
      lag = parameters.barometerLag
      noiseVariance = parameters.barometerSigma * parameters.barometerSigma
      let (speed, bias) = (parameters.initialSpeedSigma, parameters.initialBiasSigma)
      // The zero of the altitude is the first sample itself; what is not known is how far the barometer is behind it.
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
