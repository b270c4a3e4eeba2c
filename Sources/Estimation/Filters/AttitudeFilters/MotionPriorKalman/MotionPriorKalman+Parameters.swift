public import InertialNumerics

extension MotionPriorKalman {
  /// Noise in physical units, as densities: one set serves every sample rate.
  ///
  /// The defaults are round values. What the model contains matters, digits do not: halving or doubling one moves the
  /// errors on recordings by some per cent. What each one is, with unit and range, is in `descriptions`.
  public struct Parameters: FilterParameters {
    /// Gyroscope angle random walk, rad/√s. Bigger trusts everything else more.
    public var gyroscopeNoise = 6.6e-4
    package var gyroscopeScaleNoise = 2.5e-4
    /// Random walk of the gyroscope bias, rad/s/√s. Bigger follows a drifting bias faster.
    public var biasNoise = 1e-4
    /// Largest standard deviation of the gyroscope bias that is believed before anything is measured, rad/s: that of
    /// a raw phone of the worst kind, 8 °/s.
    public var initialBiasSigma = 0.14
    /// That of a gyroscope which the device has calibrated, 0.25 °/s. Where the two are equal there is nothing to
    /// decide.
    package var leastBiasSigma = 0.0044
    /// Motion that repeats itself looks like information about the heading and the bias that turns it, and is none.
    /// 1 is the optimal gain.
    package var verticalGain = 0.2
    package var scaleSigma = 0.0024
    /// Scale and accelerometer bias return to zero with this time constant, and are as uncertain as at the start when
    /// nothing is measured for long (Gauss and Markov's process). Longer learns them better, and believes the model's
    /// own errors for longer.
    package var sensorMemory = 300.0
    /// White noise of the accelerometer, g√s (g/√Hz).
    public var accelerationNoise = 0.0013
    package var accelerationBiasSigma = 0.004
    package var accelerationBiasGain = 0.1
    package var velocityNoise = 0.07
    package var motionWeight = 1.0
    package var motionMemory = 10.0
    package var motionMemoryGrowth = 0.15
    /// Magnetometer noise, µT√s. Bigger trusts the gyroscope longer.
    public var magneticNoise = 0.5
    package var disturbanceWeight = 0.7
    package var dipWeight = 2.6
    package var disturbanceMemory = 0.2
    package var innovationWeight = 0.65
    package var fieldSigma = 0.7
    /// What a poor calibration leaves of the device's own field.
    package var magnetometerBiasSigma = 6.0
    /// That of a good calibration.
    package var leastMagnetometerBiasSigma = 0.1
    package var fieldNoise = 0.005
    package var fieldDelaySigma = 0.025
    package var fieldTiltGain = 0.2
    package var fieldBiasGain = 0.75
    /// The field's own errors look like a scale online.
    package var fieldScaleGain = 0.0
    package var restNoise = 5e-4
    package var restVelocityNoise = 0.005
    package var initialTiltSigma = 0.009
    package var startUpTiltFactor = 0.33
    package var initialHeadingSigma = 0.35
    package var epochDuration = 0.105
    package var gapRate = 0.5
    package var gapAcceleration = 0.2
    /// A tilt error is felt as an acceleration without end.
    package var lostSpeed = 3.0
    package var lostAngle = 0.61
    /// Range of the gyroscope about any axis, rad/s; at it the rate is a lower bound. 0: unknown; it is then found
    /// where the rates stop short at it.
    public var gyroscopeRange = 0.0
    /// Range of the accelerometer along any axis, g. 0: unknown.
    public var accelerometerRange = 0.0
    /// Half an interval: rates are means over the time since the sample before and vectors are momentary. 0: both are
    /// means, or both momentary.
    package var gyroscopeDelay = 0.00175
    package var sensorLatency = 0.0
    package var passes = 2.0
    package var knownMotionWeight = 6.5
    package var knownMotionMemory = 3.0
    /// How much of a recording after a sample the offline form uses at least, seconds. Longer takes more memory.
    public var lookahead = 3600.0
    /// How start, rest, gaps and bad samples are handled.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth
    /// What the covariance is calculated with: loops that know where the transition and the observations are zero,
    /// or, as a reference, the dense equations on BLAS.
    public var core = KalmanCore.fixed

    public init() {
      // 6 °/s: a steady turn that is slower and begins in a rest is told from a bias only by its innovation.
      handling.biasBound = 0.105
    }

