public import InertialNumerics
public import InertialSensors

/// Counts steps and estimates how far they go, with the contract of Core Motion's CMPedometer.
///
/// Takes raw accelerations, with gravity, at 15 to 400 Hz, held or worn anywhere; nothing else is needed. Steps are told
/// in order, 1.3 to 2.5 s after they were made, and the first ones of a bout when it has eight of them (ten where they are
/// weak, twelve where a slow walk is hardly felt; four where an activity classifier beside it sees a walk, see
/// `RideAwarePedometer`). A pause in the samples of more than a second ends a bout. See `GaitWindow` for what is measured
/// and `GaitRule` for what counts as gait.
public struct Pedometer: Sendable {
  /// What the pedometer was made with.
  public let parameters: Parameters
  /// All that changes: saved and put back, the pedometer goes on as if nothing had been.
  public var state = State()

  /// The person, and what counts as a step.
  public struct Parameters: Sendable, Codable, Equatable {
    /// Of the person, m; the length of steps is proportional to it.
    public var height = 1.7
    /// Seconds from one update to the next while somebody steps.
    public var updateInterval = RecognitionPeriod.standard
    /// Steps of a bout that is counted; two more where they are weak, four where they are gentle. Bigger counts fewer short
    /// walks and less other motion.
    public var minimumSteps = 8
    /// The same of a bout of which something else, such as an activity classifier, says that somebody walks.
    package var supportedSteps = 4
    /// How well a gait has to repeat itself when it begins and while it goes on: correlation, 0 to 1.
    package var startRegularity = 0.55
    package var keptRegularity = 0.42
    /// Root mean square of the filtered magnitude below which there is no gait, g; of a slow and very regular one half of
    /// it is enough.
    package var minimumAmplitude = 0.025
    /// Seconds between two steps that make a pause.
    package var pauseTime = 2.0
    /// Seconds between two samples from which nothing is assumed about the time between; at most 10.
    package var maximumGap = 1.0

    /// The defaults.
    public init() {}
  }

  /// Everything that changes from sample to sample; saved and restored as a value.
  public struct State: Sendable, Codable, Equatable {
    var cells = PedometerCells()
    var bouts = PacedBouts()
    var tally = PedometerTally()
    var stepLength: StepLength?
    var revision = 0
    var isRiding = false
    var isSupported = false

    package init() {}
  }

