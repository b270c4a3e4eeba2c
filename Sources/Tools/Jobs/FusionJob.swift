package import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
public import InertialLogs
public import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// The fusion of one log to one dataset.
public struct FusionJob: Sendable {
  /// The path of a file or folder, or "-" for standard input.
  public var input: String
  /// The path of a file or folder, or "-" for standard output. With several formats, the path of the first output, or
  /// the common prefix of all outputs.
  public var output: String
  /// The options of the fusion.
  public var options: FusionOptions
  /// Whether separate threads read the input and write the output. The dataset does not depend on it.
  package var isOverlapped = true
  /// The interval whose position fixes are withheld to evaluate the path without them, and the end of the part of the
  /// log that is read, in seconds on the log's clock, or `nil` for none. A fix at the interval's start is kept.
  package var outage: (times: ClosedRange<Double>, end: Double)?

  /// Creates a job for one log. The default output is `defaultOutput`, next to the log.
  public init(input: String, output: String? = nil, options: FusionOptions = FusionOptions()) {
    self.input = input
    self.output = output ?? Self.defaultOutput(for: input, format: options.formats.first ?? .csv)
    self.options = options
  }

  /// All outputs, in the order of the formats.
  package var outputs: [DatasetOutput] { DatasetOutput.all(of: output, formats: options.formats) }

  /// Returns the default name of the dataset: the input's path with `.fused.csv` or the format's extension added.
  package static func defaultOutput(for input: String, format: DatasetFormat = .csv) -> String {
    input.withoutSlashesAtEnd + ".fused." + format.fileExtension
  }

  /// The path of the events' file, if event channels are requested: the dataset's name, ending in `.events.csv`.
  package var eventsOutput: String { DatasetFormat.eventsPath(of: output) }

  /// The result of a fusion.
  public struct Report: Sendable {
    /// The job, with the input and the options.
    package var job: FusionJob
    /// The path of the first output.
    public var output: String
    /// All outputs, including the first.
    public var outputs: [DatasetOutput] = []
    /// The summary of the log and its problems.
    public var log: LogSummary
    /// The time offsets of the sensors, and whether they were compensated, or `nil` if the option is not set.
    package var alignment: [ChannelAlignment]?
    /// The declination in the frame of true north, or `nil` in other frames.
    public var declination: MagneticDeclination?
    /// The automatic decisions, as far as they are taken at the end of the log.
    package var decisions: [AutomaticDecision] = []
    /// Whether the filter has received a usable magnetic field.
    package var fieldIsUsed = false
    /// The number of written rows.
    public var rowCount = 0
    package var firstRows: [DeviceMotion] = []
    package var lastRow: DeviceMotion?
    /// The names of the dataset's columns.
    public var columns: [String] = []
    /// The recognised values of the last row with their columns and units, `nil` if unknown; empty without recognisers.
    package var recognised: [(column: String, unit: String, value: Double?)] = []
    /// The number of events in the file next to the dataset, or `nil` if no events were requested.
    package var eventCount: Int?
    /// The number of output times that fell into gaps, at a fixed output rate.
    package var rowsLeftOut = 0
    /// The number of segments with rows, or `nil` if gaps do not split the dataset.
    package var segmentCount: Int?
    /// The duration from opening the log to renaming the dataset.
    public var elapsed = Duration.zero
    /// The UNIX time of the dataset's time 0, or `nil` if the log does not specify it.
    public var epoch: Double?
    /// The inspection, the recognised events and the log's own events, if the rows were passed to a writer.
    package var details: Details?
    /// The report of the path, or `nil` if no path was requested.
    package var path: PathReport?
    /// The log's time that is 0 in the rows, in seconds, or `nil` if they have the log's own times.
    package var timeOrigin: Double?
  }

  /// The additional results for a display of the log.
  package struct Details: Sendable {
    package var inspection: InspectionReport
    package var events: [RecognisedEvent]
    /// The statistics of the filter's measurements, or `nil` if no measurement column was requested.
    package var measurements: [MeasurementStatistics]?
    /// The samples of the log's event channels, sorted by time.
    package var logEvents: [AuxiliarySample]
    /// The metadata of the dataset as a JSON document: options, parameters, version, checksum of the input.
    package var facts: String
    /// The path from the whole log, or the error that prevented it, or `nil` if it was not requested.
    package var path: Result<EstimatedPath, FusionError>?
  }

