internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// Madgwick's revised filter: a complementary filter that ignores accelerations and fields that contradict it.
///
/// S. Madgwick, "AHRS algorithms and calibration solutions to facilitate new applications using low-cost MEMS", PhD
/// thesis, University of Bristol, 2014, chapter 7, and the public documentation of x-io's Fusion library: feedback by
/// cross products, separate heading and inclination, rejection and recovery, recovery from rates out of range, and the
/// gyroscope's bias from rest.
///
/// The original begins with a high gain that falls to the final one within 3 s. Here the start-up's mean replaces it,
/// which is better in motion; the ramp runs only if `startUpDuration` is 0, and after rates out of range.
package struct RevisedMadgwick: SteppedAlgorithm {
  package static let name = "revised-madgwick"
  package static let summary =
    "complementary filter that rejects contradicting accelerations and fields, with bias from rest"
  package static let source = "Madgwick 2014, thesis, chapter 7; documentation of x-io's Fusion"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .restBias, .separatesHeading, .magneticRejection,
  ]

  /// Time constants and periods in seconds, angles in radians, valid for every sample rate.
  ///
  /// The original's settings are a gain of 0.5 and thresholds of 10° for both sensors. The defaults here trust the
  /// field less and reject fewer accelerations: on recordings of handheld devices and phones, the errors are half as
  /// large (BROAD 4.9° instead of 11.8°, a set of phones 9.7° instead of 21.9°).
  package struct Parameters: SteppedParameters {
    package var timeConstant = 2.0
    package var magneticWeight = 0.1
    package var accelerationRejection = 0.8
    package var magneticRejection = 0.25
    package var recoveryTriggerPeriod = 5.0
    package var gyroscopeRange = 0.0
    package var stationaryThreshold = 0.052
    package var stationaryPeriod = 3.0
    package var stationaryTimeConstant = 8.0
    package var integrationOrder = 3.0
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The gain of the documentation, in 1/s.
    package var gain: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    package static let descriptions: [ParameterDescription<Self>] =
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."
        )
        .published("gain", \.gain, "1/s", 1e-6...1000, "Gain of the correction: 1 / timeConstant."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's correction against gravity's; 0 leaves heading to the gyroscope."),
        .init(
          "accelerationRejection", \.accelerationRejection, "rad", 0...1.57,
          "Largest error of inclination at which the accelerometer is used; 0 uses it always."),
        .init(
          "magneticRejection", \.magneticRejection, "rad", 0...1.57,
          "Largest error of heading at which the field is used; 0 uses it always."),
        .init(
          "recoveryTriggerPeriod", \.recoveryTriggerPeriod, "s", 0...1e6,
          "Seconds after which samples are used even if all are rejected; 0 rejects none."),
        .init(
          "gyroscopeRange", \.gyroscopeRange, "rad/s", 0...1000,
          "Largest rate that the gyroscope measures about an axis; 0 = unknown."),
        .init(
          "stationaryThreshold", \.stationaryThreshold, "rad/s", 0...10,
          "Largest constant rate that counts as a bias; 0 learns none."),
        .init(
          "stationaryPeriod", \.stationaryPeriod, "s", 0...1e6,
          "Seconds below the threshold before a rate counts as a bias."),
        .init(
          "stationaryTimeConstant", \.stationaryTimeConstant, "s", 0.01...1e9,
          "Time constant of the bias, seconds of rest; bigger is slower and steadier."),
        .integrationOrder(\.integrationOrder),
      ] + HandlingParameters.descriptions(at: \.handling)
  }

  package struct State: SteppedState {
    package internal(set) var earthFromDevice: Quaternion
    var bias = StationaryBias()
    var accelerationGate = RejectionGate()
    var magneticGate = RejectionGate()
    /// The remaining time of the raised gain, in seconds.
    var rampLeft = 0.0
    /// Whether a step was taken since the start or the last restart.
    var hasBegun = false

    package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    package var gyroscopeBias: Vector3 { bias.value }
    package var isMagneticallyDisturbed: Bool { magneticGate.isBeyond }
    package var isConverging: Bool { rampLeft > 0 }

    package mutating func restart(at attitude: Quaternion) {
      earthFromDevice = attitude
      hasBegun = false
      rampLeft = 0
      forgetRejections()
    }

    mutating func forgetRejections() { (accelerationGate, magneticGate) = (RejectionGate(), RejectionGate()) }
  }

  /// The gain at the start of the ramp, in 1/s, and the ramp's length, in seconds.
  static let ramp = (gain: 10.0, duration: 3.0)

  package let parameters: Parameters
  private let gain: Double
  /// The largest norms of the feedback that is used.
  private let accelerationLimit, magneticLimit: Double
  /// The rate above which the gyroscope is out of range, in rad/s.
  private let overrange: Double
  private let bias: StationaryBias.Settings
  private let order: IntegrationOrder

  package init(parameters p: Parameters = Parameters()) {
    func limit(_ angle: Double) -> Double { p.recoveryTriggerPeriod > 0 && angle > 0 ? sin(angle) : .infinity }
    (parameters, gain, order) = (p, p.gain, IntegrationOrder(p.integrationOrder))
    (accelerationLimit, magneticLimit) = (limit(p.accelerationRejection), limit(p.magneticRejection))
    overrange = p.gyroscopeRange > 0 ? 0.98 * p.gyroscopeRange : .infinity
    bias = StationaryBias.Settings(
      threshold: p.stationaryThreshold, period: p.stationaryPeriod, timeConstant: p.stationaryTimeConstant,
      bound: p.handling.biasBound)
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    state.bias.add(step.rate, over: step.duration, bias)
    let gain = rampedGain(&state, step)
    let up = state.earthFromDevice.rotateInverse(.unitZ)
    var feedback = Vector3.zero
    if let acceleration = step.acceleration?.normalized {
      let error = Self.feedback(from: up, to: -acceleration)
      let limit = state.isConverging ? .infinity : accelerationLimit
      if state.accelerationGate.admits(error, within: limit, over: step.duration, parameters.recoveryTriggerPeriod) {
        feedback = error
      }
    }
    // West perpendicular to the field and the known vertical: the field does not affect the inclination.
    if let field = step.magneticField, let west = up.cross(field).normalized {
      let error = Self.feedback(from: state.earthFromDevice.rotateInverse(.unitY), to: west)
      let limit = state.isConverging ? .infinity : magneticLimit
      if state.magneticGate.admits(error, within: limit, over: step.duration, parameters.recoveryTriggerPeriod) {
        feedback += parameters.magneticWeight * error
      }
    }
    let rate = step.rate - state.bias.value + gain * feedback
    state.earthFromDevice = state.earthFromDevice.turned(at: rate, for: step.duration, order)
  }

  /// Returns the rotation, as axis times sine, from a predicted direction to the measured one.
  ///
  /// Beyond 90° the sine decreases again, so the result is there twice the unit axis, which keeps every error
  /// correctable.
  static func feedback(from predicted: Vector3, to measured: Vector3) -> Vector3 {
    let error = measured.cross(predicted)
    guard measured.dot(predicted) < 0 else { return error }
    return 2 * (error.normalized ?? .zero)
  }

  /// Returns the gain, which falls from the ramp's start to the final value; a rate out of range restarts the ramp.
  private func rampedGain(_ state: inout State, _ step: MotionStep) -> Double {
    if step.rate.maximumMagnitude > overrange || (!state.hasBegun && parameters.handling.startUpDuration == 0) {
      state.rampLeft = Self.ramp.duration
      state.forgetRejections()
    }
    state.hasBegun = true
    guard state.rampLeft > 0 else { return gain }
    state.rampLeft = max(0, state.rampLeft - step.duration)
    return gain + max(0, Self.ramp.gain - gain) * state.rampLeft / Self.ramp.duration
  }
}

/// Madgwick's revised filter for real logs.
package typealias RevisedMadgwickFilter = SteppedFilter<RevisedMadgwick>