  /// A pedometer that has counted nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    state.stepLength = StepLength(height: parameters.height)
  }

  /// Takes a sample; what it leads to, mostly nothing.
  ///
  /// A sample without acceleration, with a number that is not finite, or not later than the one before is left out.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] {
    // Numbers in registers instead of a sample in memory: half the time.
    guard let acceleration = sample.acceleration else { return [] }
    return take(acceleration, at: sample.time)
  }

  @usableFromInline
  mutating func take(_ acceleration: Vector3, at time: Double) -> [PedometerOutput] {
    if state.cells.extend(to: time, acceleration, longest: parameters.maximumGap) { return [] }
    return takeCells(until: time, acceleration)
  }

  /// A sample that completes a cell, begins anew, or is none.
  @inline(never)
  private mutating func takeCells(until time: Double, _ acceleration: Vector3) -> [PedometerOutput] {
    let interval = time - (state.cells.lastTime ?? -.infinity)
    // One test for all: a sum is finite where its terms are.
    guard interval > 0, (time + acceleration.x + acceleration.y + acceleration.z).isFinite else { return [] }
    if interval > min(parameters.maximumGap, 10) { return restart(with: acceleration, at: time) }
    var outputs: [PedometerOutput] = []
    while let cell = state.cells.nextCell(before: time, acceleration) {
      if state.bouts.append(cell) { follow(at: time, &outputs) }
    }
    return outputs
  }

  /// No more samples: the last steps, and the last update where there is something new.
  public mutating func finish() -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    endBout(&outputs)
    if let time = state.cells.lastTime { state.tally.finish(at: time, parameters, &outputs) }
    return outputs
  }

  /// Everything since the start, as far as it is known.
  public var data: PedometerData {
    state.tally.data(at: state.cells.lastTime ?? 0, isWalking: isWalking)
  }

  /// Changes with every measure of the gait, three times a second: in between `data` tells nothing new but the end.
  package var revision: Int { state.revision }

  /// How much the last seconds looked like a gait.
  package var gait: GaitEvidence { state.bouts.evidence }

  /// Whether something else, such as an activity classifier, says that somebody walks: a gait need not be as clear then.
  package var isSupported: Bool {
    get { state.isSupported }
    set { state.isSupported = newValue }
  }

  /// Counts the steps of a limb's even swing, two in each period, where the acceleration shows none: a coarse sensor's jolts
  /// turn into slower motion, and a long arm drowns them.
  ///
  /// - Parameters:
  ///   - period: of the swing, seconds; a left and a right step.
  ///   - start: seconds on the log's clock; steps that are known are not found again.
  ///   - end: seconds on the log's clock.
  package mutating func addSwing(period: Double, from start: Double, to end: Double) -> [PedometerOutput] {
    guard !state.bouts.isWalking, !isRiding, period > 0.4 else { return [] }
    var outputs: [PedometerOutput] = []
    let model = state.stepLength ?? StepLength(height: parameters.height)
    let step = period / 2
    var time = max(start, (state.tally.lastStepTime ?? -.infinity) + step)
    while time <= end {
      let found = StepBouts.FoundStep(
        time: time - state.cells.origin, range: StepLength.typicalRange, period: step, amplitude: 0.1)
      state.tally.add(found, origin: state.cells.origin, model, parameters, &outputs)
      state.bouts.noteStep(at: found.time)
      time += step
    }
    if !outputs.isEmpty { state.revision += 1 }
    return outputs
  }

  /// Whether somebody rides, by bicycle or carried, as an activity classifier tells: what looks like a gait is then none,
  /// and steps that are found are not counted. See `RideAwarePedometer`.
  package var isRiding: Bool {
    get { state.isRiding }
    set { state.isRiding = newValue }
  }

  /// Somebody has measured a walk: from now on steps have, on average, the length that it says.
  ///
  /// - Parameters:
  ///   - distance: metres.
  ///   - steps: of the walk, counted by anybody. The model's mean step so far is scaled to `distance / steps`.
  /// - Throws: `PedometerCalibrationError` where that is not a person's step.
  package mutating func calibrate(distance: Double, steps: Int) throws(PedometerCalibrationError) {
    let length = distance / Double(steps)
    guard steps > 0, (0.2...2.5).contains(length) else {
      throw PedometerCalibrationError(distance: distance, steps: steps)
    }
    var model = state.stepLength ?? StepLength(height: parameters.height)
    let mean = state.tally.meanModelLength ?? model.typical / model.factor
    model.factor = length / mean
    state.stepLength = model
  }

  /// Floors that were walked, from an altimeter. The first call says that there is one, even with no floors.
  public mutating func addFloors(ascended: Int, descended: Int) {
    state.tally.addFloors(ascended: ascended, descended: descended)
  }

  private mutating func restart(with acceleration: Vector3, at time: Double) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    endBout(&outputs)
    state.cells = PedometerCells()
    state.bouts = PacedBouts()
    state.tally.begin(at: time, parameters)
    state.cells.begin(time: time, acceleration: acceleration)
    return outputs
  }

  private mutating func follow(at time: Double, _ outputs: inout [PedometerOutput]) {
    state.revision += 1
    var found: [StepBouts.FoundStep] = []
    state.bouts.follow(parameters, isSupported: isSupported) { found.append($0) }
    add(found, &outputs)
    state.tally.tell(at: time, isWalking: isWalking, parameters, &outputs)
  }

  private mutating func endBout(_ outputs: inout [PedometerOutput]) {
    var found: [StepBouts.FoundStep] = []
    state.bouts.finish(parameters) { found.append($0) }
    add(found, &outputs)
  }

  private var isWalking: Bool { state.bouts.isWalking && !isRiding }

  private mutating func add(_ found: [StepBouts.FoundStep], _ outputs: inout [PedometerOutput]) {
    guard !isRiding else { return }
    let model = state.stepLength ?? StepLength(height: parameters.height)
    for step in found { state.tally.add(step, origin: state.cells.origin, model, parameters, &outputs) }
  }
}

/// A distance and a number of steps that cannot belong together.
package struct PedometerCalibrationError: Error, Equatable, CustomStringConvertible {
  /// Metres.
  package var distance: Double
  package var steps: Int

  package var description: String {
    "\(distance) m in \(steps) steps cannot calibrate a pedometer; a step has 0.2 to 2.5 m"
  }
}
