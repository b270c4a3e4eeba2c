internal import InertialNumerics

/// The steps of both paces as one walk: those of the ordinary pace, and where it finds none, those of the slow one.
struct PacedBouts: Sendable, Codable, Equatable {
  private var ordinary = StepBouts(.ordinary)
  private var slow = StepBouts(.slow)
  /// The first of the two cells that make a slow one.
  private var first: Vector3?
  private var slowIsDue = false
  /// Of the last step that was handed on, seconds since the first cell's start.
  private var lastTime = -Double.greatestFiniteMagnitude

  var isWalking: Bool { ordinary.isWalking || slow.isWalking }

  /// How much the last seconds looked like a gait.
  var evidence: GaitEvidence {
    let period = ordinary.isWalking ? ordinary.period : slow.isWalking ? slow.period : nil
    return GaitEvidence(
      repetition: max(ordinary.repetition, slow.repetition), cadence: period.map { 1 / $0 })
  }

  /// Takes a cell's mean acceleration in g. Whether it is time to `follow`.
  @inline(__always)
  mutating func append(_ cell: Vector3) -> Bool {
    if let first {
      if slow.append(0.5 * (first + cell)) { slowIsDue = true }
      self.first = nil
    } else {
      first = cell
    }
    return ordinary.append(cell)
  }

  /// Hands on the steps that the last seconds lead to, in order of time.
  ///
  /// - Parameter isSupported: whether something else says that somebody walks.
  mutating func follow(
    _ parameters: Pedometer.Parameters, isSupported: Bool, _ consume: (StepBouts.FoundStep) -> Void
  ) {
    var (quick, slowly): ([StepBouts.FoundStep], [StepBouts.FoundStep]) = ([], [])
    ordinary.follow(parameters, isSupported: isSupported) { quick.append($0) }
    if slowIsDue {
      slowIsDue = false
      slow.follow(parameters, isSupported: isSupported) { slowly.append($0) }
    }
    merge(quick, slowly, consume)
  }

  /// No more cells: the steps up to the end.
  mutating func finish(_ parameters: Pedometer.Parameters, _ consume: (StepBouts.FoundStep) -> Void) {
    var (quick, slowly): ([StepBouts.FoundStep], [StepBouts.FoundStep]) = ([], [])
    ordinary.finish(parameters) { quick.append($0) }
    slow.finish(parameters) { slowly.append($0) }
    merge(quick, slowly, consume)
  }

  /// Takes note of a step that something else has found: earlier ones are not handed on any more.
  mutating func noteStep(at time: Double) { lastTime = max(lastTime, time) }

  private mutating func merge(
    _ quick: [StepBouts.FoundStep], _ slowly: [StepBouts.FoundStep], _ consume: (StepBouts.FoundStep) -> Void
  ) {
    guard !quick.isEmpty || !slowly.isEmpty else { return }
    let alone = slowly.filter { !ordinary.covers($0.time) }
    let steps = alone.isEmpty ? quick : (quick + alone).sorted { $0.time < $1.time }
    for step in steps where step.time > lastTime + Self.shortest * step.period {
      lastTime = step.time
      consume(step)
    }
  }

  /// Of a period: a step that follows sooner is the same one, found at the other pace.
  private static let shortest = 0.4
}

/// Whether the last seconds looked like a gait, to the pedometer.
package struct GaitEvidence: Sendable, Hashable, Codable {
  /// How well the motion of the last 1.28 s repeated itself at the best: correlation, 0 where it cannot be a gait.
  package var repetition: Double
  /// Steps a second; nil where nobody steps.
  package var cadence: Double?
}
