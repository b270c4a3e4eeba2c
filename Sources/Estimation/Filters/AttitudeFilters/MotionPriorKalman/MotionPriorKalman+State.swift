internal import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  public struct State: Sendable, Codable, Equatable, CovarianceReporting {
    /// The unit quaternion, device to earth, at the last gyroscope sample.
    package var earthFromDevice: Quaternion { earthFromNorth * northFromDevice }
    /// The gyroscope bias, in rad/s, in device axes: rate = (I + S)(measured − bias).
    package var gyroscopeBias: Vector3 { sensors.gyroscopeBias }
    /// The scale and misalignment S of the gyroscope.
    package var gyroscopeScale: Matrix3 { sensors.gyroscopeScale }
    /// The bias of the specific force, in m/s², in device axes.
    package var accelerometerBias: Vector3 { sensors.accelerometerBias }
    /// The hard iron that a calibration has left, in µT, in device axes.
    package var magnetometerBias: Vector3 { sensors.magnetometerBias }
    /// The delay of the magnetometer relative to the gyroscope, in seconds.
    package var fieldDelay: Double { field.delay }
    /// The velocity in magnetic north's frame, in m/s, without a lasting velocity, which is unobservable.
    package internal(set) var velocity = Vector3.zero
    package internal(set) var flags: AttitudeFlags = []

    package var attitudeCovariance: Matrix3 {
      let turn = earthFromNorth.matrix
      return turn * covariance.block(at: ErrorIndex.attitude) * turn.transpose
    }
    package var biasCovariance: Matrix3 { covariance.block(at: ErrorIndex.gyroscopeBias) }

    /// The attitude in the filter's own earth frame, whose X is magnetic north once a field is used.
    var northFromDevice = Quaternion.identity
    /// The attitude's matrix, cached because every sensor's sample is rotated by it.
    var rotation = Matrix3.identity
    /// The matrix of the attitude at which vectors with the gyroscope's timestamp were measured, if it was requested.
    var midway = Matrix3.identity
    var midwayIsKnown = false
    /// The rotation about the vertical to the frame of the reported attitude.
    var earthFromNorth = Quaternion.identity
    var sensors = SensorErrors()
    var field = EarthFieldModel()
    var covariance = ErrorCovariance()

    var gate = SampleGate()
    var heldRate = SampleHold()
    var heldForce = SampleHold()
    /// The time of the latest gyroscope sample.
    var time: Double?
    /// The latest rate without its errors, in rad/s, in device axes.
    var rate = Vector3.zero
    var coning = ConingCorrection()
    /// The time since the sensors' errors last faded, in seconds.
    var unfaded = 0.0
    var glitch = GlitchDetector()
    /// The state before a rate that may be a glitch.
    var attitudeBeforeGlitch = Quaternion.identity
    var velocityBeforeGlitch = Vector3.zero
    var epochBeforeGlitch = MotionEpoch()
    var lostBeforeGlitch = TiltDivergenceDetector()
    var clipping: ClippingDetector
    /// The continuous duration of clipping of each axis of the gyroscope, in seconds.
    var clippedTime = Vector3.zero

    var isAligned = false
    /// The time since the start-up began, in seconds, counted until its end.
    var age = 0.0
    var startUp = InitialAlignment()
    /// The variance of the heading if the start-up has no field, in rad².
    var startHeadingVariance: Double

    var epoch = MotionEpoch()
    var speed = MeanSquareVelocity()
    var biasPrior: BiasPrior
    var magnetometerBiasPrior: BiasPrior
    var hardIron = HardIronWindow()
    var north = NorthReferenceVote()
    /// The vertical in device axes, as a mean over some seconds.
    var meanUp = Vector3.zero
    var rest = RestDetector()
    var lost = TiltDivergenceDetector()

    /// Whether the velocity, the attitude and their variances are finite; checked once per epoch.
    var isFinite: Bool {
      let variances = (covariance[0, 0] + covariance[1, 1]) + (covariance[2, 2] + covariance[6, 6])
      return (velocity.x + velocity.y + velocity.z + variances + northFromDevice.w).isFinite
    }

    init(_ parameters: Parameters) {
      startHeadingVariance = parameters.initialHeadingSigma * parameters.initialHeadingSigma
      covariance.isolate(ErrorIndex.tilt, variance: .pi * .pi / 4)
      covariance.isolate(ErrorIndex.headings, variance: startHeadingVariance)
      clipping = ClippingDetector(declaredRange: parameters.gyroscopeRange)
      biasPrior = BiasPrior(parameters.biasPrecisions)
      covariance.isolate(ErrorIndex.gyroscopeBiases, variance: 1 / biasPrior.information)
      let scale = parameters.scaleSigma
      covariance.isolate(ErrorIndex.scales, variance: scale * scale)
      let force = parameters.accelerationBiasSigma * standardGravity
      covariance.isolate(ErrorIndex.accelerometerBiases, variance: force * force)
      magnetometerBiasPrior = BiasPrior(parameters.magnetometerBiasPrecisions)
      covariance.isolate(ErrorIndex.magnetometerBiases, variance: 1 / magnetometerBiasPrior.information)
      covariance.isolate(ErrorIndex.none..<ErrorIndex.count, variance: 1)
    }
  }

  /// The errors of the sensors, in device axes.
  struct SensorErrors: Sendable, Codable, Equatable {
    /// The gyroscope bias, in rad/s.
    var gyroscopeBias = Vector3.zero
    var gyroscopeScale = Matrix3.zero
    /// The accelerometer bias, in m/s².
    var accelerometerBias = Vector3.zero
    /// The magnetometer bias, in µT.
    var magnetometerBias = Vector3.zero

    /// Returns the rate, in rad/s, from a measured rate without bias: (I + S)(measured − bias).
    func rate(_ unbiased: Vector3) -> Vector3 { unbiased + gyroscopeScale * unbiased }

    /// Multiplies scale and accelerometer bias by a factor, so that they return to zero.
    mutating func fade(by persistence: Double) {
      gyroscopeScale = gyroscopeScale * persistence
      accelerometerBias *= persistence
    }
  }

  /// Coefficients derived once from the parameters, in the filter's units.
  struct Coefficients: Sendable {
    /// The χ² of three degrees of freedom that 99.995 % of true values stay below.
    static let biasGate = 22.6

    let rest: RestDetector.Thresholds
    /// Variances per second, or per second and squared rate.
    let gyroscope: Double
    let gyroscopeScale: Double
    let bias: Double
    let force: Double
    let field: Double
    /// The variances of scale and accelerometer bias without measurements for a long time.
    let scale: Double
    let forceBias: Double
    /// The values of 1 / σ² for the grids of the biases' priors.
    let biasPrecisions: [Double]
    let magnetometerBiasPrecisions: [Double]
    /// Variances times seconds.
    let velocity: Double
    let magnetic: Double
    let restRate: Double
    let restVelocity: Double
    let innovation: Double
    /// The reading above which the accelerometer is clipped, in g.
    let forceLimit: Double
    /// The factors on the field's gain by error, or `nil` if all are 1.
    let fieldFactors: [Double]?

    init(_ p: Parameters) {
      func squared(_ value: Double) -> Double { value * value }
      rest = p.handling.rest
      gyroscope = squared(p.gyroscopeNoise)
      gyroscopeScale = squared(p.gyroscopeScaleNoise)
      bias = squared(p.biasNoise)
      scale = squared(p.scaleSigma)
      force = squared(p.accelerationNoise * standardGravity)
      forceBias = squared(p.accelerationBiasSigma * standardGravity)
      biasPrecisions = p.biasPrecisions
      magnetometerBiasPrecisions = p.magnetometerBiasPrecisions
      field = squared(p.fieldNoise)
      velocity = squared(p.velocityNoise)
      magnetic = squared(p.magneticNoise)
      restRate = squared(p.restNoise)
      restVelocity = squared(p.restVelocityNoise)
      innovation = squared(p.innovationWeight)
      forceLimit = p.accelerometerRange > 0 ? 0.97 * p.accelerometerRange : .infinity
      let factors = (0..<ErrorIndex.count).map { index in
        switch index {
        case ErrorIndex.tilt, ErrorIndex.velocities: p.fieldTiltGain
        case ErrorIndex.gyroscopeBiases: p.fieldBiasGain
        case ErrorIndex.scales: p.fieldScaleGain
        default: 1.0
        }
      }
      fieldFactors = factors.allSatisfy { $0 == 1 } ? nil : factors
    }
  }
}

extension MotionPriorKalman.Parameters {
  /// The values of 1 / σ² for standard deviations of the gyroscope's bias, in (rad/s)⁻².
  var biasPrecisions: [Double] { Self.precisions(from: minimumBiasSigma, to: initialBiasSigma) }
  /// The values of 1 / σ² for standard deviations of the magnetometer's bias, in µT⁻².
  var magnetometerBiasPrecisions: [Double] {
    Self.precisions(from: minimumMagnetometerBiasSigma, to: magnetometerBiasSigma)
  }

  /// Returns the precisions from the smallest to the largest standard deviation, each about twice the previous one.
  private static func precisions(from minimum: Double, to largest: Double) -> [Double] {
    let minimum = min(minimum, largest)
    let steps = log2(largest / minimum).rounded()
    return (0...Int(steps)).map { step in
      let fraction = steps > 0 ? Double(step) / steps : 1
      let sigma = minimum * pow(largest / minimum, fraction)
      return 1 / (sigma * sigma)
    }
  }
}
