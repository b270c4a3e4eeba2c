public import InertialNumerics
public import InertialSensors

/// Counts steps and estimates their length, with the contract of Core Motion's `CMPedometer`.
///
/// The pedometer takes raw accelerations with gravity at 15 to 400 Hz, from a device held or worn anywhere. Steps are
/// reported in chronological order, 1.3 to 2.5 s late. The first steps of a bout are reported once it has eight of
/// them (ten if they are weak, twelve for a barely perceptible slow walk, four within 12 s after a walk of 16 steps).
/// In that time, the few weak steps of a turn or a halt are reported too, about 4 s late; see `StraySteps`.
/// A pause in the samples of more than a second ends a bout. See `GaitWindow` for the measures and `GaitRule` for the
/// criteria of gait.
/// With the rotation of the device, see `RideAwarePedometer`, the swing of a limb confirms or corrects the period of the
/// steps, and a hand that moves faster than a limb has no steps.
public struct Pedometer: Sendable, Codable {
  /// The parameters of the pedometer.
  public let parameters: Parameters
  /// The complete state: a pedometer restored from it continues without interruption.
  public var state = State()

  /// The properties of the person and the criteria of steps.
  public struct Parameters: Sendable, Codable, Equatable {
    /// The height of the person, in m; step lengths are proportional to it.
    public var height = 1.7
    /// The interval between updates during walking, in seconds.
    public var updateInterval = RecognitionPeriod.standard
    /// The minimum number of steps of a bout; two more if they are weak, four more if they are gentle. A larger
    /// number excludes more short walks and other motion.
    public var minimumSteps = 8
    /// The minimum number of steps of a bout soon after a walk: people who turn, or wait at a door, walk on.
    package var supportedSteps = 4
    /// The time after a walk for which a new bout needs less evidence, and stray steps count, in seconds. From 10 to
    /// 20 s the counts hardly change.
    package var walkMemory = 12.0
    /// The minimum regularity of a gait at its start and as it continues: a correlation, 0...1.
    package var startRegularity = 0.55
    package var keptRegularity = 0.42
    /// The minimum root mean square of the filtered magnitude of gait, in g. For a slow and very regular gait, half
    /// of it is sufficient.
    package var minimumAmplitude = 0.025
    /// The minimum interval between two steps that counts as a pause, in seconds.
    package var pauseTime = 2.0
    /// The maximum interval between samples within a bout, in seconds; at most 10.
    package var maximumGap = 1.0

    /// Creates the default parameters.
    public init() {}
  }

  /// The complete state, which can be saved and restored as a value.
  public struct State: Sendable, Codable, Equatable {
    var cells = PedometerBins()
    var bouts = DualPaceBouts()
    var tally = PedometerCounter()
    var stepLength: StepLength?
    var revision = 0
    var isRiding = false
    /// The swing of the limb that carries the device, and whether no limb that steps rotates it.
    var swing: LimbSwing?
    var isGesture: Bool?

    package init() {}
  }

