public import InertialNumerics
public import InertialSensors

/// Classifies a person's activity from motion: stationary, walking, running, cycling, automotive, or none of them.
///
/// The classifier takes accelerations with and without gravity at 15 to 400 Hz, in any orientation. Without a user
/// acceleration, gravity is removed by a low-pass of half a second. Every 1.28 s, the features of the last 2.56 s
/// (`ActivityFeature`) are evaluated by a trained `ActivityModel` and by `VehicleRules`, and the result is tracked
/// over time. Pressure adds stairs and speed helps to detect vehicles; both are optional. The first result is
/// available after 2.56 s, also after a gap.
public struct ActivityClassifier: Sendable {
  /// The thresholds of classification, with the defaults of the command.
  public struct Parameters: Sendable, Hashable, Codable {
    /// The maximum interval between samples, in seconds. After a longer gap the classifier restarts.
    package var maximumGap = 1.0
    /// The minimum probabilities of setting a flag, of medium confidence and of high confidence. The latter two are
    /// correct in more than 70 and 90 % of the time, in data sets that the model was not trained on.
    package var minimumProbability = 0.5
    package var mediumProbability = 0.9
    package var highProbability = 0.97
    /// The minimum vertical speed of walking or running on stairs, in m/s.
    package var stairsSpeed = 0.18
    /// The maximum vertical speed of walking or running, in m/s; legs cannot sustain more. An apparent gait above it
    /// is sliding, for instance on skis, which is other motion.
    package var steepestGait = 1.0
    /// The fraction of a window covered by declared other motion above which the window is other motion.
    package var otherMotionFraction = 0.25
    package var vehicle = VehicleRules()
    package var limits = PhysicalLimits()

    /// Creates the default parameters.
    public init() {}

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case maximumGap, minimumProbability = "leastProbability", mediumProbability, highProbability
      case stairsSpeed, steepestGait
      case otherMotionFraction = "otherMotionShare", vehicle, limits
    }
  }

  /// The complete state of the classifier.
  public struct State: Sendable, Codable {
    var windows: ActivityWindows
    var probabilities: SIMD8<Double>?
    var activity: MotionActivity?
    var lastUpdate = 0.0
    var pressure = PressureTrend()
    var speed = SpeedTrend()
    /// The times at which other motion was declared, in seconds.
    var otherMotion: [Double] = []
    /// The pedometer's evidence of gait, or `nil` without a pedometer.
    var gait: GaitEvidence?

    init(maximumGap: Double) { windows = ActivityWindows(maximumGap: maximumGap) }
  }

  /// The parameters of the classifier.
  public let parameters: Parameters
  package let model: ActivityModel
  /// The complete state: a classifier restored from it continues without interruption.
  public private(set) var state: State
  /// The evidence of the last complete window, the input of an `ActivityHistory`.
  package private(set) var evidence: ActivityEvidence?
  /// Whether there is evidence. Reading `evidence` itself would copy it for each sample.
  package private(set) var hasEvidence = false
  private let prepared: PreparedActivityModel

  /// Creates a classifier without any samples.
  public init(parameters: Parameters = Parameters()) { self.init(model: .builtIn, parameters: parameters) }

  package init(model: ActivityModel, parameters: Parameters = Parameters()) {
    (self.model, self.parameters) = (model, parameters)
    state = State(maximumGap: parameters.maximumGap)
    prepared = PreparedActivityModel(model)
  }

  /// Creates a classifier that continues from a saved state, which should have the same model and parameters.
  package init(model: ActivityModel = .builtIn, parameters: Parameters = Parameters(), state: State) {
    self.init(model: model, parameters: parameters)
    self.state = state
  }

  /// The last activity, or `nil` before the first sample.
  public var activity: MotionActivity? { state.activity }

  /// The number of rejected samples: not finite, or not later than the previous sample.
  public var rejectedCount: Int { state.windows.rejectedCount }

  /// Adds a sample and returns the activity if it has changed, and every 2.56 s.
  ///
  /// `evidence` is set by the sample that completes a window, and `nil` otherwise.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> MotionActivity? {
    // Numbers in registers are faster than a sample in memory.
    if let user = sample.userAcceleration, let total = sample.acceleration,
      takesQuietly(user, total, sample.rotationRate, at: sample.time)
    {
      return nil
    }
    return take(sample)
  }

  @usableFromInline
  mutating func takesQuietly(_ user: Vector3, _ total: Vector3, _ rotationRate: Vector3?, at time: Double) -> Bool {
    if hasEvidence { forgetEvidence() }
    return state.windows.takesQuietly(user, total, rotationRate, at: time)
  }

  @inline(never)
  private mutating func forgetEvidence() { (evidence, hasEvidence) = (nil, false) }

  /// Adds a sample that may start or complete a window. It is a separate function because most samples do neither.
  @usableFromInline
  @inline(never)
  mutating func take(_ sample: MotionSample) -> MotionActivity? {
    if hasEvidence { forgetEvidence() }
    let window = state.windows.take(sample)
    if state.windows.hasJustBegun { return begin(at: sample.time) }
    return window.flatMap { weigh($0) }
  }

  /// Adds an air pressure, in kPa. Its timestamps are independent of the motion, but must increase.
  public mutating func update(pressure: Double, at time: Double) { state.pressure.append(pressure, at: time) }

  /// Adds a ground speed, in m/s.
  public mutating func update(speed: Double, at time: Double) { state.speed.append(speed, at: time) }

  /// Sets a pedometer's evidence of gait in the last seconds. To be called before the sample that completes a window.
  package mutating func note(_ gait: GaitEvidence) { state.gait = gait }

  /// Declares that the motion from the last sample to this time does not belong to any activity, for instance
  /// shaking. A window with a large fraction of such motion is other motion.
  public mutating func noteOtherMotion(at time: Double) {
    guard time.isFinite else { return }
    state.otherMotion.append(time)
  }

  /// Restarts without previous data.
  private mutating func begin(at time: Double) -> MotionActivity? {
    state.probabilities = nil
    state.otherMotion.removeAll()
    state.gait = nil
    state.lastUpdate = time
    state.activity = MotionActivity(
      start: time, end: time, flags: .unknown, confidence: .low, probabilities: ActivityProbabilities())
    return state.activity
  }

  private mutating func weigh(_ window: ActivityWindow) -> MotionActivity? {
    let model = prepared.probabilities(window.features)
    let verticalSpeed = state.pressure.verticalSpeed(to: window.end)
    var likelihoods = parameters.vehicle.likelihoods(
      of: window, model: model, speed: state.speed.mean(from: window.start - 2, to: window.end))
    if let cadence = state.gait?.cadence, cadence < LimbSwing.slowestRun { likelihoods.walkRatherThanRun() }
    let excluded = parameters.limits.excluded(by: window)
    let isAtRest = parameters.limits.isAtRest(window)
    likelihoods.exclude(excluded.intersection(.cycling))
    if abs(verticalSpeed ?? 0) > parameters.steepestGait { likelihoods.exclude([.walking, .running, .cycling]) }
    if isAtRest { likelihoods.restRatherThanOther() } else { likelihoods.exclude(.stationary) }
    if otherMotion(from: window.start, to: window.end) || LimbSwing.isGesture(window.rotation, cadence: .infinity) {
      likelihoods = .none
    }
    let evidence = ActivityEvidence(
      start: window.start, end: window.end, isFirst: window.isFirst, likelihoods: likelihoods,
      excluded: excluded, rotation: window.rotation, verticalSpeed: verticalSpeed)
    (self.evidence, hasEvidence) = (evidence, true)
    // The history knows later which windows have steps.
    var causal = evidence
    if let gait = state.gait {
      causal.likelihoods.weigh(bySteps: gait.cadence != nil && !gait.isGesture(window.rotation))
    }
    let states = ActivityTransitionModel.step(state.probabilities, causal)
    state.probabilities = states
    return report(parameters.activity(states, evidence))
  }

  private mutating func otherMotion(from start: Double, to end: Double) -> Bool {
    guard !state.otherMotion.isEmpty else { return false }
    state.otherMotion.removeAll { $0 < start }
    // Times are declared at the sample rate of the motion; several within 0.1 s count once.
    let cells = Set(state.otherMotion.filter { $0 <= end }.map { Int(($0 - start) / 0.1) })
    return Double(cells.count) * 0.1 > parameters.otherMotionFraction * (end - start)
  }

  /// Returns the activity with its start, or `nil` if there is nothing to report.
  private mutating func report(_ now: MotionActivity) -> MotionActivity? {
    var now = now
    let before = state.activity
    let isSame = before?.flags == now.flags
    if isSame, let before { now.start = before.start }
    state.activity = now
    let isDue = now.end - state.lastUpdate >= RecognitionPeriod.standard - 1e-6
    guard !isSame || isDue || before?.confidence != now.confidence else { return nil }
    state.lastUpdate = now.end
    return now
  }
}

