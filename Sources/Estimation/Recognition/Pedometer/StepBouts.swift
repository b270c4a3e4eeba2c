internal import InertialNumerics

/// Cells in, steps out: whether somebody walks, and where the steps are.
///
/// A bout begins when three measures in a row look like one gait; its first steps are those of the window before. It goes
/// on while it looks like gait, if less clearly, and counts only if it has enough steps.
struct StepBouts: Sendable, Codable, Equatable {
  private var window: GaitWindow
  private var picker = StepPicker(from: 1)
  /// Measures in a row that look like one gait.
  private var run = 0
  private(set) var isWalking = false
  /// Whether something else has said of this bout that somebody walks.
  private var wasSupported = false
  /// Of the last measure that looked like gait.
  private var gait: GaitMeasure?
  /// Up to which cell the last bout goes.
  private var end = 0
  /// Whether the bout has steps enough, and those it has until then.
  private var isEstablished = false
  /// The cell that the last bout begins with.
  private var start = 0
  /// Of the last measures, the newest last, how well the motion repeated itself where it can be a gait.
  private var recent = SIMD4<Double>.zero
  private var pending: [FoundStep] = []

  struct FoundStep: Sendable, Codable, Equatable {
    /// Seconds since the first cell's start.
    var time: Double
    /// Of the magnitude of acceleration within the step, g.
    var range: Double
    /// Of the gait, seconds.
    var period: Double
    /// Of the gait, g.
    var amplitude: Double
  }

  /// Measures in a row before a bout.
  private static let confirmation = 3
  /// Of the period, from measure to measure.
  private static let change = 0.25
  /// Cells from the middle of a measure's window to its end: steps are looked for where the period was measured.
  private static let lag = 32

  init(_ pace: GaitPace = .ordinary) { window = GaitWindow(pace) }

  /// Takes a cell's mean acceleration in g. Whether it is time to `follow`.
  @inline(__always)
  mutating func append(_ cell: Vector3) -> Bool { window.append(cell) }

  /// Of the gait that was seen last, seconds.
  var period: Double? { gait?.periodInSeconds }

  /// How well the motion of the last 1.28 s repeated itself at the best, where it can be a gait at all: correlation.
  var repetition: Double { window.pace == .slow ? max(recent.z, recent.w) : recent.max() }

  /// Whether the steps at a time, seconds since the first cell's start, are the last bout's.
  func covers(_ time: Double) -> Bool {
    let cell = time / window.pace.cell
    let margin = 0.5 * (gait?.period ?? 0)
    return isEstablished && cell > Double(start) - margin && cell < Double(end) + margin
  }

  /// Hands on the steps that the last 2.56 s lead to, in order of time.
  ///
  /// - Parameter isSupported: whether something else says that somebody walks, so that a bout's beginning need not be
  ///   clearer than its going on.
  mutating func follow(_ parameters: Pedometer.Parameters, isSupported: Bool, _ consume: (FoundStep) -> Void) {
    guard var measure = window.measure() else { return }
    if isSupported { wasSupported = true }
    let goesOn = isWalking || isSupported
    if GaitRule.isConceivable(measure) { window.findPeriod(&measure) }
    recent = SIMD4(recent.y, recent.z, recent.w, GaitRule.repetition(measure))
    if GaitRule.holds(measure, isWalking: isWalking, goesOn: goesOn, parameters) {
      goOn(measure, parameters, consume)
    } else {
      run = 0
      endBout(parameters, consume)
    }
  }

  private mutating func goOn(
    _ measure: GaitMeasure, _ parameters: Pedometer.Parameters, _ consume: (FoundStep) -> Void
  ) {
    let isSame = gait.map { run > 0 && abs(measure.period - $0.period) <= Self.change * $0.period } ?? false
    run = isSame ? run + 1 : 1
    gait = measure
    if !isWalking {
      guard run >= Self.confirmation else { return }
      begin()
    }
    end = window.count
    pick(until: window.count - Self.lag, isLast: false, parameters, consume)
  }

  private mutating func begin() {
    isWalking = true
    let start = window.count - GaitWindow.length - (Self.confirmation - 1) * GaitWindow.hop
    // Windows that overlap are one bout.
    guard start > end || window.count <= GaitWindow.length + Self.confirmation * GaitWindow.hop else { return }
    picker = StepPicker(from: start)
    self.start = start
    wasSupported = false
    pending = []
    isEstablished = false
  }

  /// No more cells: the steps up to the end of the bout.
  mutating func finish(_ parameters: Pedometer.Parameters, _ consume: (FoundStep) -> Void) {
    guard isWalking else { return }
    let kept = window
    window = window.flushed()
    endBout(parameters, consume)
    window = kept
  }

  private mutating func endBout(_ parameters: Pedometer.Parameters, _ consume: (FoundStep) -> Void) {
    guard isWalking else { return }
    pick(until: end, isLast: true, parameters, consume)
    isWalking = false
  }

  /// The window stays where it is: a copy of it would take as long as a measure.
  private mutating func pick(
    until end: Int, isLast: Bool, _ parameters: Pedometer.Parameters, _ consume: (FoundStep) -> Void
  ) {
    guard let gait else { return }
    while let cell = picker.next(in: window, until: end, isLast: isLast, gait: gait) {
      let step = found(cell, gait)
      if isEstablished { consume(step) } else { pending.append(step) }
    }
    guard !isEstablished, pending.count >= neededSteps(parameters) else { return }
    isEstablished = true
    for step in pending { consume(step) }
    pending = []
  }

  private func found(_ cell: Int, _ gait: GaitMeasure) -> FoundStep {
    let pace = window.pace
    let (delay, half) = (Int((pace.delay / pace.cell).rounded()), Int((gait.period / 2).rounded()))
    return FoundStep(
      time: (Double(cell) + 0.5) * pace.cell - pace.delay,
      range: window.range(of: (cell - delay - half)...(cell - delay + half)),
      period: gait.periodInSeconds, amplitude: gait.amplitude)
  }

  /// A weak motion has to go on for longer: vehicles rock their passengers. Not so where it is known that somebody walks.
  private func neededSteps(_ parameters: Pedometer.Parameters) -> Int {
    if wasSupported { return min(parameters.supportedSteps, parameters.minimumSteps) }
    let mean = pending.reduce(0) { $0 + $1.amplitude } / Double(max(pending.count, 1))
    return parameters.minimumSteps + (mean > 0.1 ? 0 : mean > parameters.minimumAmplitude ? 2 : 4)
  }
}
