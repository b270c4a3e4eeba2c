internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Whether gravity and field keep their directions in the device while rate and acceleration are constant: equation
/// (10) of docs/theory/flagship.md.
///
/// A slow constant rotation looks like a rest with a bias. About a level axis gravity shows it, about the vertical the
/// field does.
struct SteadyDirections: Sendable, Codable, Equatable {
  /// The squared sine of the largest angle of a direction from that at the beginning, 0.5°.
  private static let squaredSine = 7.6152e-5
  /// The minimum duration, and the pause after a rejected rest, in seconds.
  private static let minimumDuration = 1.5
  private static let pause = 10.0

  /// The low-passed field in device axes, in µT.
  private var field: Vector3?
  /// The directions at the beginning.
  private var firstForce: Vector3?
  private var firstField: Vector3?
  private var duration = 0.0
  private var remainingPause = 0.0

  /// Whether the directions have been constant for long enough.
  var areSteady: Bool { duration >= Self.minimumDuration && !hasTurned }
  /// Whether a rest was rejected in the last ten seconds.
  var hasTurned: Bool { remainingPause > 0 }

  /// Adds a field in device axes, in µT.
  @inline(__always)
  mutating func add(field newField: Vector3, _ step: SampleClock.Step) {
    guard let old = field, case .regular(let dt) = step else {
      field = newField
      return
    }
    field = old + (dt / (RestDetector.timeConstant + dt)) * (newField - old)
  }

  /// - Parameters:
  ///   - force: The low-passed acceleration in device axes, in g.
  ///   - isQuiet: Whether rate and acceleration are constant at present.
  mutating func add(force: Vector3?, isQuiet: Bool, over dt: Double) {
    remainingPause -= dt
    guard isQuiet, let force else {
      (firstForce, duration) = (nil, 0)
      return
    }
    guard let firstForce, Self.isSteady(force, firstForce), isFieldSteady else {
      if duration >= Self.minimumDuration { remainingPause = Self.pause }
      (self.firstForce, firstField, duration) = (force, field, 0)
      return
    }
    // A field may begin later.
    if firstField == nil { firstField = field }
    duration += dt
  }

  /// Returns whether two directions differ by less than the maximum angle, without an inverse of a sine.
  private static func isSteady(_ a: Vector3, _ b: Vector3) -> Bool {
    a.dot(b) > 0 && a.cross(b).squaredNorm < squaredSine * a.squaredNorm * b.squaredNorm
  }

  private var isFieldSteady: Bool {
    guard let field, let firstField else { return true }
    return Self.isSteady(field, firstField)
  }
}

extension MotionPriorKalman {
  /// Takes a rest: the mean rate is the bias, unless the rate is too far from the estimated bias, as that of a constant
  /// rotation: equation (11) of docs/theory/flagship.md.
  mutating func takeRest() {
    guard isResting, state.steadyDirections.areSteady, let rate = state.timeline.restRate else { return }
    let offset = rate - state.gyroscopeBias
    let spread = possibleBiasVariances + Vector3(repeating: coefficients.restRate / Self.restInterval)
    let deviation =
      offset.x * offset.x / spread.x + offset.y * offset.y / spread.y + offset.z * offset.z / spread.z
    report(
      MeasurementOutcome(
        .restRate, count: 3, innovation: offset, variance: spread, normalizedSquared: deviation, gate: Self.restGate))
    guard deviation < Self.restGate else { return }
    state.kalman.take(
      ErrorMeasurement(
        MotionErrors.gyroscopeBias, residual: state.epoch.meanMeasuredRate - state.gyroscopeBias,
        variance: Vector3(repeating: coefficients.restRate / state.epoch.duration)))
  }

  /// Follows the directions of gravity and field, also in the start-up, so that a short rest at the beginning of a log
  /// counts.
  @inline(__always)
  mutating func followDirections(over duration: Double) {
    state.steadyDirections.add(
      force: state.timeline.rest.acceleration, isQuiet: state.timeline.rest.quietTime > 0, over: duration)
  }

  /// The variances of the bias. Without a field they are those that the widest prior would give, because the first rest
  /// shows whether the device's bias is a tenth of a degree per second or several degrees.
  private var possibleBiasVariances: Vector3 {
    let variances = state.kalman.variances(MotionErrors.gyroscopeBias)
    guard let prior = state.biasPrior else { return variances }
    func widened(_ variance: Double) -> Double { prior.widened(variance, coefficients.biasPrecisions) }
    return Vector3(widened(variances.x), widened(variances.y), widened(variances.z))
  }

  /// The interval that the low-passed rate represents, in seconds.
  private static let restInterval = 1.0
  /// The χ² of three degrees of freedom that 99.995 % of true values stay below.
  private static let restGate = 22.6

  var isResting: Bool { state.timeline.isResting && !state.steadyDirections.hasTurned }
}
