internal import InertialFilters
internal import InertialFusion
internal import InertialLive
package import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// A stream of samples to fused rows, each written as soon as it is known.
///
/// Where all sensors of a time come in one line, its row follows at once; a sensor with lines of its own is waited for
/// by at most one of its samples. The rows are those that the same samples give as a log. Rows of a file are in it when
/// they are known, and stay whatever ends the process; a later one may go on behind them.
package struct FollowJob: Sendable {
  package var source: StreamAddress
  /// A file, or "-" for standard output; a CSV.
  package var output: String
  package var options: FusionOptions
  /// Whether rows are appended to an output that is there and has the same columns.
  package var goesOn = false
  /// Seconds that a sample may come out of order; rows come as much later. Samples that are later still are dropped and
  /// counted.
  package var horizon = 0.0
  /// Seconds without a sample after which that is told.
  package var silence = 2.0
  /// Seconds without a sample after which the stream counts as ended.
  package var longestSilence = 60.0
  /// Whose datagrams are taken.
  package var admission = StreamAdmission()

  package init(source: StreamAddress, output: String = "-", options: FusionOptions = FusionOptions()) {
    self.source = source
    self.output = output
    self.options = options
  }

  /// What is told while the stream goes on.
  package enum Notice: Sendable, Equatable {
    /// Where datagrams are awaited.
    case listening(String)
    /// Nothing has come for so many seconds.
    case silent(Double)
    /// Samples come again.
    case resumed
    /// The rows go on in a file whose last time, in seconds, is not before theirs.
    case timeWentBack(last: Double, first: Double)
    /// A line could not be read and was left out; so many were, this one included. Told of the first, the tenth, the
    /// hundredth and so on, as are the two that follow.
    case leftOut(String, count: Int)
    /// A datagram of somebody else than the one sender was left out.
    case refused(String, count: Int)
    /// The system has thrown away datagrams that were not read in time.
    case lost(Int)
    /// The clock of the sender has jumped: a new segment begins.
    case clockJumped(from: Double, to: Double)
  }

  /// Fuses until the stream ends, falls silent for too long, or is interrupted (`SampleStream.interrupt`).
  ///
  /// - Parameters:
  ///   - opened: called with the stream, by which another thread may interrupt it.
  ///   - tell: called with what a person who watches wants to know.
  package func run(
    opened: (SampleStream) -> Void = { _ in }, tell: (Notice) -> Void = { _ in }
  ) throws(FusionError) -> FusionJob.Report {
    try check()
    let start = ContinuousClock.now
    let declination = try options.declination(
      log: PlaceAndDate(), path: "--follow", reason: "a stream does not say where it is made")
    let stream = try open()
    opened(stream)
    if stream.port != nil { tell(.listening(stream.name)) }
    var description = LogDescription(format: "stream", summary: "a stream of samples, line by line", path: stream.name)
    description.auxiliaryChannels = options.wantedChannels
    let sink = try RowSink(following: output, log: description, options: options, goesOn: goesOn)
    var pass = FollowPass(
      fusion: StreamFusion(
        stage: FusionStage(estimator: try options.estimator(declination), options: options), sink: sink),
      judge: StreamJudge(name: stream.name, options: logOptions, horizon: horizon))
    try pass.run(stream, silence: silence, limit: longestSilence, tell: tell)
    let rows = try pass.fusion.sink.close()
    // The rows are written; but an end that was none is no success.
    if stream.hasEndedWithinLine {
      throw .badData(
        "\(stream.name):\(stream.lineCount): the stream ended within a line: its sender has stopped short; what came "
          + "before is written")
    }
    var log = pass.summary(description, stream)
    log.warnings +=
      FusionJob(input: stream.name, output: output, options: options).channelWarnings(log)
      + declination.warnings + pass.fusion.stage.warnings
    return FusionJob.Report(
      output: output, outputs: [DatasetOutput(format: .csv, path: output)], log: log,
      declination: declination, rowCount: rows.count, firstRows: rows.first, lastRow: rows.last,
      columns: options.columns(of: description).map(\.name), recognised: options.told(pass.fusion.sink.recognised),
      rowsLeftOut: pass.fusion.stage.skippedCount,
      segmentCount: options.gaps == .split ? pass.fusion.stage.segmentCount : nil,
      elapsed: ContinuousClock.now - start, epoch: rows.epoch)
  }

  private var logOptions: LogOptions {
    var log = options.log
    log.auxiliary = options.wantedChannels
    return log
  }

  private func open() throws(FusionError) -> SampleStream {
    do throws(LogError) {
      return try SampleStream(source, options: logOptions, admission: admission)
    } catch {
      throw FusionError(error)
    }
  }

  /// What needs the whole log cannot be done while it is made.
  private func check() throws(FusionError) {
    try options.checkStream()
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    var inputs = options.readFiles
    if case .standardInput = source { inputs.append("-") }
    try InputGuard(inputs).check(output)
    guard options.formats.allSatisfy({ $0 == .csv }) else {
      throw .usage("--follow writes CSV rows as they become known; other formats need the whole log")
    }
    if options.startsAtZero, goesOn {
      throw .usage("--relative-time counts from the first row of a run; leave it out with --resume")
    }
    if options.writesMetadata || options.sound != nil {
      throw .usage("--metadata and --sound need the whole log; leave them out with --follow")
    }
  }
}