  /// Reads, fuses and writes. The output appears under its name when it is complete, or not at all.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that was read, 0...1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try check(outputs)
    return try pass(into: nil, progress: progress)
  }

  /// Reads and fuses as `run` does, and passes the rows to the caller's writer instead of files.
  ///
  /// - Parameters:
  ///   - isDetailed: Whether the report has `details`: an inspection of the log, and events.
  ///   - findsPath: Whether `details` have a path for display. The options must not request one for the rows.
  ///   - makeWriter: Creates the writer of the columns of the rows. It is called again if the samples are read again in
  ///     better order; the previous writer is then void.
  ///   - progress: Called periodically with the fraction of the log that was read, 0...1.
  package func run(
    into makeWriter: @escaping ([FusedColumn]) -> any TableWriter, isDetailed: Bool = true, findsPath: Bool = false,
    progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> Report {
    guard findsPath else { return try pass(into: makeWriter, isDetailed: isDetailed, progress: progress) }
    let record = LogRecord(
      wholeLogRecognitions.union([.track]), limit: EstimatedPath.maximumSampleCount, height: options.track.height)
    var path: Result<EstimatedPath, FusionError>?
    var report = try pass(
      into: makeWriter, isDetailed: isDetailed, record: record,
      willClose: { (_, record, _) in
        path = record?.track.map { recording in
          Result { () throws(FusionError) in try EstimatedPath(recording, of: self) }
        }
      }, progress: progress)
    report.details?.path = path
    if case .success(let found)? = path { report.decisions += found.report.decisions }
    return report
  }

  /// The recognisers that use the whole log.
  private var wholeLogRecognitions: Set<Recognition> {
    options.isCausal ? [] : Set(options.recognitions.filter(\.usesWholeLog))
  }

  /// Reads the log, and returns the input of its path.
  func survey(progress: (Double) -> Void = { _ in }) throws(FusionError) -> TrackRecording {
    var job = self
    job.options.recognitions = []
    job.options.columns = [FusedColumn.all[0]]
    job.options.channels = .none
    job.options.rate = nil
    var recording: TrackRecording?
    _ = try job.pass(
      into: { _ in FusedTable(columns: []) }, record: LogRecord([.track], height: options.track.height),
      willClose: { (_, record, _) in recording = record?.track }, progress: progress)
    guard let recording else { throw .badData("\(input): the log has no motion for a path") }
    return recording
  }

  /// Runs a pass over the log: from its samples to the report.
  ///
  /// - Parameters:
  ///   - record: The record for the recognisers that use the whole log, or `nil` for that of the options.
  ///   - willClose: Called with the path, the record and the log when all rows are written, before the files get their
  ///     final names.
  func pass(
    into makeWriter: (([FusedColumn]) -> any TableWriter)?, isDetailed: Bool = false, record: LogRecord? = nil,
    willClose: (PathReport?, LogRecord?, LogSummary) throws(FusionError) -> Void = { (_, _, _) in },
    progress: (Double) -> Void
  ) throws(FusionError) -> Report {
    try options.checkColumns()
    try options.checkNumbers()
    try checkTrack()
    let recognitions = wholeLogRecognitions
    let record = record ?? (recognitions.isEmpty ? nil : LogRecord(recognitions, height: options.track.height))
    let start = ContinuousClock.now
    var feed = feed(isDetailed: isDetailed, findsPath: record?.track != nil)
    let alignment = try align(&feed) { progress($0 / 2) }
    // The alignment's pass is the first half of the progress.
    var (stage, summary, declination, logEvents) = try fuse(
      &feed, into: makeWriter, record, isDetailed: isDetailed
    ) { progress(options.aligns ? 0.5 + $0 / 2 : $0) }
    var log = summary
    let (path, events, wholeLog) = try completeRows(of: &stage)
    try willClose(path, wholeLog, log)
    try stage.sink.close()
    let recognises = !Set(options.recognitions).isDisjoint(with: [.steps, .activity, .shake])
    if recognises, let warning = log.recognitionRateWarning { log.warnings.append(warning) }
    // A detailed report requests every channel, so missing channels are not worth a warning.
    log.warnings += (isDetailed ? [] : channelWarnings(summary)) + declination.warnings + stage.warnings
    var report = report(
      of: stage, outputs: makeWriter == nil ? outputs : [], log: log, declination: declination, since: start)
    (report.alignment, report.timeOrigin) = (alignment, stage.sink.metadata.timeOrigin)
    report.path = path
    report.log.warnings += path.map(axesWarnings) ?? []
    report.decisions += (wholeLog?.decisions ?? []) + (path?.decisions ?? [])
    if isDetailed {
      report.details = Details(
        inspection: InspectionReport(summary), events: events,
        measurements: stage.measurements, logEvents: logEvents.inTimeOrder(), facts: stage.sink.metadata.json())
    }
    return report
  }

  /// Fuses the samples of a feed.
  ///
  /// - Returns: The stage with all samples, the summary of the log, the declination, and the log's own events if the
  ///   report is detailed.
  private func fuse(
    _ feed: inout LogFeed, into makeWriter: (([FusedColumn]) -> any TableWriter)?, _ record: LogRecord?,
    isDetailed: Bool, progress: (Double) -> Void
  ) throws(FusionError) -> (FusionStage, LogSummary, MagneticDeclination?, [AuxiliarySample]) {
    let whereabouts = try whereabouts()
    var declination: MagneticDeclination?
    var stage: FusionStage?
    var events: [AuxiliarySample] = []
    let summary = try feed.run(
      start: { (description) throws(FusionError) in
        // A second start means that the samples are read again in better order: the rows so far are void.
        stage = nil
        events.removeAll()
        declination = try options.declination(
          log: whereabouts ?? PlaceAndDate(ofStandardInput: description),
          path: input == "-" ? "standard input" : input,
          reason: LogFeed.isStream(input)
            ? "a stream cannot be read twice to find its location" : MagneticDeclination.unknownPlace)
        stage = try self.stage(description, declination, into: makeWriter, record, isDetailed: isDetailed)
      },
      progress: progress,
      auxiliary: { (block) throws(FusionError) in
        let block = outsideOutage(block)
        stage!.add(block)
        if isDetailed { events += block.filter(\.channel.isEvent) }
      },
      consume: { (block) throws(FusionError) in try stage!.fuse(outsideOutage(block)) })
    if options.frameNeedsField { try options.motion.frame.checkField(in: summary, path: input) }
    try stage!.finish()
    return (stage!, summary, declination, events)
  }

  /// Sets the values in the rows that only the whole log determines.
  ///
  /// - Returns: The report of the path, the recognised events, and the completed record of the log.
  private func completeRows(
    of stage: inout FusionStage
  ) throws(FusionError) -> (PathReport?, [RecognisedEvent], LogRecord?) {
    let (path, events) = (stage.recognition?.track?.summary, stage.recognition?.events ?? [])
    guard var record = stage.recognition?.record else { return (path, events, nil) }
    record.finish()
    var values = record.known()
    let known = options.hasTrack ? try record.track.map(knownPath) : nil
    if let known { values[.track] = known }
    var columns = KnownColumns(values, starts: record.starts)
    try stage.sink.complete(&columns)
    return (known?.report ?? path, events + columns.events, record)
  }

  /// Returns the feed of the log's samples.
  private func feed(isDetailed: Bool, findsPath: Bool) -> LogFeed {
    var feed = LogFeed(path: input, options: options.log)
    feed.isStrict = options.strict
    feed.readsAhead = isOverlapped
    feed.options.auxiliary = options.wantedChannels.union(findsPath ? TrackAnnotator.channels : [])
    feed.sound = options.sound
    feed.isInspected = isDetailed
    return feed
  }

  /// Estimates the time offsets of the sensors, if requested, and sets the feed to compensate them.
  private func align(_ feed: inout LogFeed, progress: (Double) -> Void) throws(FusionError) -> [ChannelAlignment]? {
    guard options.aligns else { return nil }
    let found: [SensorChannel: StreamOffsetResult]
    do throws(LogError) { found = try feed.alignment(progress: progress) } catch { throw FusionError(error) }
    feed.offsets = found.significantOffsets
    return found.alignments(isApplied: true)
  }

  /// Returns the stage that fuses the log's samples, with the sink of their rows: the given writer, or those of the job's outputs.
  private func stage(
    _ log: LogDescription, _ declination: MagneticDeclination?, into makeWriter: (([FusedColumn]) -> any TableWriter)?,
    _ record: LogRecord?, isDetailed: Bool
  ) throws(FusionError) -> FusionStage {
    let estimator = try options.estimator(declination)
    var sink =
      if let makeWriter {
        RowSink(
          writer: makeWriter(options.columns(of: log)), log: log, options: options,
          metadata: DatasetMetadata(log: log, options: options, declination: declination, needsChecksum: isDetailed))
      } else {
        try RowSink(
          outputs: outputs, log: log, options: options, declination: declination, isOverlapped: isOverlapped)
      }
    if !wholeLogRecognitions.isEmpty { sink.wait(for: wholeLogRecognitions) }
    return FusionStage(
      estimator: estimator, sink: sink, options: options, record: record, sensors: log.sensors,
      keptEvents: isDetailed ? Recognition.allCases : [],
      talliesMeasurements: isDetailed && options.wantsMeasurements)
  }

  /// Returns the report of a stage with a closed sink.
  func report(
    of stage: FusionStage, outputs: [DatasetOutput], log: LogSummary, declination: MagneticDeclination?,
    since start: ContinuousClock.Instant
  ) -> Report {
    let sink = stage.sink
    return Report(
      job: self, output: outputs.first?.path ?? "", outputs: outputs, log: log, declination: declination,
      decisions: stage.decisions, fieldIsUsed: stage.fieldIsUsed, rowCount: sink.rowCount, firstRows: sink.first,
      lastRow: sink.last,
      columns: sink.metadata.columns.map(\.name),
      recognised: options.requestedValues(sink.recognised), eventCount: sink.eventCount,
      rowsLeftOut: stage.skippedCount, segmentCount: options.gaps == .split ? stage.segmentCount : nil,
      elapsed: ContinuousClock.now - start, epoch: sink.metadata.epoch)
  }
}

