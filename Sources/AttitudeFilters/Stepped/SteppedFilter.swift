public import LinearAlgebra
internal import Rotations
public import Sensors

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A filter for real logs around an algorithm that is written as one step per gyroscope sample.
///
/// A step is taken when all samples of its moment are in, at the latest with the next later sample, or for an estimate
/// that is read before: samples of one time are one step in whatever order they come. A vector that is older than the
/// step, because its sensor ticks elsewhere or more slowly, is turned along with the gyroscope, so that it is never of
/// another attitude than the rate. Around the algorithm stand what every log needs: the start-up's mean, lost and bad
/// samples, gaps, rest, and the heading's reference.
///
/// The three updates and the estimate are compiled for each algorithm that is listed at them: through the registry a
/// filter is called as any filter is, and not specialised it takes twice the time. A new algorithm works without, and
/// should be added.
public struct SteppedFilter<Algorithm: SteppedAlgorithm>: AttitudeFilter {
  public typealias Parameters = Algorithm.Parameters

  public static var name: String { Algorithm.name }
  public static var traits: FilterTraits { Algorithm.traits.union(.rest) }

  public var parameters: Parameters { algorithm.parameters }
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
  }

  // MARK: Updates

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(gyroscope rate: Vector3, at time: Double) {
    let sample = state.gate.admit(gyroscope: rate, at: time, gapThreshold: handling.gapThreshold)
    guard sample != .refused else { return }
    takePendingStep()
    switch sample {
    case .refused: return
    case .first: state.start.strapdown.restart(rate: rate, at: time)
    case .gap:
      enterGap()
      state.start.strapdown.restart(rate: rate, at: time)
    case .regular(let dt):
      state.rest.add(rate: rate, dt: dt, rest)
      guard !isStartingUp else {
        integrateStart(rate, over: dt, to: time)
        return
      }
      state.pending = PendingStep(rate: state.heldRate.mean(rate, over: dt), duration: dt, time: time)
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
  public mutating func update(accelerometer: Vector3, at time: Double) {
    let sample = state.gate.admit(accelerometer: accelerometer, at: time, gapThreshold: handling.gapThreshold)
    guard sample != .refused else { return }
    if let pending = state.pending, time > pending.time { takePendingStep() }
    guard state.isAligned else {
      align(up: -accelerometer)
      return
    }
    if case .regular(let dt) = sample { state.rest.add(acceleration: accelerometer, dt: dt, rest) }
    guard isStartingUp else {
      state.acceleration.take(accelerometer, at: time)
      takeCompleteStep()
      return
    }
    guard case .regular = sample else { return }
    let up = startAttitude(at: time).rotate(-accelerometer)
    state.start.strapdown.correct(by: state.start.means.addForce(up))
  }

  @_specialize(where Algorithm == Mahony)
  @_specialize(where Algorithm == Madgwick)
  @_specialize(where Algorithm == RevisedMadgwick)
  @_specialize(where Algorithm == AngularRate)
  @_specialize(where Algorithm == AQUA)
  @_specialize(where Algorithm == Fourati)
  @_specialize(where Algorithm == ROLEQ)
  public mutating func update(magneticField: Vector3, at time: Double) {
    guard state.gate.admit(field: magneticField, at: time) != .refused else { return }
    if let pending = state.pending, time > pending.time { takePendingStep() }
    guard state.isAligned else { return }
    if isStartingUp {
      let azimuth = state.start.means.addField(startAttitude(at: time).rotate(magneticField))
      state.start.hasField = true
      let turn = rotationAboutZ(-azimuth)
      state.start.strapdown.correct(by: turn)
      state.start.means.turn(by: turn)
      if !state.isHeadingTied { keepOutput(whileTurningBy: -azimuth) }
    } else {
      if !state.isHeadingTied { tieHeading(to: magneticField) }
      state.field.take(magneticField, at: time)
      takeCompleteStep()
    }
  }

  public var estimate: AttitudeEstimate? {
    @_specialize(where Algorithm == Mahony)
    @_specialize(where Algorithm == Madgwick)
    @_specialize(where Algorithm == RevisedMadgwick)
    @_specialize(where Algorithm == AngularRate)
    @_specialize(where Algorithm == AQUA)
    @_specialize(where Algorithm == Fourati)
    @_specialize(where Algorithm == ROLEQ)
    get {
      guard state.isAligned else { return nil }
      var flags = state.flags.union(state.gate.flags)
      if state.rest.isResting(rest) { flags.insert(.resting) }
      if isStartingUp {
        flags.insert(.converging)
        return AttitudeEstimate(
          earthFromDevice: output(state.start.strapdown.earthFromDevice),
          gyroscopeBias: state.algorithm.gyroscopeBias, flags: flags)
      }
      var now = state.algorithm
      if let pending = state.pending { algorithm.advance(&now, by: step(pending)) }
      if now.isMagneticallyDisturbed { flags.insert(.magneticDisturbance) }
      if now.isConverging { flags.insert(.converging) }
      return AttitudeEstimate(
        earthFromDevice: output(now.earthFromDevice), gyroscopeBias: now.gyroscopeBias, flags: flags)
    }
  }

  // MARK: Steps

  mutating func takePendingStep() {
    guard let pending = state.pending else { return }
    state.pending = nil
    let step = self.step(pending)
    algorithm.advance(&state.algorithm, by: step)
    state.acceleration.follow(step.acceleration, to: pending.time)
    state.field.follow(step.magneticField, to: pending.time)
  }

  /// A step that no sample can join any more is not kept waiting: whoever reads the estimate then has it for nothing.
  private mutating func takeCompleteStep() {
    guard let time = state.pending?.time, state.acceleration.isMeasured(at: time), state.field.isMeasured(at: time)
    else { return }
    takePendingStep()
  }

  private func step(_ pending: PendingStep) -> MotionStep {
    let rate = pending.rate - state.algorithm.gyroscopeBias
    var acceleration = state.acceleration.value(at: pending.time, turningAt: rate, for: handling.gapThreshold)
    // In free fall what is left of the acceleration is noise: its direction is none.
    if let force = acceleration, force.squaredNorm < 0.01 { acceleration = nil }
    return MotionStep(
      rate: pending.rate, acceleration: acceleration,
      magneticField: state.field.value(at: pending.time, turningAt: rate, for: handling.gapThreshold),
      duration: pending.duration)
  }

  // MARK: Start-up and gaps

  private var isStartingUp: Bool { state.start.age < handling.startUpDuration }

  private func startAttitude(at time: Double) -> Quaternion {
    state.start.strapdown.attitude(
      at: time, bias: state.algorithm.gyroscopeBias, within: handling.gapThreshold)
  }

  private mutating func integrateStart(_ rate: Vector3, over dt: Double, to time: Double) {
    state.start.strapdown.integrate(rate, bias: state.algorithm.gyroscopeBias, over: dt, to: time)
    state.start.age += dt
    if !isStartingUp { finishStartUp() }
  }

  /// The first acceleration gives a tilt; the start-up begins here, however long the gyroscope has run alone.
  private mutating func align(up: Vector3) {
    state.start.strapdown.align(to: AttitudeFilters.startAttitude(up: up))
    state.isAligned = true
    state.start.age = 0
    if !isStartingUp { finishStartUp() }
  }

  private mutating func finishStartUp() {
    state.algorithm.restart(at: state.start.strapdown.earthFromDevice)
    if state.start.hasField { state.isHeadingTied = true }
    state.flags.remove(.gap)
  }

  /// After a gap nobody knows how the device turned: tilt and heading start over, what was learned is kept.
  private mutating func enterGap() {
    var start = Start()
    start.strapdown = state.start.strapdown
    if !isStartingUp { start.strapdown.align(to: state.algorithm.earthFromDevice) }
    state.start = start
    (state.acceleration, state.field) = (HeldVector(), HeldVector())
    if state.isAligned, isStartingUp { state.flags.insert(.gap) }
  }

  // MARK: Heading

  /// The first field after a start-up without one: the algorithm's X turns to north.
  private mutating func tieHeading(to field: Vector3) {
    let attitude = state.algorithm.earthFromDevice
    let inEarth = attitude.rotate(field)
    let azimuth = atan2(inEarth.y, inEarth.x)
    state.algorithm.restart(at: (rotationAboutZ(-azimuth) * attitude).normalized ?? attitude)
    keepOutput(whileTurningBy: -azimuth)
    state.isHeadingTied = true
  }

  /// Where X is held to its initial heading, the output stays where it was.
  private mutating func keepOutput(whileTurningBy angle: Double) {
    guard parameters.headingReference == .initialHeading else { return }
    state.headingOffset = wrapped(state.headingOffset - angle)
  }

  private func output(_ attitude: Quaternion) -> Quaternion {
    guard state.headingOffset != 0 else { return attitude }
    return (rotationAboutZ(state.headingOffset) * attitude).normalized ?? attitude
  }
}

extension SteppedFilter {
  public struct State: Sendable, Codable, Equatable {
    /// The algorithm's own state, X to magnetic north where a field was used.
    public internal(set) var algorithm = Algorithm.State(earthFromDevice: .identity)
    public internal(set) var flags: AttitudeFlags = []
    /// Radians from the algorithm's X to that of the output.
    var headingOffset = 0.0
    var gate = SampleGate()
    var start = Start()
    var isAligned = false
    var isHeadingTied = false
    var heldRate = SampleHold()
    var acceleration = HeldVector()
    var field = HeldVector()
    var pending: PendingStep?
    var rest = RestDetector()

    public init() {}
  }

  /// What the start-up, after the start and after a gap, has gathered.
  struct Start: Sendable, Codable, Equatable {
    var strapdown = Strapdown()
    var means = StartUp()
    /// Seconds integrated; counted to the end of the start-up.
    var age = 0.0
    var hasField = false
  }

  /// A rate whose moment's other samples may still come.
  struct PendingStep: Sendable, Codable, Equatable {
    var rate: Vector3
    var duration: Double
    var time: Double
  }
}
