internal import InertialLive
package import InertialLogs
internal import InertialNumerics

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
  package var appends = false
  /// The maximum delay of a sample that is out of order, in seconds. Rows are delayed by this time. Samples with a
  /// longer delay are dropped and counted.
  package var horizon = 0.0
  /// The time without a sample after which silence is reported, in seconds.
  package var silence = 2.0
  /// The time without a sample after which the stream ends, in seconds.
  package var silenceLimit = 60.0
  /// The senders whose datagrams are accepted.
  package var admission = SenderPolicy()

  /// - Throws: ``FusionError`` if the input is not the address of a stream.
  package init(
    input: String, output: String = "-", options: FusionOptions = FusionOptions()
  ) throws(FusionError) {
    do throws(LogError) { source = try StreamAddress(input) } catch { throw .usage(error.description) }
    (self.input, self.output, self.options) = (input, output, options)
    self.options.isCausal = true
  }

  /// Fuses until the stream ends, is silent for too long, or is interrupted (`SampleStream.interrupt`).
  ///
  /// - Parameters:
  ///   - opened: Called with the stream, so that another thread can interrupt it.
  ///   - notify: Called with notices and warnings for the user, each of one line.
  package func run(
    opened: (SampleStream) -> Void = { _ in }, notify: (String) -> Void = { _ in }
  ) throws(FusionError) -> FusionJob.Report {
    try check()
    let start = ContinuousClock.now
    let declination = try options.declination(log: PlaceAndDate(), path: "--follow", reason: "a stream has no location")
    let stream = try open()
    opened(stream)
    if stream.port != nil { notify("listening at \(stream.name)") }
    var description = LogDescription(format: "stream", summary: "a stream of samples, line by line", path: stream.name)
    description.auxiliaryChannels = options.wantedChannels
    let metadata = DatasetMetadata(log: description, options: options, needsChecksum: false)
    let writer = try makeWriter(metadata)
    var pass = FollowPass(
      stage: FusionStage(
        estimator: try options.estimator(declination),
        sink: RowSink(writer: writer, log: description, options: options, metadata: metadata), options: options),
      processor: StreamProcessor(name: stream.name, options: options.streamLog, horizon: horizon),
      silenceLimit: silenceLimit, lastLine: writer.lastLine)
    try pass.run(stream, silence: silence, notify: notify)
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
          force: options.force, goesOn: appends)
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
    if options.startsAtZero, appends {
      throw .usage("--relative-time counts from the first row of a run; omit it with --resume")
    }
    if options.relativeAttitudes != nil, appends {
      throw .usage("the relative attitude refers to a row of a run; omit --relative-to with --resume")
    }
    if options.writesMetadata || options.sound != nil {
      throw .usage("--metadata and --sound need the whole log; omit them with --follow")
    }
  }
}
