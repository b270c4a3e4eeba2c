internal import InertialNumerics

/// Detects bouts of gait in cells, and the steps in them.
///
/// A bout starts when three consecutive measures match one gait; its first steps are taken from the preceding window.
/// It continues with less strict criteria of gait, and counts only if it has enough steps.
struct StepBouts: Sendable, Codable, Equatable {
  private(set) var window: GaitWindow
  /// Whether the device was steady in the last measure; see `GaitRule`.
  private(set) var isSteady = false
  /// Whether the device hung on a swinging arm in the last measure, or `nil` in a state that was saved without it.
  private(set) var isOnArm: Bool?
  private var picker = StepPeakDetector(from: 1)
  /// The number of consecutive measures that match one gait.
  private var run = 0
  private(set) var isWalking = false
  /// Whether a walk had ended recently during this bout.
  private var wasSupported = false
  /// The last measure that was accepted as gait.
  private var gait: GaitMeasure?
  /// The end of the last bout, as a cell index.
  private var end = 0
  /// Whether the bout has enough steps, and the steps buffered until then.
  private var isEstablished = false
  /// The first cell of the last bout.
  private var start = 0
  private var pending: [DetectedStep] = []

  struct DetectedStep: Sendable, Codable, Equatable {
    /// The time since the start of the first cell, in seconds.
    var time: Double
    /// The range of the magnitude of the acceleration within the step, in g.
    var range: Double
    /// The step period of the gait, in seconds.
    var period: Double
    /// The amplitude of the gait, in g.
    var amplitude: Double

    /// The step at a maximum of the filtered magnitude, with a period in cells and an amplitude in g.
    init(_ cell: Int, in window: GaitWindow, period: Double, amplitude: Double) {
      let pace = window.pace
      let (delay, half) = (Int((pace.delay / pace.cell).rounded()), Int((period / 2).rounded()))
      time = (Double(cell) + 0.5) * pace.cell - pace.delay
      range = window.range(of: (cell - delay - half)...(cell - delay + half))
      (self.period, self.amplitude) = (period * pace.cell, amplitude)
    }
  }

  /// The number of consecutive measures that confirm a bout, and a bout soon after a walk.
  private static let confirmation = 3
  private static let supportedConfirmation = 2
  /// The maximum change between measures, as a fraction of the period.
  private static let change = 0.25
  /// The number of cells from the middle to the end of a measure's window. Steps are searched where the period was
  /// measured.
  static let lag = 32

  init(_ pace: GaitPace = .ordinary) { window = GaitWindow(pace) }

  /// Appends a cell's mean acceleration in g. Returns whether to call `follow`.
  @inline(__always)
  mutating func append(_ cell: Vector3) -> Bool { window.append(cell) }

  /// The time since the start of the first cell, in seconds.
  var time: Double { Double(window.count) * window.pace.cell }

  /// The step period of the last gait, in seconds.
  var period: Double? { gait?.periodInSeconds }

  /// Whether a time, in seconds since the start of the first cell, belongs to the last bout.
  func covers(_ time: Double) -> Bool {
    let cell = time / window.pace.cell
    let margin = 0.5 * (gait?.period ?? 0)
    return isEstablished && cell > Double(start) - margin && cell < Double(end) + margin
  }

  /// Passes the new steps of the last 2.56 s to `consume` in chronological order.
  ///
  /// - Parameters:
  ///   - isSupported: Whether a walk has ended recently, so that the start of a bout need not be clearer than its
  ///     continuation.
  ///   - swing: The swing of the limb that carries the device, or `nil` if it does not swing.
  mutating func follow(
    _ parameters: Pedometer.Parameters, isSupported: Bool, swing: LimbSwing?, _ consume: (DetectedStep) -> Void
  ) {
    guard var measure = window.measure() else { return }
    isSteady = GaitRule.isSteady(measure)
    measure.swing = swing
    isOnArm = GaitRule.isOnArm(measure)
    if isSupported { wasSupported = true }
    let goesOn = isWalking || isSupported
    if GaitRule.isConceivable(measure) { window.findPeriod(&measure) }
    GaitRule.followSwing(&measure, parameters)
    if GaitRule.holds(measure, isWalking: isWalking, goesOn: goesOn, parameters) {
      goOn(measure, isSupported: isSupported, parameters, consume)
    } else {
      run = 0
      endBout(parameters, consume)
    }
  }

  private mutating func goOn(
    _ measure: GaitMeasure, isSupported: Bool, _ parameters: Pedometer.Parameters, _ consume: (DetectedStep) -> Void
  ) {
    let isSame = gait.map { run > 0 && abs(measure.period - $0.period) <= Self.change * $0.period } ?? false
    run = isSame ? run + 1 : 1
    gait = measure
    if !isWalking {
      guard run >= (isSupported ? Self.supportedConfirmation : Self.confirmation) else { return }
      begin()
    }
    end = window.count
    pick(until: window.count - Self.lag, isLast: false, parameters, consume)
  }

  private mutating func begin() {
    isWalking = true
    let start = window.count - GaitWindow.length - (Self.confirmation - 1) * GaitWindow.hop
    // Overlapping windows are one bout.
    guard start > end || window.count <= GaitWindow.length + Self.confirmation * GaitWindow.hop else { return }
    picker = StepPeakDetector(from: start)
    self.start = start
    wasSupported = false
    pending = []
    isEstablished = false
  }

  /// Ends the input and passes the steps up to the end of the bout to `consume`.
  mutating func finish(_ parameters: Pedometer.Parameters, _ consume: (DetectedStep) -> Void) {
    guard isWalking else { return }
    let kept = window
    window = window.flushed()
    endBout(parameters, consume)
    window = kept
  }

  private mutating func endBout(_ parameters: Pedometer.Parameters, _ consume: (DetectedStep) -> Void) {
    guard isWalking else { return }
    pick(until: end, isLast: true, parameters, consume)
    isWalking = false
  }

  /// Passes the steps up to a cell to `consume`. The window is accessed in place: copying it would take as long as a
  /// measure.
  private mutating func pick(
    until end: Int, isLast: Bool, _ parameters: Pedometer.Parameters, _ consume: (DetectedStep) -> Void
  ) {
    guard let gait else { return }
    while let cell = picker.next(in: window, until: end, isLast: isLast, gait: gait) {
      let step = DetectedStep(cell, in: window, period: gait.period, amplitude: gait.amplitude)
      if isEstablished { consume(step) } else { pending.append(step) }
    }
    guard !isEstablished, pending.count >= neededSteps(parameters) else { return }
    isEstablished = true
    for step in pending { consume(step) }
    pending = []
  }

  /// Returns the minimum number of steps of the bout. A weak motion has to last longer, since vehicles rock their
  /// passengers, unless a walk has ended recently.
  private func neededSteps(_ parameters: Pedometer.Parameters) -> Int {
    if wasSupported { return min(parameters.supportedSteps, parameters.minimumSteps) }
    let mean = pending.reduce(0) { $0 + $1.amplitude } / Double(max(pending.count, 1))
    return parameters.minimumSteps + (mean > 0.1 ? 0 : mean > parameters.minimumAmplitude ? 2 : 4)
  }
}