    public static var descriptions: [ParameterDescription<Self>] {
      gyroscope + motion + field + starts + offline + HandlingParameters.descriptions(at: \.handling)
        + [KalmanCore.description(of: \.core)]
    }

    private static var gyroscope: [ParameterDescription<Self>] {
      [
        .init(
          "gyroscopeNoise", \.gyroscopeNoise, unit: "rad/√s", range: 1e-9...10,
          "Gyroscope angle random walk; bigger trusts everything else more."),
        .init(
          "gyroscopeScaleNoise", \.gyroscopeScaleNoise, unit: "1/√s", range: 0...10,
          "Further angle random walk per rad/s of rotation."),
        .init(
          "biasNoise", \.biasNoise, unit: "rad/s/√s", range: 0...1,
          "Random walk of the gyroscope bias; bigger follows a drifting bias faster."),
        .init(
          "initialBiasSigma", \.initialBiasSigma, unit: "rad/s", range: 1e-9...1,
          "Largest standard deviation of the gyroscope bias that is believed at the start."),
        .init(
          "leastBiasSigma", \.leastBiasSigma, unit: "rad/s", range: 1e-9...1,
          "Smallest one; what is measured decides between the two."),
        .init(
          "verticalGain", \.verticalGain, unit: "1", range: 0...1,
          "Share of the correction of the heading and of the bias about the vertical by motion without a field."),
        .init(
          "scaleSigma", \.scaleSigma, unit: "1", range: 0...0.5,
          "Standard deviation of the gyroscope's scale and misalignment."),
        .init(
          "sensorMemory", \.sensorMemory, unit: "s", range: 1...1e9,
          "For how long the gyroscope's scale and the accelerometer's bias are remembered."),
        .init(
          "gyroscopeRange", \.gyroscopeRange, unit: "rad/s", range: 0...1000,
          "Range of the gyroscope, at which its rate is a lower bound; 0 for unknown."),
        .init(
          "restNoise", \.restNoise, unit: "rad/√s", range: 1e-9...10,
          "Noise of the bias measured at rest; bigger learns it more slowly."),
      ]
    }

    private static var motion: [ParameterDescription<Self>] {
      [
        .init(
          "accelerationNoise", \.accelerationNoise, unit: "g√s", range: 1e-9...10,
          "White noise of the accelerometer."),
        .init(
          "accelerationBiasSigma", \.accelerationBiasSigma, unit: "g", range: 0...1,
          "Standard deviation of the accelerometer's bias."),
        .init(
          "accelerationBiasGain", \.accelerationBiasGain, unit: "1", range: 0...1,
          "Factor on the correction of the accelerometer's bias by motion; 0 keeps it out."),
        .init(
          "accelerometerRange", \.accelerometerRange, unit: "g", range: 0...1000,
          "Range of the accelerometer; at it, gravity is trusted less; 0 for unknown."),
        .init(
          "velocityNoise", \.velocityNoise, unit: "m/s √s", range: 1e-6...1000,
          "Least noise of the assumption that velocity is near zero; bigger trusts gravity less."),
        .init(
          "motionWeight", \.motionWeight, unit: "s", range: 0...1000,
          "Share of the recent mean square velocity in that noise; bigger trusts gravity less in motion."),
        .init(
          "motionMemory", \.motionMemory, unit: "s", range: 0.01...1000,
          "Memory of the mean square velocity."),
        .init(
          "motionMemoryGrowth", \.motionMemoryGrowth, unit: "1", range: 0...1000,
          "Growth of that memory per second after the start, from half a second on."),
        .init(
          "restVelocityNoise", \.restVelocityNoise, unit: "m/s √s", range: 1e-6...1000,
          "Noise of the velocity's being zero at rest."),
        .init(
          "epochDuration", \.epochDuration, unit: "s", range: 0.0001...1,
          "Time between covariance steps; the sample period where that is longer."),
        .init(
          "gyroscopeDelay", \.gyroscopeDelay, unit: "s", range: 0...1,
          "How much later than the other sensors the gyroscope measures; no more than half an interval counts."),
        .init(
          "sensorLatency", \.sensorLatency, unit: "s", range: -1...1,
          "How much later than the motion all samples are stamped; the attitude is carried on by that."),
      ]
    }

