internal import InertialNumerics
package import InertialRotations
package import InertialSensors

extension EpochFilter {
  package struct State: Sendable, Codable, Equatable, CovarianceReporting {
    /// The algorithm's state at the end of the last epoch.
    package internal(set) var algorithm: EpochState
    package internal(set) var flags: AttitudeFlags = []
    var timeline = SensorTimeline()
    /// The attitude, integrated from the gyroscope and corrected at the end of each epoch.
    var strapdown = Strapdown()
    var start: EpochStart
    var isHeadingTied = false
    /// The field's azimuth in the earth frame for zero error.
    var fieldAzimuth = 0.0
    var epoch = EpochSums()
    var epochClock = EpochClock()
    var motion = ForceVariation()
    var magnetic = LearnedField()
    var heldForce = SampleHold()

    /// The unit quaternion, device to earth, at the last gyroscope sample.
    package var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// The gyroscope bias, in rad/s, in device axes.
    package var gyroscopeBias: Vector3 { algorithm.gyroscopeBias }
    package var attitudeCovariance: Matrix3 { algorithm.attitudeCovariance }
    package var biasCovariance: Matrix3 { algorithm.biasCovariance }

    package init(_ noise: KalmanNoise) {
      let tilt = Double.pi * .pi / 4
      let heading = noise.initialHeadingSigma * noise.initialHeadingSigma
      let bias = noise.initialBiasSigma * noise.initialBiasSigma
      algorithm = EpochState(attitudeVariances: Vector3(tilt, tilt, heading), biasVariance: bias)
      start = EpochStart(headingVariance: heading)
      if noise.fieldStrength > 0 {
        magnetic = LearnedField(strength: noise.fieldStrength, dip: noise.fieldDip)
      }
    }
  }
}

/// The data gathered by the start-up, at the start and after a gap.
struct EpochStart: Sendable, Codable, Equatable {
  var hasField = false
  /// The variance of the heading if the start-up has no field, in rad².
  var headingVariance: Double

  init(headingVariance: Double) { self.headingVariance = headingVariance }
}

/// Coefficients derived once from the parameters, in the filter's units.
struct EpochCoefficients: Sendable {
  /// The χ² of three degrees of freedom that 99.7 % of true biases stay below.
  static let restGate = 14.16

  let gyroscope: Double
  let gyroscopeScale: Double
  let biasWalk: Double
  let acceleration: Double
  let motion: Double
  let restBias: Double
  let initialTilt: Double
  let initialHeading: Double

  init(_ noise: KalmanNoise) {
    gyroscope = noise.gyroscopeNoise * noise.gyroscopeNoise
    gyroscopeScale = noise.gyroscopeScaleNoise * noise.gyroscopeScaleNoise
    biasWalk = noise.biasNoise * noise.biasNoise
    acceleration = noise.accelerationNoise * noise.accelerationNoise
    motion = noise.motionWeight * noise.motionWeight
    restBias = noise.restNoise * noise.restNoise
    initialTilt = noise.initialTiltSigma * noise.initialTiltSigma
    initialHeading = noise.initialHeadingSigma * noise.initialHeadingSigma
  }
}
