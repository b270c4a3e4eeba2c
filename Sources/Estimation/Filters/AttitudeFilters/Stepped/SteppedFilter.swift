public import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A filter for real logs, based on an algorithm that is defined as one step per gyroscope sample.
///
/// A step is taken when its epoch is complete: by `endEpoch`, by a row of samples, or by a later sample. Until then,
/// samples with equal timestamps form one step in any order. A vector that is older than the step, because its sensor
/// has another clock or a lower rate, is rotated with the gyroscope, so that it always refers to the same attitude as
/// the rate. The filter adds the features that all logs need: the start-up's mean, lost and invalid samples, gaps,
/// rest, and the heading's reference.
///
/// The updates are specialised for the algorithms listed in `@_specialize`; other algorithms take twice the time when
/// called through `FilterKind`. A new algorithm works without being listed, but should be added. The data for the
/// estimate is in `known`, which does not depend on the algorithm.
public struct SteppedFilter<Algorithm: SteppedAlgorithm>: AttitudeFilter {
  public typealias Parameters = Algorithm.Parameters

  public static var name: String { Algorithm.name }
  public static var summary: String { Algorithm.summary }
  public static var source: String { Algorithm.source }
  public static var traits: FilterTraits { Algorithm.traits.union(.rest) }

  public var parameters: Parameters { algorithm.parameters }
  // The first member, so that its memory offset does not depend on the algorithm.
  public private(set) var state: State
  private let algorithm: Algorithm
  private let settings: SensorTimeline.Settings

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State())
  }

  public init(parameters: Parameters, state: State) {
    algorithm = Algorithm(parameters: parameters)
    settings = SensorTimeline.Settings(parameters.handling)
    self.state = state
    self.state.timeline.resume(settings)
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
    let sample = state.timeline.admit(rate: rate, at: time, settings)
    guard sample != .refused else { return }
    takePendingStep()
    if case .gap = sample { enterGap() }
    guard case .regular(let dt) = sample else {
      state.heldRate.restart(at: rate)
      return state.strapdown.restart(rate: rate, at: time)
    }
    guard !state.timeline.isStartingUp else { return integrateStart(rate, over: dt, to: time) }
    state.isPending = true
    setStep(rate, over: dt, to: time)
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
    let sample = state.timeline.admit(acceleration: acceleration, at: time, settings)
    guard sample != .refused else { return }
    if time > state.step.time { takePendingStep() }
    guard state.timeline.isAligned else {
      state.strapdown.align(to: InertialFilters.startAttitude(up: -acceleration))
      state.timeline.align(settings)
      return finishStartUp()
    }
    guard state.timeline.isStartingUp else { return state.acceleration.take(acceleration, at: time) }
    guard case .regular = sample else { return }
    state.strapdown.correct(by: state.timeline.means.addForce(startAttitude(at: time).rotate(-acceleration)))
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
    guard state.timeline.admit(field: field, at: time) != .refused else { return }
    if time > state.step.time { takePendingStep() }
    guard state.timeline.isAligned else { return }
    if state.timeline.isStartingUp {
      let azimuth = state.timeline.means.addField(startAttitude(at: time).rotate(field))
      state.hasStartField = true
      let turn = rotationAboutZ(-azimuth)
      state.strapdown.correct(by: turn)
      state.timeline.means.turn(by: turn)
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

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func endEpoch() { takePendingStep() }

  /// Processes the samples of an epoch together, if the filter is in its steady state and all samples are valid. The
  /// result equals that of the three updates.
  ///
  /// - Returns: `false` if the samples must be processed one by one; the state is then unchanged.
  @inline(__always)
  private mutating func takeMoment(
    rate: Vector3, acceleration: Vector3, field: Vector3?, at time: Double
  ) -> Bool {
    guard state.timeline.isAligned, !state.timeline.isStartingUp, !state.isPending, field == nil || state.isHeadingTied,
      let dt = state.timeline.admit(rate: rate, acceleration: acceleration, field: field, at: time, settings)
    else { return false }
    setStep(rate, over: dt, to: time)
    state.acceleration.take(acceleration, at: time)
    if let field { state.field.take(field, at: time) }
    takeStep()
    return true
  }

  // Inlined, which saves the caller a copy of the result.
  @inline(__always)
  public var estimate: AttitudeEstimate? {
    guard state.timeline.isAligned else { return nil }
    if state.timeline.isStartingUp {
      return estimate(state.strapdown.earthFromDevice, state.known.gyroscopeBias, [])
    }
    guard !state.isPending else { return estimateWithPendingStep }
    return estimate(state.known.earthFromDevice, state.known.gyroscopeBias, state.known.flags)
  }

  @inline(__always)
  private func estimate(_ attitude: Quaternion, _ bias: Vector3, _ flags: AttitudeFlags) -> AttitudeEstimate {
    let output = state.headingOffset == 0 ? attitude : turned(attitude, by: state.headingOffset)
    return AttitudeEstimate(earthFromDevice: output, gyroscopeBias: bias, flags: flags.union(state.timeline.flags))
  }

  /// The estimate as if the pending step's epoch were complete.
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

  // Member by member: building a step and copying it would stall on the stores.
  @inline(__always)
  private mutating func setStep(_ rate: Vector3, over dt: Double, to time: Double) {
    state.step.rate = state.heldRate.mean(rate, over: dt)
    state.step.duration = dt
    state.step.time = time
  }

  /// Takes the pending step.
  @inline(never)
  private mutating func takePendingStep() {
    guard state.isPending else { return }
    state.isPending = false
    takeStep()
  }

  @inline(__always)
  private mutating func takeStep() {
    let (moment, force) = (state.step, state.acceleration.value)
    // In most logs, all samples of an epoch share one timestamp. No vector is then rotated, which saves a fifth of the
    // time.
    let hasForce = state.acceleration.isMeasured(at: moment.time) && force.squaredNorm >= Self.minimumSquaredForce
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
    state.known = AttitudeSnapshot(state.algorithm)
  }

  @inline(never)
  private mutating func takeTurnedStep(_ moment: EpochInput) {
    let step = self.step(moment)
    algorithm.advance(&state.algorithm, by: step)
    state.acceleration.follow(step.acceleration, to: moment.time)
    state.field.follow(step.magneticField, to: moment.time)
  }

  /// The minimum squared acceleration, in g². In free fall, the remaining acceleration is noise without a meaningful
  /// direction.
  private static var minimumSquaredForce: Double { 0.01 }

  private func step(_ pending: EpochInput) -> MotionStep {
    let rate = pending.rate - state.algorithm.gyroscopeBias
    var acceleration = state.acceleration.value(at: pending.time, turningAt: rate, for: settings.gapThreshold)
    if let force = acceleration, force.squaredNorm < Self.minimumSquaredForce { acceleration = nil }
    return MotionStep(
      rate: pending.rate, acceleration: acceleration,
      magneticField: state.field.value(at: pending.time, turningAt: rate, for: settings.gapThreshold),
      duration: pending.duration)
  }

  // MARK: Start-up and gaps

  private func startAttitude(at time: Double) -> Quaternion {
    state.strapdown.attitude(at: time, bias: state.algorithm.gyroscopeBias, within: settings.gapThreshold)
  }

  private mutating func integrateStart(_ rate: Vector3, over dt: Double, to time: Double) {
    state.strapdown.integrate(rate, bias: state.algorithm.gyroscopeBias, over: dt, to: time)
    if state.timeline.count(dt, settings) { finishStartUp() }
  }

  /// Hands the start-up's attitude to the algorithm, if the start-up is over.
  private mutating func finishStartUp() {
    guard !state.timeline.isStartingUp else { return }
    state.algorithm.restart(at: state.strapdown.earthFromDevice)
    state.known = AttitudeSnapshot(state.algorithm)
    if state.hasStartField { state.isHeadingTied = true }
  }

  /// Handles a gap, in which the rotation is unknown: tilt and heading restart, and learned quantities are kept.
  private mutating func enterGap() {
    if !state.timeline.isStartingUp { state.strapdown.align(to: state.algorithm.earthFromDevice) }
    state.timeline.enterGap(settings)
    state.hasStartField = false
    (state.acceleration, state.field) = (PropagatedVector(), PropagatedVector())
  }

  // MARK: Heading

  /// Aligns the algorithm's X to north by the first field after a start-up without a field.
  private mutating func tieHeading(to field: Vector3) {
    let attitude = state.algorithm.earthFromDevice
    let inEarth = attitude.rotate(field)
    let azimuth = atan2(inEarth.y, inEarth.x)
    state.algorithm.restart(at: turned(attitude, by: -azimuth))
    state.known = AttitudeSnapshot(state.algorithm)
    keepOutput(whileTurningBy: -azimuth)
    state.isHeadingTied = true
  }

  /// Keeps the output's X if the heading reference is the initial heading.
  private mutating func keepOutput(whileTurningBy angle: Double) {
    guard parameters.headingReference == .initialHeading else { return }
    state.headingOffset = wrapped(state.headingOffset - angle)
  }

  private func turned(_ attitude: Quaternion, by angle: Double) -> Quaternion {
    (rotationAboutZ(angle) * attitude).normalized ?? attitude
  }
}