    private static var field: [ParameterDescription<Self>] {
      [
        .init(
          "magneticNoise", \.magneticNoise, unit: "µT√s", range: 1e-6...1e6,
          "Magnetometer noise; bigger trusts the gyroscope longer."),
        .init(
          "disturbanceWeight", \.disturbanceWeight, unit: "√s", range: 0...1e6,
          "Further magnetic noise per µT that the field is off the estimated one."),
        .init(
          "dipWeight", \.dipWeight, unit: "1", range: 0...1000,
          "How much a deviation of the vertical part counts more than one of the norm."),
        .init(
          "disturbanceMemory", \.disturbanceMemory, unit: "s", range: 0.001...1000,
          "Memory of a magnetic deviation."),
        .init(
          "innovationWeight", \.innovationWeight, unit: "√s", range: 0...1e6,
          "Further magnetic noise per µT of innovation that the covariance does not explain."),
        .init(
          "fieldSigma", \.fieldSigma, unit: "µT", range: 0...1000,
          "Standard deviation of the field that is first used, along magnetic north and the vertical."),
        .init(
          "magnetometerBiasSigma", \.magnetometerBiasSigma, unit: "µT", range: 1e-3...1000,
          "Largest standard deviation of the magnetometer's bias that is believed."),
        .init(
          "leastMagnetometerBiasSigma", \.leastMagnetometerBiasSigma, unit: "µT", range: 1e-3...1000,
          "Smallest one; what is measured decides between the two."),
        .init(
          "fieldNoise", \.fieldNoise, unit: "µT/√s", range: 0...1000,
          "Random walk of the field's parts."),
        .init(
          "fieldDelaySigma", \.fieldDelaySigma, unit: "s", range: 0...1,
          "Standard deviation of the magnetometer's delay."),
        .init(
          "fieldTiltGain", \.fieldTiltGain, unit: "1", range: 0...1,
          "Factor on the field's correction of tilt and velocity; 0 keeps it out."),
        .init(
          "fieldBiasGain", \.fieldBiasGain, unit: "1", range: 0...1,
          "Factor on the field's correction of the gyroscope bias; 0 keeps it out."),
        .init(
          "fieldScaleGain", \.fieldScaleGain, unit: "1", range: 0...1,
          "Factor on the field's correction of the gyroscope's scale; 0 keeps it out."),
      ]
    }

    private static var offline: [ParameterDescription<Self>] {
      [
        .init(
          "passes", \.passes, unit: "1", range: 1...2,
          "Passes of the offline form, 1 or 2: the second knows the speeds of the first."),
        .init(
          "knownMotionWeight", \.knownMotionWeight, unit: "s", range: 0...1000,
          "motionWeight of the offline form's second pass."),
        .init(
          "knownMotionMemory", \.knownMotionMemory, unit: "s", range: 0.01...1000,
          "Memory to either side of the mean square velocity in the second pass."),
        .init(
          "lookahead", \.lookahead, unit: "s", range: 1...1e9,
          "How much of a recording after a sample the offline form uses at least; longer takes more memory."),
      ]
    }

    private static var starts: [ParameterDescription<Self>] {
      [
        .init(
          "initialTiltSigma", \.initialTiltSigma, unit: "rad", range: 1e-6...4,
          "Standard deviation of the tilt after a start at rest."),
        .init(
          "startUpTiltFactor", \.startUpTiltFactor, unit: "rad/g", range: 0...10,
          "Tilt standard deviation after a start in motion, per g of spread in the first second."),
        .init(
          "initialHeadingSigma", \.initialHeadingSigma, unit: "rad", range: 1e-6...4,
          "Standard deviation of the heading when the field is first used."),
        .init(
          "gapRate", \.gapRate, unit: "rad/s", range: 0...100,
          "How fast the device may have turned during a gap."),
        .init(
          "gapAcceleration", \.gapAcceleration, unit: "g", range: 0...100,
          "How strongly the device may have accelerated during a short gap."),
        .init(
          "lostSpeed", \.lostSpeed, unit: "m/s", range: 0.1...1e6,
          "Speed beyond which the filter may be lost; bigger starts over less often."),
        .init(
          "lostAngle", \.lostAngle, unit: "rad", range: 0.1...4,
          "Angle of a second's mean force from the vertical beyond which it then starts over."),
      ]
    }
  }
}
