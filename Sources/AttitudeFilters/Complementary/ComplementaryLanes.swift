internal import LinearAlgebra
internal import Rotations
internal import Sensors

extension ComplementaryFilter: BankedFilter {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns] {
    LaneRun<ComplementaryLanes>.estimates(parameters, of: motions)
  }
}

/// `ComplementaryFilter` in lanes.
struct ComplementaryLanes: LaneBody {
  private var gate = LaneGate()
  private var strapdown = LaneStrapdown()
  private var bias = LaneVector3<Lanes>.zero
  private var rest = LaneRest()
  private var heldUp = LaneHold()
  /// As the filter's state of these names.
  private var (restAge, biasAge, fieldAge) = (Lanes.none, Lanes.none, Lanes.none)
  private var fieldAzimuth = Lanes.none
  /// Where a field corrects the heading: the first one does not yet.
  private var isTied = Lanes.Mask(repeating: true)
  private var limits = Limits()

  /// The parameters of these names.
  private struct Limits: Sendable {
    var accelerationTimeConstant = Lanes(repeating: 1)
    var magneticTimeConstant = Lanes(repeating: 1)
    var biasTimeConstant = Lanes(repeating: 1)
    var restBiasTimeConstant = Lanes(repeating: 1)
    var biasStep = Lanes.none
    var biasBound = Lanes.none
    var gapThreshold = Lanes.none
  }

  init() {}

  // MARK: One lane

  static func isSteady(_ filter: ComplementaryFilter) -> Bool {
    let state = filter.state
    return state.isAligned && state.age >= filter.parameters.handling.startUpDuration && state.flags.isEmpty
      && state.strapdown.isSteady && state.heldUp.isSteady && state.rest.rate != nil && state.rest.acceleration != nil
  }

  mutating func load(_ filter: ComplementaryFilter, lane: Int) {
    let (state, p) = (filter.state, filter.parameters)
    gate.load(state.gate, lane: lane)
    strapdown.load(state.strapdown, lane: lane)
    bias[lane] = state.gyroscopeBias
    rest.load(state.rest, p.handling.rest, lane: lane)
    heldUp.load(state.heldUp, lane: lane)
    (restAge[lane], biasAge[lane], fieldAge[lane]) = (state.restAge, state.biasAge, state.fieldAge)
    fieldAzimuth[lane] = state.fieldAzimuth ?? 0
    isTied[lane] = state.isHeadingTied && state.fieldAzimuth != nil && state.gate.field.lastTime != nil
    limits.accelerationTimeConstant[lane] = p.accelerationTimeConstant
    limits.magneticTimeConstant[lane] = p.magneticTimeConstant
    limits.biasTimeConstant[lane] = p.biasTimeConstant
    limits.restBiasTimeConstant[lane] = p.restBiasTimeConstant
    limits.biasStep[lane] = p.biasStep
    limits.biasBound[lane] = p.handling.biasBound
    limits.gapThreshold[lane] = p.handling.gapThreshold
  }

  func store(lane: Int, to filter: ComplementaryFilter) -> ComplementaryFilter {
    var state = filter.state
    gate.store(lane: lane, to: &state.gate)
    strapdown.store(lane: lane, to: &state.strapdown)
    state.gyroscopeBias = bias[lane]
    rest.store(lane: lane, to: &state.rest)
    heldUp.store(lane: lane, to: &state.heldUp)
    (state.restAge, state.biasAge, state.fieldAge) = (restAge[lane], biasAge[lane], fieldAge[lane])
    return ComplementaryFilter(parameters: filter.parameters, state: state)
  }

  // MARK: All lanes

  /// A gap of the gyroscope, or the first field.
  @inline(__always)
  func leaves(_ tick: LaneTick) -> Lanes.Mask {
    let isLate = tick.gyroscope.exists .& (limits.gapThreshold .< tick.gyroscope.time - gate.gyroscopeTime)
    let isUntied = tick.magneticField.exists .& .!isTied
    guard (isLate .| isUntied).isAny else { return isLate }
    return (isLate .& LaneGate.allowsRate(tick.gyroscope.value))
      .| (isUntied .& LaneGate.allowsField(tick.magneticField.value))
  }

