internal import LinearAlgebra
internal import Rotations
internal import Sensors

extension VQF: BankedFilter {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns] {
    LaneRun<VQFLanes>.estimates(parameters, of: motions)
  }
}

/// `VQF` in lanes, once its low-passes run: some seconds after the start or a gap.
///
/// A change of a sensor's rate, for which coefficients are made anew, is left to the filter itself.
struct VQFLanes: LaneBody {
  private var gate = LaneGate()
  private var hold = LaneHold()
  private var gyroscopeInterval = LaneInterval()
  private var accelerometerInterval = LaneInterval()
  private var fieldInterval = LaneInterval()
  private var attitude = LaneFactoredAttitude()
  private var rest = LaneRestDetection()
  private var biasEstimation = LaneBiasEstimation()
  private var field = LaneFieldJudgement()
  private var coefficients = Coefficients()
  private var work = Work()

  /// What one step of a tick hands to the next.
  private struct Work: Sendable {
    var (hasRate, hasForce) = (Lanes.Mask(repeating: false), Lanes.Mask(repeating: false))
    var hasField = Lanes.Mask(repeating: false)
    /// Where gravity's low-pass pointed, in level axes.
    var up = LaneVector3<Lanes>.zero
    /// In level axes, µT.
    var field = LaneVector3<Lanes>.zero
    var trust = Lanes.none
  }

  private struct Coefficients: Sendable {
    var rest = LaneRestDetection.Limits()
    var force = LaneLowPassDesign()
    var bias = LaneBiasEstimation.Noise()
    var heading = LaneHeading.Gains()
    var field = LaneFieldJudgement.Limits()
    var rejectsDisturbances = Lanes.Mask(repeating: false)
    var gapThreshold = Lanes(repeating: 0.5)
    /// Where a field can be taken: its low-pass runs, and what X is has been decided.
    var takesField = Lanes.Mask(repeating: true)
  }

  init() {}

  // MARK: One lane

  static func isSteady(_ filter: VQF) -> Bool {
    let (state, c) = (filter.state, filter.coefficients)
    return state.attitude.isAligned && !state.attitude.isStartingUp && state.flags.isEmpty && state.hold.isSteady
      && state.attitude.force.isRunning && (!c.usesRate || state.rest.rateLowPass.isRunning)
      && (!c.learnsAtRest || state.rest.forceLowPass.isRunning)
      && (!c.learnsBias || state.biasEstimation.lowPass.isRunning && c.bias.rate > 0)
      && (state.gate.field.lastTime == nil || takesField(filter))
  }

  private static func takesField(_ filter: VQF) -> Bool {
    filter.state.attitude.heading.isTieFinal
      && (!filter.coefficients.rejectsDisturbances || filter.state.field.lowPass.isRunning)
  }

  mutating func load(_ filter: VQF, lane: Int) {
    let (state, p, c) = (filter.state, filter.parameters, filter.coefficients)
    gate.load(state.gate, lane: lane)
    hold.load(state.hold, lane: lane)
    gyroscopeInterval.load(state.intervals.gyroscope, isLearned: p.gyroscopeRate <= 0, lane: lane)
    accelerometerInterval.load(state.intervals.accelerometer, isLearned: p.accelerometerRate <= 0, lane: lane)
    fieldInterval.load(state.intervals.field, isLearned: p.magneticFieldRate <= 0, lane: lane)
    attitude.load(state.attitude, lane: lane)
    rest.load(state.rest, lane: lane)
    biasEstimation.load(state.biasEstimation, lane: lane)
    field.load(state.field, lane: lane)
    coefficients.rest.load(c, lane: lane)
    coefficients.force.load(c.force, lane: lane)
    coefficients.bias.load(c.bias, learns: c.learnsBias, lane: lane)
    coefficients.heading.load(c.heading, lane: lane)
    coefficients.field.load(c.field, lane: lane)
    coefficients.rejectsDisturbances[lane] = c.rejectsDisturbances
    coefficients.gapThreshold[lane] = p.gapThreshold
    coefficients.takesField[lane] = Self.takesField(filter)
  }

  func store(lane: Int, to filter: VQF) -> VQF {
    var state = filter.state
    gate.store(lane: lane, to: &state.gate)
    hold.store(lane: lane, to: &state.hold)
    gyroscopeInterval.store(lane: lane, to: &state.intervals.gyroscope)
    accelerometerInterval.store(lane: lane, to: &state.intervals.accelerometer)
    fieldInterval.store(lane: lane, to: &state.intervals.field)
    attitude.store(lane: lane, to: &state.attitude)
    rest.store(lane: lane, to: &state.rest)
    biasEstimation.store(lane: lane, to: &state.biasEstimation)
    field.store(lane: lane, to: &state.field)
    return VQF(parameters: filter.parameters, state: state)
  }

