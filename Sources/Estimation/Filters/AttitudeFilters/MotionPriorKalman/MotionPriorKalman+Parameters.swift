public import InertialNumerics

extension MotionPriorKalman {
  /// Noise in physical units, as densities that are valid for every sample rate.
  ///
  /// The defaults are round values. The structure of the model matters, digits do not: halving or doubling a value
  /// changes the errors on recordings by some per cent. `descriptions` contains the meaning, unit and range of each
  /// parameter.
  public struct Parameters: FilterParameters {
    /// The gyroscope's angle random walk, in rad/√s. A larger value trusts everything else more.
    public var gyroscopeNoise = 6.6e-4
    package var gyroscopeScaleNoise = 2.5e-4
    /// The random walk of the gyroscope bias, in rad/s/√s. A larger value follows a drifting bias faster.
    public var biasNoise = 1e-4
    /// The largest prior standard deviation of the gyroscope bias, in rad/s: that of the worst raw phones, 8 °/s.
    public var initialBiasSigma = 0.14
    /// The smallest prior standard deviation of the gyroscope bias, in rad/s: that of a calibrated gyroscope, 0.25 °/s.
    /// If both are equal, the prior is fixed.
    package var minimumBiasSigma = 0.0044
    /// The gain of the heading and of the gyroscope bias about the vertical, to which repetitive motion adds only
    /// apparent information. 1 is the optimal gain.
    package var verticalGain = 0.2
    package var scaleSigma = 0.0024
    /// The time constant of scale and accelerometer bias, in seconds. They return to zero, and to their initial
    /// uncertainty without measurements (a Gauss-Markov process). A longer time constant learns them better, but keeps
    /// the model's own errors for longer.
    package var sensorMemory = 300.0
    /// The white noise of the accelerometer, in g√s (g/√Hz).
    public var accelerationNoise = 0.0013
    package var accelerationBiasSigma = 0.004
    package var accelerationBiasGain = 0.1
    package var velocityNoise = 0.07
    package var motionWeight = 1.0
    package var motionMemory = 10.0
    package var motionMemoryGrowth = 0.15
    /// The magnetometer's noise, in µT√s. A larger value trusts the gyroscope longer.
    public var magneticNoise = 0.5
    package var disturbanceWeight = 0.7
    package var dipWeight = 2.6
    package var disturbanceMemory = 0.2
    package var innovationWeight = 0.65
    package var fieldSigma = 0.7
    /// The standard deviation of the hard iron left by a poor calibration.
    package var magnetometerBiasSigma = 6.0
    /// The standard deviation of the hard iron left by a good calibration.
    package var minimumMagnetometerBiasSigma = 0.1
    package var fieldNoise = 0.005
    package var fieldDelaySigma = 0.025
    package var fieldTiltGain = 0.2
    package var fieldBiasGain = 0.75
    /// The gain of the scale from the field, zero because online the field's own errors look like a scale.
    package var fieldScaleGain = 0.0
    package var restNoise = 5e-4
    package var restVelocityNoise = 0.005
    package var initialTiltSigma = 0.009
    package var startUpTiltFactor = 0.33
    package var initialHeadingSigma = 0.35
    package var epochDuration = 0.105
    package var gapRate = 0.5
    package var gapAcceleration = 0.2
    /// The speed above which the filter may be lost: a tilt error acts as an endless acceleration.
    package var lostSpeed = 3.0
    package var lostAngle = 0.61
    /// The range of the gyroscope about any axis, in rad/s; at the range, the rate is a lower bound. 0: unknown; the
    /// range is then detected from rates that stop abruptly.
    public var gyroscopeRange = 0.0
    /// The range of the accelerometer along any axis, in g. 0: unknown.
    public var accelerometerRange = 0.0
    /// The delay of the gyroscope, in seconds. Half an interval if rates are means over the time since the previous
    /// sample and vectors are instantaneous; 0 if both are means, or both instantaneous.
    package var gyroscopeDelay = 0.00175
    package var sensorLatency = 0.0
    package var passes = 2.0
    package var knownMotionWeight = 6.5
    package var knownMotionMemory = 3.0
    /// The minimum duration of a recording after a sample that the offline form uses, in seconds. A longer duration
    /// takes more memory.
    public var lookahead = 3600.0
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth
    /// The implementation of the covariance calculations: loops that exploit the zeros of the transition and the
    /// observations, or, as a reference, the dense equations on BLAS.
    public var core = KalmanCore.fixed

    public init() {
      // 6 °/s: only the innovation distinguishes a slower constant rotation that begins in a rest from a bias.
      handling.biasBound = 0.105
    }

