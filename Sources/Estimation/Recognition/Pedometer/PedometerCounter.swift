/// The counted totals, and the schedule of updates and pauses.
struct PedometerCounter: Sendable, Codable, Equatable {
  /// The time of the first sample, in seconds.
  private var start: Double?
  private var numberOfSteps = 0
  private var distance = 0.0
  /// The time of stepping, in seconds, and the distance by the uncalibrated model, in metres.
  private var activeTime = 0.0
  private var modelDistance = 0.0
  private var floorsAscended: Int?
  private var floorsDescended: Int?
  private var lastStep: PedometerStep?
  /// Whether the pause after the last step has been reported.
  private var isPaused = true
  /// The time of the next update, in seconds, and the number of steps in the last update.
  private var nextUpdate = 0.0
  private var updatedSteps = 0
  /// The last steps of the bout, for pace and cadence.
  private var recent: [PedometerStep] = []

  private static let recentSteps = 8

  /// The mean step length of the uncalibrated model, in metres, or `nil` before the first step.
  var meanModelLength: Double? { numberOfSteps > 0 ? modelDistance / Double(numberOfSteps) : nil }

  /// Starts a sequence of samples, at the start or after a gap.
  mutating func begin(at time: Double, _ parameters: Pedometer.Parameters) {
    recent = []
    guard start == nil else { return }
    start = time
    nextUpdate = time + parameters.updateInterval
  }

  mutating func addFloors(ascended: Int, descended: Int) {
    floorsAscended = (floorsAscended ?? 0) + ascended
    floorsDescended = (floorsDescended ?? 0) + descended
  }

  mutating func add(
    _ found: StepBouts.DetectedStep, origin: Double, _ model: StepLength, _ parameters: Pedometer.Parameters,
    _ outputs: inout [PedometerOutput]
  ) {
    let time = max(origin + found.time, lastStep?.time ?? -.infinity)
    let since = lastStep.map { time - $0.time }
    let isFollowing = since.map { $0 <= 2 * found.period } ?? false
    if since.map({ $0 > parameters.pauseTime }) ?? true {
      pause(&outputs)
      outputs.append(.event(PedometerEvent(time: time, type: .resume)))
      isPaused = false
    }
    if !isFollowing { recent = [] }
    let step = PedometerStep(
      time: time, length: model.length(range: found.range, period: found.period),
      duration: isFollowing ? since ?? 0 : found.period)
    outputs.append(.step(step))
    numberOfSteps += 1
    distance += step.length
    activeTime += step.duration
    modelDistance += step.length / model.factor
    if recent.count == Self.recentSteps { recent.removeFirst() }
    recent.append(step)
    lastStep = step
  }

  /// Outputs updates and pauses that are due.
  mutating func report(
    at time: Double, isWalking: Bool, _ parameters: Pedometer.Parameters, _ outputs: inout [PedometerOutput]
  ) {
    if let lastStep, !isWalking, time - lastStep.time > parameters.pauseTime + DualPaceBouts.latency { pause(&outputs) }
    guard time >= nextUpdate else { return }
    let interval = max(parameters.updateInterval, 0.01)
    nextUpdate += (((time - nextUpdate) / interval).rounded(.down) + 1) * interval
    update(at: time, isWalking: isWalking, &outputs)
  }

  mutating func finish(at time: Double, _ parameters: Pedometer.Parameters, _ outputs: inout [PedometerOutput]) {
    if let lastStep, time - lastStep.time > parameters.pauseTime { pause(&outputs) }
    update(at: time, isWalking: false, &outputs)
  }

  private mutating func pause(_ outputs: inout [PedometerOutput]) {
    guard let lastStep, !isPaused else { return }
    isPaused = true
    outputs.append(.event(PedometerEvent(time: lastStep.time, type: .pause)))
  }

  private mutating func update(at time: Double, isWalking: Bool, _ outputs: inout [PedometerOutput]) {
    guard numberOfSteps > updatedSteps else { return }
    updatedSteps = numberOfSteps
    outputs.append(.update(data(at: time, isWalking: isWalking)))
  }

  func data(at time: Double, isWalking: Bool) -> PedometerData {
    var data = PedometerData(
      start: start ?? 0, end: start == nil ? 0 : time, numberOfSteps: numberOfSteps, distance: distance)
    (data.floorsAscended, data.floorsDescended) = (floorsAscended, floorsDescended)
    if distance > 0 { data.averageActivePace = activeTime / distance }
    guard isWalking, !recent.isEmpty else { return data }
    let (time, length) = recent.reduce((0.0, 0.0)) { ($0.0 + $1.duration, $0.1 + $1.length) }
    data.currentCadence = Double(recent.count) / time
    data.currentPace = time / length
    return data
  }
}
