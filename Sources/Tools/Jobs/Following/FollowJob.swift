internal import InertialFilters
internal import InertialFusion
internal import InertialLive
package import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// The fusion of a sample stream to rows, each written as soon as it is available.
///
/// If one line contains all sensors of an epoch, its row is written at once. For a sensor with separate lines, a row
/// waits for at most one of its samples. The rows equal those of a log with the same samples. The rows in a file are
/// complete even if the process is killed, and a later process can append to them.
package struct FollowJob: Sendable {
  /// The address of the stream, as given.
  package let input: String
  private let source: StreamAddress
  /// The path of a CSV file, or "-" for standard output.
  package var output: String
  package var options: FusionOptions
  /// Whether rows are appended to an existing output with the same columns.
  package var goesOn = false
  /// The maximum delay of a sample that is out of order, in seconds. Rows are delayed by this time. Samples with a
  /// longer delay are dropped and counted.
  package var horizon = 0.0
  /// The time without a sample after which silence is reported, in seconds.
  package var silence = 2.0
  /// The time without a sample after which the stream ends, in seconds.
  package var maximumSilence = 60.0
  /// The senders whose datagrams are accepted.
  package var admission = SenderPolicy()

  /// - Throws: ``FusionError`` if the input is not the address of a stream.
  package init(
    input: String, output: String = "-", options: FusionOptions = FusionOptions()
  ) throws(FusionError) {
    do throws(LogError) { source = try StreamAddress(input) } catch { throw .usage(error.description) }
    (self.input, self.output, self.options) = (input, output, options)
  }

  /// Fuses until the stream ends, is silent for too long, or is interrupted (`SampleStream.interrupt`).
  ///
  /// - Parameters:
  ///   - opened: Called with the stream, so that another thread can interrupt it.
  ///   - deliver: Called with notices and warnings for the user, each of one line.
  package func run(
    opened: (SampleStream) -> Void = { _ in }, deliver: (String) -> Void = { _ in }
  ) throws(FusionError) -> FusionJob.Report {
    try check()
    let start = ContinuousClock.now
    let declination = try options.declination(log: PlaceAndDate(), path: "--follow", reason: "a stream has no location")
    let stream = try open()
    opened(stream)
    if stream.port != nil { deliver("listening at \(stream.name)") }
    var description = LogDescription(format: "stream", summary: "a stream of samples, line by line", path: stream.name)
    description.auxiliaryChannels = options.wantedChannels
    let metadata = DatasetMetadata(log: description, options: options, needsChecksum: false)
    let writer = try makeWriter(metadata)
    var pass = FollowPass(
      stage: FusionStage(
        estimator: try options.estimator(declination),
        sink: RowSink(writer: writer, log: description, options: options, metadata: metadata), options: options),
      processor: StreamProcessor(name: stream.name, options: options.streamLog, horizon: horizon),
      maximumSilence: maximumSilence, lastLine: writer.lastLine)
    try pass.run(stream, silence: silence, deliver: deliver)
    try pass.stage.sink.close()
    // The rows are written, but an end within a line is an error.
    if stream.hasEndedWithinLine {
      throw .badData(
        "\(stream.name):\(stream.lineCount): the stream ended within a line because its sender stopped; all previous "
          + "lines are written")
    }
    var log = pass.summary(description, stream)
    let job = FusionJob(input: input, output: output, options: options)
    log.warnings += job.channelWarnings(log) + declination.warnings + pass.stage.warnings
    return job.report(
      of: pass.stage, outputs: [DatasetOutput(format: .csv, path: output)], log: log, declination: declination,
      since: start)
  }

  /// Returns the writer of the rows: to a live stream, or to a file that grows and remains if the process is killed.
  private func makeWriter(_ metadata: DatasetMetadata) throws(FusionError) -> NumberTableWriter {
    let columns = metadata.columnNames(withUnits: options.writesUnits)
    do throws(OutputError) {
      guard AtomicFile.isStream(output) else {
        return try NumberTableWriter(
          growing: output, columns: columns, digits: options.digits, exactColumns: metadata.exactColumns,
          force: options.force, goesOn: goesOn)
      }
      return try NumberTableWriter(
        path: output, columns: columns, digits: options.digits, exactColumns: metadata.exactColumns,
        isOverlapped: false, isLive: true)
    } catch {
      throw FusionError(error)
    }
  }

  private func open() throws(FusionError) -> SampleStream {
    do throws(LogError) {
      return try SampleStream(source, options: options.streamLog, admission: admission)
    } catch {
      throw FusionError(error)
    }
  }

  /// Checks that no option needs the whole log.
  private func check() throws(FusionError) {
    try options.checkStream()
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    var inputs = options.readFiles
    if case .standardInput = source { inputs.append("-") }
    try InputGuard(inputs).check(output)
    guard options.formats.allSatisfy({ $0 == .csv }) else {
      throw .usage("--follow writes CSV rows as samples arrive; other formats need the whole log")
    }
    if options.startsAtZero, goesOn {
      throw .usage("--relative-time counts from the first row of a run; omit it with --resume")
    }
    if options.writesMetadata || options.sound != nil {
      throw .usage("--metadata and --sound need the whole log; omit them with --follow")
    }
  }
}

