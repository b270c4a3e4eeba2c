internal import InertialNumerics

extension MotionPriorKalman {
  /// Noise in physical units, as densities that are valid for every sample rate.
  ///
  /// The defaults are round values. The structure of the model matters, digits do not: halving or doubling a value
  /// changes the errors on recordings by some per cent. `descriptions` contains the meaning, unit and range of each
  /// parameter.
  public struct Parameters: FilterParameters {
    /// The gyroscope's angle random walk, in rad/√s. A larger value trusts everything else more.
    public var gyroscopeNoise = 1e-3
    /// The random walk of the gyroscope bias, in rad/s/√s. A larger value follows a drifting bias faster.
    public var biasNoise = 1.5e-4
    /// The initial standard deviation of the gyroscope bias, in rad/s. Without a field, the motion determines it, from a
    /// tenth to three times this value.
    public var initialBiasSigma = 0.05
    package var scaleSigma = 0.003
    /// The white noise of the accelerometer, in g√s (g/√Hz).
    public var accelerationNoise = 0.002
    package var accelerationBiasSigma = 0.012
    package var velocityNoise = 0.05
    package var motionWeight = 1.5
    package var motionMemory = 6.0
    /// The magnetometer's noise, in µT√s. A larger value trusts the gyroscope longer.
    public var magneticNoise = 1.0
    package var disturbanceWeight = 1.4
    package var dipWeight = 2.0
    package var disturbanceMemory = 0.25
    package var innovationWeight = 1.0
    package var fieldSigma = 1.0
    package var fieldDelaySigma = 0.03
    package var restNoise = 1e-3
    package var initialTiltSigma = 0.01
    package var startUpTiltFactor = 0.1
    package var initialHeadingSigma = 0.3
    package var epochDuration = 0.1
    package var gapRate = 0.5
    package var gapAcceleration = 0.2
    /// The range of the gyroscope about any axis, in rad/s; at the range, the rate is a lower bound. 0: unknown; the
    /// range is then detected from rates that stop abruptly.
    public var gyroscopeRange = 0.0
    /// The range of the accelerometer along any axis, in g. 0: unknown.
    public var accelerometerRange = 0.0
    package var sensorLatency = 0.0
    /// The minimum duration of a recording after a sample that the offline form uses, in seconds. A longer duration
    /// takes more memory.
    public var lookahead = 3600.0
    /// The handling of the start, rest, gaps and invalid samples.
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      gyroscope + motion + field + starts + offline + HandlingParameters.descriptions(at: \.handling)
    }

    private static var gyroscope: [ParameterDescription<Self>] {
      [
        .init(
          "gyroscopeNoise", \.gyroscopeNoise, "rad/√s", 1e-9...10,
          "Gyroscope angle random walk; bigger trusts everything else more."),
        .init(
          "biasNoise", \.biasNoise, "rad/s/√s", 0...1,
          "Random walk of the gyroscope bias; bigger follows a drifting bias faster."),
        .init(
          "initialBiasSigma", \.initialBiasSigma, "rad/s", 1e-9...1,
          "Initial standard deviation of the gyroscope bias; without a field, the middle of a range."),
        .init(
          "scaleSigma", \.scaleSigma, "1", 0...0.5,
          "Standard deviation of the gyroscope's scale and misalignment."),
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
        .init(
          "accelerationNoise", \.accelerationNoise, "g√s", 1e-9...10,
          "White noise of the accelerometer."),
        .init(
          "accelerationBiasSigma", \.accelerationBiasSigma, "g", 0...1,
          "Standard deviation of the accelerometer's bias; the middle of a range in which motion determines it."),
        .init(
          "accelerometerRange", \.accelerometerRange, "g", 0...1000,
          "Range of the accelerometer; at it, gravity is trusted less; 0 for unknown."),
        .init(
          "velocityNoise", \.velocityNoise, "m/s √s", 1e-6...1000,
          "Least noise of the assumption that velocity is near zero; bigger trusts gravity less."),
        .init(
          "motionWeight", \.motionWeight, "s", 0...1000,
          "Factor on the recent mean square velocity in that noise; bigger trusts gravity less in motion."),
        .init(
          "motionMemory", \.motionMemory, "s", 0.01...1000,
          "Memory of the mean square velocity."),
        .init(
          "epochDuration", \.epochDuration, "s", 0.0001...1,
          "Time between covariance steps; the sample period if that is longer."),
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
        .init(
          "disturbanceMemory", \.disturbanceMemory, "s", 0.001...1000,
          "Memory of a magnetic deviation."),
        .init(
          "innovationWeight", \.innovationWeight, "√s", 0...1e6,
          "Further magnetic noise per µT of innovation that the covariance does not explain."),
        .init(
          "fieldSigma", \.fieldSigma, "µT", 0...1000,
          "Standard deviation of the field that is first used, along magnetic north and the vertical."),
        .init(
          "fieldDelaySigma", \.fieldDelaySigma, "s", 0...1,
          "Standard deviation of the magnetometer's delay."),
      ]
    }

    private static var offline: [ParameterDescription<Self>] {
      [
        .init(
          "lookahead", \.lookahead, "s", 1...1e9,
          "Smallest duration after a sample that the offline form uses; longer takes more memory.")
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
        .init(
          "gapRate", \.gapRate, "rad/s", 0...100,
          "Assumed rotation rate of the device during a gap."),
        .init(
          "gapAcceleration", \.gapAcceleration, "g", 0...100,
          "Assumed acceleration of the device during a short gap."),
      ]
    }
  }
}
