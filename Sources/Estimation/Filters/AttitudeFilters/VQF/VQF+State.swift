internal import InertialNumerics
public import InertialRotations
package import InertialSensors

extension VQF {
  public struct State: Sendable, Codable, Equatable {
    /// The attitude: rotates vectors of the device into the earth frame.
    package var earthFromDevice: Quaternion { attitude.earthFromDevice }
    /// The 6-axis attitude: device to a frame with Z up whose azimuth follows only the gyroscope.
    ///
    /// At the start, its azimuth results from the smallest rotation that levels the device.
    public var levelFromDevice: Quaternion { attitude.levelFromDevice }
    /// The gyroscope bias, in rad/s, in device axes.
    public var gyroscopeBias: Vector3 { biasEstimation.bias }
    /// The upper bound of the bias's standard deviation about any axis, in rad/s.
    package var gyroscopeBiasSigma: Double { biasEstimation.sigma(atMost: initialBiasSigma) }
    /// Whether the device is at rest.
    public var isResting: Bool { rest.isResting }
    /// Whether the field's strength or dip differs from the learned one; `true` before a field was learned.
    public var isFieldDisturbed: Bool { field.isDisturbed }
    package internal(set) var flags: AttitudeFlags = []
    var gate = SampleGate()
    var hold = SampleHold()
    var intervals: VQFIntervals
    var attitude = FactoredAttitude()
    var rest = RestDetection()
    var biasEstimation: BiasEstimation
    var field: MagneticDisturbanceDetector
    private let initialBiasSigma: Double

    init(_ parameters: Parameters) { self.init(parameters, intervals: parameters.givenIntervals) }

    init(_ parameters: Parameters, intervals: VQFIntervals) {
      self.intervals = intervals
      biasEstimation = BiasEstimation(initialSigma: parameters.initialBiasSigma)
      field = MagneticDisturbanceDetector(parameters)
      initialBiasSigma = parameters.initialBiasSigma
    }
  }

  /// Coefficients derived from the parameters at the sensors' rates; recreated only when a rate changes.
  struct Coefficients: Sendable {
    let rest: RestDetection.Limits
    /// Whether the gyroscope's low-pass is needed.
    let usesRate: Bool
    let learnsAtRest: Bool
    let learnsBias: Bool
    let rejectsDisturbances: Bool
    /// Whether the field corrects the heading.
    let correctsHeading: Bool
    private(set) var restRate: LowPassDesign
    private(set) var restForce: LowPassDesign
    private(set) var force: LowPassDesign
    private(set) var bias: BiasEstimation.Noise
    private(set) var heading: HeadingCorrection.Gains
    private(set) var field: MagneticDisturbanceDetector.Limits

    init(_ p: Parameters, _ intervals: VQFIntervals, correctsHeading: Bool = true) {
      self.correctsHeading = correctsHeading
      rest = RestDetection.Limits(
        squaredRate: p.restRateThreshold * p.restRateThreshold,
        squaredForce: p.restAccelerationThreshold * p.restAccelerationThreshold,
        duration: p.restDuration, biasBound: p.biasBound)
      learnsAtRest = p.restBiasEstimation >= 0.5
      learnsBias = learnsAtRest || p.motionBiasEstimation >= 0.5
      rejectsDisturbances = p.disturbanceRejection >= 0.5
      usesRate = learnsAtRest || rejectsDisturbances
      restRate = LowPassDesign(timeConstant: p.restTimeConstant, interval: intervals.gyroscope.value)
      restForce = LowPassDesign(timeConstant: p.restTimeConstant, interval: intervals.accelerometer.value)
      force = LowPassDesign(timeConstant: p.accelerationTimeConstant, interval: intervals.accelerometer.value)
      bias = BiasEstimation.Noise(p, lowPass: force)
      heading = HeadingCorrection.Gains(
        timeConstant: p.magneticTimeConstant, interval: intervals.field.value)
      field = MagneticDisturbanceDetector.Limits(p, interval: intervals.field.value)
    }

    mutating func tuneGyroscope(_ p: Parameters, _ intervals: VQFIntervals) {
      restRate = LowPassDesign(timeConstant: p.restTimeConstant, interval: intervals.gyroscope.value)
    }

    mutating func tuneAccelerometer(_ p: Parameters, _ intervals: VQFIntervals) {
      restForce = LowPassDesign(timeConstant: p.restTimeConstant, interval: intervals.accelerometer.value)
      force = LowPassDesign(timeConstant: p.accelerationTimeConstant, interval: intervals.accelerometer.value)
      bias = BiasEstimation.Noise(p, lowPass: force)
    }

    mutating func tuneField(_ p: Parameters, _ intervals: VQFIntervals) {
      heading = HeadingCorrection.Gains(
        timeConstant: p.magneticTimeConstant, interval: intervals.field.value)
      field = MagneticDisturbanceDetector.Limits(p, interval: intervals.field.value)
    }
  }
}

/// The sampling intervals of the three sensors.
struct VQFIntervals: Sendable, Codable, Equatable {
  var gyroscope: SampleInterval
  var accelerometer: SampleInterval
  var field: SampleInterval
}

extension VQF.Parameters {
  /// The intervals for the given rates; the others are learned.
  var givenIntervals: VQFIntervals {
    VQFIntervals(
      gyroscope: SampleInterval(rate: gyroscopeRate), accelerometer: SampleInterval(rate: accelerometerRate),
      field: SampleInterval(rate: magneticFieldRate))
  }
}