    public static var descriptions: [ParameterDescription<Self>] {
      gyroscope + motion + field + starts + offline + HandlingParameters.descriptions(at: \.handling)
        + [KalmanCore.description(of: \.core)]
    }

    private static var gyroscope: [ParameterDescription<Self>] {
      [
        .init(
          "gyroscopeNoise", \.gyroscopeNoise, "rad/√s", 1e-9...10,
          "Gyroscope angle random walk; bigger trusts everything else more."),
        .init(
          "gyroscopeScaleNoise", \.gyroscopeScaleNoise, "1/√s", 0...10,
          "Further angle random walk per rad/s of rotation."),
        .init(
          "biasNoise", \.biasNoise, "rad/s/√s", 0...1,
          "Random walk of the gyroscope bias; bigger follows a drifting bias faster."),
        .init(
          "initialBiasSigma", \.initialBiasSigma, "rad/s", 1e-9...1,
          "Largest initial standard deviation of the gyroscope bias."),
        .init(
          "leastBiasSigma", \.minimumBiasSigma, "rad/s", 1e-9...1,
          "Smallest initial standard deviation of the gyroscope bias; the data determine it in between."),
        .init(
          "verticalGain", \.verticalGain, "1", 0...1,
          "Factor on the correction of the heading and of the vertical bias by motion without a field."),
        .init(
          "scaleSigma", \.scaleSigma, "1", 0...0.5,
          "Standard deviation of the gyroscope's scale and misalignment."),
        .init(
          "sensorMemory", \.sensorMemory, "s", 1...1e9,
          "Memory of the gyroscope's scale and the accelerometer's bias."),
        .init(
          "gyroscopeRange", \.gyroscopeRange, "rad/s", 0...1000,
          "Range of the gyroscope, at which its rate is a lower bound; 0 for unknown."),
        .init(
          "restNoise", \.restNoise, "rad/√s", 1e-9...10,
          "Noise of the bias measured at rest; bigger learns it more slowly."),
      ]
    }

    private static var motion: [ParameterDescription<Self>] {
      [
        .init("accelerationNoise", \.accelerationNoise, "g√s", 1e-9...10, "White noise of the accelerometer."),
        .init(
          "accelerationBiasSigma", \.accelerationBiasSigma, "g", 0...1,
          "Standard deviation of the accelerometer's bias."),
        .init(
          "accelerationBiasGain", \.accelerationBiasGain, "1", 0...1,
          "Factor on the correction of the accelerometer's bias by motion; 0 disables it."),
        .init(
          "accelerometerRange", \.accelerometerRange, "g", 0...1000,
          "Range of the accelerometer; at it, gravity is trusted less; 0 for unknown."),
        .init(
          "velocityNoise", \.velocityNoise, "m/s √s", 1e-6...1000,
          "Least noise of the assumption that velocity is near zero; bigger trusts gravity less."),
        .init(
          "motionWeight", \.motionWeight, "s", 0...1000,
          "Factor on the recent mean square velocity in that noise; bigger trusts gravity less in motion."),
        .init("motionMemory", \.motionMemory, "s", 0.01...1000, "Memory of the mean square velocity."),
        .init(
          "motionMemoryGrowth", \.motionMemoryGrowth, "1", 0...1000,
          "Growth of that memory per second after the start, from half a second on."),
        .init("restVelocityNoise", \.restVelocityNoise, "m/s √s", 1e-6...1000, "Noise of the zero velocity at rest."),
        .init(
          "epochDuration", \.epochDuration, "s", 0.0001...1,
          "Time between covariance steps; the sample period if that is longer."),
        .init(
          "gyroscopeDelay", \.gyroscopeDelay, "s", 0...1,
          "Delay of the gyroscope relative to the other sensors; at most half an interval is used."),
        .init(
          "sensorLatency", \.sensorLatency, "s", -1...1,
          "Delay of all timestamps relative to the motion; the attitude is extrapolated by it."),
      ]
    }