extension FusionOptions {
  /// The options of a stream's log, with the channels that the dataset and its recognisers need.
  var streamLog: LogOptions {
    var log = log
    log.auxiliary = wantedChannels
    return log
  }

  /// - Throws: ``FusionError`` if an option needs the whole log.
  func checkStream() throws(FusionError) {
    _ = try FilterKind.known(filter)
    try checkColumns()
    try checkNumbers()
    if smooths { throw .usage("--smooth needs the whole log; omit it with --follow") }
    if aligns { throw .usage("--align needs the whole log; omit it with --follow") }
    if hasTrack, track.carrying == .auto {
      throw .usage(
        "the path of a stream needs the placement of the device; add --on foot, hand, pocket, body or vehicle")
    }
    guard case .only(let channels) = channels else {
      throw .usage("--follow cannot determine the channels of a stream in advance; name them instead of 'all'")
    }
    if let event = channels.first(where: \.isEvent) {
      throw .usage("the events of \(event.name) need a file next to the dataset, which --follow does not write")
    }
  }
}

/// The processing of a stream to rows.
private struct FollowPass {
  var stage: FusionStage
  var processor: StreamProcessor
  /// The time without a sample after which the stream ends, in seconds.
  private let maximumSilence: Double
  /// The last row that an earlier process wrote to the output, or `nil` if there is no such row.
  private let lastLine: String?
  private var isSilent = false
  private var hasTime = false
  /// Whether rows may wait to be written.
  private var hasRows = false
  /// The counts of skipped lines, refused datagrams and lost datagrams at which the next notice is due.
  private var due = (leftOut: 1, refused: 1, lost: 1)

  init(stage: FusionStage, processor: StreamProcessor, maximumSilence: Double, lastLine: String?) {
    (self.stage, self.processor) = (stage, processor)
    (self.maximumSilence, self.lastLine) = (maximumSilence, lastLine)
  }

  mutating func run(_ stream: SampleStream, silence: Double, deliver: (String) -> Void) throws(FusionError) {
    var events: [SensorEvent] = []
    var goesOn = true
    while goesOn {
      events.removeAll(keepingCapacity: true)
      do throws(LogError) {
        let outcome = try processor.read(stream, silence: silence, limit: maximumSilence) { events.append($0) }
        goesOn = outcome == .line || outcome == .silence
      } catch {
        throw FusionError(error)
      }
      for event in events {
        if case .silence(let seconds) = event, seconds >= maximumSilence { goesOn = false }
        try process(event, deliver)
      }
      reportLosses(stream, deliver)
      // Rows of lines that arrived together are written together: a write takes longer than a row.
      if hasRows, !stream.hasBufferedLine {
        try stage.sink.flush()
        hasRows = false
      }
    }
    events.removeAll()
    processor.finish { events.append($0) }
    do throws(LogError) { try processor.check(needing: [.accelerometer, .gyroscope]) } catch {
      throw FusionError(error)
    }
    for event in events { try process(event, deliver) }
    try stage.finish()
  }