extension ActivityClassifier.Parameters {
  /// Returns the activity for the state probabilities of a window. Its start is the middle of the window, or the
  /// start of the first window.
  func activity(_ states: SIMD8<Double>, _ evidence: ActivityEvidence) -> MotionActivity {
    let probabilities = ActivityTransitionModel.probabilities(states)
    let (best, highest) = (probabilities.best, probabilities[probabilities.best])
    var flags: ActivityFlags = []
    if highest >= minimumProbability {
      flags = ActivityFlags(best)
      if best == .automotive, states[ActivityState.waiting.rawValue] > states[ActivityState.automotive.rawValue] {
        flags.insert(.stationary)
      }
      if best == .cycling, states[ActivityState.pausing.rawValue] > states[ActivityState.cycling.rawValue] {
        flags.insert(.stationary)
      }
      if best == .walking || best == .running, let speed = evidence.verticalSpeed, abs(speed) > stairsSpeed {
        flags.insert(speed > 0 ? .stairsUp : .stairsDown)
      }
    }
    let middle = evidence.isFirst ? evidence.start : (evidence.start + evidence.end) / 2
    return MotionActivity(
      start: middle, end: evidence.end, flags: flags,
      confidence: confidence(flags, evidence.excludes(flags) ? 0 : highest),
      probabilities: probabilities)
  }

  /// - Parameter probability: The probability of the flags. It is 0 at times at which the motion contradicts them.
  func confidence(_ flags: ActivityFlags, _ probability: Double) -> MotionActivity.Confidence {
    flags.isEmpty || probability < mediumProbability
      ? .low : probability < highProbability ? .medium : .high
  }
}

extension ActivityClassifier: Codable {
  private enum CodingKeys: CodingKey { case parameters, state, model }

  /// Decodes a classifier that continues without interruption.
  public init(from decoder: any Decoder) throws {
    let saved = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      model: try saved.decodeIfPresent(ActivityModel.self, forKey: .model) ?? .builtIn,
      parameters: try saved.decode(Parameters.self, forKey: .parameters),
      state: try saved.decode(State.self, forKey: .state))
  }

  /// Encodes the parameters and the state, and the model unless it is the built-in one.
  public func encode(to encoder: any Encoder) throws {
    var saved = encoder.container(keyedBy: CodingKeys.self)
    try saved.encode(parameters, forKey: .parameters)
    try saved.encode(state, forKey: .state)
    if model != .builtIn { try saved.encode(model, forKey: .model) }
  }
}
