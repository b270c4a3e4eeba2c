internal import InertialNumerics

/// The steps of both paces as one walk: the steps of the ordinary pace, those of the slow pace where the ordinary
/// pace finds none, and the stray steps between and after the bouts.
struct DualPaceBouts: Sendable, Codable, Equatable {
  private var ordinary = StepBouts(.ordinary)
  private var slow = StepBouts(.slow)
  /// The first of the two cells that form a slow cell.
  private var first: Vector3?
  private var slowIsDue = false
  private var strays = StraySteps()

  var isWalking: Bool { ordinary.isWalking || slow.isWalking }

  /// The evidence of gait in the last seconds.
  var evidence: GaitEvidence {
    let period = ordinary.isWalking ? ordinary.period : slow.isWalking ? slow.period : nil
    return GaitEvidence(cadence: period.map { 1 / $0 }, isOnArm: ordinary.isOnArm)
  }

  /// Appends a cell's mean acceleration in g. Returns whether to call `follow`.
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

  /// Passes new steps to `consume` in chronological order.
  ///
  /// - Parameter swing: The swing of the limb that carries the device, or `nil` if it does not swing.
  mutating func follow(
    _ parameters: Pedometer.Parameters, swing: LimbSwing?, _ consume: (StepBouts.DetectedStep) -> Void
  ) {
    let isSupported = strays.isSupported(at: ordinary.time, parameters)
    var (quick, slowly): ([StepBouts.DetectedStep], [StepBouts.DetectedStep]) = ([], [])
    ordinary.follow(parameters, isSupported: isSupported, swing: swing) { quick.append($0) }
    if slowIsDue {
      slowIsDue = false
      slow.follow(parameters, isSupported: isSupported, swing: swing) { slowly.append($0) }
    }
    merge(quick, slowly, parameters, consume)
    strays.search(ordinary.window, until: ordinary.window.count - StepBouts.lag, isSteady: ordinary.isSteady)
    // Until then a bout may begin, whose first steps these are.
    if !isWalking { strays.release(until: ordinary.time - Self.latency, parameters, consume) }
  }

  /// Ends the input and passes the last steps to `consume`.
  mutating func finish(_ parameters: Pedometer.Parameters, _ consume: (StepBouts.DetectedStep) -> Void) {
    var (quick, slowly): ([StepBouts.DetectedStep], [StepBouts.DetectedStep]) = ([], [])
    ordinary.finish(parameters) { quick.append($0) }
    slow.finish(parameters) { slowly.append($0) }
    merge(quick, slowly, parameters, consume)
    strays.search(ordinary.window.flushed(), until: ordinary.window.count - 1, isSteady: ordinary.isSteady)
    strays.release(until: .infinity, parameters, consume)
  }

  private mutating func merge(
    _ quick: [StepBouts.DetectedStep], _ slowly: [StepBouts.DetectedStep], _ parameters: Pedometer.Parameters,
    _ consume: (StepBouts.DetectedStep) -> Void
  ) {
    guard !quick.isEmpty || !slowly.isEmpty else { return }
    let alone = slowly.filter { !ordinary.covers($0.time) }
    let steps = alone.isEmpty ? quick : (quick + alone).sorted { $0.time < $1.time }
    for step in steps where step.time > strays.lastTime + Self.minimumInterval * step.period {
      strays.follow(step, parameters, consume)
      consume(step)
    }
  }

  /// The minimum interval between steps, as a fraction of the period. An earlier step is the same step found at the
  /// other pace.
  private static let minimumInterval = 0.4
  /// The maximum delay of the first step of a bout of the ordinary pace, in seconds: the window and the measures that
  /// confirm the bout.
  static let latency = 3.2
}

/// The pedometer's evidence of gait in the last seconds.
package struct GaitEvidence: Sendable, Hashable, Codable {
  /// The cadence in steps per second, or `nil` if there are no steps.
  package var cadence: Double?
  /// Whether the device hangs on a swinging arm, or `nil` before the first measure.
  package var isOnArm: Bool?

  /// Returns whether a hand or a crank rotates the device, and not a limb that steps; see `LimbSwing`.
  func isGesture(_ rotation: RotationMeasure?) -> Bool {
    !(isOnArm ?? false) && LimbSwing.isGesture(rotation, cadence: cadence)
  }
}
