public import InertialSensors
internal import InertialSystem

/// Opens a log, rotates its axes, validates its samples and delivers them sorted by time.
///
/// Commands, live sources and scripts read logs through this type, so they reject the same logs with the same message.
///
/// `run` delivers samples in bounded memory if they are at most a second out of order. Otherwise the log is read again
/// into memory and sorted, and the consumer is notified to start over. `load` keeps the whole log in memory.
public struct LogFeed: Sendable {
  /// The sensors that measure a device's motion, for consumers without required channels (`followedChannels`).
  package static let motionChannels: Set<SensorChannel> = [.accelerometer, .gyroscope, .deviceUserAcceleration]
  /// The number of samples delivered together from a sorted log.
  private static let blockSize = 4096

  /// The path of a file or folder, or "-" for standard input.
  public var path: String
  /// The facts about the log that the user specifies.
  public var options: LogOptions
  /// Whether a log with any invalid or unordered sample is rejected.
  public var isStrict = false
  /// Whether a log that is unfit for fusion is delivered as far as possible, for display.
  public var isTolerant = false
  /// Whether all checks of the log are performed, for inspection, instead of only the fast ones.
  package var isInspected = false
  /// The required channels.
  package var neededChannels: [SensorChannel] = [.accelerometer, .gyroscope]
  /// The channels, in addition to the required ones, that must be fast enough to follow a motion if they are present.
  package var followedChannels: Set<SensorChannel> = []
  /// A sound file whose level replaces the log's channel `microphone`.
  package var sound: SoundSource?
  /// The offsets to subtract from the times of channels, in seconds, to align them with the gyroscope's clock.
  package var offsets: [SensorChannel: Double] = [:]
  /// Whether `run` reads and validates on a separate thread, several blocks ahead. The samples and their order are the
  /// same, but the boundaries of the blocks differ.
  package var readsAhead = false

  /// Creates the feed of a log without opening it.
  public init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  /// The name of the log in messages.
  var name: String { path == "-" ? "standard input" : path }

