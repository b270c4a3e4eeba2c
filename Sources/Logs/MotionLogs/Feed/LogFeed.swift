public import InertialSensors
internal import InertialSystem

/// The one way into a log: opens it, turns its axes, judges its samples, and gives them on in order of time.
///
/// Commands, sources of live sensors and scripts read logs by it, so that what one of them refuses, all refuse, with the
/// same line.
///
/// `run` gives on what is read in bounded memory for a log whose samples are at most a second out of order. One that is
/// worse is read again into memory and sorted; the consumer is told to start over. `load` keeps the whole log.
public struct LogFeed: Sendable {
  /// The sensors that tell how a device moves, for those who follow motions but need no channel (`followedChannels`).
  package static let motionChannels: Set<SensorChannel> = [.accelerometer, .gyroscope, .deviceUserAcceleration]
  /// Samples given on together where a whole log waits.
  private static let blockSize = 4096

  /// File, folder, or "-" for standard input.
  public var path: String
  /// What only the user can know about the log.
  public var options: LogOptions
  /// Whether a log with any bad or disordered sample is refused.
  public var isStrict = false
  /// Gives what can be given of a log that is unfit to be fused, for those who only look.
  public var isTolerant = false
  /// Finds out all that can be told of the log, for those who only look; else what is quick to be found out.
  package var isInspected = false
  /// The channels without which the log is of no use.
  package var neededChannels: [SensorChannel] = [.accelerometer, .gyroscope]
  /// Channels that must be fast enough to follow a motion where they are there, beside those that are needed.
  package var followedChannels: Set<SensorChannel> = []
  /// A sound file whose level is the channel `microphone`, in place of the log's own.
  package var sound: SoundSource?
  /// Seconds that are taken off the times of a channel, to put it on the gyroscope's clock.
  package var offsets: [SensorChannel: Double] = [:]
  /// Whether `run` reads and judges on a thread of its own, some blocks of samples ahead. The samples and their order are
  /// the same; only where the blocks end differs.
  package var readsAhead = false

  /// The feed of one log, which nothing has been read of yet.
  public init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  /// As messages name the log.
  var name: String { path == "-" ? "standard input" : path }

