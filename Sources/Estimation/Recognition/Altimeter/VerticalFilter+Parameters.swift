extension VerticalFilter {
  /// The noise levels and thresholds of the filter; one set serves every sample rate.
  ///
  /// The noise levels were fitted to phones carried by hand, in pockets and on skis (by the likelihood of the
  /// innovations on open recordings of three phones). They exceed data-sheet values because they include attitude
  /// errors.
  package struct Parameters: Sendable, Codable, Hashable {
    /// The noise density of the vertical acceleration at rest, in m/s²/√Hz. A larger value gives the barometer more
    /// weight. Default: 0.06.
    package var accelerationNoise = 0.06
    /// The growth of the noise density with the vertical acceleration, in 1/√Hz: errors of attitude and scale grow
    /// with the motion. Default: 0.3.
    package var motionNoise = 0.3
    /// The random walk of the vertical acceleration bias, in m/s²/√s. Default: 0.007.
    package var biasWalk = 0.007
    /// The initial standard deviation of the acceleration bias, in m/s². Default: 0.3.
    package var initialBiasSigma = 0.3
    /// The initial standard deviation of the vertical speed, in m/s. Default: 1.
    package var initialSpeedSigma = 1.0
    /// The noise density of the acceleration if the motion is unknown, in m/s²/√Hz. A larger value follows the
    /// barometer more closely. Default: 0.5.
    package var unknownMotionNoise = 0.5
    /// The minimum standard deviation of a barometric altitude, in m. Additional noise of a device, for instance in
    /// wind, is learned. Default: 0.05.
    package var barometerSigma = 0.05
    /// The time constant over which the barometer's noise is learned, in seconds. If infinite, the noise is
    /// `barometerSigma`. Default: 10.
    package var noiseTimeConstant = 10.0
    /// The lag of the barometer, in seconds: the time constant of a first-order low-pass. If `nil`, it is 3 s for a
    /// barometer with about one value per second, such as Core Motion's, and 0 for a faster one. Default: nil.
    package var barometerLag: Double?
    /// The innovation above which an altitude is an outlier, in standard deviations. Default: 5.
    package var gate = 5.0
    /// The duration of consecutive outliers after which they are accepted as the new altitude, in seconds. Default:
    /// 5.
    package var rejectionTime = 5.0
    /// The maximum interval between motion samples over which they are integrated, in seconds. Default: 0.5.
    package var gapThreshold = 0.5
    /// The maximum delay of a barometric altitude relative to the motion, in seconds. Default: 2.
    package var maximumDelay = 2.0
    /// The duration without motion and altitude, after known motion, that counts as an interruption, in seconds. The
    /// vertical speed after an interruption is unknown. Default: 2.
    package var interruption = 2.0

    package init() {}

    /// The lag of smoothed barometers, in seconds: the most likely value on an iPhone 12 Pro Max's ski run, where 2
    /// to 4 s are about equally likely.
    static let smoothedLag = 3.0
    /// The minimum sample interval of a barometer that is assumed to be smoothed, in seconds.
    static let smoothedInterval = 0.5
    /// The maximum vertical speed during an interruption, in m/s. Lifts in ordinary buildings are slower.
    static let fastest = 5.0

    /// Returns the squared noise density of the vertical acceleration during a motion, in m²/s³.
    func noiseDensity(in motion: VerticalMotion) -> Double {
      guard motion.isKnown else { return unknownMotionNoise * unknownMotionNoise }
      let grown = motion.square / max(motion.duration, .leastNonzeroMagnitude)
      return accelerationNoise * accelerationNoise + motionNoise * motionNoise * grown
    }

    /// The maximum lag of a barometer, in seconds.
    var maximumLag: Double { barometerLag ?? Self.smoothedLag }

    /// Returns the lag of a barometer with the given sample interval, both in seconds.
    func lag(interval: Double) -> Double {
      barometerLag ?? (interval >= Self.smoothedInterval ? Self.smoothedLag : 0)
    }
  }
}