extension FusionJob {
  /// Returns the place and date of the recording, if needed and known, or `nil` for standard input, which can be read
  /// only once.
  private func whereabouts() throws(FusionError) -> PlaceAndDate? {
    guard options.needsDeclination, !LogFeed.isStream(input) else { return nil }
    do throws(LogError) {
      return try PlaceAndDate(ofLog: input, options: options.log, wantsPlace: options.location == nil)
    } catch {
      throw FusionError(error)
    }
  }

  /// Returns warnings about requested channels that the log does not have.
  func channelWarnings(_ log: LogSummary) -> [String] {
    var warnings: [String] = []
    if case .only(let channels) = options.channels {
      // A channel that exists but is unreadable is reported elsewhere, with its position in the log.
      let absent = channels.filter { log.auxiliary[$0] == nil && log.description.unreadable[$0] == nil }.sorted()
        .map(\.name)
      if !absent.isEmpty { warnings.append("the log has no \(absent.joined(separator: ", ")): empty in the dataset") }
    }
    for recognition in options.recognitions {
      let needed = recognition.channels
      guard recognition.needsChannels, needed.allSatisfy({ log.auxiliary[$0] == nil }) else { continue }
      warnings.append(
        "the log has no \(needed.sorted().map(\.name).joined(separator: " or ")), which \(recognition.rawValue) needs: "
          + "its columns are empty")
    }
    let events = AuxiliaryChannel.allCases.filter { $0.isEvent && log.auxiliary[$0] != nil }.map(\.name)
    if output == "-", !events.isEmpty {
      warnings.append(
        "events (\(events.joined(separator: ", "))) are omitted on standard output; write them with -o FILE")
    }
    return warnings
  }