    private static var field: [ParameterDescription<Self>] {
      [
        .init(
          "magneticNoise", \.magneticNoise, "µT√s", 1e-6...1e6,
          "Magnetometer noise; bigger trusts the gyroscope longer."),
        .init(
          "disturbanceWeight", \.disturbanceWeight, "√s", 0...1e6,
          "Further magnetic noise per µT of difference between the field and the estimated one."),
        .init(
          "dipWeight", \.dipWeight, "1", 0...1000,
          "Weight of a deviation of the vertical component relative to one of the norm."),
        .init("disturbanceMemory", \.disturbanceMemory, "s", 0.001...1000, "Memory of a magnetic deviation."),
        .init(
          "innovationWeight", \.innovationWeight, "√s", 0...1e6,
          "Further magnetic noise per µT of innovation that the covariance does not explain."),
        .init(
          "fieldSigma", \.fieldSigma, "µT", 0...1000,
          "Standard deviation of the field that is first used, along magnetic north and the vertical."),
        .init(
          "magnetometerBiasSigma", \.magnetometerBiasSigma, "µT", 1e-3...1000,
          "Largest initial standard deviation of the magnetometer's bias."),
        .init(
          "leastMagnetometerBiasSigma", \.minimumMagnetometerBiasSigma, "µT", 1e-3...1000,
          "Smallest initial standard deviation of the magnetometer's bias; the data determine it in between."),
        .init("fieldNoise", \.fieldNoise, "µT/√s", 0...1000, "Random walk of the field's components."),
        .init("fieldDelaySigma", \.fieldDelaySigma, "s", 0...1, "Standard deviation of the magnetometer's delay."),
        .init(
          "fieldTiltGain", \.fieldTiltGain, "1", 0...1,
          "Factor on the field's correction of tilt and velocity; 0 disables it."),
        .init(
          "fieldBiasGain", \.fieldBiasGain, "1", 0...1,
          "Factor on the field's correction of the gyroscope bias; 0 disables it."),
        .init(
          "fieldScaleGain", \.fieldScaleGain, "1", 0...1,
          "Factor on the field's correction of the gyroscope's scale; 0 disables it."),
      ]
    }

    private static var offline: [ParameterDescription<Self>] {
      [
        .init(
          "passes", \.passes, "1", 1...2,
          "Passes of the offline form, 1 or 2: the second uses the speeds of the first."),
        .init(
          "knownMotionWeight", \.knownMotionWeight, "s", 0...1000,
          "motionWeight of the offline form's second pass."),
        .init(
          "knownMotionMemory", \.knownMotionMemory, "s", 0.01...1000,
          "Memory to either side of the mean square velocity in the second pass."),
        .init(
          "lookahead", \.lookahead, "s", 1...1e9,
          "Smallest duration after a sample that the offline form uses; longer takes more memory."),
      ]
    }

    private static var starts: [ParameterDescription<Self>] {
      [
        .init(
          "initialTiltSigma", \.initialTiltSigma, "rad", 1e-6...4,
          "Standard deviation of the tilt after a start at rest."),
        .init(
          "startUpTiltFactor", \.startUpTiltFactor, "rad/g", 0...10,
          "Tilt standard deviation after a start in motion, per g of spread in the first second."),
        .init(
          "initialHeadingSigma", \.initialHeadingSigma, "rad", 1e-6...4,
          "Standard deviation of the heading when the field is first used."),
        .init("gapRate", \.gapRate, "rad/s", 0...100, "Assumed rotation rate of the device during a gap."),
        .init(
          "gapAcceleration", \.gapAcceleration, "g", 0...100,
          "Assumed acceleration of the device during a short gap."),
        .init(
          "lostSpeed", \.lostSpeed, "m/s", 0.1...1e6,
          "Speed beyond which the filter may be lost; bigger starts over less often."),
        .init(
          "lostAngle", \.lostAngle, "rad", 0.1...4,
          "Angle of a second's mean force from the vertical beyond which it then starts over."),
      ]
    }

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case gyroscopeNoise, gyroscopeScaleNoise, biasNoise, initialBiasSigma
      case minimumBiasSigma = "leastBiasSigma", verticalGain, scaleSigma, sensorMemory, accelerationNoise
      case accelerationBiasSigma, accelerationBiasGain, velocityNoise, motionWeight, motionMemory
      case motionMemoryGrowth, magneticNoise, disturbanceWeight, dipWeight, disturbanceMemory
      case innovationWeight, fieldSigma, magnetometerBiasSigma
      case minimumMagnetometerBiasSigma = "leastMagnetometerBiasSigma", fieldNoise, fieldDelaySigma
      case fieldTiltGain, fieldBiasGain, fieldScaleGain, restNoise, restVelocityNoise, initialTiltSigma
      case startUpTiltFactor, initialHeadingSigma, epochDuration, gapRate, gapAcceleration, lostSpeed
      case lostAngle, gyroscopeRange, accelerometerRange, gyroscopeDelay, sensorLatency, passes
      case knownMotionWeight, knownMotionMemory, lookahead, handling, headingReference, core
    }
  }
}
