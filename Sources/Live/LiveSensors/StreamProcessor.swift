package import InertialLogs
package import InertialSensors

/// Converts the samples of a stream into events: validates and sorts the samples, and reports silence once.
///
/// A stream with wrong units is an error after 20 accelerations, before a filter has settled, or at a later check: the
/// problem must not remain undetected for the length of a session.
package struct StreamProcessor {
  private var conditioner: InputConditioner
  private var motion: [SensorSample] = []
  private var auxiliary: [AuxiliarySample] = []
  private var pending = AuxiliaryBuffer()
  /// The number of accelerations at which the units are checked next.
  private var nextCheckCount = 20
  private var lastSample: Double?
  private var hasReportedSilence = false
  private var clock: StreamClock
  /// The number of batches that were dropped because their timestamps were far from those of the adjacent batches.
  private var outlierCount = 0
  /// The last jump of the clock, and the number of jumps.
  private var jumps: (last: StreamSource.ClockJump?, count: Int) = (nil, 0)

  /// Creates a processor.
  ///
  /// - Parameters:
  ///   - name: The name of the stream, for messages.
  ///   - options: The mounting of the sensors, the calibration, and the other channels to forward.
  ///   - horizon: The maximum time by which a sample may arrive out of order, in seconds; samples are delayed by as
  ///     much.
  package init(name: String, options: LogOptions = LogOptions(), horizon: Double = 0) {
    clock = StreamClock(horizon: horizon)
    conditioner = InputConditioner(name: name, options: options, horizon: horizon)
  }

  /// Returns the statistics of the samples so far.
  package func counts(_ stream: SampleStream) -> StreamSource.Counts {
    StreamSource.Counts(
      lines: stream.lineCount, malformedLines: stream.malformedCount, firstError: stream.firstError,
      outliers: outlierCount, jumps: jumps.count, lastJump: jumps.last, refusedDatagrams: stream.refusedCount,
      lostDatagrams: stream.lostCount ?? 0, channels: conditioner.channelReports)
  }

  /// The statistics of the samples so far, by channel.
  package var channelReports: [SensorChannel: ChannelReport] { conditioner.channelReports }

  /// The number of jumps of the stream's clock.
  package var jumpCount: Int { jumps.count }

  /// The last jump of the stream's clock, or `nil` if there was none.
  package var lastJump: StreamSource.ClockJump? { jumps.last }

  /// The statistics of the other channels.
  package var auxiliaryReports: [AuxiliaryChannel: AuxiliaryReport] { conditioner.auxiliaryReports }

  /// Reads a line, or waits for one until silence is detected.
  ///
  /// - Parameters:
  ///   - silence: The duration without a sample after which silence is reported, in seconds.
  ///   - limit: The duration without a sample after which silence is reported again, in seconds.
  /// - Throws: `LogError` if the stream cannot be read, or its values are implausible in the declared units.
  package mutating func read(
    _ stream: SampleStream, silence: Double, limit: Double = .infinity, deliver: (SensorEvent) -> Void
  ) throws(LogError) -> SampleStream.Outcome {
    motion.removeAll(keepingCapacity: true)
    auxiliary.removeAll(keepingCapacity: true)
    let since = lastSample ?? MonotonicClock.now
    lastSample = since
    let due = since + (hasReportedSilence ? limit : min(silence, limit))
    let outcome = try stream.read(into: &motion, auxiliary: &auxiliary, timeout: max(0, due - MonotonicClock.now))
    switch outcome {
    case .line:
      if !motion.isEmpty || !auxiliary.isEmpty {
        lastSample = MonotonicClock.now
        hasReportedSilence = false
        try append(motion, auxiliary: auxiliary, deliver: deliver)
      }
    case .silence:
      hasReportedSilence = true
      deliver(.silence(MonotonicClock.now - since))
    case .interrupted:
      // No receiver was attached meanwhile, so this is not silence.
      lastSample = nil
    case .end: break
    }
    return outcome
  }

  /// Appends samples that arrived together: those of a line or of a message, sorted by time.
  ///
  /// - Throws: `LogError` if the stream's values are implausible in the declared units.
  package mutating func append(
    _ motion: [SensorSample], auxiliary: [AuxiliarySample], deliver: (SensorEvent) -> Void
  ) throws(LogError) {
    let (jump, batches, outliers) = clock.add(StreamClock.Batch(motion: motion, auxiliary: auxiliary))
    outlierCount += outliers.count
    if let jump {
      sendAll(deliver)
      conditioner.restart()
      jumps = (jump, jumps.count + 1)
      deliver(.discontinuity)
    }
    for batch in batches { try condition(batch, deliver) }
  }

  /// Forwards the pending samples.
  package mutating func finish(deliver: (SensorEvent) -> Void) {
    // Their units were checked with those of the other batches.
    for batch in clock.finish() { try? condition(batch, deliver) }
    sendAll(deliver)
  }

  /// Checks the samples so far as those of a log.
  ///
  /// - Throws: `LogError` if samples have arrived that are unfit for estimates from the given sensors.
  package mutating func check(needing channels: [SensorChannel]) throws(LogError) {
    let reports = conditioner.channelReports
    // A stream that ended before its first sample is not missing a channel.
    guard !reports.isEmpty else { return }
    // Senders write NaN for a sensor that they lack.
    let present = reports.filter { channels.contains($0.key) || !$0.value.isMostlyMissing }
    try conditioner.validator.check(present, needing: channels)
  }

  /// Conditions a batch and delivers the samples that need not wait for later ones.
  private mutating func condition(_ batch: StreamClock.Batch, _ deliver: (SensorEvent) -> Void) throws(LogError) {
    var (motion, auxiliary) = (batch.motion, batch.auxiliary)
    // First, as the calibration of a motion sample uses the auxiliary samples with its own timestamp.
    conditioner.condition(&auxiliary)
    pending.add(auxiliary)
    // Samples with one timestamp are delivered together, in the order of their channels.
    var ready: [SensorSample] = []
    _ = conditioner.condition(&motion, into: &ready, dropsLate: true)
    send(ready, deliver)
    let accelerationCount = conditioner.accelerationCount
    guard accelerationCount >= nextCheckCount else { return }
    nextCheckCount = accelerationCount < 200 ? 200 : accelerationCount + 1000
    try conditioner.validator.checkUnits(conditioner.channelReports)
  }

  private mutating func sendAll(_ deliver: (SensorEvent) -> Void) {
    conditioner.finish()
    var ready: [SensorSample] = []
    conditioner.release(to: &ready)
    send(ready, deliver)
  }

  /// Delivers conditioned samples, after the auxiliary samples up to their times.
  private mutating func send(_ ready: [SensorSample], _ deliver: (SensorEvent) -> Void) {
    // Samples of other channels wait only for earlier motion samples that are pending.
    let isHeldBack = !conditioner.isEmpty
    let due = pending.take(until: isHeldBack ? ready.last?.time ?? -.infinity : .infinity)
    if !due.isEmpty { deliver(.auxiliary(due)) }
    let repetitions = conditioner.repetitions(of: ready)
    if !repetitions.isEmpty { deliver(.auxiliary(repetitions)) }
    if !ready.isEmpty { deliver(.samples(ready)) }
  }
}

extension StreamProcessor {
  /// The part of a processor that depends on the samples, apart from the reading of a stream.
  package struct State: Codable {
    fileprivate var conditioner: InputConditioner.State
    fileprivate var pending: AuxiliaryBuffer
    fileprivate var nextCheckCount: Int
    fileprivate var clock: StreamClock
    fileprivate var outlierCount: Int
    fileprivate var lastJump: StreamSource.ClockJump?
    fileprivate var jumpCount: Int
  }

  /// The state, with which a processor of the same options continues.
  package var state: State {
    get {
      State(
        conditioner: conditioner.state, pending: pending, nextCheckCount: nextCheckCount, clock: clock,
        outlierCount: outlierCount, lastJump: jumps.last, jumpCount: jumps.count)
    }
    set {
      (conditioner.state, pending, nextCheckCount) = (newValue.conditioner, newValue.pending, newValue.nextCheckCount)
      (clock, outlierCount) = (newValue.clock, newValue.outlierCount)
      jumps = (newValue.lastJump, newValue.jumpCount)
    }
  }
}