  func checkSource() throws(FusionError) {
    if options.recognitions.contains(.posture), options.placement == nil {
      throw .usage("the posture depends on the placement of the device; add --placement trunk or --placement thigh")
    }
    if options.aligns, LogFeed.isStream(input) {
      throw .usage(
        "--align reads the log twice, which is impossible for standard input; save it to a file and use the file")
    }
  }

  /// Checks the job and its outputs. An output never replaces the log, even with `force`: a recording cannot be
  /// repeated.
  func check(_ outputs: [DatasetOutput]) throws(FusionError) {
    try options.checkColumns()
    guard outputs.count == 1 || output != "-" else { throw .usage("standard output takes one format") }
    try checkSource()
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    try checkFormats()
    try check(against: InputGuard(inputs))
  }

  /// - Throws: ``FusionError`` if an option applies to none of the formats.
  func checkFormats() throws(FusionError) {
    let formats = outputs.map(\.format)
    func check(_ option: String, _ isAsked: Bool, _ format: DatasetFormat) throws(FusionError) {
      guard isAsked, !formats.contains(format) else { return }
      throw .usage("\(option) is for \(format.rawValue); omit it, or add --format \(format.rawValue)")
    }
    try check("--lists", options.writesLists, .parquet)
    try check("--header-units", options.writesUnits, .csv)
    try check("--bids-subject, --bids-task and --bids-tracksys", options.bids != BIDSEntities(), .bids)
  }

  /// All input files.
  package var inputs: [String] { [input] + [options.sound?.path].compactMap { $0 } + options.readFiles }

  /// - Throws: ``FusionError`` if an output would replace an input.
  func check(against inputs: InputGuard) throws(FusionError) {
    let hasEvents = options.channels.wanted.contains(where: \.isEvent)
    let metadata = options.writesMetadata ? outputs.compactMap(\.metadataPath) : []
    for output in outputs {
      if output.format.isFolder { try inputs.checkFolder(output.path) } else { try inputs.check(output.path) }
    }
    for path in metadata + (hasEvents ? [eventsOutput] : []) { try inputs.check(path) }
  }
}

extension PlaceAndDate {
  /// Determines the year of standard input. An epoch of 0 means UNIX time, for which the unread first sample is needed.
  fileprivate init(ofStandardInput log: LogDescription) {
    self.init(year: log.epoch.flatMap { $0 == 0 ? nil : DecimalYear.of(unixTime: $0) })
  }
}

extension AttitudeReferenceFrame {
  /// - Throws: ``FusionError`` if the frame needs a magnetic field that the log does not have.
  func checkField(in log: LogSummary, path: String) throws(FusionError) {
    guard usesMagnetometer else { return }
    guard log.hasField else {
      throw .badData("\(path): the log has no magnetic field, which \(name) needs; use --frame xArbitraryZVertical")
    }
  }
}
