public import LinearAlgebra
internal import Rotations
internal import Sensors
internal import SystemLibrary

/// A filter for real logs around an algorithm that is written as one step per gyroscope sample.
///
/// A step is taken when all samples of its moment are in, at the latest with the next later sample, or for an estimate
/// that is read before: samples of one time are one step in whatever order they come. A vector that is older than the
/// step, because its sensor ticks elsewhere or more slowly, is turned along with the gyroscope, so that it is never of
/// another attitude than the rate. Around the algorithm stand what every log needs: the start-up's mean, lost and bad
/// samples, gaps, rest, and the heading's reference.
///
/// The updates are compiled for each algorithm that is listed at them: through the registry a filter is called as
/// any filter is, and not specialised it takes twice the time. A new algorithm works without, and should be added. The
/// estimate is kept where it is read without knowing the algorithm.
public struct SteppedFilter<Algorithm: SteppedAlgorithm>: AttitudeFilter {
  public typealias Parameters = Algorithm.Parameters

  public static var name: String { Algorithm.name }
  public static var traits: FilterTraits { Algorithm.traits.union(.rest) }

  public var parameters: Parameters { algorithm.parameters }
  // First: where its parts are is known then without the algorithm.
  public private(set) var state: State
  private let algorithm: Algorithm
  private let handling: HandlingParameters
  private let rest: RestDetector.Thresholds

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State())
  }

  public init(parameters: Parameters, state: State) {
    algorithm = Algorithm(parameters: parameters)
    handling = parameters.handling
    rest = parameters.handling.rest
    self.state = state
    self.state.isStartingUp = state.start.age < handling.startUpDuration
    self.state.isResting = state.rest.isResting(rest)
  }

  // MARK: Updates

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(gyroscope rate: Vector3, at time: Double) { take(rate: rate, at: time) }

  @inline(never)
  private mutating func take(rate: Vector3, at time: Double) {
    let sample = state.gate.admit(gyroscope: rate, at: time, gapThreshold: handling.gapThreshold)
    guard sample != .refused else { return }
    takePendingStep()
    forgetBefore()
    switch sample {
    case .refused: return
    case .first: state.start.strapdown.restart(rate: rate, at: time)
    case .gap:
      enterGap()
      state.start.strapdown.restart(rate: rate, at: time)
    case .regular(let dt):
      state.rest.add(rate: rate, dt: dt, rest)
      state.isResting = state.rest.isResting(rest)
      guard !state.isStartingUp else {
        integrateStart(rate, over: dt, to: time)
        return
      }
      state.isPending = true
      setStep(rate, over: dt, to: time)
      (state.accelerationIsExpected, state.fieldIsExpected) = (state.accelerationJoined, state.fieldJoined)
      state.accelerationJoined = state.acceleration.isMeasured(at: time)
      state.fieldJoined = state.field.isMeasured(at: time)
      takeCompleteStep()
    }
  }

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(accelerometer: Vector3, at time: Double) { take(acceleration: accelerometer, at: time) }

  @inline(never)
  private mutating func take(acceleration: Vector3, at time: Double) {
    let sample = state.gate.admit(accelerometer: acceleration, at: time, gapThreshold: handling.gapThreshold)
    guard sample != .refused else { return }
    openStep(for: time)
    guard state.isAligned else {
      align(up: -acceleration)
      return
    }
    if case .regular(let dt) = sample { state.rest.add(acceleration: acceleration, dt: dt, rest) }
    guard state.isStartingUp else {
      state.acceleration.take(acceleration, at: time)
      if state.isPending { state.accelerationJoined = true }
      takeCompleteStep()
      return
    }
    guard case .regular = sample else { return }
    let up = startAttitude(at: time).rotate(-acceleration)
    state.start.strapdown.correct(by: state.start.means.addForce(up))
  }

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(magneticField: Vector3, at time: Double) { take(field: magneticField, at: time) }

  @inline(never)
  private mutating func take(field: Vector3, at time: Double) {
    guard state.gate.admit(field: field, at: time) != .refused else { return }
    openStep(for: time)
    guard state.isAligned else { return }
    if state.isStartingUp {
      let azimuth = state.start.means.addField(startAttitude(at: time).rotate(field))
      state.start.hasField = true
      let turn = rotationAboutZ(-azimuth)
      state.start.strapdown.correct(by: turn)
      state.start.means.turn(by: turn)
      if !state.isHeadingTied { keepOutput(whileTurningBy: -azimuth) }
    } else {
      if !state.isHeadingTied { tieHeading(to: field) }
      state.field.take(field, at: time)
      if state.isPending { state.fieldJoined = true }
      takeCompleteStep()
    }
  }

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(gyroscope: Vector3, accelerometer: Vector3, magneticField: Vector3?, at time: Double) {
    take(rate: gyroscope, acceleration: accelerometer, field: magneticField, at: time)
  }

  @inline(never)
  private mutating func take(rate: Vector3, acceleration: Vector3, field: Vector3?, at time: Double) {
    guard !takeMoment(rate: rate, acceleration: acceleration, field: field, at: time) else { return }
    take(rate: rate, at: time)
    take(acceleration: acceleration, at: time)
    if let field { take(field: field, at: time) }
  }

  /// Takes a moment's samples at once, where the filter is in its steady state, all samples are good, and the sensors
  /// are those of the moment before: what the three updates then come to.
  ///
  /// - Returns: false where they are to be taken one by one; nothing has changed then.
  @inline(__always)
  private mutating func takeMoment(
    rate: Vector3, acceleration: Vector3, field: Vector3?, at time: Double
  ) -> Bool {
    guard state.isAligned, !state.isStartingUp, !state.isPending, state.accelerationJoined else { return false }
    if field == nil {
      guard !state.fieldJoined, !state.field.isMeasured(at: time) else { return false }
    } else {
      guard state.fieldJoined, state.isHeadingTied else { return false }
    }
    guard
      let dt = state.gate.admit(
        gyroscope: rate, accelerometer: acceleration, field: field, at: time, gapThreshold: handling.gapThreshold)
    else { return false }
    state.rest.add(rate: rate, dt: dt.rate, acceleration: acceleration, dt: dt.acceleration, rest)
    state.isResting = state.rest.isResting(rest)
    setStep(rate, over: dt.rate, to: time)
    (state.accelerationIsExpected, state.fieldIsExpected) = (true, field != nil)
    state.acceleration.take(acceleration, at: time)
    if let field { state.field.take(field, at: time) }
    // Without a field the step is taken for good only when none has come.
    if field == nil { state.before = state.algorithm } else { forgetBefore() }
    guard acceleration.squaredNorm >= Self.leastForce, field != nil || state.field.isEmpty else {
      takeTurnedStep(state.step)
      state.known = KnownAttitude(state.algorithm)
      return true
    }
    algorithm.advance(
      &state.algorithm,
      by: MotionStep(
        rate: state.step.rate, acceleration: acceleration, magneticField: field, duration: state.step.duration))
    state.known = KnownAttitude(state.algorithm)
    return true
  }

  // Into the caller: what is given back is not copied once more then.
  @inline(__always)
  public var estimate: AttitudeEstimate? {
    guard state.isAligned else { return nil }
    if state.isStartingUp {
      return estimate(state.start.strapdown.earthFromDevice, state.known.gyroscopeBias, .converging)
    }
    guard !state.isPending else { return estimateWithPendingStep }
    return estimate(state.known.earthFromDevice, state.known.gyroscopeBias, state.known.flags)
  }

  @inline(__always)
  private func estimate(_ attitude: Quaternion, _ bias: Vector3, _ flags: AttitudeFlags) -> AttitudeEstimate {
    var all = flags.union(state.flags).union(state.gate.flags)
    if state.isResting { all.insert(.resting) }
    let output = state.headingOffset == 0 ? attitude : turned(attitude, by: state.headingOffset)
    return AttitudeEstimate(earthFromDevice: output, gyroscopeBias: bias, flags: all)
  }

  /// As if no sample came any more that is of the time of the step that waits.
  private var estimateWithPendingStep: AttitudeEstimate {
    @_specialize(where Algorithm == Mahony)
    @_specialize(where Algorithm == Madgwick)
    @_specialize(where Algorithm == RevisedMadgwick)
    @_specialize(where Algorithm == AngularRate)
    @_specialize(where Algorithm == AQUA)
    @_specialize(where Algorithm == Fourati)
    @_specialize(where Algorithm == ROLEQ)
    get {
      var copy = self
      copy.takePendingStep()
      let known = copy.state.known
      return estimate(known.earthFromDevice, known.gyroscopeBias, known.flags)
    }
  }

  // MARK: Steps

  // Number by number: to build it and copy it would wait for the numbers to be in memory.
  @inline(__always)
  private mutating func setStep(_ rate: Vector3, over dt: Double, to time: Double) {
    state.step.rate = state.heldRate.mean(rate, over: dt)
    state.step.duration = dt
    state.step.time = time
  }

  // Asked first: mostly there is none, and to write that there is none takes longer.
  @inline(__always)
  private mutating func forgetBefore() {
    if state.before != nil { state.before = nil }
  }

  /// Takes the step that waits.
  @inline(never)
  mutating func takePendingStep() {
    guard state.isPending else { return }
    state.isPending = false
    let pending = state.step
    // Most logs have all samples of a moment under one time: their steps need nothing turned along.
    let force = state.acceleration.value
    let isComplete = state.acceleration.isMeasured(at: pending.time) && force.squaredNorm >= Self.leastForce
    if isComplete, state.field.isMeasured(at: pending.time) {
      algorithm.advance(
        &state.algorithm,
        by: MotionStep(
          rate: pending.rate, acceleration: force, magneticField: state.field.value, duration: pending.duration))
    } else if isComplete, state.field.isEmpty {
      algorithm.advance(
        &state.algorithm, by: MotionStep(rate: pending.rate, acceleration: force, duration: pending.duration))
    } else {
      takeTurnedStep(pending)
    }
    state.known = KnownAttitude(state.algorithm)
  }

  @inline(never)
  private mutating func takeTurnedStep(_ pending: MomentStep) {
    let step = self.step(pending)
    algorithm.advance(&state.algorithm, by: step)
    state.acceleration.follow(step.acceleration, to: pending.time)
    state.field.follow(step.magneticField, to: pending.time)
  }

  /// Takes the step of which all samples are in.
  ///
  /// A sensor that had none at the moment before is not waited for: whoever reads the estimate then has it for nothing. If
  /// it has one after all, the step is taken back.
  @inline(__always)
  private mutating func takeCompleteStep() {
    guard state.isPending else { return }
    // No sample can join any more once both are of this time.
    if state.acceleration.isMeasured(at: state.step.time), state.field.isMeasured(at: state.step.time) {
      takePendingStep()
      return
    }
    guard state.accelerationJoined || !state.accelerationIsExpected, state.fieldJoined || !state.fieldIsExpected
    else { return }
    state.before = state.algorithm
    takePendingStep()
  }

  /// Before a vector of a time: a step that is too early for it is taken for good, one that it may join is taken back.
  @inline(__always)
  private mutating func openStep(for time: Double) {
    if state.isPending {
      if time > state.step.time { takePendingStep() }
    } else if let before = state.before {
      if time <= state.step.time { (state.algorithm, state.isPending) = (before, true) }
      state.before = nil
    }
  }

  /// g². In free fall what is left of the acceleration is noise: its direction is none.
  private static var leastForce: Double { 0.01 }

  private func step(_ pending: MomentStep) -> MotionStep {
    let rate = pending.rate - state.algorithm.gyroscopeBias
    var acceleration = state.acceleration.value(at: pending.time, turningAt: rate, for: handling.gapThreshold)
    if let force = acceleration, force.squaredNorm < Self.leastForce { acceleration = nil }
    return MotionStep(
      rate: pending.rate, acceleration: acceleration,
      magneticField: state.field.value(at: pending.time, turningAt: rate, for: handling.gapThreshold),
      duration: pending.duration)
  }

  // MARK: Start-up and gaps

  private func startAttitude(at time: Double) -> Quaternion {
    state.start.strapdown.attitude(
      at: time, bias: state.algorithm.gyroscopeBias, within: handling.gapThreshold)
  }

  private mutating func integrateStart(_ rate: Vector3, over dt: Double, to time: Double) {
    state.start.strapdown.integrate(rate, bias: state.algorithm.gyroscopeBias, over: dt, to: time)
    setStartAge(state.start.age + dt)
    if !state.isStartingUp { finishStartUp() }
  }

  /// The first acceleration gives a tilt; the start-up begins here, however long the gyroscope has run alone.
  private mutating func align(up: Vector3) {
    state.start.strapdown.align(to: AttitudeFilters.startAttitude(up: up))
    state.isAligned = true
    setStartAge(0)
    if !state.isStartingUp { finishStartUp() }
  }

  private mutating func setStartAge(_ age: Double) {
    state.start.age = age
    state.isStartingUp = age < handling.startUpDuration
  }

  private mutating func finishStartUp() {
    state.algorithm.restart(at: state.start.strapdown.earthFromDevice)
    state.known = KnownAttitude(state.algorithm)
    if state.start.hasField { state.isHeadingTied = true }
    state.flags.remove(.gap)
  }

  /// After a gap nobody knows how the device turned: tilt and heading start over, what was learned is kept.
  private mutating func enterGap() {
    var start = SteppedStart()
    start.strapdown = state.start.strapdown
    if !state.isStartingUp { start.strapdown.align(to: state.algorithm.earthFromDevice) }
    state.start = start
    setStartAge(0)
    (state.acceleration, state.field) = (HeldVector(), HeldVector())
    if state.isAligned, state.isStartingUp { state.flags.insert(.gap) }
  }

  // MARK: Heading

  /// The first field after a start-up without one: the algorithm's X turns to north.
  private mutating func tieHeading(to field: Vector3) {
    let attitude = state.algorithm.earthFromDevice
    let inEarth = attitude.rotate(field)
    let azimuth = atan2(inEarth.y, inEarth.x)
    state.algorithm.restart(at: turned(attitude, by: -azimuth))
    state.known = KnownAttitude(state.algorithm)
    keepOutput(whileTurningBy: -azimuth)
    state.isHeadingTied = true
  }

  /// Where X is held to its initial heading, the output stays where it was.
  private mutating func keepOutput(whileTurningBy angle: Double) {
    guard parameters.headingReference == .initialHeading else { return }
    state.headingOffset = wrapped(state.headingOffset - angle)
  }

  private func turned(_ attitude: Quaternion, by angle: Double) -> Quaternion {
    (rotationAboutZ(angle) * attitude).normalized ?? attitude
  }
}
