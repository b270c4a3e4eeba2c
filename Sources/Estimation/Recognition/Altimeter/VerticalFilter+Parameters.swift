package import InertialNumerics

extension VerticalFilter {
  /// Physical numbers; one set serves every rate.
  ///
  /// The noises are what phones carried by hand, in pockets and on skis show (the likelihood of the innovations on open
  /// recordings of three phones), not what a data sheet tells: errors of the attitude are in them.
  package struct Parameters: Sendable, Codable, Hashable {
    /// Noise density of the vertical acceleration at rest, m/s²/√Hz. Bigger trusts the barometer sooner. Default: 0.06.
    package var accelerationNoise = 0.06
    /// By how much it grows with the vertical acceleration, 1/√Hz: errors of attitude and scale grow with the motion.
    /// Default: 0.3.
    package var motionNoise = 0.3
    /// How fast the bias of the vertical acceleration wanders, m/s²/√s. Default: 0.007.
    package var biasWalk = 0.007
    /// Standard deviation of that bias at the start, m/s². Default: 0.3.
    package var initialBiasSigma = 0.3
    /// Standard deviation of the vertical speed at the start, m/s. Default: 1.
    package var initialSpeedSigma = 1.0
    /// Noise density of the acceleration where no motion is known, m/s²/√Hz. Bigger follows the barometer more closely.
    /// Default: 0.5.
    package var unknownMotionNoise = 0.5
    /// Least standard deviation of a barometric altitude, m. The noise that a device shows beyond it, in wind for
    /// instance, is learned. Default: 0.05.
    package var barometerSigma = 0.05
    /// Time constant in seconds with which the barometer's noise is learned; infinite: it is `barometerSigma`.
    /// Default: 10.
    package var noiseTimeConstant = 10.0
    /// Seconds by which the barometer follows late: the time constant of a low-pass of first order. nil: 3 s for a
    /// barometer that tells about one value a second, as Core Motion's, 0 for a faster one. Default: nil.
    package var barometerLag: Double?
    /// Standard deviations from which an altitude is taken for an outlier. Default: 5.
    package var gate = 5.0
    /// Seconds of nothing but outliers after which they are the new altitude. Default: 5.
    package var rejectionTime = 5.0
    /// Longest time between samples of the motion that it is integrated over, seconds. Default: 0.5.
    package var gapThreshold = 0.5
    /// Seconds by which a barometric altitude may be late behind the motion. Default: 2.
    package var maximumDelay = 2.0
    /// Seconds without motion and without altitude, where motion was known, from which a recording counts as interrupted:
    /// the speed before says nothing about the speed behind. Default: 2.
    package var interruption = 2.0

    /// What the measurements are taken in with, and the smoother goes back with. For four states loops are faster.
    /// Default: fixed.
    package var core = KalmanCore.fixed

    package init() {}

    /// Seconds by which smoothed barometers lag: the most likely on an iPhone 12 Pro Max's ski run, where 2 to 4 s are
    /// about as likely.
    static let smoothedLag = 3.0
    /// Seconds between samples from which a barometer is taken for a smoothed one.
    static let smoothedInterval = 0.5
    /// m/s: nobody rises or sinks faster while a recording is interrupted. Lifts in ordinary buildings are slower.
    static let fastest = 5.0

    /// Noise density of the vertical acceleration in a motion, squared: m²/s³.
    func noiseDensity(in motion: VerticalMotion) -> Double {
      guard motion.isKnown else { return unknownMotionNoise * unknownMotionNoise }
      let grown = motion.square / max(motion.duration, .leastNonzeroMagnitude)
      return accelerationNoise * accelerationNoise + motionNoise * motionNoise * grown
    }

    /// Seconds by which a barometer may lag.
    var mostLag: Double { barometerLag ?? Self.smoothedLag }

    /// The lag in seconds of a barometer with so many seconds between two samples.
    func lag(interval: Double) -> Double {
      barometerLag ?? (interval >= Self.smoothedInterval ? Self.smoothedLag : 0)
    }
  }
}
