public import InertialNumerics
package import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A complementary filter on the rotation group: the gyroscope at high frequencies, gravity and field at low
/// frequencies.
///
/// The explicit complementary filter with bias correction (Mahony, Hamel and Pflimlin, "Nonlinear complementary
/// filters on the special orthogonal group", IEEE TAC 53 (2008), eq. (32)), with three changes: the errors are
/// formed in the earth frame, where tilt and heading separate, so that the field never moves gravity; the gains are
/// time constants, right for any sample rate; and the first second is a running mean, so that a start in motion works.
/// Davenport's q-method gives the initial attitude.
///
/// About each axis it is a steady-state Kalman filter of angle and bias (Higgins, "A comparison of complementary and
/// Kalman filtering", IEEE TAES 11 (1975)): with the parameter `gains` set to `steadyState`, the time constants follow
/// from the noise of the sensors, by the Riccati equation. `docs/theory/complementary.md` has the equations.
public struct ComplementaryFilter: AttitudeFilter {
  public static let name = "complementary"
  public static let summary = "gyroscope with tilt and heading correction by time constants, and gyroscope bias"
  public static let source = "after Mahony, Hamel and Pflimlin 2008, errors in the earth frame"
  public static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .rest, .restBias, .separatesHeading,
  ]

  public let parameters: Parameters
  public private(set) var state: State
  private let settings: SensorTimeline.Settings

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State())
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    settings = SensorTimeline.Settings(parameters.handling)
    self.state = state
    self.state.timeline.resume(settings)
  }

  // MARK: Updates

  public mutating func update(gyroscope: Vector3, at time: Double) {
    let sample = state.timeline.admit(rate: gyroscope, at: time, settings)
    if case .gap = sample { enterGap() }
    switch sample {
    case .refused: return
    case .first, .gap: state.strapdown.restart(rate: gyroscope, at: time)
    case .regular(let dt):
      learnBiasAtRest(over: dt)
      state.strapdown.integrate(gyroscope, bias: state.gyroscopeBias, over: dt, to: time)
      state.biasAge += dt
      if state.timeline.count(dt, settings) { state.isHeadingTied = state.fieldAzimuth != nil }
    }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    let sample = state.timeline.admit(acceleration: accelerometer, at: time, settings)
    guard sample != .refused else { return }
    guard state.timeline.isAligned else {
      let up = -accelerometer
      // Yaw 0 as in Core Motion: the device's Y axis points along the earth's Y, so that Y × up is along X.
      let start = Self.attitude(up: up, north: Vector3.unitY.cross(up)) ?? startAttitude(up: up)
      state.strapdown.align(to: start)
      return state.timeline.align(settings)
    }
    guard case .regular(let dt) = sample else { return }
    let up = attitude(at: time).rotate(-accelerometer)
    if isStartingUp {
      state.strapdown.correct(by: state.timeline.means.addForce(up))
    } else {
      correctTilt(state.heldUp.mean(up, over: dt), over: dt)
    }
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    let sample = state.timeline.admit(field: magneticField, at: time)
    guard sample != .refused, state.timeline.isAligned else { return }
    let field = attitude(at: time).rotate(magneticField)
    guard state.isHeadingTied, let reference = state.fieldAzimuth else {
      tieHeading(to: field)
      return
    }
    guard case .regular(let dt) = sample else { return }
    if isStartingUp {
      state.fieldAge += dt
      state.timeline.means.addField(field)
      turnHeading(to: reference)
    } else {
      correctHeading(wrapped(atan2(field.y, field.x) - reference), over: dt)
    }
  }

  public var estimate: AttitudeEstimate? {
    guard state.timeline.isAligned else { return nil }
    return AttitudeEstimate(
      earthFromDevice: state.earthFromDevice, gyroscopeBias: state.gyroscopeBias, flags: state.timeline.flags)
  }

  // MARK: Steps

  private var isStartingUp: Bool { state.timeline.isStartingUp }

  private func attitude(at time: Double) -> Quaternion {
    state.strapdown.attitude(at: time, bias: state.gyroscopeBias, within: settings.gapThreshold)
  }

  /// Rotates the earth frame, in which earlier measurements were off by this rotation.
  private mutating func correct(by rotation: Quaternion) {
    state.strapdown.correct(by: rotation)
  }

  private mutating func correctTilt(_ up: Vector3, over dt: Double) {
    // Not normalised: over seconds, an acceleration averages to zero, but its direction does not.
    let error = up.cross(.unitZ)
    if parameters.gains == .steadyState, state.tilt == nil {
      state.tilt = steadyState(noise: parameters.tiltNoise, interval: dt)
    }
    let constants = state.tilt ?? parameters.tilt
    let blend = ExponentialLowPass.gain(after: dt, timeConstant: constants.attitude)
    correct(by: Quaternion(rotationVector: blend * error))
    learnBias(from: error, gain: biasGain(constants) * dt)
  }

  private mutating func correctHeading(_ error: Double, over dt: Double) {
    if parameters.gains == .steadyState, state.heading == nil {
      state.heading = steadyState(noise: parameters.headingNoise, interval: dt)
    }
    let constants = state.heading ?? parameters.heading
    // The running mean of the first seconds becomes the exponential mean continuously.
    let gain = ExponentialLowPass.gain(after: dt, timeConstant: constants.attitude)
    let blend = max(gain, dt / (state.fieldAge + dt))
    state.fieldAge = min(state.fieldAge + dt, 1e6)
    correct(by: rotationAboutZ(-blend * error))
    learnBias(from: Vector3(0, 0, -error), gain: biasGain(constants) * dt)
  }

  /// Returns the time constants of the steady-state Kalman filter for the interval between the sensor's samples.
  ///
  /// They are computed once, from the first interval after a start or a gap: intervals change them only to second
  /// order, by Δt²/24τ².
  private func steadyState(noise: Double, interval: Double) -> CorrectionTimeConstants? {
    CorrectionTimeConstants(
      gyroscopeNoise: parameters.gyroscopeNoise, biasNoise: parameters.biasNoise, measurementNoise: noise,
      interval: interval)
  }

  /// Aligns X by the first field or the start-up's mean field: to north immediately, or permanently to its present
  /// direction.
  private mutating func tieHeading(to field: Vector3) {
    let azimuth = state.timeline.means.addField(field)
    switch parameters.headingReference {
    case .magneticNorth:
      turnHeading(to: 0)
      state.fieldAzimuth = 0
    case .initialHeading:
      state.fieldAzimuth = azimuth
    }
    state.isHeadingTied = !isStartingUp
  }

  /// Aligns the means of force and field with the vertical and the field's reference azimuth; a vertical field leaves
  /// the attitude unchanged.
  private mutating func turnHeading(to reference: Double) {
    let up = isStartingUp && state.timeline.means.count > 0 ? state.timeline.means.forceSum : .unitZ
    guard let field = state.timeline.means.meanField, let attitude = Self.attitude(up: up, north: field) else { return }
    let turn = rotationAboutZ(reference) * attitude
    correct(by: turn)
    state.timeline.means.turn(by: turn)
  }

  /// Returns the attitude with `up` along Z and the horizontal part of `north` along X, by Davenport's q-method; `nil`
  /// for parallel vectors.
  private static func attitude(up: Vector3, north: Vector3) -> Quaternion? {
    let attitude = try? Davenport.attitude(acceleration: -up, field: north)
    return attitude.map { $0.w < 0 ? -$0 : $0 }
  }

  /// Integral action: an error in a constant direction of the device is a bias.
  private mutating func learnBias(from earthError: Vector3, gain: Double) {
    let deviceError = state.earthFromDevice.rotateInverse(earthError)
    setBias(state.gyroscopeBias - gain * deviceError)
  }

  /// Returns the bias change per second and radian of error, in 1/s²: fast for a young estimate, slow for a mature one.
  ///
  /// The closed loop is s² + s/τ + 1/(τ τ_b), with damping 0.7 at the fastest, τ_b = 2 τ. With τ_b = age/4, an initial
  /// bias error decays as age⁻⁴.
  private func biasGain(_ constants: CorrectionTimeConstants) -> Double {
    let age = max(state.biasAge / 4, 2 * constants.attitude)
    return 1 / (constants.attitude * min(constants.bias, age))
  }

  private mutating func learnBiasAtRest(over dt: Double) {
    guard let rate = state.timeline.restRate else { return }
    // A known bias does not jump: a rate that differs much from it is a slow constant rotation.
    let isKnown = state.biasAge >= (state.tilt ?? parameters.tilt).bias
    guard !isKnown || (rate - state.gyroscopeBias).maximumMagnitude <= parameters.biasStep else { return }
    // The mean of all rest so far, so that a bias learned over seconds is not lost within one.
    state.restAge = min(state.restAge + dt, parameters.restBiasTimeConstant)
    let blend = dt / state.restAge
    setBias(state.gyroscopeBias + blend * (rate - state.gyroscopeBias))
    state.biasAge += 200 * dt
  }

  private mutating func setBias(_ bias: Vector3) {
    state.gyroscopeBias = bias.clipped(to: parameters.handling.biasBound)
  }

  /// Handles a gap, in which the rotation is unknown: tilt and heading restart, and the bias is kept.
  private mutating func enterGap() {
    state.timeline.enterGap(settings)
    (state.tilt, state.heading) = (nil, nil)
    state.fieldAge = 0
  }
}

extension ComplementaryFilter {
  public struct State: Sendable, Codable, Equatable {
    /// The attitude: rotates vectors of the device into the earth frame.
    package var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// The gyroscope bias, in rad/s, in device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    var timeline = SensorTimeline()
    var strapdown = Strapdown()
    /// The duration of rest from which the bias was learned, in seconds, at most the time constant.
    var restAge = 0.0
    /// The duration of bias learning in motion, in seconds; a second at rest counts as many.
    var biasAge = 0.0
    /// The duration of the field used since the start or the last gap, in seconds.
    var fieldAge = 0.0
    /// The field's azimuth in the earth frame for zero error, or `nil` until a field was used.
    var fieldAzimuth: Double?
    /// Whether `fieldAzimuth` is final, and not from a start-up in progress.
    var isHeadingTied = false
    var heldUp = SampleHold()
    /// The steady-state time constants of the tilt and heading corrections, if the noise determines them.
    var tilt: CorrectionTimeConstants?
    var heading: CorrectionTimeConstants?

    package init() {}
  }
}
