package import LinearAlgebra

extension VerticalFilter {
  /// All that changes; a filter goes on from a saved one as if it had not stopped.
  package struct State: Sendable, Codable, Equatable {
    /// Seconds, of the newest motion or altitude that was taken in.
    package internal(set) var time: Double
    /// m.
    package internal(set) var altitude: Double
    /// m/s, up positive.
    package internal(set) var verticalSpeed = 0.0
    /// m/s²: what the vertical acceleration tells too much.
    package internal(set) var accelerationBias = 0.0
    /// m: where the barometer has come to behind the altitude.
    package internal(set) var laggedAltitude: Double
    /// Seconds; nil before the second barometric altitude where it depends on the rate.
    package internal(set) var lag: Double?
    /// Of altitude, speed, bias and lagged altitude, at the time up to which it was carried on.
    package internal(set) var covariance: FixedMatrix<4, 4>
    /// Seconds that the covariance is behind, the noise of the acceleration in them (its density over time, m²/s²), and
    /// whether the motion was known.
    var pendingTime = 0.0
    var pendingNoise = 0.0
    var pendingIsDriven = true
    /// From the newest of the barometer's times to that of the covariance.
    var transition = FixedMatrix<4, 4>.identity
    /// m², what the barometer has shown.
    var noiseVariance = 0.0
    var barometerTime: Double
    /// The newest vertical acceleration, m/s², and its time, seconds; before the first one earlier than any.
    var accelerationTime = -Double.greatestFiniteMagnitude
    var acceleration = 0.0
    var rejectedSince: Double?

    var mean: FixedVector<4> {
      get { FixedVector(altitude, verticalSpeed, accelerationBias, laggedAltitude) }
      set {
        (altitude, verticalSpeed) = (newValue[0], newValue[1])
        (accelerationBias, laggedAltitude) = (newValue[2], newValue[3])
      }
    }

    init(altitude: Double, time: Double, parameters: Parameters) {
      self.time = time
      self.altitude = altitude
      laggedAltitude = altitude
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
