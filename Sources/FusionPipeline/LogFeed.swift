public import MotionLogs
public import Sensors

/// What was found while a log was read.
public struct LogSummary: Sendable {
  public var description: LogDescription
  public var reports: [SensorChannel: ChannelReport]
  /// Empty fields per channel: no sample at that time.
  public var emptyCounts: [SensorChannel: Int]
  /// The wanted channels beside the motion sensors that had a sample.
  public var auxiliary: [AuxiliaryChannel: AuxiliaryReport]
  /// How well each channel was recorded, in full where it was asked for (`LogFeed.isInspected`).
  public var quality: [SensorChannel: StreamQuality] = [:]
  /// What was skipped, dropped or moved, and then what is certainly wrong with the log, a line each.
  public var warnings: [String]
  /// What is certainly wrong with the log, and what mends it, a sentence each, the worst first.
  public var faults: [String] = []
  /// What may be wrong, and is right in one half of the world; a sentence each.
  public var hints: [String] = []
  /// What the checks saw of the samples.
  var inspection = Inspection(isDetailed: false)
  /// Whether the log was so far out of order that it had to be sorted in memory.
  public var wasSorted: Bool
}

/// Reads a log, judges its samples, and gives them on in order of time.
///
/// In bounded memory for a log whose samples are at most a second out of order. One that is worse is read again into
/// memory and sorted; the consumer is told to start over.
public struct LogFeed: Sendable {
  /// Samples given on together where a whole log waits.
  private static let blockSize = 4096

  public var path: String
  public var options: LogOptions
  public var isStrict = false
  /// Gives what can be given of a log that is unfit to be fused, for those who only look.
  public var isTolerant = false
  /// Finds out all that can be told of the log, for those who only look; else what is quick to be found out.
  public var isInspected = false
  /// The channels without which the log is of no use.
  public var neededChannels: [SensorChannel] = [.accelerometer, .gyroscope]
  /// Channels that must be fast enough to follow a motion where they are there, beside those that are needed.
  public var followedChannels: Set<SensorChannel> = []
  /// A sound file whose level is the channel `microphone`, in place of the log's own.
  public var sound: SoundSource?
  /// Seconds that are taken off the times of a channel, to put it on the gyroscope's clock.
  public var offsets: [SensorChannel: Double] = [:]

  public init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  /// - Parameters:
  ///   - start: called before the first sample, and again if the samples come once more in better order.
  ///   - progress: called now and then with the share of the log that was read, 0 to 1.
  ///   - auxiliary: called with the good samples of the channels that `options.auxiliary` wants: in the order of the
  ///     log, and each before motion samples of later times.
  ///   - consume: called with every good sample in order of time.
  public func run(
    start: (LogDescription) throws(FusionError) -> Void = { _ in },
    progress: (Double) -> Void = { _ in },
    auxiliary: ([AuxiliarySample]) throws(FusionError) -> Void = { _ in },
    consume: (SensorSample) throws(FusionError) -> Void
  ) throws(FusionError) -> LogSummary {
    try runInBlocks(
      start: start, auxiliary: auxiliary,
      consume: { (block, share) throws(FusionError) in
        for sample in block { try consume(sample) }
        block.removeAll(keepingCapacity: true)
        progress(share)
      })
  }

  /// As `run`, with a block of good samples at a time and the share of the log that was read. The consumer empties the
  /// block, or puts an empty one in its place.
  func runInBlocks(
    start: (LogDescription) throws(FusionError) -> Void,
    auxiliary: ([AuxiliarySample]) throws(FusionError) -> Void = { _ in },
    consume: (inout [SensorSample], Double) throws(FusionError) -> Void
  ) throws(FusionError) -> LogSummary {
    // Samples of a channel that is moved back come later than in the log by as much.
    let horizon = 1 + (offsets.values.map(abs).max() ?? 0)
    // A log that is to be refused for disorder is told as it is.
    var study = isStrict ? nil : ClockStudy()
    if let summary = try pass(horizon: horizon, study: &study, start: start, auxiliary: auxiliary, consume: consume) {
      return summary
    }
    guard !LogFinder.isStream(path) else {
      throw FusionError.badData(
        "\(path == "-" ? "standard input" : path): samples come late, or the clock steps back, and it cannot be read twice to be put in order; "
          + "save it to a file and give that")
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
        horizon: .infinity, study: &none, repair: study?.repair(), start: start, auxiliary: auxiliary, consume: consume)
    else { preconditionFailure("no sample is late where the whole log is sorted") }
    return summary
  }

  /// Every good sample in order of time, in memory.
  public func samples() throws(FusionError) -> [SensorSample] { try load().samples }

  /// Every good sample of the channels that `options.auxiliary` wants, channel by channel in order of time, in memory.
  public func auxiliarySamples() throws(FusionError) -> [AuxiliaryChannel: [AuxiliarySample]] {
    var samples: [AuxiliaryChannel: [AuxiliarySample]] = [:]
    _ = try run(
      start: { (_) throws(FusionError) in samples.removeAll() },
      auxiliary: { (block) throws(FusionError) in
        for sample in block { samples[sample.channel, default: []].append(sample) }
      },
      consume: { (_) throws(FusionError) in })
    return samples.mapValues { samples in
      samples.indices.sorted { samples[$0].time != samples[$1].time ? samples[$0].time < samples[$1].time : $0 < $1 }
        .map { samples[$0] }
    }
  }

