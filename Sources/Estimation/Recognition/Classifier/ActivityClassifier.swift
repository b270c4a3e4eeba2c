public import InertialNumerics
public import InertialSensors

/// Tells what a person does from a stream of motion: stationary, walking, running, cycling, in a vehicle.
///
/// Takes accelerations with and without gravity at 15 to 400 Hz, however the device is held; without a user
/// acceleration gravity is taken off by a low-pass of half a second. Every 1.28 s the last 2.56 s are described by
/// `ActivityFeature`, weighed by a trained `ActivityModel` and by `VehicleRules`, and followed over time. Pressure adds
/// stairs, speed tells vehicles apart; neither is needed. The first answer comes after 2.56 s, and again after a gap.
public struct ActivityClassifier: Sendable {
  /// The numbers that decide; the defaults are those of the command.
  public struct Parameters: Sendable, Hashable, Codable {
    /// Seconds between two samples from which nothing is assumed about the time between.
    package var maximumGap = 1.0
    /// Probability: below it no flag is set, from it on the confidence is medium, or high.
    package var leastProbability = 0.5
    package var mediumProbability = 0.75
    package var highProbability = 0.95
    /// Share of walking and running in the likelihoods, from which on what has no steps is not at rest either.
    package var mostGait = 0.5
    /// m/s: who walks or runs and rises or sinks faster is on stairs.
    package var stairsSpeed = 0.18
    /// m/s: legs carry nobody up or down faster for long. Who seems to walk or run and is faster slides, as on skis, and
    /// the window says nothing.
    package var steepestGait = 1.0
    /// Share of a window's time in which another motion was told of, from which on the window says nothing.
    package var otherMotionShare = 0.25
    package var vehicle = VehicleRules()
    package var limits = PhysicalLimits()

    /// The defaults.
    public init() {}
  }

  /// Everything that changes.
  public struct State: Sendable, Codable {
    var windows: ActivityWindows
    var probabilities: SIMD8<Double>?
    var activity: MotionActivity?
    var lastUpdate = 0.0
    var pressure = PressureTrend()
    var speed = SpeedTrend()
    /// Ends of moments of another motion, seconds.
    var otherMotion: [Double] = []
    /// nil where nobody counts steps.
    var gait: GaitEvidence?
    /// When somebody stepped last, seconds.
    var gaitEnd: Double?

    init(maximumGap: Double) { windows = ActivityWindows(maximumGap: maximumGap) }
  }

  /// What the classifier was made with.
  public let parameters: Parameters
  package let model: ActivityModel
  /// Everything that changes: saved and restored, the classifier goes on as if it had not been.
  public private(set) var state: State
  /// Of the last whole window; for an `ActivityHistory`.
  package private(set) var evidence: ActivityEvidence?
  /// Whether there is one: to look at it would copy it, sample by sample.
  private var hasEvidence = false
  private let prepared: PreparedActivityModel

  /// A classifier that has seen nothing yet.
  public init(parameters: Parameters = Parameters()) { self.init(model: .builtIn, parameters: parameters) }

  package init(model: ActivityModel, parameters: Parameters = Parameters()) {
    (self.model, self.parameters) = (model, parameters)
    state = State(maximumGap: parameters.maximumGap)
    prepared = PreparedActivityModel(model)
  }

  /// Goes on from a state that was kept; model and parameters should be those it was made with.
  package init(model: ActivityModel = .builtIn, parameters: Parameters = Parameters(), state: State) {
    self.init(model: model, parameters: parameters)
    self.state = state
  }

  /// What was told last; nil before the first sample.
  public var activity: MotionActivity? { state.activity }

  /// Samples that were not finite, or not after the one before, and were not used.
  public var rejectedCount: Int { state.windows.rejectedCount }

  /// Takes a sample and returns the activity where it has changed, and each 2.56 s.
  ///
  /// `evidence` is set by the sample that completes a window and nil otherwise.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> MotionActivity? {
    // Numbers in registers instead of a sample in memory.
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

  /// Takes a sample that may begin or complete something; apart, as most do neither.
  @usableFromInline
  @inline(never)
  mutating func take(_ sample: MotionSample) -> MotionActivity? {
    if hasEvidence { forgetEvidence() }
    let window = state.windows.take(sample)
    if state.windows.hasJustBegun { return begin(at: sample.time) }
    return window.flatMap { weigh($0) }
  }

  /// Takes an air pressure, kPa; the times rise on their own.
  public mutating func update(pressure: Double, at time: Double) { state.pressure.append(pressure, at: time) }

  /// Takes a speed over ground, m/s.
  public mutating func update(speed: Double, at time: Double) { state.speed.append(speed, at: time) }

  /// Says how much the last seconds looked like a gait to a pedometer, before the sample that completes a window.
  package mutating func note(_ gait: GaitEvidence) { state.gait = gait }

