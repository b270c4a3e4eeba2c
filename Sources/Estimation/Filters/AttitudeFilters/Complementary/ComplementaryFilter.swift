public import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A complementary filter on the rotation group: the gyroscope at high frequencies, gravity and field at low
/// frequencies.
///
/// The explicit complementary filter with bias correction (Mahony, Hamel and Pflimlin, "Nonlinear complementary
/// filters on the special orthogonal group", IEEE TAC 53 (2008), eq. (32)), with three changes: the errors are
/// formed in the earth frame, where tilt and heading separate, so that the field never moves gravity; the gains are
/// time constants, right for any sample rate; and the first second is a running mean, so that a start in motion works.
public struct ComplementaryFilter: AttitudeFilter {
  public static let name = "complementary"
  public static let summary = "gyroscope with tilt and heading correction by time constants, and gyroscope bias"
  public static let source = "after Mahony, Hamel and Pflimlin 2008, errors in the earth frame"
  public static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .rest, .restBias, .separatesHeading,
  ]

  public let parameters: Parameters
  public private(set) var state: State
  private let coefficients: Coefficients

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State())
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    coefficients = Coefficients(parameters)
  }

  // MARK: Updates

  public mutating func update(gyroscope: Vector3, at time: Double) {
    switch state.gate.admit(gyroscope: gyroscope, at: time, gapThreshold: parameters.handling.gapThreshold) {
    case .refused: return
    case .first: state.strapdown.restart(rate: gyroscope, at: time)
    case .gap:
      enterGap()
      state.strapdown.restart(rate: gyroscope, at: time)
    case .regular(let dt):
      state.rest.add(rate: gyroscope, dt: dt, coefficients.rest)
      learnBiasAtRest(over: dt)
      state.strapdown.integrate(gyroscope, bias: state.gyroscopeBias, over: dt, to: time)
      state.biasAge += dt
      if isStartingUp {
        state.age += dt
        if !isStartingUp { finishStartUp() }
      }
    }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    let sample = state.gate.admit(
      accelerometer: accelerometer, at: time, gapThreshold: parameters.handling.gapThreshold)
    guard sample != .refused else { return }
    guard state.isAligned else {
      state.strapdown.align(to: startAttitude(up: -accelerometer))
      state.isAligned = true
      state.age = 0
      return
    }
    let up = attitude(at: time).rotate(-accelerometer)
    guard case .regular(let dt) = sample else { return }
    state.rest.add(acceleration: accelerometer, dt: dt, coefficients.rest)
    if isStartingUp {
      correct(by: state.startUp.addForce(up))
    } else {
      correctTilt(state.heldUp.mean(up, over: dt), over: dt)
    }
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    let sample = state.gate.admit(field: magneticField, at: time)
    guard sample != .refused, state.isAligned else { return }
    let field = attitude(at: time).rotate(magneticField)
    guard state.isHeadingTied, let reference = state.fieldAzimuth else {
      tieHeading(to: state.startUp.addField(field))
      return
    }
    guard case .regular(let dt) = sample else { return }
    if isStartingUp {
      state.fieldAge += dt
      turnHeading(by: reference - state.startUp.addField(field))
    } else {
      correctHeading(wrapped(atan2(field.y, field.x) - reference), over: dt)
    }
  }

  public var estimate: AttitudeEstimate? {
    guard state.isAligned else { return nil }
    var flags = state.flags.union(state.gate.flags)
    if isStartingUp { flags.insert(.converging) }
    if state.rest.isResting(coefficients.rest) { flags.insert(.resting) }
    return AttitudeEstimate(
      earthFromDevice: state.earthFromDevice, gyroscopeBias: state.gyroscopeBias, flags: flags)
  }

  // MARK: Steps

  private var isStartingUp: Bool { state.age < parameters.handling.startUpDuration }

  private func attitude(at time: Double) -> Quaternion {
    state.strapdown.attitude(at: time, bias: state.gyroscopeBias, within: parameters.handling.gapThreshold)
  }

  /// Rotates the earth frame, in which earlier measurements were off by this rotation.
  private mutating func correct(by rotation: Quaternion) {
    state.strapdown.correct(by: rotation)
  }

  private mutating func correctTilt(_ up: Vector3, over dt: Double) {
    // Not normalised: over seconds, an acceleration averages to zero, but its direction does not.
    let error = up.cross(.unitZ)
    let blend = 1 - exp(-dt / parameters.accelerationTimeConstant)
    correct(by: Quaternion(rotationVector: blend * error))
    learnBias(from: error, gain: biasGain(parameters.accelerationTimeConstant) * dt)
  }

  private mutating func correctHeading(_ error: Double, over dt: Double) {
    // The running mean of the first seconds becomes the exponential mean continuously.
    let blend = max(1 - exp(-dt / parameters.magneticTimeConstant), dt / (state.fieldAge + dt))
    state.fieldAge = min(state.fieldAge + dt, 1e6)
    correct(by: rotationAboutZ(-blend * error))
    learnBias(from: Vector3(0, 0, -error), gain: biasGain(parameters.magneticTimeConstant) * dt)
  }

  /// Aligns X by the first field or the start-up's mean field: to north immediately, or permanently to its present
  /// direction.
  private mutating func tieHeading(to azimuth: Double) {
    switch parameters.headingReference {
    case .magneticNorth:
      turnHeading(by: -azimuth)
      state.fieldAzimuth = 0
    case .initialHeading:
      state.fieldAzimuth = azimuth
    }
    state.isHeadingTied = !isStartingUp
  }

  private mutating func turnHeading(by angle: Double) {
    let turn = rotationAboutZ(angle)
    correct(by: turn)
    state.startUp.turn(by: turn)
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
  private func biasGain(_ timeConstant: Double) -> Double {
    let age = max(state.biasAge / 4, 2 * timeConstant)
    return 1 / (timeConstant * min(parameters.biasTimeConstant, age))
  }

  private mutating func learnBiasAtRest(over dt: Double) {
    guard state.rest.isResting(coefficients.rest), let rate = state.rest.rate else { return }
    // A known bias does not jump: a rate that differs much from it is a slow constant rotation.
    let isKnown = state.biasAge >= parameters.biasTimeConstant
    guard !isKnown || (rate - state.gyroscopeBias).maximumMagnitude <= parameters.biasStep else { return }
    // The mean of all rest so far, so that a bias learned over seconds is not lost within one.
    state.restAge = min(state.restAge + dt, parameters.restBiasTimeConstant)
    let blend = dt / state.restAge
    setBias(state.gyroscopeBias + blend * (rate - state.gyroscopeBias))
    state.biasAge += 200 * dt
  }

  private mutating func setBias(_ bias: Vector3) {
    let bound = parameters.handling.biasBound
    func clip(_ value: Double) -> Double { min(max(value, -bound), bound) }
    state.gyroscopeBias = Vector3(clip(bias.x), clip(bias.y), clip(bias.z))
  }

  private mutating func finishStartUp() {
    state.isHeadingTied = state.fieldAzimuth != nil
    state.flags.remove(.gap)
  }

  /// Handles a gap, in which the rotation is unknown: tilt and heading restart, and the bias is kept.
  private mutating func enterGap() {
    state.flags.insert(.gap)
    state.startUp = InitialAlignment()
    state.age = 0
    // The next sample would count for the whole gap, at a tilt that is still unknown.
    state.gate.restartField()
    state.fieldAge = 0
  }
}

extension ComplementaryFilter {
  public struct State: Sendable, Codable, Equatable {
    /// The attitude: rotates vectors of the device into the earth frame.
    package var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// The gyroscope bias, in rad/s, in device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    package internal(set) var flags: AttitudeFlags = []
    var gate = SampleGate()
    var strapdown = Strapdown()
    var isAligned = false
    /// The time integrated since the start or the last gap, in seconds; counted until the end of the start-up.
    var age = 0.0
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
    var startUp = InitialAlignment()
    var rest = RestDetector()
    var heldUp = SampleHold()

    package init() {}
  }

  /// Coefficients derived once from the parameters.
  struct Coefficients: Sendable {
    let rest: RestDetector.Thresholds

    init(_ parameters: Parameters) {
      rest = parameters.handling.rest
    }
  }
}