extension FusionOptions {
  /// - Throws: where something is asked for that needs the whole log.
  func checkStream() throws(FusionError) {
    _ = try FilterKind.known(filter)
    try checkColumns()
    try checkNumbers()
    if smooths { throw .usage("--smooth needs the whole log; leave it out with --follow") }
    if aligns { throw .usage("--align needs the whole log; leave it out with --follow") }
    if hasTrack, track.carrying == .auto {
      throw .usage("a stream's path needs to be told what the device is on: --on foot, hand, pocket, body or vehicle")
    }
    guard case .only(let channels) = channels else {
      throw .usage("--follow cannot know beforehand what a stream has: name the channels instead of 'all'")
    }
    if let event = channels.first(where: \.isEvent) {
      throw .usage("the events of \(event.name) go to a file beside a dataset, which --follow does not write")
    }
  }
}

/// A stream on its way to rows.
private struct FollowPass {
  var fusion: StreamFusion
  var judge: StreamJudge
  private var isSilent = false
  private var hasTime = false
  /// When the next line, datagram or loss that is left out is to be told.
  private var due = (leftOut: 1, refused: 1, lost: 1)

  init(fusion: StreamFusion, judge: StreamJudge) {
    self.fusion = fusion
    self.judge = judge
  }

  mutating func run(
    _ stream: SampleStream, silence: Double, limit: Double, tell: (FollowJob.Notice) -> Void
  ) throws(FusionError) {
    var events: [SensorEvent] = []
    var goesOn = true
    while goesOn {
      events.removeAll(keepingCapacity: true)
      do throws(LogError) {
        let outcome = try judge.read(stream, silence: silence, limit: limit) { events.append($0) }
        goesOn = outcome == .line || outcome == .silence
      } catch {
        throw FusionError(error)
      }
      for event in events {
        if case .silence(let seconds) = event, seconds >= limit { goesOn = false }
        try take(event, tell)
      }
      tellLosses(stream, tell)
    }
    events.removeAll()
    judge.finish { events.append($0) }
    do throws(LogError) {
      try judge.check(needing: [.accelerometer, .gyroscope])
    } catch {
      throw FusionError(error)
    }
    for event in events { try take(event, tell) }
    try fusion.finish()
  }

  /// Tells at once of what is left out, and less often the more there is of it.
  private mutating func tellLosses(_ stream: SampleStream, _ tell: (FollowJob.Notice) -> Void) {
    if stream.malformedCount >= due.leftOut {
      due.leftOut *= 10
      if let error = stream.lastError { tell(.leftOut(error.description, count: stream.malformedCount)) }
    }
    if stream.refusedCount >= due.refused {
      due.refused *= 10
      if let sender = stream.lastRefused { tell(.refused(sender, count: stream.refusedCount)) }
    }
    // The system is asked now and then.
    guard stream.port != nil, stream.lineCount.isMultiple(of: 64), let lost = stream.lostCount, lost >= due.lost else {
      return
    }
    while due.lost <= lost { due.lost *= 10 }
    tell(.lost(lost))
  }

  private mutating func take(_ event: SensorEvent, _ tell: (FollowJob.Notice) -> Void) throws(FusionError) {
    switch event {
    case .samples(let samples):
      if isSilent { tell(.resumed) }
      isSilent = false
      if let first = samples.first { compare(first.time, tell) }
      try fusion.take(event)
      try fusion.sink.flush()
    case .silence(let seconds):
      isSilent = true
      tell(.silent(seconds))
    case .discontinuity:
      try fusion.take(event)
      if let jump = judge.lastJump { tell(.clockJumped(from: jump.from, to: jump.to)) }
    case .auxiliary, .end: try fusion.take(event)
    }
  }

  /// Tells where a file that goes on would have times that do not rise.
  private mutating func compare(_ time: Double, _ tell: (FollowJob.Notice) -> Void) {
    defer { hasTime = true }
    guard !hasTime, let line = fusion.sink.lastLine, let last = Double(line.prefix { $0 != "," }), time <= last else {
      return
    }
    tell(.timeWentBack(last: last, first: time))
  }

  func summary(_ description: LogDescription, _ stream: SampleStream) -> LogSummary {
    let counts = judge.counts(stream)
    var warnings = LogJudge.warnings(counts.channels)
    if counts.malformedLines > 0 {
      let first = counts.firstError.map { ", the first: \($0.description)" } ?? ""
      warnings.append(
        "\(counts.malformedLines) line\(counts.malformedLines == 1 ? "" : "s") could not be read and "
          + "\(counts.malformedLines == 1 ? "was" : "were") left out\(first)")
    }
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { warnings.append("\(count) \(count == 1 ? one : many)") }
    }
    add(
      counts.outliers, "line with a time far from its neighbours' was left out",
      "lines with a time far from their neighbours' were left out")
    add(
      counts.jumps, "jump of the clock, behind which a segment begins",
      "jumps of the clock, behind each of which a segment begins")
    add(
      counts.refusedDatagrams, "datagram of another sender, or without the secret, was left out",
      "datagrams of other senders, or without the secret, were left out")
    add(
      counts.lostDatagrams, "datagram was lost, as it came faster than it could be read",
      "datagrams were lost, as they came faster than they could be read")
    return LogSummary(
      description: description, reports: counts.channels, auxiliary: judge.auxiliaryReports, warnings: warnings)
  }
}
