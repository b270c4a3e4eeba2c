internal import InertialSensors

extension VQF {
  /// The published defaults, in rad/s, g and µT, valid for every sample rate. `descriptions` contains the meaning,
  /// unit, range and published name of each parameter.
  public struct Parameters: FilterParameters {
    /// The time constant of the gravity low-pass, in seconds (√2/(2πτ) Hz). A larger value trusts the gyroscope longer.
    public var accelerationTimeConstant = 3.0
    /// The time constant of the heading correction, in seconds. A larger value trusts the gyroscope longer.
    public var magneticTimeConstant = 9.0
    /// Whether the bias is learned in motion: 1 or 0.
    public var motionBiasEstimation = 1.0
    /// Whether rest is detected and the bias learned there: 1 or 0.
    public var restBiasEstimation = 1.0
    /// Whether a field that differs from the learned one is rejected: 1 or 0.
    public var disturbanceRejection = 1.0
    /// The standard deviation of the bias at the start, in rad/s. Default: 0.5 °/s.
    public var initialBiasSigma = 0.5 * degree
    package var biasForgettingTime = 100.0
    package var biasBound = 2 * degree
    package var motionBiasSigma = 0.1 * degree
    package var verticalForgettingFactor = 0.0001
    package var restBiasSigma = 0.03 * degree
    /// The duration of steadiness before rest is detected, in seconds.
    public var restDuration = 1.5
    package var restTimeConstant = 0.5
    /// The largest deviation of the rate from its low-pass at rest, in rad/s. Default: 2 °/s.
    public var restRateThreshold = 2 * degree
    /// The largest deviation of the acceleration from its low-pass at rest, in g. Default: 0.5 m/s².
    public var restAccelerationThreshold = 0.5 / standardGravity
    package var fieldTimeConstant = 0.05
    package var fieldReferenceTimeConstant = 20.0
    package var fieldNormTolerance = 0.1
    package var fieldDipTolerance = 10 * degree
    package var newFieldTime = 20.0
    package var firstFieldTime = 5.0
    package var newFieldRate = 20 * degree
    package var undisturbedTime = 0.5
    package var rejectionTime = 60.0
    package var rejectionFactor = 2.0
    /// The gyroscope's rate in Hz; 0 = from the timestamps.
    public var gyroscopeRate = 0.0
    /// The accelerometer's rate in Hz; 0 = from the timestamps.
    public var accelerometerRate = 0.0
    /// The field's rate in Hz; 0 = from the timestamps.
    public var magneticFieldRate = 0.0
    /// The longest time between samples that is integrated over, in seconds.
    public var gapThreshold = 0.5
    public var headingReference = HeadingReference.magneticNorth

    public init() {}
  }
}

private let degree = Double.pi / 180

extension VQF.Parameters {
  public static var descriptions: [ParameterDescription<Self>] {
    correctionDescriptions + biasDescriptions + fieldDescriptions + clockDescriptions
  }

  private static var correctionDescriptions: [ParameterDescription<Self>] {
    [
      .init(
        "accelerationTimeConstant", \.accelerationTimeConstant, "s", 0.001...1000,
        "Time constant of the gravity low-pass; bigger trusts the gyroscope longer."
      )
      .published("tauAcc"),
      .init(
        "magneticTimeConstant", \.magneticTimeConstant, "s", 0.001...10000,
        "Time constant of the heading correction; bigger trusts the gyroscope longer."
      )
      .published("tauMag"),
      .init(
        "motionBiasEstimation", \.motionBiasEstimation, "1", 0...1,
        "Whether the bias is learned while moving: yes from 0.5 on."
      )
      .published("motionBiasEstEnabled"),
      .init(
        "restBiasEstimation", \.restBiasEstimation, "1", 0...1,
        "Whether rest is detected and the bias learned there: yes from 0.5 on."
      )
      .published("restBiasEstEnabled"),
      .init(
        "disturbanceRejection", \.disturbanceRejection, "1", 0...1,
        "Whether a field that differs from the learned one is rejected: yes from 0.5 on."
      )
      .published("magDistRejectionEnabled"),
    ]
  }

