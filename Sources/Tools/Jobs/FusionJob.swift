package import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
public import InertialLogs
public import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// One log to one fused dataset.
public struct FusionJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// File or folder, or "-" for standard output; of several formats the first's, or what their names begin with.
  public var output: String
  /// What to make of the log.
  public var options: FusionOptions
  /// Whether threads of their own read, and format and write, while the caller's fuses. The dataset is the same.
  package var isOverlapped = true
  /// A time in which the log's position fixes are held back, to see what a path is without them; nil for none.
  package var outage: FixOutage?

  /// A job for one log; without an output, `defaultOutput` beside the log.
  public init(input: String, output: String? = nil, options: FusionOptions = FusionOptions()) {
    self.input = input
    self.output = output ?? Self.defaultOutput(for: input, format: options.formats.first ?? .csv)
    self.options = options
  }

  /// Everything that is written, in the order of the formats.
  package var outputs: [DatasetOutput] { DatasetOutput.all(of: output, formats: options.formats) }

  /// The dataset's name where none is given: beside the input, with `.fused.csv` added, or the format's ending.
  package static func defaultOutput(for input: String, format: DatasetFormat = .csv) -> String {
    var path = input
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".fused." + format.fileExtension
  }

  /// Where the events of a log go, where their channels are wanted: the dataset's name, ending in `.events.csv`.
  package var eventsOutput: String { EventSink.path(for: output) }

  /// What was made of a log.
  public struct Report: Sendable {
    /// Path of the first of the outputs.
    public var output: String
    /// Everything that was written, the first included.
    public var outputs: [DatasetOutput] = []
    /// What was read, and what was wrong with it.
    public var log: LogSummary
    /// Time offsets of the sensors, and whether they were taken off; nil where that was not asked for.
    package var alignment: LogAlignment?
    /// The declination in the frame of true north; nil in the others.
    public var declination: MagneticDeclination?
    /// Rows that were written.
    public var rowCount = 0
    package var firstRows: [DeviceMotion] = []
    package var lastRow: DeviceMotion?
    /// The names of the dataset's columns.
    public var columns: [String] = []
    /// What recognisers told in the last row, column by column; empty where nothing was to be recognised.
    package var recognised: [RecognisedValue] = []
    /// Events in the file beside the dataset; nil where none were wanted.
    package var eventCount: Int?
    /// Times of the asked rate that fell into gaps.
    package var rowsLeftOut = 0
    /// Stretches between gaps that have rows, where gaps split the dataset; else nil.
    package var segmentCount: Int?
    /// From the log's opening to the dataset in its place.
    public var elapsed = Duration.zero
    /// UNIX time of the dataset's time 0, where the log says.
    public var epoch: Double?
    /// What `inspect` finds, what recognisers saw happen, and the log's own events; of rows that went to a table.
    package var details: Details?
    /// What the path has come to; nil where none was wanted.
    package var path: PathReport?
    /// The log's time that is 0 in the rows, in seconds; nil if they have the log's own times.
    package var timeOrigin: Double?
  }

  /// What is found out beside the rows for those who show a log, and not only fuse it.
  package struct Details: Sendable {
    package var inspection: InspectionJob.Report
    package var events: [RecognisedEvent]
    /// What the filter made of its measurements; nil where no column of theirs was asked for.
    package var measurements: [MeasurementTally]?
    /// Samples of the log's channels of events, in order of time.
    package var logEvents: [AuxiliarySample]
    /// What the dataset says of itself, as a JSON document: options, parameters, version, checksum of the input.
    package var facts: String
    /// The path by the whole log; nil where it was not to be found.
    package var path: PathFinding?
  }

  /// Reads, fuses and writes; the output appears under its name when it is whole, or not at all.
  ///
  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try check(outputs)
    return try run(into: nil, progress: progress)
  }

  /// Reads and fuses as `run` does, and gives the rows to a table in place of files.
  ///
  /// - Parameters:
  ///   - isDetailed: whether the log is inspected on the way and events are kept: whether the report has `details`.
  ///   - findsPath: whether `details` have the path by the whole log; it takes no pass of its own, and no columns.
  ///   - table: makes the table for the columns of the rows; called again if the samples come once more in better order:
  ///     then the table before is void.
  ///   - progress: called now and then with the share of the log that was read, 0 to 1.
  package func run(
    into table: @escaping ([FusedColumn]) -> any TableWriter, isDetailed: Bool = true, findsPath: Bool = false,
    progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> Report {
    guard findsPath else { return try run(into: Optional(table), isDetailed: isDetailed, progress: progress) }
    var recording: TrackRecording?
    var report = try run(
      into: table, isDetailed: isDetailed, track: .recording(limit: PathFinding.mostSamples),
      tell: { (stage, _) in recording = stage.track?.recorded }, progress: progress)
    recording?.finish()
    report.path = nil
    report.details?.path = recording.map { PathFinding($0, of: self) }
    return report
  }

  /// - Parameter tell: called when all motions are there and nothing has its name yet.
  func run(
    into table: (([FusedColumn]) -> any TableWriter)?, isDetailed: Bool = false, track: TrackAnnotator? = nil,
    tell: (inout FusionStage, LogSummary) throws(FusionError) -> Void = { (_, _) in }, progress: (Double) -> Void
  ) throws(FusionError) -> Report {
    _ = try FilterKind.known(options.filter)
    try options.checkColumns()
    try options.checkNumbers()
    let gathered = recalled(isDetailed: isDetailed)
    let first = surveysTrack || !gathered.isEmpty ? 0.5 : 0
    try checkTrack()
    var survey = Survey()
    if first > 0 { survey = try self.survey(gathered, keepsTrack: surveysTrack) { progress(first * $0) } }
    var track = track
    if track == nil { track = try trackAnnotator(survey.track) }
    survey.annotators[.track] = track
    return try run(into: table, isDetailed: isDetailed, annotators: survey.annotators, tell: tell) {
      progress(first + (1 - first) * $0)
    }
  }

  /// What a first pass over the log has found.
  struct Survey {
    /// What a path needs; nil where nothing was kept for one.
    var track: TrackRecording?
    /// Recognisers that tell by the whole log.
    var annotators: [Recognition: any MotionAnnotator] = [:]
  }

  /// What is told by the whole log, which takes a first pass over it: with `smooths` all of which that says more, and to those who
  /// show a log what the commands of its name tell.
  func recalled(isDetailed: Bool) -> [Recognition] {
    options.recognitions.filter {
      // The altitude is smoothed where that is asked for, by its command, too.
      $0.gathers && (options.smooths || isDetailed && $0 != .altitude)
    }
  }

  /// Goes over the log and writes nothing.
  ///
  /// - Parameters:
  ///   - gathered: which recognisers shall tell by the whole log.
  ///   - keepsTrack: whether what a path needs is kept.
  func survey(
    _ gathered: [Recognition] = [], keepsTrack: Bool = true, progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> Survey {
    var job = self
    job.options.recognitions = gathered
    job.options.columns = [FusedColumn.all[0]]
    job.options.channels = .none
    job.options.rate = nil
    var annotators: [Recognition: any MotionAnnotator] = [:]
    for recognition in gathered { annotators[recognition] = recognition.annotator.gathering() }
    if keepsTrack { annotators[.track] = TrackAnnotator.recording() }
    var survey = Survey()
    _ = try job.run(
      into: { _ in NoTable() }, isDetailed: false, annotators: annotators,
      tell: { (stage, _) throws(FusionError) in
        survey.track = stage.track?.recorded
        survey.annotators = try stage.recalling(gathered)
      }, progress: progress)
    survey.track?.finish()
    guard !keepsTrack || survey.track != nil else { throw .badData("\(input): the log has no motion for a path") }
    return survey
  }

  private func run(
    into table: (([FusedColumn]) -> any TableWriter)?, isDetailed: Bool, annotators: [Recognition: any MotionAnnotator],
    tell: (inout FusionStage, LogSummary) throws(FusionError) -> Void, progress: (Double) -> Void
  ) throws(FusionError) -> Report {
    let clock = ContinuousClock()
    let start = clock.now
    let outputs = table == nil ? outputs : []
    var feed = LogFeed(path: input, options: options.log)
    feed.isStrict = options.strict
    feed.readsAhead = isOverlapped
    feed.options.auxiliary = options.wantedChannels.union(
      annotators[.track] == nil ? [] : TrackAnnotator.channels)
    feed.sound = options.sound
    feed.isInspected = isDetailed
    var logEvents: [AuxiliarySample] = []
    var alignment: LogAlignment?
    if options.aligns {
      let found: LogAlignment
      do throws(LogError) {
        found = try feed.alignment { progress($0 / 2) }
      } catch {
        throw FusionError(error)
      }
      feed.offsets = found.offsets
      alignment = found
    }
    // The second half, where a first pass was made.
    func show(_ share: Double) { progress(options.aligns ? 0.5 + share / 2 : share) }
    let whereabouts = try whereabouts()
    var declination: MagneticDeclination?
    var sink: RowSink?
    var stage: FusionStage?
    var columns: [String] = []
    func begin(_ description: LogDescription) throws(FusionError) {
      // A second start means that the samples come again in better order: the rows so far are void.
      sink = nil
      logEvents.removeAll()
      columns = options.columns(of: description).map(\.name)
      declination = try options.declination(
        log: whereabouts ?? PlaceAndDate(ofStandardInput: description),
        path: input == "-" ? "standard input" : input,
        reason: LogFinder.isStream(input)
          ? "it cannot be read twice for its place" : MagneticDeclination.unknownPlace)
      stage = FusionStage(
        estimator: try options.estimator(declination), options: options, annotators: annotators,
        keptEvents: isDetailed ? .all : .none)
      if let table {
        sink = try RowSink(
          table: table(options.columns(of: description)), log: description, options: options, declination: declination,
          needsFacts: isDetailed)
        return
      }
      sink = try RowSink(
        outputs: outputs, input: input, log: description, options: options, declination: declination,
        isOverlapped: isOverlapped)
    }
    let summary = try feed.run(
      start: begin, progress: show,
      auxiliary: { (block) throws(FusionError) in
        let block = outage?.left(of: block) ?? block
        sink!.add(block)
        stage!.add(block)
        if isDetailed { logEvents += block.filter(\.channel.isEvent) }
      },
      consume: { (block) throws(FusionError) in
        try stage!.fuse(outage?.left(of: block) ?? block, into: &sink!)
      })
    if options.frameNeedsField { try options.motion.frame.checkField(in: summary, path: input) }
    sink!.finishAuxiliary()
    try stage!.finish(into: &sink!)
    try tell(&stage!, summary)
    var log = summary
    // Whoever shows a log asks for whatever it may have.
    log.warnings += (isDetailed ? [] : channelWarnings(summary)) + declination.warnings + stage!.warnings
    let rows = try sink!.close()
    var report = Report(
      output: outputs.first?.path ?? "", outputs: outputs, log: log, alignment: alignment, declination: declination,
      rowCount: rows.count, firstRows: rows.first,
      lastRow: rows.last, columns: columns, recognised: options.told(sink!.recognised), eventCount: rows.eventCount,
      rowsLeftOut: stage!.skippedCount,
      segmentCount: options.gaps == .split ? stage!.segmentCount : nil, elapsed: clock.now - start, epoch: rows.epoch)
    report.timeOrigin = sink!.timeOrigin
    report.path = stage!.track?.report
    if isDetailed {
      report.details = Details(
        inspection: InspectionJob.report(of: summary), events: stage!.events, measurements: stage!.measurements,
        logEvents: logEvents.inTimeOrder(), facts: sink!.facts)
    }
    return report
  }
}

extension FusionJob {
  /// Where and when the log was recorded, as far as it tells and that is needed; nil for standard input, which can be read
  /// but once.
  private func whereabouts() throws(FusionError) -> PlaceAndDate? {
    guard options.needsDeclination, !LogFinder.isStream(input) else { return nil }
    do throws(LogError) {
      return try PlaceAndDate(ofLog: input, options: options.log, wantsPlace: options.location == nil)
    } catch {
      throw FusionError(error)
    }
  }

  /// What was wanted of other channels and is not there.
  func channelWarnings(_ log: LogSummary) -> [String] {
    var warnings: [String] = []
    if case .only(let channels) = options.channels {
      // Where it is there and cannot be read, that is told with its place.
      let absent = channels.filter { log.auxiliary[$0] == nil && log.description.unreadable[$0] == nil }.sorted()
        .map(\.name)
      if !absent.isEmpty { warnings.append("the log has no \(absent.joined(separator: ", ")): empty in the dataset") }
    }
    for recognition in options.recognitions {
      let needed = recognition.channels
      guard recognition.needsChannels, needed.allSatisfy({ log.auxiliary[$0] == nil }) else { continue }
      warnings.append(
        "the log has no \(needed.sorted().map(\.name).joined(separator: " or ")), which \(recognition.rawValue) needs: "
          + "its columns have nothing to tell")
    }
    let events = AuxiliaryChannel.allCases.filter { $0.isEvent && log.auxiliary[$0] != nil }.map(\.name)
    if output == "-", !events.isEmpty {
      warnings.append(
        "events (\(events.joined(separator: ", "))) are left out on standard output; they need -o FILE")
    }
    return warnings
  }

  func checkSource() throws(FusionError) {
    if options.recognitions.contains(.posture), options.placement == nil {
      throw .usage("the posture depends on where the device is worn; say --placement trunk or --placement thigh")
    }
    if options.smooths, let recognition = recalled(isDetailed: false).first, LogFinder.isStream(input) {
      throw .usage(
        "with --smooth, columns of \(recognition.rawValue) are told by the whole log, which is read twice for it, and standard "
          + "input cannot be; save it to a file, or leave --smooth out")
    }
    if surveysTrack, LogFinder.isStream(input) {
      throw .usage(
        "a path with --smooth, or without --on, reads the log twice, which standard input cannot be; save it to a file, or "
          + "say --on foot, hand, pocket, body or vehicle")
    }
    if options.aligns, LogFinder.isStream(input) {
      throw .usage("--align reads the log twice, which standard input cannot be; save it to a file and give that")
    }
  }

  /// A log is never replaced by what is made of it, not even by force: a recording cannot be made again.
  func check(_ outputs: [DatasetOutput]) throws(FusionError) {
    _ = try FilterKind.known(options.filter)
    try options.checkColumns()
    guard outputs.count == 1 || output != "-" else { throw .usage("standard output takes one format") }
    try checkSource()
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    try checkFormats()
    try check(against: InputGuard(inputs))
  }

  /// - Throws: if an option applies to none of the formats.
  func checkFormats() throws(FusionError) {
    let formats = outputs.map(\.format)
    func check(_ option: String, _ isAsked: Bool, _ format: DatasetFormat) throws(FusionError) {
      guard isAsked, !formats.contains(format) else { return }
      throw .usage("\(option) is for \(format.rawValue); leave it out, or give --format \(format.rawValue)")
    }
    try check("--lists", options.writesLists, .parquet)
    try check("--header-units", options.writesUnits, .csv)
    try check("--bids-subject, --bids-task and --bids-tracksys", options.bids != BIDSEntities(), .bids)
  }

  /// Every file that is read.
  package var inputs: [String] { [input] + [options.sound?.path].compactMap { $0 } + options.readFiles }

  /// - Throws: where something that is written would take the place of something that is read.
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
  /// When standard input was recorded; in UNIX time, whose 0 is in 1970, its first sample would have to be known.
  fileprivate init(ofStandardInput log: LogDescription) {
    self.init(year: log.epoch.flatMap { $0 == 0 ? nil : DecimalYear.of(unixTime: $0) })
  }
}

extension AttitudeReferenceFrame {
  /// - Throws: where the frame needs a magnetic field and the log has none.
  func checkField(in log: LogSummary, path: String) throws(FusionError) {
    guard usesMagnetometer else { return }
    guard log.hasField else {
      throw .badData(
        "\(path): the log has no magnetic field, and \(name) needs one; use --frame xArbitraryZVertical")
    }
  }
}

/// Takes rows and keeps nothing.
private final class NoTable: TableWriter {
  var rowCount: Int { 0 }
  func append(_ rows: UnsafeBufferPointer<Double>) {}
  func flush() {}
  func finish() {}
  func close() {}
}