  /// Every good sample in order of time, in memory, and what was found on the way.
  public func load() throws(FusionError) -> (samples: [SensorSample], summary: LogSummary) {
    var samples: [SensorSample] = []
    let summary = try run(
      start: { (_) throws(FusionError) in samples.removeAll() },
      consume: { (sample) throws(FusionError) in samples.append(sample) })
    return (samples, summary)
  }

  /// One pass; nil where a sample was too late to be sorted in, or the clock steps back and goes on from there.
  ///
  /// - Parameters:
  ///   - study: looks at the clock, and where nil is given back has seen the log to its end; nil: nobody does.
  ///   - repair: what is to be done about the clock.
  private func pass(
    horizon: Double, study: inout ClockStudy?, repair: ClockRepair? = nil,
    start: (LogDescription) throws(FusionError) -> Void,
    auxiliary: ([AuxiliarySample]) throws(FusionError) -> Void,
    consume: (inout [SensorSample], Double) throws(FusionError) -> Void
  ) throws(FusionError) -> LogSummary? {
    var reader = try open()
    var description = reader.description
    if sound != nil { description.auxiliaryChannels.insert(.microphone) }
    try start(description)
    var repair = repair
    var context = AuxiliaryFeed(
      wanted: options.auxiliary, sound: sound, canStartOver: !LogFinder.isStream(path), repair: repair)
    var conditioner = SampleConditioner(horizon: horizon)
    var judge = LogJudge(path: path == "-" ? "standard input" : path, isStrict: isStrict)
    var gravity = OwnGravityCheck()
    var inspection = Inspection(isDetailed: isInspected)
    var batch: [SensorSample] = []
    var block: [SensorSample] = []
    while try read(&reader, &batch) {
      study?.look(at: batch)
      if study?.isSuspicious == true { return try readOn(&reader, &study) }
      repair?.apply(to: &batch)
      for axes in options.axes { axes.apply(to: &batch) }
      for sample in batch { judge.look(at: sample) }
      inspection.look(at: batch)
      if !offsets.isEmpty {
        for index in batch.indices { batch[index].time -= offsets[batch[index].channel] ?? 0 }
      }
      guard try context.read(from: &reader, consume: auxiliary), conditioner.append(batch, handingOnTo: &block) else {
        return try readOn(&reader, &study)
      }
      gravity.add(block)
      inspection.add(block)
      try context.willGiveOn(block, consume: auxiliary)
      try consume(&block, reader.progress)
    }
    guard try context.read(from: &reader, consume: auxiliary) else { return nil }
    if !isTolerant, let contradiction = gravity.contradiction {
      throw .badData("\(path == "-" ? "standard input" : path): \(contradiction)")
    }
    conditioner.finish()
    repeat {
      conditioner.handOn(to: &block, atMost: Self.blockSize)
      try context.willGiveOn(block, consume: auxiliary)
      inspection.add(block)
      try consume(&block, 1)
    } while !conditioner.isEmpty
    let reports = conditioner.channelReports
    if !isTolerant {
      try judge.check(
        reports, needing: neededChannels, following: followedChannels, description: reader.description)
    }
    inspection.finish()
    var summary = LogSummary(
      description: reader.description, reports: reports, emptyCounts: reader.emptyCounts, auxiliary: context.reports,
      quality: inspection.quality.channels,
      warnings: (repair?.warnings ?? []) + LogJudge.warnings(reports) + [gravity.contradiction].compactMap { $0 }
        + context.warnings + reader.description.unreadableWarnings,
      inspection: inspection, wasSorted: horizon == .infinity)
    if !isInspected { try summary.diagnose(isStrict: isStrict && !isTolerant) }
    return summary
  }

  /// Lets the clock's study see the log to its end, for a pass that will begin anew; gives nil.
  private func readOn(
    _ reader: inout any LogReader, _ study: inout ClockStudy?
  ) throws(FusionError) -> LogSummary? {
    guard study != nil, !LogFinder.isStream(path) else { return nil }
    var batch: [SensorSample] = []
    var others: [AuxiliarySample] = []
    while try read(&reader, &batch) {
      study?.look(at: batch)
      reader.takeAuxiliary(into: &others)
      others.removeAll(keepingCapacity: true)
    }
    return nil
  }

  private func open() throws(FusionError) -> any LogReader {
    var options = options
    if sound != nil { options.auxiliary.remove(.microphone) }
    do throws(LogError) {
      return try openLog(path: path, options: options)
    } catch {
      throw FusionError(error)
    }
  }

  private func read(_ reader: inout any LogReader, _ batch: inout [SensorSample]) throws(FusionError) -> Bool {
    batch.removeAll(keepingCapacity: true)
    do throws(LogError) {
      return try reader.read(into: &batch)
    } catch {
      throw FusionError(error)
    }
  }
}
