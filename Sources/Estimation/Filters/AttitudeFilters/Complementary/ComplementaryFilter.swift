public import InertialNumerics
package import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A complementary filter on the rotation group: the gyroscope for what is fast, gravity and field for what is slow.
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

  /// Turns the earth frame: what was measured in it was measured in a frame that was off by this.
  private mutating func correct(by rotation: Quaternion) {
    state.strapdown.correct(by: rotation)
  }

  private mutating func correctTilt(_ up: Vector3, over dt: Double) {
    // Not normalised: over seconds an acceleration averages to zero, its direction does not.
    let error = up.cross(.unitZ)
    let blend = 1 - exp(-dt / parameters.accelerationTimeConstant)
    correct(by: Quaternion(rotationVector: blend * error))
    learnBias(from: error, gain: biasGain(parameters.accelerationTimeConstant) * dt)
  }

  private mutating func correctHeading(_ error: Double, over dt: Double) {
    // The running mean of the first seconds passes smoothly into the exponential one.
    let blend = max(1 - exp(-dt / parameters.magneticTimeConstant), dt / (state.fieldAge + dt))
    state.fieldAge = min(state.fieldAge + dt, 1e6)
    correct(by: rotationAboutZ(-blend * error))
    learnBias(from: Vector3(0, 0, -error), gain: biasGain(parameters.magneticTimeConstant) * dt)
  }

  /// The first field, or the mean of the start-up's, decides what X is: north now, or for ever the direction that X
  /// has now.
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

  /// Integral action: an error that stays in one direction of the device is a bias.
  private mutating func learnBias(from earthError: Vector3, gain: Double) {
    let deviceError = state.earthFromDevice.rotateInverse(earthError)
    setBias(state.gyroscopeBias - gain * deviceError)
  }

  /// Bias change per second and radian of error, 1/s²: fast while little is known, slow once much is.
  ///
  /// The closed loop is s² + s/τ + 1/(τ τ_b), of damping 0.7 at the fastest, τ_b = 2 τ. With τ_b = age/4 an initial
  /// bias error dies as age⁻⁴.
  private func biasGain(_ timeConstant: Double) -> Double {
    let age = max(state.biasAge / 4, 2 * timeConstant)
    return 1 / (timeConstant * min(parameters.biasTimeConstant, age))
  }

  private mutating func learnBiasAtRest(over dt: Double) {
    guard state.rest.isResting(coefficients.rest), let rate = state.rest.rate else { return }
    // A known bias does not jump: what differs much from it is a slow steady turn.
    let isKnown = state.biasAge >= parameters.biasTimeConstant
    guard !isKnown || (rate - state.gyroscopeBias).maximumMagnitude <= parameters.biasStep else { return }
    // The mean of all rest so far, so that a bias learned over seconds is not carried off within one.
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

  /// After a gap nobody knows how the device turned: start over with tilt and heading, keep the bias.
  private mutating func enterGap() {
    state.flags.insert(.gap)
    state.startUp = StartUp()
    state.age = 0
    // The next sample would count for the whole gap, and it is of a tilt that is not known yet.
    state.gate.restartField()
    state.fieldAge = 0
  }
}

extension ComplementaryFilter {
  public struct State: Sendable, Codable, Equatable {
    /// The attitude: turns vectors of the device into the earth frame.
    package var earthFromDevice: Quaternion { strapdown.earthFromDevice }
    /// rad/s, device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    package internal(set) var flags: AttitudeFlags = []
    var gate = SampleGate()
    var strapdown = Strapdown()
    var isAligned = false
    /// Seconds integrated since the start or the last gap; counted to the end of the start-up.
    var age = 0.0
    /// Seconds of rest that the bias was learned from, up to the time constant.
    var restAge = 0.0
    /// Seconds that the bias has been learned for, in motion; a second at rest is worth many.
    var biasAge = 0.0
    /// Seconds of field used since the start or the last gap.
    var fieldAge = 0.0
    /// The field's azimuth in the earth frame that counts as no error; nil until a field was used.
    var fieldAzimuth: Double?
    /// Whether `fieldAzimuth` is final, not that of a start-up that goes on.
    var isHeadingTied = false
    var startUp = StartUp()
    var rest = RestDetector()
    var heldUp = SampleHold()

    package init() {}
  }

  /// What the parameters mean per second, worked out once.
  struct Coefficients: Sendable {
    let rest: RestDetector.Thresholds

    init(_ parameters: Parameters) {
      rest = parameters.handling.rest
    }
  }
}
