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

  /// The gain at the start of the ramp, in 1/s, and the ramp's length, in seconds.
  static let ramp = (gain: 10.0, duration: 3.0)

  package let parameters: Parameters
  private let coefficients: Coefficients

  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    state.bias.add(step.rate, over: step.duration, coefficients.bias)
    let gain = rampedGain(&state, step)
    let up = state.earthFromDevice.rotateInverse(.unitZ)
    var feedback = Vector3.zero
    if let acceleration = step.acceleration?.normalized {
      let error = Self.feedback(from: up, to: -acceleration)
      if state.accelerationGate.admits(
        error, within: state.isConverging ? .infinity : coefficients.accelerationLimit, over: step.duration,
        coefficients.recoveryPeriod)
      {
        feedback = error
      }
    }
    // West perpendicular to the field and the known vertical: the field does not affect the inclination.
    if let field = step.magneticField, let west = up.cross(field).normalized {
      let error = Self.feedback(from: state.earthFromDevice.rotateInverse(.unitY), to: west)
      if state.magneticGate.admits(
        error, within: state.isConverging ? .infinity : coefficients.magneticLimit, over: step.duration,
        coefficients.recoveryPeriod)
      {
        feedback += coefficients.magneticWeight * error
      }
    }
    let rate = step.rate - state.bias.value + gain * feedback
    state.earthFromDevice = state.earthFromDevice.turned(at: rate, for: step.duration, coefficients.order)
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
    if step.rate.maximumMagnitude > coefficients.overrange || (!state.hasBegun && coefficients.rampsAtStart) {
      state.rampLeft = Self.ramp.duration
      state.forgetRejections()
    }
    state.hasBegun = true
    guard state.rampLeft > 0 else { return coefficients.gain }
    state.rampLeft = max(0, state.rampLeft - step.duration)
    return coefficients.gain + max(0, Self.ramp.gain - coefficients.gain) * state.rampLeft / Self.ramp.duration
  }
}

extension RevisedMadgwick {
  /// The complete state that changes from sample to sample.
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

  struct Coefficients: Sendable {
    let gain: Double
    let magneticWeight: Double
    /// The largest norms of the feedback that is used.
    let accelerationLimit: Double
    let magneticLimit: Double
    let recoveryPeriod: Double
    /// The rate above which the gyroscope is out of range, in rad/s.
    let overrange: Double
    let rampsAtStart: Bool
    let bias: StationaryBias.Settings
    let order: IntegrationOrder

    init(_ parameters: Parameters) {
      gain = parameters.gain
      magneticWeight = parameters.magneticWeight
      let rejects = parameters.recoveryTriggerPeriod > 0
      func limit(_ angle: Double) -> Double { rejects && angle > 0 ? sin(angle) : .infinity }
      accelerationLimit = limit(parameters.accelerationRejection)
      magneticLimit = limit(parameters.magneticRejection)
      recoveryPeriod = parameters.recoveryTriggerPeriod
      overrange = parameters.gyroscopeRange > 0 ? 0.98 * parameters.gyroscopeRange : .infinity
      rampsAtStart = parameters.handling.startUpDuration == 0
      bias = StationaryBias.Settings(
        threshold: parameters.stationaryThreshold, period: parameters.stationaryPeriod,
        timeConstant: parameters.stationaryTimeConstant, bound: parameters.handling.biasBound)
      order = IntegrationOrder(parameters.integrationOrder)
    }
  }
}