  // MARK: All lanes

  /// A gap of the gyroscope, the first fields, and a rate that may be another one.
  @inline(__always)
  func leaves(_ tick: LaneTick) -> Lanes.Mask {
    let (rate, force, field) = (tick.gyroscope, tick.accelerometer, tick.magneticField)
    let rateStep = rate.time - gate.gyroscopeTime
    let isLate = rate.exists .& (coefficients.gapThreshold .< rateStep)
    let isEarly = field.exists .& .!coefficients.takesField
    let changes =
      gyroscopeInterval.mayChange(with: rateStep, where: rate.exists)
      .| accelerometerInterval.mayChange(with: force.time - gate.accelerometerTime, where: force.exists)
      .| fieldInterval.mayChange(with: field.time - gate.fieldTime, where: field.exists)
    guard (isLate .| isEarly).isAny else { return changes }
    return changes .| (isLate .& LaneGate.allowsRate(rate.value)) .| (isEarly .& LaneGate.allowsField(field.value))
  }

  // The steps are functions of their own: the standard library multiplies lane by lane, and in one long function the
  // compiler puts only a part of that together again. What passes from one to the next is in `work`.

  @inline(__always)
  mutating func take(_ tick: LaneTick) {
    takeRate(tick)
    takeForce(tick)
    if work.hasForce.isAny { learnBias() }
    guard tick.magneticField.exists.isAny else { return }
    takeField(tick)
    judgeField()
    correctHeading()
  }

  @inline(__always)
  var estimate: LaneEstimate {
    let resting = Lanes(repeating: Double(AttitudeFlags.resting.rawValue))
    let disturbed = Lanes(repeating: Double(AttitudeFlags.magneticDisturbance.rawValue))
    return LaneEstimate(
      earthFromDevice: attitude.earthFromDevice, gyroscopeBias: biasEstimation.bias,
      flags: gate.flags + .select(rest.isResting, resting, .none) + .select(field.isFlagged, disturbed, .none))
  }

  @inline(never)
  private mutating func takeRate(_ tick: LaneTick) {
    let sample = tick.gyroscope
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsRate(sample.value), &gate.gyroscopeTime, &gate.gyroscopeRejected)
    work.hasRate = isUsed
    guard isUsed.isAny else { return }
    gyroscopeInterval.add(dt, where: isUsed)
    rest.add(rate: sample.value, coefficients.rest, where: isUsed)
    let mean = hold.mean(sample.value, over: dt, where: isUsed)
    attitude.integrate(mean - biasEstimation.bias, over: dt, where: isUsed)
  }

  @inline(never)
  private mutating func takeForce(_ tick: LaneTick) {
    let sample = tick.accelerometer
    guard sample.exists.isAny else {
      work.hasForce = sample.exists
      return attitude.updateLevel(where: work.hasRate)
    }
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsAcceleration(sample.value), &gate.accelerometerTime, &gate.accelerometerRejected)
    accelerometerInterval.add(dt, where: isUsed .& (dt .<= coefficients.gapThreshold))
    let force = -sample.value
    rest.add(force: force, coefficients.rest, where: isUsed)
    work.hasForce = isUsed
    work.up = attitude.level(force, coefficients.force, where: isUsed)
    attitude.updateLevel(where: work.hasRate .| isUsed)
  }

  @inline(never)
  private mutating func learnBias() {
    biasEstimation.update(
      up: work.up, rotation: attitude.levelFromDevice, restRate: rest.rate, isResting: rest.isResting,
      coefficients.bias, coefficients.force, where: work.hasForce)
  }

  @inline(never)
  private mutating func takeField(_ tick: LaneTick) {
    let sample = tick.magneticField
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsField(sample.value), &gate.fieldTime, &gate.fieldRejected)
    fieldInterval.add(dt, where: isUsed .& (dt .<= coefficients.gapThreshold))
    work.hasField = isUsed
    work.field = attitude.levelFromDevice.rotate(sample.value)
  }

  @inline(never)
  private mutating func judgeField() {
    let isJudged = work.hasField .& coefficients.rejectsDisturbances
    field.update(work.field, squaredRate: rest.rate.squaredNorm, coefficients.field, where: isJudged)
    work.trust = field.trust(coefficients.field, where: isJudged)
  }

  @inline(never)
  private mutating func correctHeading() {
    attitude.correctHeading(field: work.field, coefficients.heading, trust: work.trust, where: work.hasField)
  }
}