  @inline(__always)
  mutating func take(_ tick: LaneTick) {
    if tick.gyroscope.exists.isAny { takeRate(tick.gyroscope) }
    if tick.accelerometer.exists.isAny { takeAcceleration(tick.accelerometer) }
    if tick.magneticField.exists.isAny { takeField(tick.magneticField) }
  }

  @inline(__always)
  var estimate: LaneEstimate {
    LaneEstimate(
      earthFromDevice: strapdown.earthFromDevice, gyroscopeBias: bias, flags: gate.flags + rest.flags)
  }

  @inline(never)
  private mutating func takeRate(_ sample: LaneSample) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsRate(sample.value), &gate.gyroscopeTime, &gate.gyroscopeRejected)
    rest.add(rate: sample.value, dt: dt, weight: LaneRest.weight(of: dt), where: isUsed)
    let isResting = isUsed .& rest.isResting
    if isResting.isAny { learnBiasAtRest(over: dt, where: isResting) }
    strapdown.integrate(sample, bias: bias, over: dt, where: isUsed)
    biasAge.set(biasAge + dt, where: isUsed)
  }

  @inline(never)
  private mutating func takeAcceleration(_ sample: LaneSample) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsAcceleration(sample.value), &gate.accelerometerTime, &gate.accelerometerRejected)
    let isRegular = isUsed .& (dt .<= limits.gapThreshold)
    let attitude = strapdown.attitude(at: sample.time, bias: bias, within: limits.gapThreshold, where: isRegular)
    rest.add(acceleration: sample.value, weight: LaneRest.weight(of: dt), where: isRegular)
    let up = heldUp.mean(attitude.rotate(-sample.value), over: dt, where: isRegular)
    let error = LaneVector3(up.y, -up.x, Lanes.none)
    let blend = (dt / limits.accelerationTimeConstant).oneMinusExponential
    strapdown.correct(by: LaneQuaternion(smallRotation: blend * error), where: isRegular)
    learnBias(from: error, limits.accelerationTimeConstant, over: dt, where: isRegular)
  }

  @inline(never)
  private mutating func takeField(_ sample: LaneSample) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsField(sample.value), &gate.fieldTime, &gate.fieldRejected)
    let attitude = strapdown.attitude(at: sample.time, bias: bias, within: limits.gapThreshold, where: isUsed)
    let field = attitude.rotate(sample.value)
    let error = (Lanes.arcTangent(field.y, field.x) - fieldAzimuth).wrappedOnce
    // The running mean of the first seconds passes smoothly into the exponential one.
    let age = fieldAge + dt
    let blend = Lanes.greater((dt / limits.magneticTimeConstant).oneMinusExponential, dt / age)
    fieldAge.set(.lesser(age, Lanes(repeating: 1e6)), where: isUsed)
    let turn = LaneVector3(Lanes.none, Lanes.none, -blend * error)
    strapdown.correct(by: LaneQuaternion(smallRotation: turn), where: isUsed)
    learnBias(
      from: LaneVector3(Lanes.none, Lanes.none, -error), limits.magneticTimeConstant, over: dt, where: isUsed)
  }

  /// Integral action of an error in earth axes; the gain per second as that of the filter.
  @inline(__always)
  private mutating func learnBias(
    from earthError: LaneVector3<Lanes>, _ timeConstant: Lanes, over dt: Lanes, where isUsed: Lanes.Mask
  ) {
    let age = Lanes.greater(0.25 * biasAge, 2 * timeConstant)
    let gain = dt / (timeConstant * .lesser(limits.biasTimeConstant, age))
    let deviceError = strapdown.earthFromDevice.rotateInverse(earthError)
    bias.set((bias - gain * deviceError).clipped(to: limits.biasBound), where: isUsed)
  }

  @inline(__always)
  private mutating func learnBiasAtRest(over dt: Lanes, where isResting: Lanes.Mask) {
    // A known bias does not jump: what differs much from it is a slow steady turn.
    let isKnown = limits.biasTimeConstant .<= biasAge
    let isLearned = isResting .& (.!isKnown .| ((rest.rate - bias).maximumMagnitude .<= limits.biasStep))
    let age = Lanes.lesser(restAge + dt, limits.restBiasTimeConstant)
    let learned = (bias + (dt / age) * (rest.rate - bias)).clipped(to: limits.biasBound)
    restAge.set(age, where: isLearned)
    bias.set(learned, where: isLearned)
    biasAge.set(biasAge + 200 * dt, where: isLearned)
  }
}