  /// Creates a pedometer without any steps.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    state.stepLength = StepLength(height: parameters.height)
  }

  /// Adds a sample and returns the new outputs, usually none.
  ///
  /// A sample is ignored if it has no acceleration, has a component that is not finite, or is not later than the
  /// previous sample.
  @inlinable
  @inline(__always)
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] {
    // Numbers in registers instead of a sample in memory halve the time.
    guard let acceleration = sample.acceleration else { return [] }
    return take(acceleration, at: sample.time)
  }

  @usableFromInline
  mutating func take(_ acceleration: Vector3, at time: Double) -> [PedometerOutput] {
    if state.cells.extend(to: time, acceleration, maximumGap: parameters.maximumGap) { return [] }
    return takeCells(until: time, acceleration)
  }

  /// Processes a sample that completes a cell, restarts after a gap, or is invalid.
  @inline(never)
  private mutating func takeCells(until time: Double, _ acceleration: Vector3) -> [PedometerOutput] {
    let interval = time - (state.cells.lastTime ?? -.infinity)
    // A single test for all: a sum is finite only if its terms are.
    guard interval > 0, (time + acceleration.x + acceleration.y + acceleration.z).isFinite else { return [] }
    if interval > min(parameters.maximumGap, 10) { return restart(with: acceleration, at: time) }
    var outputs: [PedometerOutput] = []
    while let cell = state.cells.nextCell(before: time, acceleration) {
      if state.bouts.append(cell) { follow(at: time, &outputs) }
    }
    return outputs
  }

  /// Ends the input and returns the last steps, and an update if there are new steps.
  public mutating func finish() -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    endBout(&outputs)
    if let time = state.cells.lastTime { state.tally.finish(at: time, parameters, &outputs) }
    return outputs
  }

  /// The totals since the start, as far as steps have been detected.
  public var data: PedometerData {
    state.tally.data(at: state.cells.lastTime ?? 0, isWalking: isWalking)
  }

  /// A counter that changes with every gait measure, three times per second. Between changes, only the end of `data`
  /// changes.
  package var revision: Int { state.revision }

  /// The evidence of gait in the last seconds.
  package var gait: GaitEvidence { state.bouts.evidence }

  /// Sets the rotation of the device in the last seconds, or `nil` without a gyroscope.
  package mutating func note(_ rotation: RotationMeasure?) {
    state.swing = LimbSwing(rotation)
    state.isGesture = gait.isGesture(rotation)
  }

  /// Whether an activity classifier reports cycling or a vehicle. Detected steps are then not counted. See
  /// `RideAwarePedometer`.
  package var isRiding: Bool {
    get { state.isRiding }
    set { state.isRiding = newValue }
  }

  /// Calibrates the length of the following steps with a measured walk.
  ///
  /// - Parameters:
  ///   - distance: The length of the walk, in metres.
  ///   - steps: The number of steps of the walk, from any counter. The model's mean step so far is scaled to
  ///     `distance / steps`.
  /// - Throws: `PedometerCalibrationError` if the result is not a possible step length.
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

  /// Adds walked floors, detected by an altimeter. The first call declares that there is an altimeter, even with 0
  /// floors.
  public mutating func addFloors(ascended: Int, descended: Int) {
    state.tally.addFloors(ascended: ascended, descended: descended)
  }

  private mutating func restart(with acceleration: Vector3, at time: Double) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    endBout(&outputs)
    state.cells = PedometerBins()
    state.bouts = DualPaceBouts()
    note(nil)
    state.tally.begin(at: time, parameters)
    state.cells.begin(time: time, acceleration: acceleration)
    return outputs
  }

  private mutating func follow(at time: Double, _ outputs: inout [PedometerOutput]) {
    state.revision += 1
    var found: [StepBouts.DetectedStep] = []
    state.bouts.follow(parameters, swing: state.swing) { found.append($0) }
    add(found, &outputs)
    state.tally.report(at: time, isWalking: isWalking, parameters, &outputs)
  }

  private mutating func endBout(_ outputs: inout [PedometerOutput]) {
    var found: [StepBouts.DetectedStep] = []
    state.bouts.finish(parameters) { found.append($0) }
    add(found, &outputs)
  }

  private var isCounting: Bool { !isRiding && !(state.isGesture ?? false) }

  private var isWalking: Bool { state.bouts.isWalking && isCounting }

  private mutating func add(_ found: [StepBouts.DetectedStep], _ outputs: inout [PedometerOutput]) {
    guard isCounting else { return }
    let model = state.stepLength ?? StepLength(height: parameters.height)
    for step in found { state.tally.add(step, origin: state.cells.origin, model, parameters, &outputs) }
  }
}

/// A distance and a number of steps that contradict each other.
package struct PedometerCalibrationError: Error, Equatable, CustomStringConvertible {
  /// The distance, in metres.
  package var distance: Double
  package var steps: Int

  package var description: String {
    "\(distance) m in \(steps) steps cannot calibrate a pedometer; a step has 0.2 to 2.5 m"
  }
}
