internal import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

extension MotionPriorKalman {
  public struct State: Sendable, Codable, Equatable, CovarianceReporting {
    /// Unit quaternion, device to earth, at the last gyroscope sample.
    package var earthFromDevice: Quaternion { earthFromNorth * northFromDevice }
    /// rad/s, device axes: rate = (I + S)(measured − bias).
    package var gyroscopeBias: Vector3 { sensors.gyroscopeBias }
    /// S: scale and misalignment of the gyroscope.
    package var gyroscopeScale: Matrix3 { sensors.gyroscopeScale }
    /// Of the specific force, m/s², device axes.
    package var accelerometerBias: Vector3 { sensors.accelerometerBias }
    /// What a calibration has left of the device's own field, µT, device axes.
    package var magnetometerBias: Vector3 { sensors.magnetometerBias }
    /// By how much the magnetometer lags behind the gyroscope, seconds.
    package var fieldDelay: Double { field.delay }
    /// Velocity in magnetic north's frame, m/s: of the motion that does not last, for a lasting one is not seen.
    package internal(set) var velocity = Vector3.zero
    package internal(set) var flags: AttitudeFlags = []

    package var attitudeCovariance: Matrix3 {
      let turn = earthFromNorth.matrix
      return turn * covariance.block(at: ErrorIndex.attitude) * turn.transpose
    }
    package var biasCovariance: Matrix3 { covariance.block(at: ErrorIndex.gyroscopeBias) }

    /// The attitude in the filter's own earth frame, whose X is magnetic north as soon as a field is used.
    var northFromDevice = Quaternion.identity
    /// Its matrix, kept because every sensor's sample is rotated by it.
    var rotation = Matrix3.identity
    /// The matrix of the attitude that vectors with the gyroscope's stamp were measured in, where it was asked for.
    var midway = Matrix3.identity
    var midwayIsKnown = false
    /// A turn about the vertical to the frame that the attitude is reported in.
    var earthFromNorth = Quaternion.identity
    var sensors = SensorErrors()
    var field = EarthFieldModel()
    var covariance = ErrorCovariance()

    var gate = SampleGate()
    var heldRate = SampleHold()
    var heldForce = SampleHold()
    /// Time of the latest gyroscope sample.
    var time: Double?
    /// The latest rate without its errors, rad/s, device axes.
    var rate = Vector3.zero
    var coning = ConingMemory()
    /// Seconds since the sensors' errors last faded.
    var unfaded = 0.0
    var glitch = GlitchGuard()
    /// What was known before a rate that may be a glitch.
    var attitudeBeforeGlitch = Quaternion.identity
    var velocityBeforeGlitch = Vector3.zero
    var epochBeforeGlitch = MotionEpoch()
    var lostBeforeGlitch = LostDetector()
    var clipping: ClippingDetector
    /// Seconds that each axis of the gyroscope has been clipped for without a pause.
    var clippedTime = Vector3.zero

    var isAligned = false
    /// Seconds since the start-up began, counted to its end.
    var age = 0.0
    var startUp = StartUp()
    /// Of the heading where the start-up meets no field, rad².
    var startHeadingVariance: Double

    var epoch = MotionEpoch()
    var speed = SpeedMemory()
    var biasPrior: BiasPrior
    var magnetometerBiasPrior: BiasPrior
    var hardIron = HardIronWindow()
    var north = NorthEvidence()
    /// The vertical in device axes, a mean over some seconds.
    var meanUp = Vector3.zero
    var rest = RestDetector()
    var lost = LostDetector()

    /// Whether velocity, attitude and the attitude's and the velocity's variances have values; looked at once an epoch.
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

  /// Errors of the sensors, device axes.
  struct SensorErrors: Sendable, Codable, Equatable {
    /// rad/s.
    var gyroscopeBias = Vector3.zero
    var gyroscopeScale = Matrix3.zero
    /// m/s².
    var accelerometerBias = Vector3.zero
    /// µT.
    var magnetometerBias = Vector3.zero

    /// The rate of a measured one, rad/s: (I + S)(measured − bias).
    func rate(_ unbiased: Vector3) -> Vector3 { unbiased + gyroscopeScale * unbiased }

    /// Lets scale and accelerometer bias return to zero by a factor.
    mutating func fade(by persistence: Double) {
      gyroscopeScale = gyroscopeScale * persistence
      accelerometerBias *= persistence
    }
  }

  /// What the parameters mean in the filter's own units, worked out once.
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
    /// Variances that scale and accelerometer bias have when nothing is measured for long.
    let scale: Double
    let forceBias: Double
    /// 1 / σ² of the standard deviations between which the biases' priors decide.
    let biasPrecisions: [Double]
    let magnetometerBiasPrecisions: [Double]
    /// Variances times seconds.
    let velocity: Double
    let magnetic: Double
    let restRate: Double
    let restVelocity: Double
    let innovation: Double
    /// Readings beyond are clipped, g.
    let forceLimit: Double
    /// Factors on the field's gain by error; nil where all are 1.
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
  /// 1 / σ² of standard deviations of the gyroscope's bias, (rad/s)⁻².
  var biasPrecisions: [Double] { Self.precisions(from: leastBiasSigma, to: initialBiasSigma) }
  /// 1 / σ² of standard deviations of the magnetometer's bias, µT⁻².
  var magnetometerBiasPrecisions: [Double] {
    Self.precisions(from: leastMagnetometerBiasSigma, to: magnetometerBiasSigma)
  }

  /// From the least to the largest standard deviation, each about twice the one before.
  private static func precisions(from least: Double, to largest: Double) -> [Double] {
    let least = min(least, largest)
    let steps = log2(largest / least).rounded()
    return (0...Int(steps)).map { step in
      let share = steps > 0 ? Double(step) / steps : 1
      let sigma = least * pow(largest / least, share)
      return 1 / (sigma * sigma)
    }
  }
}