  /// Reports the first loss at once, and further losses at increasing intervals: the tenth, the hundredth and so on.
  private mutating func reportLosses(_ stream: SampleStream, _ deliver: (String) -> Void) {
    if stream.malformedCount >= due.leftOut {
      due.leftOut *= 10
      let count = stream.malformedCount
      let lines = count == 1 ? "1 line could not be read and was" : "\(count) lines could not be read and were"
      if let error = stream.lastError { deliver("warning: \(lines) left out, the last: \(error.description)") }
    }
    if stream.refusedCount >= due.refused {
      due.refused *= 10
      if let sender = stream.lastRefused {
        deliver(
          "warning: \(Self.datagrams(stream.refusedCount)) of other senders dropped, the last from \(sender): only one "
            + "sender is accepted at a time")
      }
    }
    // The system's count is read periodically.
    guard stream.port != nil, stream.lineCount.isMultiple(of: 64), let lost = stream.lostCount, lost >= due.lost else {
      return
    }
    while due.lost <= lost { due.lost *= 10 }
    deliver(
      "warning: \(Self.datagrams(lost)) lost: data arrives faster than it can be processed; send less, or use "
        + "--filter complementary")
  }

  private static func datagrams(_ count: Int) -> String { count == 1 ? "1 datagram" : "\(count) datagrams" }

  private mutating func process(_ event: SensorEvent, _ deliver: (String) -> Void) throws(FusionError) {
    switch event {
    case .samples(let samples):
      if isSilent { deliver("samples are arriving again") }
      isSilent = false
      if let first = samples.first { compare(first.time, deliver) }
      try stage.append(event)
      hasRows = true
    case .silence(let seconds):
      isSilent = true
      report(silence: seconds, deliver)
    case .discontinuity:
      try stage.append(event)
      if let jump = processor.lastJump {
        deliver("warning: the sender's clock has jumped from \(jump.from) s to \(jump.to) s: a new segment begins")
      }
    case .auxiliary, .end: try stage.append(event)
    }
  }

  private func report(silence seconds: Double, _ deliver: (String) -> Void) {
    let silence = "no sample for \(String(cFormat: "%.0f", seconds)) s"
    if seconds >= maximumSilence { return deliver("\(silence): the stream has ended") }
    let limit = String(cFormat: "%.0f", maximumSilence)
    deliver("warning: \(silence)\(maximumSilence < .infinity ? "; the stream ends after \(limit) s" : "")")
  }

  /// Reports the first time of appended rows if it is not later than the last time in the file.
  private mutating func compare(_ time: Double, _ deliver: (String) -> Void) {
    defer { hasTime = true }
    guard !hasTime, let line = lastLine, let last = Double(line.prefix { $0 != "," }), time <= last else { return }
    deliver(
      "warning: the stream's first sample at \(time) s is before the output's last row at \(last) s: times will not "
        + "increase from row to row")
  }

  func summary(_ description: LogDescription, _ stream: SampleStream) -> LogSummary {
    let counts = processor.counts(stream)
    var warnings = LogValidator.warnings(counts.channels)
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { warnings.append("\(count) \(count == 1 ? one : many)") }
    }
    let first = counts.firstError.map { ", the first: \($0.description)" } ?? ""
    add(
      counts.malformedLines, "line could not be read and was skipped\(first)",
      "lines could not be read and were skipped\(first)")
    add(
      counts.outliers, "line with a time far from its neighbours' was skipped",
      "lines with a time far from their neighbours' were skipped")
    add(
      counts.jumps, "jump of the clock, after which a new segment begins",
      "jumps of the clock, after each of which a new segment begins")
    add(
      counts.refusedDatagrams, "datagram of another sender, or without the secret, was rejected",
      "datagrams of other senders, or without the secret, were rejected")
    add(
      counts.lostDatagrams, "datagram was lost, as it arrived faster than it could be read",
      "datagrams were lost, as they arrived faster than they could be read")
    return LogSummary(
      description: description, reports: counts.channels, auxiliary: processor.auxiliaryReports, warnings: warnings)
  }
}
