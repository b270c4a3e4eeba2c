public import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A filter for real logs around an algorithm that is written as one step per gyroscope sample.
///
/// A step is taken when its moment is closed: by `closeMoment`, by a row of samples, or by a later sample. Until then
/// the samples of one time are one step in whatever order they come. A vector that is older than the step, because
/// its sensor ticks elsewhere or more slowly, is turned along with the gyroscope, so that it is never of another
/// attitude than the rate. Around the algorithm stands what every log needs: the start-up's mean, lost and bad
/// samples, gaps, rest, and the heading's reference.
///
/// The updates are specialised for the algorithms listed at them: called through the registry, an unspecialised one
/// takes twice the time. A new algorithm works without being listed, but should be added. What the estimate needs is
/// kept in `known`, which does not depend on the algorithm.
public struct SteppedFilter<Algorithm: SteppedAlgorithm>: AttitudeFilter {
  public typealias Parameters = Algorithm.Parameters

  public static var name: String { Algorithm.name }
  public static var summary: String { Algorithm.summary }
  public static var source: String { Algorithm.source }
  public static var traits: FilterTraits { Algorithm.traits.union(.rest) }

  public var parameters: Parameters { algorithm.parameters }
  // First, so that its place in memory does not depend on the algorithm.
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
    switch sample {
    case .refused: return
    case .first:
      state.heldRate.restart(at: rate)
      state.start.strapdown.restart(rate: rate, at: time)
    case .gap:
      enterGap()
      state.heldRate.restart(at: rate)
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
    if time > state.step.time { takePendingStep() }
    guard state.isAligned else {
      align(up: -acceleration)
      return
    }
    if case .regular(let dt) = sample { state.rest.add(acceleration: acceleration, dt: dt, rest) }
    guard state.isStartingUp else {
      state.acceleration.take(acceleration, at: time)
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
    if time > state.step.time { takePendingStep() }
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
    takePendingStep()
  }

  public mutating func closeMoment() { takePendingStep() }

  /// Takes a moment's samples at once, where the filter is in its steady state and all samples are good: what the three
  /// updates then come to.
  ///
  /// - Returns: false where they are to be taken one by one; nothing has changed then.
  @inline(__always)
  private mutating func takeMoment(
    rate: Vector3, acceleration: Vector3, field: Vector3?, at time: Double
  ) -> Bool {
    guard state.isAligned, !state.isStartingUp, !state.isPending, field == nil || state.isHeadingTied else {
      return false
    }
    guard
      let dt = state.gate.admit(
        gyroscope: rate, accelerometer: acceleration, field: field, at: time, gapThreshold: handling.gapThreshold)
    else { return false }
    state.rest.add(rate: rate, dt: dt.rate, acceleration: acceleration, dt: dt.acceleration, rest)
    state.isResting = state.rest.isResting(rest)
    setStep(rate, over: dt.rate, to: time)
    state.acceleration.take(acceleration, at: time)
    if let field { state.field.take(field, at: time) }
    takeStep()
    return true
  }

  // Inlined, which saves the caller a copy of the result.
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

  /// The estimate as if the waiting step's moment were closed now.
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

  // Field by field: building a step and copying it would wait for the stores.
  @inline(__always)
  private mutating func setStep(_ rate: Vector3, over dt: Double, to time: Double) {
    state.step.rate = state.heldRate.mean(rate, over: dt)
    state.step.duration = dt
    state.step.time = time
  }

  /// Takes the step that waits.
  @inline(never)
  private mutating func takePendingStep() {
    guard state.isPending else { return }
    state.isPending = false
    takeStep()
  }

  @inline(__always)
  private mutating func takeStep() {
    let (moment, force) = (state.step, state.acceleration.value)
    // Most logs have all samples of a moment under one time: nothing is turned along then, which takes a fifth less.
    let hasForce = state.acceleration.isMeasured(at: moment.time) && force.squaredNorm >= Self.leastForce
    if hasForce, state.field.isMeasured(at: moment.time) {
      algorithm.advance(
        &state.algorithm,
        by: MotionStep(
          rate: moment.rate, acceleration: force, magneticField: state.field.value, duration: moment.duration))
    } else if hasForce, state.field.time == nil {
      algorithm.advance(
        &state.algorithm, by: MotionStep(rate: moment.rate, acceleration: force, duration: moment.duration))
    } else {
      takeTurnedStep(moment)
    }
    state.known = KnownAttitude(state.algorithm)
  }

  @inline(never)
  private mutating func takeTurnedStep(_ moment: MomentStep) {
    let step = self.step(moment)
    algorithm.advance(&state.algorithm, by: step)
    state.acceleration.follow(step.acceleration, to: moment.time)
    state.field.follow(step.magneticField, to: moment.time)
  }

  /// g². What is left of the acceleration in free fall is noise, and its direction means nothing.
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
    state.start.strapdown.align(to: InertialFilters.startAttitude(up: up))
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
