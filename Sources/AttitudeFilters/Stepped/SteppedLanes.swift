internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// `SteppedFilter` in lanes.
///
/// A tick's step is taken at its end: no sample of its time can still come. The filter itself takes it with the next
/// sample, of the same inputs.
struct SteppedLanes<Step: LaneStep>: LaneBody where Step.Scalar == Lanes {
  typealias Filter = SteppedFilter<Step.Algorithm>

  private(set) var step = Step(Step.Algorithm.Parameters())
  var attitude = LaneQuaternion<Lanes>(.identity)
  var bias = LaneVector3<Lanes>(.zero)
  var gate = LaneGate()
  var heldRate = LaneHold()
  var acceleration = LaneHeldVector()
  var field = LaneHeldVector()
  var rest = LaneRest()
  private(set) var gapThreshold = Lanes(repeating: 0.5)
  private(set) var isHeadingTied = Lanes.Mask(repeating: true)
  /// From the algorithm's X to that of the output, about Z, and where there is such a turn.
  private(set) var output = LaneQuaternion<Lanes>(.identity)
  private(set) var isOutputTurned = Lanes.Mask(repeating: false)

  init() {}

  static func isSteady(_ filter: Filter) -> Bool {
    let state = filter.state
    return state.isAligned && state.start.age >= filter.parameters.handling.startUpDuration
      && state.flags.isEmpty && state.heldRate.last != nil && state.heldRate.interval != nil
      && state.rest.rate != nil && state.rest.acceleration != nil
  }

  mutating func load(_ filter: Filter, lane: Int) {
    var filter = filter
    filter.takePendingStep()
    let (state, handling) = (filter.state, filter.parameters.handling)
    step.set(filter.parameters, lane: lane)
    attitude[lane] = state.algorithm.earthFromDevice
    bias[lane] = state.algorithm.gyroscopeBias
    gate.load(state.gate, lane: lane)
    heldRate.load(state.heldRate, lane: lane)
    acceleration.load(state.acceleration, lane: lane)
    field.load(state.field, lane: lane)
    rest.load(state.rest, handling.rest, lane: lane)
    gapThreshold[lane] = handling.gapThreshold
    isHeadingTied[lane] = state.isHeadingTied
    output[lane] = rotationAboutZ(state.headingOffset)
    isOutputTurned[lane] = state.headingOffset != 0
  }

  func store(lane: Int, to filter: Filter) -> Filter {
    var state = filter.state
    (state.isPending, state.before) = (false, nil)
    state.algorithm.resume(at: attitude[lane], gyroscopeBias: bias[lane])
    state.known = KnownAttitude(state.algorithm)
    gate.store(lane: lane, to: &state.gate)
    heldRate.store(lane: lane, to: &state.heldRate)
    acceleration.store(lane: lane, to: &state.acceleration)
    field.store(lane: lane, to: &state.field)
    rest.store(lane: lane, to: &state.rest)
    return Filter(parameters: filter.parameters, state: state)
  }

  /// A gap of the gyroscope, or the first field.
  @inline(__always)
  func leaves(_ tick: LaneTick) -> Lanes.Mask {
    let isLate = tick.gyroscope.exists .& (gapThreshold .< tick.gyroscope.time - gate.gyroscopeTime)
    let isUntied = tick.magneticField.exists .& .!isHeadingTied
    guard (isLate .| isUntied).isAny else { return isLate }
    return (isLate .& LaneGate.allowsRate(tick.gyroscope.value))
      .| (isUntied .& LaneGate.allowsField(tick.magneticField.value))
  }

  @inline(__always)
  mutating func take(_ tick: LaneTick) {
    let rateStep = LaneGate.admit(
      tick.gyroscope, where: LaneGate.allowsRate(tick.gyroscope.value), &gate.gyroscopeTime, &gate.gyroscopeRejected)
    let weight = LaneRest.weight(of: rateStep.dt)
    rest.add(rate: tick.gyroscope.value, dt: rateStep.dt, weight: weight, where: rateStep.isUsed)
    takeVectors(tick, rateStep.dt, weight)
    guard rateStep.isUsed.isAny else { return }
    advance(tick.gyroscope, over: rateStep.dt, where: rateStep.isUsed)
  }

  @inline(__always)
  private mutating func takeVectors(_ tick: LaneTick, _ rateStep: Lanes, _ rateWeight: Lanes) {
    if (tick.accelerometer.exists).isAny {
      let sample = tick.accelerometer
      let (isUsed, dt) = LaneGate.admit(
        sample, where: LaneGate.allowsAcceleration(sample.value), &gate.accelerometerTime, &gate.accelerometerRejected)
      // Sensors of one clock have one weight.
      let isShared = (.!isUsed .| (dt .== rateStep)).isAll
      rest.add(
        acceleration: sample.value, weight: isShared ? rateWeight : LaneRest.weight(of: dt),
        where: isUsed .& (dt .<= gapThreshold))
      acceleration.take(sample, where: isUsed)
    }
    if (tick.magneticField.exists).isAny {
      let sample = tick.magneticField
      let (isUsed, _) = LaneGate.admit(
        sample, where: LaneGate.allowsField(sample.value), &gate.fieldTime, &gate.fieldRejected)
      field.take(sample, where: isUsed)
    }
  }

  @inline(__always)
  private mutating func advance(_ sample: LaneSample, over dt: Lanes, where isUsed: Lanes.Mask) {
    let mean = heldRate.mean(sample.value, over: dt, where: isUsed)
    let rate = mean - bias
    let force = acceleration.turn(
      to: sample.time, at: rate, for: gapThreshold, above: Lanes(repeating: Self.leastForce), where: isUsed)
    let field = self.field.turn(
      to: sample.time, at: rate, for: gapThreshold, above: Lanes(repeating: 0), where: isUsed)
    var (nextAttitude, nextBias) = (attitude, bias)
    step.advance(
      &nextAttitude, &nextBias,
      by: LaneMotionStep(
        rate: mean, acceleration: force.vector, hasAcceleration: force.exists, magneticField: field.vector,
        hasField: field.exists, duration: dt))
    attitude = .select(isUsed, nextAttitude, attitude)
    bias = .select(isUsed, nextBias, bias)
  }

  /// g². In free fall what is left of the acceleration is noise: its direction is none.
  static var leastForce: Double { 0.01 }

  @inline(__always)
  var estimate: LaneEstimate {
    LaneEstimate(
      earthFromDevice: isOutputTurned.isAny ? turned(attitude) : attitude, gyroscopeBias: bias,
      flags: gate.flags + rest.flags)
  }

  /// The attitude of the output.
  @inline(__always)
  func turned(_ attitude: LaneQuaternion<Lanes>) -> LaneQuaternion<Lanes> {
    .select(isOutputTurned, (output * attitude).normalized(else: attitude), attitude)
  }
}