  /// Reads the log. All closures are called on the caller's thread.
  ///
  /// - Parameters:
  ///   - start: called before the first sample, and again if the samples come once more in better order.
  ///   - progress: called now and then with the share of the log that was read, 0 to 1.
  ///   - auxiliary: called with the good samples of the channels that `options.auxiliary` wants: in the order of the
  ///     log, and each before motion samples of later times.
  ///   - consume: called with the good samples in order of time, a block of them at a time.
  /// - Throws: what is wrong with the log, or what a closure throws.
  public func run<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void = { _ in },
    progress: (Double) -> Void = { _ in },
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void = { _ in },
    consume: ([SensorSample]) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    if readsAhead, BackgroundThreads.areAvailable {
      return try runAhead(start: start, progress: progress, auxiliary: auxiliary, consume: consume)
    }
    return try read(
      start: start, auxiliary: auxiliary,
      consume: { (block, share) throws(Failure) in
        progress(share)
        try consume(block)
        block.removeAll(keepingCapacity: true)
      })
  }

  /// The whole log in memory.
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

  /// As `run`, with a block that the consumer empties, or puts an empty one in the place of, and the share of the log that
  /// was read.
  func read<Failure: LogFailure>(
    start: (LogDescription) throws(Failure) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: (inout [SensorSample], Double) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary {
    // Samples of a channel that is moved back come later than in the log by as much.
    let horizon = 1 + (offsets.values.map(abs).max() ?? 0)
    // A log that is to be refused for disorder is told as it is.
    var study = isStrict ? nil : ClockStudy()
    if let summary = try pass(horizon: horizon, study: &study, start: start, auxiliary: auxiliary, consume: consume) {
      return summary
    }
    guard !LogFinder.isStream(path) else {
      throw Failure(
        LogError(
          path: name,
          problem: "samples come late, or the clock steps back, and it cannot be read twice to be put in order",
          remedy: "save it to a file and give that"))
    }
    var none: ClockStudy?
    if let repair = study?.repair(),
      let summary = try pass(
        horizon: horizon, study: &none, repair: repair, start: start, auxiliary: auxiliary, consume: consume)
    {
      return summary
    }
    guard
      let summary = try pass(
        horizon: .infinity, study: &none, repair: study?.repair(), isReversed: study?.isReversed ?? false, start: start,
        auxiliary: auxiliary, consume: consume)
    else { preconditionFailure("no sample is late where the whole log is sorted") }
    return summary
  }

  /// One pass; nil where a sample was too late to be sorted in, or the clock steps back and goes on from there.
  ///
  /// - Parameters:
  ///   - study: looks at the clock, and where nil is given back has seen the log to its end; nil: nobody does.
  ///   - repair: what is to be done about the clock.
  ///   - isReversed: whether the newest row comes first.
  private func pass<Failure: LogFailure>(
    horizon: Double, study: inout ClockStudy?, repair: ClockRepair? = nil, isReversed: Bool = false,
    start: (LogDescription) throws(Failure) -> Void,
    auxiliary: ([AuxiliarySample]) throws(Failure) -> Void,
    consume: (inout [SensorSample], Double) throws(Failure) -> Void
  ) throws(Failure) -> LogSummary? {
    let before = InputStamp.stamps(of: path, checksums: false)
    var reader = try attempt(Failure.self, open)
    var description = reader.description
    if sound != nil { description.auxiliaryChannels.insert(.microphone) }
    let lent = options.withCalibrationChannels.auxiliary.subtracting(options.auxiliary)
    description.auxiliaryChannels.subtract(lent)
    try start(description)
    var repair = repair
    var context = AuxiliaryFeed(
      wanted: options.auxiliary, lent: lent, sound: sound, canStartOver: !LogFinder.isStream(path), repair: repair)
    var conditioner = SampleConditioner(horizon: horizon)
    var judge = LogJudge(path: name, isStrict: isStrict)
    // Files of a folder may count from moments of their own.
    let comparesClocks = description.format == LogFormat.csvFolder.id && description.epoch == nil && offsets.isEmpty
    var inspection = Inspection(isDetailed: isInspected, comparesClocks: comparesClocks)
    var calibration = options.calibration.map(CalibrationPass.init)
    var batch: [SensorSample] = []
    var block: [SensorSample] = []
    while try attempt(Failure.self, { () throws(LogError) in try Self.read(&reader, &batch) }) {
      try attempt(Failure.self) { () throws(LogError) in try options.checkStop(name) }
      study?.look(at: batch)
      if study?.isSuspicious == true {
        return try attempt(Failure.self) { () throws(LogError) in try readOn(&reader, &study) }
      }
      repair?.apply(to: &batch)
      // A calibration may need what came with the motion.
      guard
        try context.read(
          from: &reader,
          consume: { (samples) throws(Failure) in
            calibration?.add(samples)
            try auxiliary(samples)
          }, lend: { calibration?.add($0) })
      else {
        return try attempt(Failure.self) { () throws(LogError) in try readOn(&reader, &study) }
      }
      for axes in options.axes { axes.apply(to: &batch) }
      calibration?.apply(to: &batch)
      for sample in batch { judge.look(at: sample) }
      inspection.look(at: batch)
      if !offsets.isEmpty {
        for index in batch.indices { batch[index].time -= offsets[batch[index].channel] ?? 0 }
      }
      guard conditioner.append(batch, handingOnTo: &block) else {
        return try attempt(Failure.self) { () throws(LogError) in try readOn(&reader, &study) }
      }
      inspection.add(block)
      try context.willGiveOn(block, consume: auxiliary)
      try consume(&block, reader.progress)
    }
    guard try context.read(from: &reader, consume: auxiliary, lend: { _ in }) else { return nil }
    if !isTolerant, let contradiction = inspection.device.contradiction {
      var remedy = contradiction.remedy
      if let axes = inspection.device.accelerometerAxes, let answer = AxesFinding.answer(.accelerometer, axes) {
        remedy += ", as in: " + LogAnswer.command(path, options.answers + [answer])
      }
      throw Failure(LogError(path: name, problem: contradiction.problem, remedy: remedy))
    }
    conditioner.finish()
    repeat {
      try attempt(Failure.self) { () throws(LogError) in try options.checkStop(name) }
      conditioner.handOn(to: &block, atMost: Self.blockSize)
      try context.willGiveOn(block, consume: auxiliary)
      inspection.add(block)
      try consume(&block, 1)
    } while !conditioner.isEmpty
    var reports = conditioner.channelReports
    // The order of the rows is a fault of the log, and none of its samples.
    if isReversed { for channel in reports.keys { reports[channel]?.forgetOrder() } }
    inspection.finish()
    var found = reader.description
    found.auxiliaryChannels.subtract(lent)
    var summary = LogSummary(
      description: found, reports: reports, emptyCounts: reader.emptyCounts, auxiliary: context.reports,
      warnings: (isReversed ? ["the newest row comes first: the samples are put in the order of their times"] : [])
        + (repair?.warnings ?? []) + LogJudge.warnings(reports) + context.warnings
        + reader.description.unreadableWarnings + (calibration?.warnings ?? []))
    summary.quality = inspection.quality.channels
    summary.inspection = inspection
    summary.wasSorted = horizon == .infinity
    try attempt(Failure.self) { () throws(LogError) in
      try checkUnchanged(since: before)
      if !isTolerant {
        try judge.check(
          reports, needing: neededChannels, following: followedChannels, description: reader.description)
      }
      if !isInspected || isStrict { try summary.diagnose(isStrict: isStrict && !isTolerant) }
    }
    return summary
  }

  /// - Throws: where a file of the log is another than when it was opened: its end was not the end, or it is two halves.
  private func checkUnchanged(since before: [InputStamp]) throws(LogError) {
    guard !before.isEmpty else { return }
    let now = InputStamp.stamps(of: path, checksums: false)
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
      remedy: "wait until its recorder has ended it, or follow it: tail -f -n +1 FILE | inertial fuse - --follow")
  }

  /// Lets the clock's study see the log to its end, for a pass that will begin anew; gives nil.
  private func readOn(_ reader: inout any LogReader, _ study: inout ClockStudy?) throws(LogError) -> LogSummary? {
    guard study != nil, !LogFinder.isStream(path) else { return nil }
    var batch: [SensorSample] = []
    var others: [AuxiliarySample] = []
    while try Self.read(&reader, &batch) {
      try options.checkStop(name)
      study?.look(at: batch)
      reader.takeAuxiliary(into: &others)
      others.removeAll(keepingCapacity: true)
    }
    return nil
  }

  /// The log's reader, before anything is judged.
  package func open() throws(LogError) -> any LogReader {
    var options = options.withCalibrationChannels
    if sound != nil { options.auxiliary.remove(.microphone) }
    return try openLog(path: path, options: options)
  }

  private static func read(_ reader: inout any LogReader, _ batch: inout [SensorSample]) throws(LogError) -> Bool {
    batch.removeAll(keepingCapacity: true)
    return try reader.read(into: &batch)
  }

  /// Says what is wrong with the log as the consumer's error.
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
