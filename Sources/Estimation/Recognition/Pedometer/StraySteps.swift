/// The steps of a walk that belong to no bout: people turn around, approach a door or sit down with a few weak and
/// irregular steps.
///
/// A walk of many steps is evidence that a short bout is not. For some seconds after it, beats of the filtered magnitude
/// are steps if the device is steady, and if a beat follows another step or precedes it.
struct StraySteps: Sendable, Codable, Equatable {
  /// The beats that are not yet counted, in chronological order. Their amplitude is their height.
  private var beats: [StepBouts.DetectedStep] = []
  /// The next cell to examine.
  private var cursor = 0
  /// The time of the last step, and of the last step of a bout, in seconds since the start of the first cell.
  private(set) var lastTime = -Double.greatestFiniteMagnitude
  private var boutEnd = -Double.greatestFiniteMagnitude
  /// The number of steps of the bouts of the last walk, and their mean amplitude in g.
  private var count = 0
  private var amplitude = 0.0

  /// The minimum number of steps of a walk: more than any bout needs. From 12 to 18 the counts hardly change.
  private static let minimumCount = 16
  /// The weight of a step in the mean amplitude.
  private static let weight = 1.0 / 16
  /// The minimum height of a beat, as a fraction of the walk's amplitude.
  private static let height = 0.2
  /// The maximum height of a beat, in g. A stronger motion that is not regular is a gesture, and ends the walk.
  private static let maximumHeight = 0.13
  /// The minimum interval between two steps, in cells: 0.28 s, the quickest steps.
  private static let minimumInterval = 7
  /// The maximum interval between two steps that follow each other, in seconds: the slowest steps.
  private static let maximumInterval = 1.4
  /// The minimum interval between the steps of bouts that has room for a stray step, as a fraction of the period.
  private static let gap = 1.3

  /// Whether a walk of many steps has ended recently, so that a new bout needs less evidence.
  func isSupported(at time: Double, _ parameters: Pedometer.Parameters) -> Bool {
    count >= Self.minimumCount && time - lastTime < parameters.walkMemory
  }

  /// Finds the beats before a cell.
  ///
  /// - Parameter isSteady: Whether the device is steady in the window around the cells; see `GaitRule`.
  mutating func search(_ window: GaitWindow, until end: Int, isSteady: Bool) {
    let first = max(cursor, window.count - GaitWindow.reach + Self.minimumInterval, Self.minimumInterval)
    cursor = max(cursor, end)
    guard count >= Self.minimumCount, isSteady, first < end else { return }
    let level = max(GaitRule.minimumAmplitude, Self.height * amplitude)
    for cell in first..<end where window[cell] > level && window.isPeak(cell, Self.minimumInterval) {
      beats.append(
        StepBouts.DetectedStep(
          cell, in: window, period: 2 * Double(Self.minimumInterval), amplitude: window[cell]))
    }
  }

  /// Passes the stray steps up to a time to `consume`.
  ///
  /// - Parameter next: The time of the first step of the next bout, or infinity.
  mutating func release(
    until end: Double, next: Double = .infinity, _ parameters: Pedometer.Parameters,
    _ consume: (StepBouts.DetectedStep) -> Void
  ) {
    while let beat = beats.first, beat.time < end {
      beats.removeFirst()
      if beat.amplitude > Self.maximumHeight { boutEnd = -.greatestFiniteMagnitude }
      let interval = beat.time - lastTime
      let shortest = min(interval, min(beats.first?.time ?? .infinity, next) - beat.time)
      guard count >= Self.minimumCount, beat.time - boutEnd < parameters.walkMemory,
        shortest <= Self.maximumInterval, interval > Double(Self.minimumInterval) * PedometerBins.period
      else { continue }
      lastTime = beat.time
      var step = beat
      step.period = min(interval, Self.maximumInterval)
      consume(step)
    }
  }

  /// Adds a step of a bout, and passes the stray steps before it to `consume`.
  mutating func follow(
    _ step: StepBouts.DetectedStep, _ parameters: Pedometer.Parameters, _ consume: (StepBouts.DetectedStep) -> Void
  ) {
    let margin = Double(Self.minimumInterval) * PedometerBins.period
    if step.time - lastTime > Self.gap * step.period {
      release(until: step.time - margin, next: step.time, parameters, consume)
    }
    beats.removeAll { $0.time < step.time + margin }
    count = step.time - lastTime < parameters.walkMemory ? count + 1 : 1
    amplitude += (count == 1 ? 1 : Self.weight) * (step.amplitude - amplitude)
    (lastTime, boutEnd) = (step.time, step.time)
  }
}
