internal import LinearAlgebra
internal import Rotations
internal import Sensors

extension ComplementaryFilter: BankedFilter {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns], width: LaneWidth
  ) -> [AttitudeColumns] {
    switch width {
    case .four: LaneRun<ComplementaryLanes<SIMD4<Double>>>.estimates(parameters, of: motions)
    case .eight: LaneRun<ComplementaryLanes<SIMD8<Double>>>.estimates(parameters, of: motions)
    }
  }
}

/// `ComplementaryFilter` in lanes.
struct ComplementaryLanes<Scalar: LaneScalar>: LaneBody {
  private var gate = LaneGate<Scalar>()
  private var strapdown = LaneStrapdown<Scalar>()
  private var bias = LaneVector3<Scalar>.zero
  private var rest = LaneRest<Scalar>()
  private var heldUp = LaneHold<Scalar>()
  /// As the filter's state of these names.
  private var (restAge, biasAge, fieldAge) = (Scalar.none, Scalar.none, Scalar.none)
  private var fieldAzimuth = Scalar.none
  /// Where a field corrects the heading: the first one does not yet.
  private var isTied = Scalar.Mask(repeating: true)
  private var limits = Limits()

  /// The parameters of these names.
  private struct Limits: Sendable {
    var accelerationTimeConstant = Scalar(repeating: 1)
    var magneticTimeConstant = Scalar(repeating: 1)
    var biasTimeConstant = Scalar(repeating: 1)
    var restBiasTimeConstant = Scalar(repeating: 1)
    var biasStep = Scalar.none
    var biasBound = Scalar.none
    var gapThreshold = Scalar.none
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
  func leaves(_ tick: LaneTick<Scalar>) -> Scalar.Mask {
    let isLate = tick.gyroscope.exists .& (limits.gapThreshold .< tick.gyroscope.time - gate.gyroscopeTime)
    let isUntied = tick.magneticField.exists .& .!isTied
    guard (isLate .| isUntied).isAny else { return isLate }
    return (isLate .& LaneGate.allowsRate(tick.gyroscope.value))
      .| (isUntied .& LaneGate.allowsField(tick.magneticField.value))
  }

  @inline(__always)
  mutating func take(_ tick: LaneTick<Scalar>) {
    if tick.gyroscope.exists.isAny { takeRate(tick.gyroscope) }
    if tick.accelerometer.exists.isAny { takeAcceleration(tick.accelerometer) }
    if tick.magneticField.exists.isAny { takeField(tick.magneticField) }
  }

  @inline(__always)
  var estimate: LaneEstimate<Scalar> {
    LaneEstimate(
      earthFromDevice: strapdown.earthFromDevice, gyroscopeBias: bias, flags: gate.flags + rest.flags)
  }

  @inline(never)
  private mutating func takeRate(_ sample: LaneSample<Scalar>) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsRate(sample.value), &gate.gyroscopeTime, &gate.gyroscopeRejected)
    rest.add(rate: sample.value, dt: dt, weight: LaneRest.weight(of: dt), where: isUsed)
    let isResting = isUsed .& rest.isResting
    if isResting.isAny { learnBiasAtRest(over: dt, where: isResting) }
    strapdown.integrate(sample, bias: bias, over: dt, where: isUsed)
    biasAge.set(biasAge + dt, where: isUsed)
  }

  @inline(never)
  private mutating func takeAcceleration(_ sample: LaneSample<Scalar>) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsAcceleration(sample.value), &gate.accelerometerTime, &gate.accelerometerRejected)
    let isRegular = isUsed .& (dt .<= limits.gapThreshold)
    let attitude = strapdown.attitude(at: sample.time, bias: bias, within: limits.gapThreshold, where: isRegular)
    rest.add(acceleration: sample.value, weight: LaneRest.weight(of: dt), where: isRegular)
    let up = heldUp.mean(attitude.rotate(-sample.value), over: dt, where: isRegular)
    let error = LaneVector3(up.y, -up.x, Scalar.none)
    let blend = (dt / limits.accelerationTimeConstant).oneMinusExponential
    strapdown.correct(by: LaneQuaternion(smallRotation: blend * error), where: isRegular)
    learnBias(from: error, limits.accelerationTimeConstant, over: dt, where: isRegular)
  }

  @inline(never)
  private mutating func takeField(_ sample: LaneSample<Scalar>) {
    let (isUsed, dt) = LaneGate.admit(
      sample, where: LaneGate.allowsField(sample.value), &gate.fieldTime, &gate.fieldRejected)
    let attitude = strapdown.attitude(at: sample.time, bias: bias, within: limits.gapThreshold, where: isUsed)
    let field = attitude.rotate(sample.value)
    let error = (Scalar.arcTangent(field.y, field.x) - fieldAzimuth).wrappedOnce
    // The running mean of the first seconds passes smoothly into the exponential one.
    let age = fieldAge + dt
    let blend = Scalar.greater((dt / limits.magneticTimeConstant).oneMinusExponential, dt / age)
    fieldAge.set(.lesser(age, Scalar(repeating: 1e6)), where: isUsed)
    let turn = LaneVector3(Scalar.none, Scalar.none, -blend * error)
    strapdown.correct(by: LaneQuaternion(smallRotation: turn), where: isUsed)
    learnBias(
      from: LaneVector3(Scalar.none, Scalar.none, -error), limits.magneticTimeConstant, over: dt, where: isUsed)
  }

  /// Integral action of an error in earth axes; the gain per second as that of the filter.
  @inline(__always)
  private mutating func learnBias(
    from earthError: LaneVector3<Scalar>, _ timeConstant: Scalar, over dt: Scalar, where isUsed: Scalar.Mask
  ) {
    let age = Scalar.greater(0.25 * biasAge, 2 * timeConstant)
    let gain = dt / (timeConstant * .lesser(limits.biasTimeConstant, age))
    let deviceError = strapdown.earthFromDevice.rotateInverse(earthError)
    bias.set((bias - gain * deviceError).clipped(to: limits.biasBound), where: isUsed)
  }

  @inline(__always)
  private mutating func learnBiasAtRest(over dt: Scalar, where isResting: Scalar.Mask) {
    // A known bias does not jump: what differs much from it is a slow steady turn.
    let isKnown = limits.biasTimeConstant .<= biasAge
    let isLearned = isResting .& (.!isKnown .| ((rest.rate - bias).maximumMagnitude .<= limits.biasStep))
    let age = Scalar.lesser(restAge + dt, limits.restBiasTimeConstant)
    let learned = (bias + (dt / age) * (rest.rate - bias)).clipped(to: limits.biasBound)
    restAge.set(age, where: isLearned)
    bias.set(learned, where: isLearned)
    biasAge.set(biasAge + 200 * dt, where: isLearned)
  }
}