  /// Reads the log. All closures are called on the caller's thread.
  ///
  /// - Parameters:
  ///   - start: Called before the first sample, and again if the samples are repeated in better order.
  ///   - progress: Called periodically with the fraction of the log that was read, 0...1.
  ///   - auxiliary: Called with the valid samples of the channels in `options.auxiliary`, in the order of the log, each
  ///     before motion samples of later times.
  ///   - consume: Called with blocks of valid samples, sorted by time.
  /// - Throws: The error of the log, or the error that a closure throws.
  public func run<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void = { _ in },
    progress: (Double) -> Void = { _ in },
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void = { _ in },
    consume: ([SensorSample]) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    if readsAhead, BackgroundThreads.areAvailable {
      return try runReadingAhead(start: start, progress: progress, auxiliary: auxiliary, consume: consume)
    }
    return try read(
      start: start, auxiliary: auxiliary,
      consume: { (block, fraction) throws(Failure) in
        progress(fraction)
        try consume(block)
        block.removeAll(keepingCapacity: true)
      })
  }

  /// Reads the whole log into memory.
  public func load() throws(LogError) -> LoadedLog {
    var (samples, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    let summary = try run(
      start: { (_) throws(LogError) in
        samples.removeAll()
        auxiliary.removeAll()
      },
      auxiliary: { (block) throws(LogError) in auxiliary += block },
      consume: { (block) throws(LogError) in samples += block })
    return LoadedLog(samples: samples, auxiliary: auxiliary, summary: summary)
  }

  /// Same as `run`, but `consume` may empty or replace its block, and receives the fraction of the log that was read.
  func read<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: (inout [SensorSample], Double) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    // A channel whose times are shifted back arrives later by the same amount.
    let horizon = 1 + (offsets.values.map(abs).max() ?? 0)
    // The clock of a log that must be rejected for disorder is not repaired.
    var jumps = isStrict ? nil : ClockJumpDetector()
    if let summary = try pass(horizon: horizon, jumps: &jumps, start: start, auxiliary: auxiliary, consume: consume) {
      return summary
    }
    guard !Self.isStream(path) else {
      throw Failure(
        LogError(
          path: name,
          problem: "samples are late, or the clock steps back, and the input cannot be read twice to be sorted",
          remedy: "save it to a file and give that"))
    }
    var noDetector: ClockJumpDetector?
    if let repair = jumps?.repair(),
      let summary = try pass(
        horizon: horizon, jumps: &noDetector, repair: repair, start: start, auxiliary: auxiliary, consume: consume)
    {
      return summary
    }
    guard
      var summary = try pass(
        horizon: .infinity, jumps: &noDetector, repair: jumps?.repair(), isReversed: jumps?.isReversed ?? false,
        start: start, auxiliary: auxiliary, consume: consume)
    else { preconditionFailure("a sample is late although the whole log is sorted") }
    summary.wasSorted = true
    return summary
  }

  /// Reads the log once. Returns `nil` if a sample is too late for sorting, or if the clock steps back and continues
  /// from there.
  ///
  /// - Parameters:
  ///   - jumps: The detector of clock jumps, or `nil` to skip detection. It has seen the whole log if the result is
  ///     `nil`.
  ///   - repair: The correction of the clock.
  ///   - isReversed: Whether the newest row comes first.
  private func pass<Failure: LogFailure>(
    horizon: Double, jumps: inout ClockJumpDetector?, repair: ClockRepair? = nil, isReversed: Bool = false,
    start: (LogDescription) throws(Failure) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: (inout [SensorSample], Double) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary? {
    let before = InputFingerprint.stamps(of: path, checksums: false)
    var reader = try attempt(Failure.self, open)
    var conditioner = conditioner(of: reader.description, horizon: horizon)
    var description = description(of: reader)
    if sound != nil { description.auxiliaryChannels.insert(.microphone) }
    try start(description)
    var repair = repair
    var auxiliaryFeed = AuxiliaryFeed(
      isWanted: !options.withCalibrationChannels.auxiliary.isEmpty, sound: sound,
      canStartOver: !Self.isStream(path), repair: repair)
    var batch: [SensorSample] = []
    var block: [SensorSample] = []
    while try attempt(Failure.self, { () throws(LogError) in try Self.read(&reader, &batch) }) {
      try attempt(Failure.self) { () throws(LogError) in try options.checkStop(name) }
      jumps?.add(raw: batch)
      if jumps?.isSuspicious == true {
        return try attempt(Failure.self) { () throws(LogError) in try readToEnd(&reader, &jumps) }
      }
      repair?.apply(to: &batch)
      // A calibration may need the auxiliary samples that were read with the motion.
      guard try auxiliaryFeed.read(from: &reader, by: &conditioner, consume: auxiliary),
        conditioner.condition(&batch, into: &block, dropsLate: false)
      else {
        return try attempt(Failure.self) { () throws(LogError) in try readToEnd(&reader, &jumps) }
      }
      try auxiliaryFeed.deliver(before: block, by: &conditioner, consume: auxiliary)
      try consume(&block, reader.progress)
    }
    guard try auxiliaryFeed.read(from: &reader, by: &conditioner, consume: auxiliary) else { return nil }
    try attempt(Failure.self) { () throws(LogError) in try checkAxes(conditioner.inspection) }
    conditioner.finish()
    repeat {
      try attempt(Failure.self) { () throws(LogError) in try options.checkStop(name) }
      conditioner.release(to: &block, atMost: Self.blockSize)
      try auxiliaryFeed.deliver(before: block, by: &conditioner, consume: auxiliary)
      try consume(&block, 1)
    } while !conditioner.isEmpty
    return try attempt(Failure.self) { () throws(LogError) in
      try summary(of: reader, &conditioner, repair: repair, isReversed: isReversed, since: before)
    }
  }

  /// Returns the stages between a log's reader and the consumer.
  private func conditioner(of log: LogDescription, horizon: Double) -> InputConditioner {
    var conditioner = InputConditioner(
      name: name, options: options, horizon: horizon, isStrict: isStrict, offsets: offsets)
    // The files of a folder may have different epochs.
    let comparesClocks = log.format == LogFormat.csvFolder.id && log.epoch == nil && offsets.isEmpty
    conditioner.inspection = Inspection(isDetailed: isInspected, comparesClocks: comparesClocks)
    return conditioner
  }

  /// Returns a reader's description without the channels that only the calibration needs.
  private func description(of reader: any LogReader) -> LogDescription {
    var description = reader.description
    description.auxiliaryChannels.subtract(options.withCalibrationChannels.auxiliary.subtracting(options.auxiliary))
    return description
  }

  /// - Throws: ``LogError`` if the axes of two sensors contradict each other, unless the feed is tolerant.
  private func checkAxes(_ inspection: Inspection?) throws(LogError) {
    guard !isTolerant, let device = inspection?.device, let contradiction = device.contradiction else { return }
    var remedy = contradiction.remedy
    if let axes = device.accelerometerAxes, let answer = Diagnostic.answer(.accelerometer, axes) {
      remedy += ", as in: " + LogAnswer.command(path, options.answers + [answer])
    }
    throw LogError(path: name, problem: contradiction.problem, remedy: remedy)
  }

  /// Returns the findings of a complete pass.
  ///
  /// - Parameter before: The states of the log's files when the reader was opened.
  /// - Throws: ``LogError`` if the log has changed since then, or is unfit for fusion.
  private func summary(
    of reader: any LogReader, _ conditioner: inout InputConditioner, repair: ClockRepair?, isReversed: Bool,
    since before: [InputFingerprint]
  ) throws(LogError) -> LogSummary {
    var reports = conditioner.channelReports
    // The order of the rows is a fault of the log, not of its samples.
    if isReversed { for channel in reports.keys { reports[channel]?.forgetOrder() } }
    var summary = LogSummary(
      description: description(of: reader), reports: reports, emptyCounts: reader.emptyCounts,
      auxiliary: conditioner.auxiliaryReports,
      warnings: (isReversed ? ["the newest row comes first: the samples are sorted by time"] : [])
        + (repair?.warnings ?? []) + LogValidator.warnings(reports)
        + AuxiliaryFeed.warnings(conditioner.auxiliaryReports) + reader.description.unreadableWarnings
        + conditioner.calibrationWarnings)
    if var inspection = conditioner.inspection {
      inspection.finish()
      summary.quality = inspection.quality
      summary.inspection = inspection
    }
    try checkUnchanged(since: before)
    do throws(LogError) {
      let present = [SensorChannel.gyroscope, .accelerometer].filter { reports[$0] != nil }
      try conditioner.validator.check(
        reports, needing: isTolerant ? present : neededChannels, following: followedChannels,
        columns: reader.description.columns)
    } catch {
      guard isTolerant else { throw error }
      summary.refusal = error
    }
    if !isInspected || isStrict { try summary.diagnose(isStrict: isStrict && !isTolerant) }
    return summary
  }

  /// - Throws: ``LogError`` if a file of the log has changed since it was opened, as the samples may then be incomplete
  ///   or mixed.
  private func checkUnchanged(since before: [InputFingerprint]) throws(LogError) {
    guard !before.isEmpty else { return }
    let now = InputFingerprint.stamps(of: path, checksums: false)
    for stamp in before {
      guard let same = now.first(where: { $0.name == stamp.name }) else {
        throw changed(stamp.name, "is gone")
      }
      guard !same.isSameState(as: stamp) else { continue }
      let bytes = same.bytes == stamp.bytes ? "was written to" : "had \(stamp.bytes) bytes, and then \(same.bytes)"
      throw changed(stamp.name, bytes)
    }
  }

  private func changed(_ name: String, _ what: String) -> LogError {
    let isFile = name == path.split(separator: "/").last.map(String.init)
    return LogError(
      path: isFile ? path : path + "/" + name, problem: "\(what) while it was read",
      remedy: "wait until its recorder has finished, or follow it: tail -f -n +1 FILE | inertial fuse - --follow")
  }

  /// Reads the log to its end for the detector of clock jumps, before another pass. Returns `nil`.
  private func readToEnd(
    _ reader: inout any LogReader, _ jumps: inout ClockJumpDetector?
  ) throws(LogError) -> LogSummary? {
    guard jumps != nil, !Self.isStream(path) else { return nil }
    var batch: [SensorSample] = []
    var others: [AuxiliarySample] = []
    while try Self.read(&reader, &batch) {
      try options.checkStop(name)
      jumps?.add(raw: batch)
      reader.takeAuxiliary(into: &others)
      others.removeAll(keepingCapacity: true)
    }
    return nil
  }

  /// Opens the log's reader, without validation.
  package func open() throws(LogError) -> any LogReader {
    var options = options.withCalibrationChannels
    if sound != nil { options.auxiliary.remove(.microphone) }
    return try openLog(path: path, options: options)
  }

  private static func read(_ reader: inout any LogReader, _ batch: inout [SensorSample]) throws(LogError) -> Bool {
    batch.removeAll(keepingCapacity: true)
    return try reader.read(into: &batch)
  }

  /// Converts an error of the log to the consumer's error.
  private func attempt<Result, Failure: LogFailure>(
    _ failure: Failure.Type, _ work: () throws(LogError) -> Result
  ) throws(Failure) -> Result {
    do throws(LogError) {
      return try work()
    } catch {
      throw Failure(error)
    }
  }
}