  private static var biasDescriptions: [ParameterDescription<Self>] {
    [
      .init(
        "initialBiasSigma", \.initialBiasSigma, "rad/s", 0...10,
        "Standard deviation of the bias at the start; bigger learns faster there."
      )
      .published("biasSigmaInit", unit: "°/s", scale: degree),
      .init(
        "biasForgettingTime", \.biasForgettingTime, "s", 0.01...1e9,
        "Time in which a known bias becomes unknown to 0.1 °/s; bigger is slower and steadier."),
      .init(
        "biasBound", \.biasBound, "rad/s", 0...10,
        "Largest bias about any axis; a faster constant rate does not count as a bias."
      )
      .published("biasClip", unit: "°/s", scale: degree),
      .init(
        "motionBiasSigma", \.motionBiasSigma, "rad/s", 0...10,
        "Standard deviation that the bias settles at while moving; bigger is slower."
      )
      .published("biasSigmaMotion", unit: "°/s", scale: degree),
      .init(
        "verticalForgettingFactor", \.verticalForgettingFactor, "1", 0...1,
        "Weight of the pull to zero on the bias about the vertical; bigger pulls more."
      )
      .published("biasVerticalForgettingFactor"),
      .init(
        "restBiasSigma", \.restBiasSigma, "rad/s", 0...10,
        "Standard deviation that the bias settles at while at rest; bigger is slower."
      )
      .published("biasSigmaRest", unit: "°/s", scale: degree),
      .init("restDuration", \.restDuration, "s", 0.1...100, "Seconds of constant input before rest is detected.")
        .published("restMinT"),
      .init(
        "restTimeConstant", \.restTimeConstant, "s", 0.001...100,
        "Time constant of the low-passes for rest detection; bigger needs a longer rest."
      )
      .published("restFilterTau"),
      .init(
        "restRateThreshold", \.restRateThreshold, "rad/s", 0...10,
        "Largest deviation of the rate from its low-pass at rest; bigger finds rest more often."
      )
      .published("restThGyr", unit: "°/s", scale: degree),
      .init(
        "restAccelerationThreshold", \.restAccelerationThreshold, "g", 0...10,
        "Largest deviation of the acceleration from its low-pass at rest; bigger finds rest more often."
      )
      .published("restThAcc", unit: "m/s²", scale: 1 / standardGravity),
    ]
  }

  private static var fieldDescriptions: [ParameterDescription<Self>] {
    [
      .init(
        "fieldTimeConstant", \.fieldTimeConstant, "s", 0.001...100,
        "Time constant of the low-pass of the field's strength and dip; bigger is slower."
      )
      .published("magCurrentTau"),
      .init(
        "fieldReferenceTimeConstant", \.fieldReferenceTimeConstant, "s", 0.001...1e9,
        "Time constant with which the learned strength and dip follow; bigger is slower."
      )
      .published("magRefTau"),
      .init(
        "fieldNormTolerance", \.fieldNormTolerance, "1", 0...10,
        "Largest difference of the strength from the learned one, as a fraction of it; bigger rejects less."
      )
      .published("magNormTh"),
      .init(
        "fieldDipTolerance", \.fieldDipTolerance, "rad", 0...4,
        "Largest difference of the dip from the learned one; bigger rejects less."
      )
      .published("magDipTh", unit: "°", scale: degree),
      .init(
        "newFieldTime", \.newFieldTime, "s", 0...1e9,
        "Seconds of motion after which another steady field is the new normal."
      )
      .published("magNewTime"),
      .init(
        "firstFieldTime", \.firstFieldTime, "s", 0...1e9,
        "Seconds of motion after which the first steady field is learned."
      )
      .published("magNewFirstTime"),
      .init(
        "newFieldRate", \.newFieldRate, "rad/s", 0...100,
        "Smallest rate that counts as motion for a new field; bigger learns one less often."
      )
      .published("magNewMinGyr", unit: "°/s", scale: degree),
      .init(
        "undisturbedTime", \.undisturbedTime, "s", 0...1e9,
        "Seconds that a field must be good before it is trusted again."
      )
      .published("magMinUndisturbedTime"),
      .init(
        "rejectionTime", \.rejectionTime, "s", 0...1e9,
        "Seconds that a disturbed field is left out entirely; bigger trusts the gyroscope longer."
      )
      .published("magMaxRejectionTime"),
      .init(
        "rejectionFactor", \.rejectionFactor, "1", 1...1e9,
        "Divisor of the heading's gain when a disturbance lasts longer; bigger trusts it less."
      )
      .published("magRejectionFactor"),
    ]
  }

  private static var clockDescriptions: [ParameterDescription<Self>] {
    [
      .init("gyroscopeRate", \.gyroscopeRate, "Hz", 0...1e5, "Rate of the gyroscope; 0 learns it from the timestamps."),
      .init(
        "accelerometerRate", \.accelerometerRate, "Hz", 0...1e5,
        "Rate of the accelerometer; 0 learns it from the timestamps."),
      .init(
        "magneticFieldRate", \.magneticFieldRate, "Hz", 0...1e5,
        "Rate of the magnetometer; 0 learns it from the timestamps."),
      .init("gapThreshold", \.gapThreshold, "s", 0.001...60, "Longest time between samples that is integrated over."),
    ]
  }
}
