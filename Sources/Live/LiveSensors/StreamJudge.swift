package import InertialLogs
package import InertialSensors

/// Turns the lines of a stream into events: judged, in order of time, silence told once.
///
/// A stream in a wrong unit is an error after 20 accelerations, before a filter has settled, or later on: it must not go
/// on unseen for the length of a session.
package struct StreamJudge {
  private let axes: [SensorAxes]
  private var calibration: SensorCalibration.Pass?
  /// Channels that only the calibration needs.
  private let lent: Set<AuxiliaryChannel>
  /// Motion sensors that are wanted unchanged, too, and the channels that repeat them.
  private let repeated: [SensorChannel: AuxiliaryChannel]
  private let horizon: Double
  private var conditioner: SampleConditioner
  private var auxiliaryJudge = AuxiliaryConditioner()
  private var motion: [SensorSample] = []
  private var auxiliary: [AuxiliarySample] = []
  private var waiting = WaitingAuxiliary()
  private var fitness: LogJudge
  /// Accelerations after which units are judged, next.
  private var judgedCount = 20
  private var lastSample: Double?
  private var silenceTold = false
  private var clock: StreamClock
  /// Lines whose time was far from that of the lines before and behind them, and which were left out.
  private var outlierCount = 0
  /// From where to where the clock has jumped, the last time, and how often.
  private var jumps: (last: StreamSource.ClockJump?, count: Int) = (nil, 0)

  /// - Parameters:
  ///   - name: of the stream, for messages.
  ///   - options: how the sensors are mounted, what is done to samples after that, and which other channels are handed on.
  ///   - horizon: seconds that a sample may come out of order; samples are held back as long.
  package init(name: String, options: LogOptions = LogOptions(), horizon: Double = 0) {
    fitness = LogJudge(path: name, isStrict: false)
    axes = options.axes
    calibration = options.calibration.map(SensorCalibration.Pass.init)
    lent = options.withCalibrationChannels.auxiliary.subtracting(options.auxiliary)
    repeated = options.auxiliary.repeatedMotion
    self.horizon = horizon
    clock = StreamClock(horizon: horizon)
    conditioner = SampleConditioner(horizon: horizon)
  }

  /// What became of the samples so far.
  package func counts(_ stream: SampleStream) -> StreamSource.Counts {
    StreamSource.Counts(
      lines: stream.lineCount, malformedLines: stream.malformedCount, firstError: stream.firstError,
      outliers: outlierCount, jumps: jumps.count, lastJump: jumps.last, refusedDatagrams: stream.refusedCount,
      lostDatagrams: stream.lostCount ?? 0, channels: conditioner.channelReports)
  }

  /// What became of the samples so far, by channel.
  package var channelReports: [SensorChannel: ChannelReport] { conditioner.channelReports }

  /// How often the stream's clock has jumped.
  package var jumpCount: Int { jumps.count }

  /// From where to where the stream's clock has jumped, the last time; nil where it has not.
  public var lastJump: StreamSource.ClockJump? { jumps.last }

  /// What came of other channels.
  package var auxiliaryReports: [AuxiliaryChannel: AuxiliaryReport] { auxiliaryJudge.reports }

  /// Reads a line, or waits for one no longer than it takes to notice silence.
  ///
  /// - `silence`: seconds without a sample after which silence is told.
  /// - `limit`: seconds after which it is told once more.
  /// - Throws: where the stream cannot be read, or its values cannot be in the units that they claim.
  package mutating func read(
    _ stream: SampleStream, silence: Double, limit: Double = .infinity, tell: (SensorEvent) -> Void
  ) throws(LogError) -> SampleStream.Outcome {
    motion.removeAll(keepingCapacity: true)
    auxiliary.removeAll(keepingCapacity: true)
    let now = MonotonicClock.now
    let since = lastSample ?? now
    if lastSample == nil { lastSample = now }
    let timeout = max(0, since + (silenceTold ? limit : min(silence, limit)) - now)
    let outcome = try stream.read(into: &motion, auxiliary: &auxiliary, timeout: timeout)
    switch outcome {
    case .line:
      if !motion.isEmpty || !auxiliary.isEmpty {
        lastSample = MonotonicClock.now
        silenceTold = false
        try take(motion, auxiliary: auxiliary, tell: tell)
      }
    case .silence:
      silenceTold = true
      tell(.silence(MonotonicClock.now - since))
    case .interrupted:
      // Nobody listened meanwhile: that is no silence.
      lastSample = nil
    case .end: break
    }
    return outcome
  }

  /// Takes the samples of a line, or those that came together by another way.
  ///
  /// - Throws: where the stream's values cannot be in the units that they claim.
  package mutating func take(
    _ motion: [SensorSample], auxiliary: [AuxiliarySample], tell: (SensorEvent) -> Void
  ) throws(LogError) {
    for step in clock.take(StreamClock.Line(motion: motion, auxiliary: auxiliary)) { try take(step, tell) }
  }

  /// Hands on what is held back.
  package mutating func finish(tell: (SensorEvent) -> Void) {
    // Their units were judged with the others'.
    for line in clock.finish() { try? handOn(line, tell) }
    conditioner.finish()
    release(tell)
  }

  /// - Throws: where samples have come, and one of the sensors is missing.
  package func check(needing channels: [SensorChannel]) throws(LogError) {
    let reports = conditioner.channelReports
    // A stream that ended before anything came lacks no channel.
    guard !reports.isEmpty else { return }
    try fitness.checkUnits(reports)
    try fitness.checkChannels(reports, needing: channels)
  }

  private mutating func take(_ step: StreamClock.Step, _ tell: (SensorEvent) -> Void) throws(LogError) {
    switch step {
    case .line(let line): try handOn(line, tell)
    case .outlier: outlierCount += 1
    case .jump(let from, let to):
      conditioner.finish()
      release(tell)
      conditioner.restart()
      jumps = (StreamSource.ClockJump(from: from, to: to), jumps.count + 1)
      tell(.discontinuity)
    }
  }

  private mutating func handOn(_ line: StreamClock.Line, _ tell: (SensorEvent) -> Void) throws(LogError) {
    var (motion, auxiliary) = (line.motion, line.auxiliary)
    for axes in axes { axes.apply(to: &motion) }
    if calibration != nil {
      // Those of the line's own time count.
      calibration?.add(auxiliary)
      auxiliary.removeAll { lent.contains($0.channel) }
    }
    calibration?.apply(to: &motion)
    waiting.add(auxiliary.indices.filter { auxiliaryJudge.judge(&auxiliary[$0]) }.map { auxiliary[$0] })
    // A line's samples are of one time: they go on together, in the order of their channels.
    for sample in motion {
      fitness.look(at: sample)
      conditioner.append(sample)
    }
    if fitness.accelerationCount >= judgedCount {
      judgedCount = fitness.accelerationCount < 200 ? 200 : fitness.accelerationCount + 1000
      try fitness.checkUnits(conditioner.channelReports)
    }
    release(tell)
  }

  private mutating func release(_ tell: (SensorEvent) -> Void) {
    var ready: [SensorSample] = []
    conditioner.handOn(to: &ready, atMost: .max)
    // Those of other channels wait only for motion that is held back before them.
    let isHeldBack = !conditioner.isEmpty
    let due = waiting.take(until: isHeldBack ? ready.last?.time ?? -.infinity : .infinity)
    if !due.isEmpty { tell(.auxiliary(due)) }
    if !repeated.isEmpty {
      var copies = ready.compactMap { sample in repeated[sample.channel].map { AuxiliarySample(sample, as: $0) } }
      copies = copies.indices.filter { auxiliaryJudge.judge(&copies[$0]) }.map { copies[$0] }
      if !copies.isEmpty { tell(.auxiliary(copies)) }
    }
    if !ready.isEmpty { tell(.samples(ready)) }
  }
}