  /// Says that the device is moved in another way than any activity does, such as shaken, from the last sample to this
  /// time: windows with much of it say nothing of the activity.
  public mutating func noteOtherMotion(at time: Double) {
    guard time.isFinite else { return }
    state.otherMotion.append(time)
  }

  /// Nothing from before is used.
  private mutating func begin(at time: Double) -> MotionActivity? {
    state.probabilities = nil
    state.otherMotion.removeAll()
    (state.gait, state.gaitEnd) = (nil, nil)
    state.lastUpdate = time
    state.activity = MotionActivity(
      start: time, end: time, flags: .unknown, confidence: .low, probabilities: ActivityProbabilities())
    return state.activity
  }

  private mutating func weigh(_ window: ActivityWindow) -> MotionActivity? {
    let model = prepared.probabilities(window.features)
    let verticalSpeed = state.pressure.verticalSpeed(to: window.end)
    let slides = model.y + model.z > 0.5 && abs(verticalSpeed ?? 0) > parameters.steepestGait
    let likelihoods = parameters.vehicle.likelihoods(
      of: window, model: model, gait: state.gait, speed: state.speed.mean(from: window.start - 2, to: window.end))
    let isGesture = parameters.vehicle.isGesture(window)
    let swing = parameters.vehicle.swing(window) > 0.5 ? window.rotation?.period : nil
    let evidence = ActivityEvidence(
      start: window.start, end: window.end, isFirst: window.isFirst, likelihoods: likelihoods,
      isOtherMotion: otherMotion(from: window.start, to: window.end) || slides || isGesture,
      excluded: parameters.limits.excluded(by: window),
      isGesture: parameters.vehicle.isGesture(window, cadence: state.gait?.cadence),
      isStepless: isStepless(window), swing: swing, verticalSpeed: verticalSpeed)
    (self.evidence, hasEvidence) = (evidence, true)
    let states = ActivityCourse.step(state.probabilities, evidence)
    state.probabilities = states
    return tell(parameters.activity(states, evidence))
  }

  /// Whether nothing has looked like a gait for longer than a walk halts, so that what looks like one is none.
  private mutating func isStepless(_ window: ActivityWindow) -> Bool {
    guard let gait = state.gait else { return false }
    if state.gaitEnd == nil || gait.cadence != nil || parameters.vehicle.swing(window) > 0.5 {
      state.gaitEnd = window.end
    }
    // Who has just begun to walk may make steps yet.
    guard let told = state.activity, !told.flags.isDisjoint(with: [.walking, .running]) else { return false }
    return window.end - max(told.start, state.gaitEnd ?? window.end) > ActivityHistory.longestHalt
  }

  private mutating func otherMotion(from start: Double, to end: Double) -> Bool {
    guard !state.otherMotion.isEmpty else { return false }
    state.otherMotion.removeAll { $0 < start }
    // Moments are told at the motion's own rate; those of one cell count once.
    let cells = Set(state.otherMotion.filter { $0 <= end }.map { Int(($0 - start) / 0.1) })
    return Double(cells.count) * 0.1 > parameters.otherMotionShare * (end - start)
  }

  /// The activity with its own start; nil where there is nothing to tell.
  private mutating func tell(_ now: MotionActivity) -> MotionActivity? {
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
  /// What the probabilities of a window say. The activity is dated to the middle of the window's newer half.
  func activity(_ states: SIMD8<Double>, _ evidence: ActivityEvidence) -> MotionActivity {
    let probabilities = ActivityCourse.probabilities(states)
    let (best, highest) = (probabilities.best, probabilities[probabilities.best])
    var flags: ActivityFlags = []
    if highest >= leastProbability, !evidence.isOtherMotion {
      flags = ActivityFlags(best)
      if best == .automotive, states[ActivityState.waiting.rawValue] > states[ActivityState.automotive.rawValue] {
        flags.insert(.stationary)
      }
      if best == .cycling, states[ActivityState.pausing.rawValue] > states[ActivityState.cycling.rawValue] {
        flags.insert(.stationary)
      }
      // What moves like a walk and has no steps is not at rest for that.
      if flags == .stationary, evidence.isStepless, evidence.gait > mostGait { flags = [] }
      if best == .walking || best == .running, let speed = evidence.verticalSpeed, abs(speed) > stairsSpeed {
        flags.insert(speed > 0 ? .stairsUp : .stairsDown)
      }
    }
    let middle = evidence.isFirst ? evidence.start : (evidence.start + evidence.end) / 2
    return MotionActivity(
      start: middle, end: evidence.end, flags: flags,
      confidence: confidence(flags, highest, isExcluded: evidence.excludes(flags)),
      probabilities: probabilities)
  }

  /// - Parameter isExcluded: whether the motion cannot be what it is found to be.
  func confidence(_ flags: ActivityFlags, _ probability: Double, isExcluded: Bool) -> MotionActivity.Confidence {
    flags.isEmpty || isExcluded || probability < mediumProbability
      ? .low : probability < highProbability ? .medium : .high
  }
}
