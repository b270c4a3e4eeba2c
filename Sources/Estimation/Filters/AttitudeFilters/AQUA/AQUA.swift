internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The algebraic quaternion algorithm's complementary filter: the predicted attitude is turned by a part of one
/// rotation that brings gravity to the vertical, and by a part of another that brings the field to north.
///
/// Valenti, Dryanovski and Xiao, "Keeping a good attitude: a quaternion-based orientation filter for IMUs and MARGs",
/// Sensors 15 (2015). The second rotation is about the vertical, so the field never moves the tilt and no dip has to
/// be known. A measured acceleration whose length is not that of gravity counts less or not at all.
/// The paper's quaternion maps earth to device; this one is its conjugate, and the products are in reverse order.
package struct AQUA: SteppedAlgorithm {
  package static let name = "aqua"
  package static let summary = "algebraic quaternion corrections of tilt and heading apart, adaptive gain, rest bias"
  package static let source = "Valenti, Dryanovski and Xiao 2015"
  package static let traits: FilterTraits = [.accelerometer, .magneticField, .restBias, .separatesHeading]

  package let parameters: Parameters
  private let rest: RestDetector.Thresholds

  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    rest = parameters.handling.rest
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    learnBias(&state, step)
    let rate = step.rate - state.gyroscopeBias
    // The paper's (42) is q + q̇ Δt; the exponential is what it is the first term of.
    var attitude = state.earthFromDevice.turned(at: rate, for: step.duration, .third)
    if let acceleration = step.acceleration, let up = (-acceleration).normalized {
      let delta = Self.delta(up: attitude.rotate(up))
      let share = share(parameters.accelerationTimeConstant, step.duration) * gainFactor(acceleration.norm)
      attitude = part(delta, share) * attitude
    }
    if let field = step.magneticField, let delta = Self.delta(field: attitude.rotate(field)) {
      attitude = part(delta, share(parameters.magneticTimeConstant, step.duration)) * attitude
    }
    state.earthFromDevice = attitude.normalized ?? state.earthFromDevice
  }

  // MARK: The algebraic quaternion

  /// The attitude that one acceleration and one field tell without a gyroscope, device to earth, or nil where they
  /// have no direction or are parallel.
  ///
  /// - Parameters:
  ///   - acceleration: device axes, Core Motion's sign, in any unit.
  ///   - magneticField: device axes, in any unit; without one the paper's q_acc, whose Z component is zero while the
  ///     device's Z points up and whose Y component is zero while it points down.
  package static func attitude(acceleration: Vector3, magneticField: Vector3? = nil) -> Quaternion? {
    guard let up = (-acceleration).normalized else { return nil }
    let fromAcceleration = tilt(up: up).conjugate
    guard let magneticField else { return fromAcceleration }
    guard let toNorth = delta(field: fromAcceleration.rotate(magneticField)) else { return nil }
    // (36)
    return toNorth * fromAcceleration
  }

  /// (25): the rotation, earth to device, whose Z column is the measured unit vector `up`; of its two forms the one
  /// that divides by the bigger number.
  private static func tilt(up: Vector3) -> Quaternion {
    if up.z >= 0 {
      let scale = (2 * (up.z + 1)).squareRoot()
      return Quaternion(x: -up.y / scale, y: up.x / scale, z: 0, w: scale / 2)
    }
    let scale = (2 * (1 - up.z)).squareRoot()
    return Quaternion(x: scale / 2, y: 0, z: up.x / scale, w: -up.y / scale)
  }

  // MARK: The two corrections

  /// (47): the whole rotation from the vertical as predicted, a unit vector in earth axes, to Z.
  ///
  /// The paper leaves out that the two may be opposite, where its formula has no value; then it is a half turn.
  static func delta(up: Vector3) -> Quaternion { rotationOntoZ(up) }

  /// (58): the whole rotation about Z from the field's azimuth to north; nil for a vertical field.
  ///
  /// With Γ = l_x² + l_y²: w = √(½ (1 + l_x/√Γ)), z = −l_y / √(2 (Γ + l_x √Γ)). For l_x < 0 the form of (35) for that
  /// case, where the sum does not lose digits.
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

  /// (49) to (52): the share of a rotation, linearly interpolated where it is small and on the arc where it is not.
  private func part(_ delta: Quaternion, _ share: Double) -> Quaternion {
    guard delta.w <= parameters.slerpThreshold else {
      let linear = Quaternion(
        x: share * delta.x, y: share * delta.y, z: share * delta.z, w: 1 - share + share * delta.w)
      return linear.normalized ?? .identity
    }
    return Quaternion(rotationVector: share * delta.rotationVector)
  }

  private func share(_ timeConstant: Double, _ duration: Double) -> Double { -expm1(-duration / timeConstant) }

  /// (60), (61): 1 where the acceleration's length is about 1 g, 0 where it is far from it, linear in between.
  func gainFactor(_ acceleration: Double) -> Double {
    let error = abs(acceleration - 1)
    if error <= parameters.fullTrustError { return 1 }
    if error >= parameters.noTrustError { return 0 }
    return (parameters.noTrustError - error) / (parameters.noTrustError - parameters.fullTrustError)
  }

  // MARK: Bias

  /// The paper's section 5.3: in a steady state, and only there, the bias is the low-passed rate.
  private func learnBias(_ state: inout State, _ step: MotionStep) {
    state.rest.add(rate: step.rate, dt: step.duration, rest)
    if let acceleration = step.acceleration { state.rest.add(acceleration: acceleration, dt: step.duration, rest) }
    guard state.rest.isResting(rest), let rate = state.rest.rate else { return }
    // A known bias does not jump: what differs much from it is a slow steady turn.
    let isKnown = state.restAge >= parameters.biasTimeConstant
    guard !isKnown || (rate - state.gyroscopeBias).maximumMagnitude <= parameters.biasStep else { return }
    // The mean of all rest at first, so that a bias is there at once.
    state.restAge = min(state.restAge + step.duration, parameters.biasTimeConstant)
    state.gyroscopeBias += min(1, step.duration / state.restAge) * (rate - state.gyroscopeBias)
  }
}

extension AQUA {
  /// Everything that changes from sample to sample.
  package struct State: SteppedState {
    package internal(set) var earthFromDevice: Quaternion
    /// rad/s, device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    var rest = RestDetector()
    /// Seconds of rest that the bias was learned from, up to the time constant.
    var restAge = 0.0

    package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    package mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }
}
