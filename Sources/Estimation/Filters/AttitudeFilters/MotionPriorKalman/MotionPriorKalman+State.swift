internal import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  public struct State: Sendable, Codable, Equatable, CovarianceReporting {
    /// The unit quaternion, device to earth, at the last gyroscope sample.
    package var earthFromDevice: Quaternion { earthFromNorth * northFromDevice }
    /// The gyroscope bias, in rad/s, in device axes: rate = (I + S)(measured − bias).
    package internal(set) var gyroscopeBias = Vector3.zero
    /// The scale and misalignment S of the gyroscope.
    package internal(set) var gyroscopeScale = Matrix3.zero
    /// The bias of the specific force, in m/s², in device axes.
    package internal(set) var accelerometerBias = Vector3.zero
    /// The delay of the magnetometer relative to the gyroscope, in seconds.
    package var fieldDelay: Double { field.delay }
    /// The velocity in magnetic north's frame, in m/s, without a lasting velocity, which is unobservable.
    package internal(set) var velocity = Vector3.zero
    package internal(set) var flags: AttitudeFlags = []

    package var attitudeCovariance: Matrix3 {
      let turn = earthFromNorth.matrix
      return turn * kalman[MotionErrors.attitude, MotionErrors.attitude] * turn.transpose
    }
    package var biasCovariance: Matrix3 { kalman[MotionErrors.gyroscopeBias, MotionErrors.gyroscopeBias] }

    /// The attitude in the filter's own earth frame, whose X is magnetic north once a field is used.
    var northFromDevice = Quaternion.identity
    /// The matrix of the attitude half an interval before the latest gyroscope sample, at which vectors with its
    /// timestamp were measured.
    var midway = Matrix3.identity
    /// The attitude's matrix.
    var rotation: Matrix3 { northFromDevice.matrix }
    /// The rotation about the vertical to the frame of the reported attitude.
    var earthFromNorth = Quaternion.identity
    var field = EarthFieldModel()
    /// The covariance of the errors, with the trace for the smoother if it is kept.
    var kalman = ErrorKalman(MotionErrors.layout)

    var timeline = SensorTimeline()
    var heldRate = SampleHold()
    var heldForce = SampleHold()
    /// The time of the latest gyroscope sample.
    var time: Double?
    /// The latest rate without its errors, in rad/s, in device axes.
    var rate = Vector3.zero
    var glitch = GlitchDetector()
    /// The state before a rate that may be a glitch.
    var attitudeBeforeGlitch = Quaternion.identity
    var velocityBeforeGlitch = Vector3.zero
    var epochBeforeGlitch = MotionEpoch()
    var tiltDivergenceBeforeGlitch = TiltDivergenceDetector()
    var clipping: ClippingDetector
    /// The continuous duration of clipping of each axis of the gyroscope, in seconds.
    var clippedTime = Vector3.zero
    /// The times of the first and the last epoch with a clipped rate, in seconds, or `nil` without one.
    var firstClipping: Double?
    var lastClipping: Double?
    /// The times at which heading and field were last learned again, and the tilt last recovered, in seconds.
    var relearningTime: Double?
    var recoveryTime: Double?

    /// The variance of the heading if the start-up has no field, in rad². X is then the heading at the start, without an
    /// error.
    var startHeadingVariance = 1e-10

    var epoch = MotionEpoch()
    var meanSquareVelocity = MeanSquareVelocity()
    /// The time since the constant errors were measured by their priors, in seconds.
    var sinceConstantErrors = 0.0
    /// The prior of the accelerometer bias, if it has one.
    var forceBiasPrior: BiasPrior?
    /// n, the number of times that this prior was measured: equation (27).
    var forceBiasPriorCount = 1.0
    /// The covariance of the accelerometer bias in addition to the filter's, in (m/s²)²: equation (28).
    var hiddenForceBias = Matrix3.zero
    /// The prior of the gyroscope bias after a start without a field.
    var biasPrior: BiasPrior?
    var headingLock = HeadingLock()
    var steadyDirections = SteadyDirections()
    var tiltDivergence = TiltDivergenceDetector()

    /// Whether the velocity, the attitude and their variances are finite; checked once per epoch.
    var isFinite: Bool {
      let variances = (kalman[0, 0] + kalman[1, 1]) + (kalman[2, 2] + kalman[6, 6])
      return (velocity.x + velocity.y + velocity.z + variances + northFromDevice.w).isFinite
    }

    init(_ parameters: Parameters) {
      func isolate(_ block: ErrorLayout.Block, sigma: Double) {
        kalman.isolate(block.indices, variance: sigma * sigma)
      }
      clipping = ClippingDetector(declaredRange: parameters.gyroscopeRange)
      isolate(MotionErrors.attitude, sigma: .pi / 2)
      isolate(MotionErrors.gyroscopeBias, sigma: parameters.initialBiasSigma)
      isolate(MotionErrors.scale, sigma: parameters.scaleSigma)
      if parameters.accelerationBiasSigma > 0 {
        let prior = BiasPrior(parameters.forceBiasPrecisions)
        forceBiasPrior = prior
        kalman.isolate(MotionErrors.accelerometerBias.indices, variance: 1 / prior.information)
        let hidden = exp(-prior.typicalLogPrecision) - 1 / prior.information
        hiddenForceBias = Matrix3(diagonal: Vector3(repeating: max(0, hidden)))
      }
      isolate(MotionErrors.fieldDelay, sigma: parameters.fieldDelaySigma)
    }

    /// Returns the rate, in rad/s, from a measured rate without bias: (I + S)(measured − bias).
    @inline(__always)
    func rate(_ unbiased: Vector3) -> Vector3 { unbiased + gyroscopeScale * unbiased }
  }

  /// Coefficients derived once from the parameters, in the filter's units.
  struct Coefficients: Sendable {
    let timeline: SensorTimeline.Settings
    /// Variances per second.
    let gyroscope: Double
    let bias: Double
    let force: Double
    /// The variance of the gyroscope's scale and misalignment.
    let scale: Double
    /// Variances times seconds.
    let velocity: Double
    let magnetic: Double
    let restRate: Double
    let innovation: Double
    /// The values of 1 / σ² for the grid of the gyroscope bias's prior.
    let biasPrecisions: [Double]
    /// The same for the accelerometer bias.
    let forceBiasPrecisions: [Double]
    /// The reading above which the accelerometer is clipped, in g.
    let forceLimit: Double

    init(_ p: Parameters) {
      func squared(_ value: Double) -> Double { value * value }
      timeline = SensorTimeline.Settings(p.handling)
      gyroscope = squared(p.gyroscopeNoise)
      bias = squared(p.biasNoise)
      force = squared(p.accelerationNoise * standardGravity)
      scale = squared(p.scaleSigma)
      velocity = squared(p.velocityNoise)
      magnetic = squared(p.magneticNoise)
      restRate = squared(p.restNoise)
      innovation = squared(p.innovationWeight)
      biasPrecisions = p.biasPrecisions
      forceBiasPrecisions = p.forceBiasPrecisions
      forceLimit = p.accelerometerRange > 0 ? 0.97 * p.accelerometerRange : .infinity
    }
  }
}
