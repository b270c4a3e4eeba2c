internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The algebraic quaternion algorithm's complementary filter: a fraction of one rotation brings gravity to the
/// vertical, and a fraction of another brings the field to north.
///
/// Valenti, Dryanovski and Xiao, "Keeping a good attitude: a quaternion-based orientation filter for IMUs and MARGs",
/// Sensors 15 (2015). The second rotation is about the vertical, so the field never moves the tilt, and the dip need
/// not be known. If the magnitude of the acceleration deviates from gravity, it counts less or not at all. The paper's
/// quaternion maps earth to device; this one is its conjugate, and the products are in reverse order.
package struct AQUA: SteppedAlgorithm {
  package static let name = "aqua"
  package static let summary = "algebraic quaternion corrections of tilt and heading apart, adaptive gain, rest bias"
  package static let source = "Valenti, Dryanovski and Xiao 2015"
  package static let traits: FilterTraits = [.accelerometer, .magneticField, .restBias, .separatesHeading]

  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    package var accelerationTimeConstant = 3.0
    package var magneticTimeConstant = 10.0
    /// The paper's t₁.
    package var fullTrustError = 0.1
    /// The paper's t₂.
    package var noTrustError = 0.2
    /// The paper's ε; its 0.9 is 52°.
    package var slerpThreshold = 0.9
    package var biasTimeConstant = 10.0
    package var biasStep = 0.004
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static let descriptions: [ParameterDescription<Self>] =
      [
        .init("accelerationTimeConstant", \.accelerationTimeConstant, "s", 0.001...1e6, "Time constant of the tilt.")
          .published("alpha", \.alpha, "1", 1e-8...0.99, "Fraction of the tilt correction per sample at 100 Hz."),
        .init("magneticTimeConstant", \.magneticTimeConstant, "s", 0.001...1e6, "Time constant of the heading.")
          .published("beta", \.beta, "1", 1e-8...0.99, "Fraction of the heading correction per sample at 100 Hz."),
        .init(
          "fullTrustError", \.fullTrustError, "g", 0...100, "Distance from 1 g up to which gravity corrects fully."),
        .init("noTrustError", \.noTrustError, "g", 0...100, "Distance from 1 g beyond which it does not correct."),
        .init("slerpThreshold", \.slerpThreshold, "1", -1...1, "Cosine of half the angle beyond which slerp is used."),
        .init("biasTimeConstant", \.biasTimeConstant, "s", 0.01...1e9, "Time constant of bias learning at rest."),
        .init("biasStep", \.biasStep, "rad/s", 0...10, "Largest change of a known bias at rest."),
      ] + HandlingParameters.descriptions(at: \.handling)

    /// The paper's α and β: the fractions of the corrections of tilt and heading per sample, at its 100 Hz.
    var alpha: Double {
      get { Self.gain(accelerationTimeConstant) }
      set { accelerationTimeConstant = Self.timeConstant(newValue) }
    }
    var beta: Double {
      get { Self.gain(magneticTimeConstant) }
      set { magneticTimeConstant = Self.timeConstant(newValue) }
    }
    private static func gain(_ time: Double) -> Double { ExponentialLowPass.gain(after: 0.01, timeConstant: time) }
    private static func timeConstant(_ gain: Double) -> Double { -0.01 / log1p(-gain) }
  }

  package struct State: SteppedState {
    package internal(set) var earthFromDevice: Quaternion
    package internal(set) var gyroscopeBias = Vector3.zero
    var rest = RestDetector()
    /// The duration of rest from which the bias was learned, in seconds, at most the time constant.
    var restAge = 0.0

    package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }
    package mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }

  package let parameters: Parameters
  private let rest: RestDetector.Thresholds

  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    rest = parameters.handling.rest
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    learnBias(&state, step)
    let rate = step.rate - state.gyroscopeBias
    // The paper's (42) is q + q̇ Δt, the first-order term of the exponential.
    var attitude = state.earthFromDevice.turned(at: rate, for: step.duration, .third)
    if let acceleration = step.acceleration, let up = (-acceleration).normalized {
      let delta = Self.delta(up: attitude.rotate(up))
      let gain = ExponentialLowPass.gain(after: step.duration, timeConstant: parameters.accelerationTimeConstant)
      attitude = part(delta, gain * gainFactor(acceleration.norm)) * attitude
    }
    if let field = step.magneticField, let delta = Self.delta(field: attitude.rotate(field)) {
      let gain = ExponentialLowPass.gain(after: step.duration, timeConstant: parameters.magneticTimeConstant)
      attitude = part(delta, gain) * attitude
    }
    state.earthFromDevice = attitude.normalized ?? state.earthFromDevice
  }

  // MARK: The two corrections

  /// Returns (47): the full rotation from the predicted vertical, a unit vector in earth axes, to Z.
  ///
  /// If the two are opposite, the paper's formula is undefined; the result is then a half turn.
  static func delta(up: Vector3) -> Quaternion { rotationOntoZ(up) }

  /// Returns (58): the full rotation about Z from the field's azimuth to north, or `nil` for a vertical field.
  ///
  /// With Γ = l_x² + l_y²: w = √(½ (1 + l_x/√Γ)), z = −l_y / √(2 (Γ + l_x √Γ)). For l_x < 0, it uses the corresponding
  /// form of (35), whose sum does not lose digits.
  static func delta(field l: Vector3) -> Quaternion? {
    let gamma = l.x * l.x + l.y * l.y
    guard gamma > 0, gamma.isFinite else { return nil }
    let horizontal = gamma.squareRoot()
    if l.x >= 0 {
      let scale = (2 * (gamma + l.x * horizontal)).squareRoot()
      return Quaternion(x: 0, y: 0, z: -l.y / scale, w: scale / (2 * horizontal))
    }
    let scale = (2 * (gamma - l.x * horizontal)).squareRoot()
    let (z, w) = (scale / (2 * horizontal), l.y / scale)
    return w < 0 ? Quaternion(x: 0, y: 0, z: z, w: -w) : Quaternion(x: 0, y: 0, z: -z, w: w)
  }

  /// Returns (49) to (52): a fraction of a rotation, by linear interpolation for small rotations, otherwise by slerp.
  private func part(_ delta: Quaternion, _ fraction: Double) -> Quaternion {
    guard delta.w <= parameters.slerpThreshold else {
      let linear = Quaternion(
        x: fraction * delta.x, y: fraction * delta.y, z: fraction * delta.z, w: 1 - fraction + fraction * delta.w)
      return linear.normalized ?? .identity
    }
    return Quaternion(rotationVector: fraction * delta.rotationVector)
  }

  /// Returns (60), (61): 1 if the acceleration's magnitude is near 1 g, 0 if it is far from 1 g, linear in between.
  func gainFactor(_ acceleration: Double) -> Double {
    let error = abs(acceleration - 1)
    if error <= parameters.fullTrustError { return 1 }
    if error >= parameters.noTrustError { return 0 }
    return (parameters.noTrustError - error) / (parameters.noTrustError - parameters.fullTrustError)
  }

  // MARK: Bias

  /// Learns the bias as in section 5.3 of the paper: only in a steady state, as the low-passed rate.
  private func learnBias(_ state: inout State, _ step: MotionStep) {
    state.rest.add(rate: step.rate, dt: step.duration, rest)
    if let acceleration = step.acceleration { state.rest.add(acceleration: acceleration, dt: step.duration, rest) }
    guard state.rest.isResting(rest), let rate = state.rest.rate else { return }
    // A known bias does not jump: a rate that differs much from it is a slow constant rotation.
    let isKnown = state.restAge >= parameters.biasTimeConstant
    guard !isKnown || (rate - state.gyroscopeBias).maximumMagnitude <= parameters.biasStep else { return }
    // At first, the bias is the mean of all rest, so that it is available immediately.
    state.restAge = min(state.restAge + step.duration, parameters.biasTimeConstant)
    state.gyroscopeBias += min(1, step.duration / state.restAge) * (rate - state.gyroscopeBias)
  }
}

/// The algebraic quaternion algorithm's filter for real logs.
package typealias AQUAFilter = SteppedFilter<AQUA>
