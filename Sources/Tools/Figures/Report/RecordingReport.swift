internal import InertialEssentials
internal import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
public import InertialJobs
internal import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A report of one log on one page: the recording, its quality and its results, and the command that generates the page
/// again.
///
/// The rows come from `FusionJob`, the findings from `InspectionReport`, and the errors from `EvaluationJob`.
public struct RecordingReport: Sendable {
  /// The input file or folder; not standard input, as a log may be read more than once.
  public var input: String
  /// The path of the page.
  public var output: String
  /// The options for fusion and evaluation, and the maximum size of the page.
  public var options: ReportOptions
  /// The link back to the overview, or `nil` for a single page.
  var overview: String?

  /// Creates a report, which `run` generates.
  ///
  /// - Parameters:
  ///   - input: The file or folder.
  ///   - output: The path of the page, or `nil` for the input's path with `.report.html` appended.
  ///   - options: The options for fusion and evaluation.
  public init(input: String, output: String? = nil, options: ReportOptions) {
    self.input = input
    self.output = output ?? Self.defaultOutput(for: input)
    self.options = options
  }

  /// Returns the default path of the page: the input's path with `.report.html` appended.
  public static func defaultOutput(for input: String) -> String {
    input.withoutSlashesAtEnd + ".report.html"
  }

  /// The result of a report.
  public struct Result: Sendable, Encodable {
    /// The path of the page.
    public var output: String
    /// The size of the page in bytes.
    public var size = 0
    /// The fusion that the page shows.
    public var fusion: FusionJob.Report
    /// The number of samples per column in the page.
    public var samples = 0
    /// The number of rows of the fusion.
    public var rows = 0
    /// The problems found in the log, one sentence each, the most severe first.
    public var findings: [String] = []
    /// The scores against the reference; empty if there is no reference.
    public var scores: [EvaluationJob.Score] = []
    /// Whether total and heading errors are meaningful.
    public var judgesHeading = true
    /// The note about the path: its basis, or the reason that it is missing; `nil` if the path was not requested.
    public var path: String?
    /// The reason that filters were not evaluated despite a reference, or `nil` if they were or there is no reference.
    public var unjudged: String?
    /// The figures for the overview of many recordings.
    var overview = OverviewRow()

    /// Encodes the result, as the command `report --json` prints it.
    public func encode(to encoder: any Encoder) throws {
      let object = EncodedObject([
        "input": fusion.job.input, "output": output, "bytes": size, "rows": rows, "samples": samples,
        "findings": findings, "warnings": fusion.log.warnings,
        "scores": scores.isEmpty ? nil : EvaluationReport(scores, judgesHeading: judgesHeading).rows,
        "unjudged": unjudged, "path": path,
      ])
      try object.encode(to: encoder)
    }
  }

  /// The maximum number of samples per column that are stored while a log is read, unless all are requested: some hours
  /// at 25 Hz, an hour at 100 Hz.
  static let keptSamples = 400_000
  /// The maximum number of samples of a second recording in the page.
  static let overlaySamples = 32_768
  /// The maximum number of samples of an error or a difference in the page.
  static let errorSamples = 16_384

  /// Generates the report.
  ///
  /// - Parameter progress: A closure that is called periodically with the completed fraction, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) async throws(FusionError) -> Result {
    guard !LogFeed.isStream(input) else {
      throw .usage(
        "a report reads its log more than once, which is impossible for standard input; save it to a file and use the file"
      )
    }
    // Before the work, as an existing file may be protected or the location may not be writable.
    try InputGuard(inputs).check(output)
    let file: AtomicFile
    do throws(OutputError) {
      file = try AtomicFile(path: output, force: options.force)
    } catch {
      throw FusionError(error)
    }
    let passes = Double(options.filters.count + 2)
    let (fusion, intake) = try fuse(input) { progress($0 / passes) }
    guard let details = fusion.details else { preconditionFailure("a report's fusion has details") }
    var tables: [(name: String, table: TraceTable)] = [("fusion", intake.table)]
    let earthField = earthField
    let plan = PlotPlan(intake.table.columns, ranges: intake.table.ranges, earthField: earthField?.strength)
    var plots = plan.plots
    if let overlay = options.overlay { try add(overlay, over: intake.table, to: &plots, &tables) }
    let measurements = details.measurements.map {
      RecordingContent.Measurements(grid: InnovationGrid.grid($0), plots: plan.innovationPlots)
    }
    var comparisons: [Int] = []
    for (index, filter) in options.filters.enumerated().dropFirst() {
      let table = try difference(of: filter, from: intake) { progress((Double(index) + $0) / passes) }
      comparisons.append(plots.count)
      plots.append(Self.errorPlot("\(filter.kind.name) from \(options.filters[0].kind.name)", table: tables.count))
      tables.append((filter.kind.name, table))
    }
    var result = Result(
      output: output, fusion: fusion, rows: intake.rowCount, findings: details.inspection.findings.map(\.text))
    var judgement: RecordingContent.Judgement?
    if hasReference(fusion.log) {
      do throws(FusionError) {
        let found = try await judge(fusion.log) { progress((passes - 2 + $0) / passes) }
        (result.scores, result.judgesHeading) = (found.result.scores, found.options.judgesHeading)
        let content = EvaluationContent(
          found.result, judgesHeading: found.options.judgesHeading, gap: options.fusion.gap, limit: Self.errorSamples)
        var places: [Int] = []
        for (name, table) in content.tables {
          places.append(plots.count)
          plots.append(
            Self.errorPlot("Error of \(name)", table: tables.count, hasHeading: content.judgesHeading))
          tables.append(("error of \(name)", table))
        }
        judgement = .init(
          note: Self.note(found.options), grids: content.grids, charts: content.charts, plots: places)
      } catch {
        // A failed evaluation against the log's own reference is reported; against a given reference it is an error.
        guard error.isOfOneLog || !isReferenceGiven else { throw error }
        result.unjudged = error.description
      }
    }
    let reference = try pathReference(details, epoch: fusion.epoch, &result.fusion.log.warnings)
    let path = addPath(details, reference, origin: intake.table.times.first ?? 0, to: &plots, &tables)
    result.path = path?.note
    progress((passes - 1) / passes)
    result.overview = OverviewRow(
      fusion, details, intake, result.scores, judgesHeading: result.judgesHeading)
    result.overview.glance = Glance(intake.table, result.overview.trust, path?.chart)
    var answers = SummaryContent(
      result.overview, details, intake, hasNorth: options.fusion.motion.frame.isNorthReferenced)
    answers.plots = plan.overviewPlots
    let found = details.inspection.findings
    var content = RecordingContent(
      title: input.lastPathPart, summary: fusion.log.description.summary, epoch: fusion.log.description.epoch,
      answers: answers, facts: facts(fusion, details, intake, earthField),
      notes: .init(
        findings: found.filter(\.isCertain).map(\.text), likely: found.filter { !$0.isCertain }.map(\.text),
        untested: details.inspection.untested,
        warnings: result.fusion.log.warnings, remarks: details.inspection.remarks),
      grids: [InspectionGrids.clocks(fusion.log), InspectionGrids.values(fusion.log)], tables: [], plots: plots,
      lanes: Lanes.lanes(intake, details), scene: scene(plan, fusion.log), comparisons: comparisons, path: path,
      measurements: measurements, measured: plan.measuredPlots, judgement: judgement,
      unjudged: result.unjudged,
      command: options.command, figure: "inertial plot \(input.quotedForShell) --relative-time",
      version: ToolVersion.current, overview: overview)
    let page = page(&content, tables, facts: details.facts)
    result.samples = content.tables[0].samples
    do throws(OutputError) {
      try page.write(to: file)
    } catch {
      throw FusionError(error)
    }
    result.size = AtomicFolder.bytes(of: output) ?? 0
    progress(1)
    return result
  }
}

// MARK: Steps

extension RecordingReport {
  /// The paths of all files that are read.
  var inputs: [String] {
    [input, options.overlay].compactMap(\.self).flatMap { FusionJob(input: $0, options: options.fusion).inputs }
      + [options.evaluation.referencePath(of: input), options.track.evaluation.referencePath(of: input)].compactMap(
        \.self)
  }
}

extension RecordingReport {
  /// The columns of the rows, without those of the log's other channels.
  static let columns = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw", "gravityX", "gravityY",
    "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ", "rotationRateX", "rotationRateY",
    "rotationRateZ", "magneticFieldX", "magneticFieldY", "magneticFieldZ", "magneticFieldAccuracy", "heading",
    "attitudeSigmaX", "attitudeSigmaY", "attitudeSigmaZ", "gyroscopeBiasX", "gyroscopeBiasY", "gyroscopeBiasZ",
    "status",
  ]
  /// The columns of each recogniser that are drawn; its events are marked.
  static let recognised: [Recognition: [String]] = [
    .activity: ["motionActivity"], .steps: ["stepCount", "stepCadence"],
    .altitude: ["filteredAltitude", "filteredAltitudeSigma", "verticalSpeed", "verticalSpeedSigma"],
    .shake: ["shakeProbability"],
  ]

  /// Fuses a recording.
  ///
  /// - Parameter isOverlay: Whether it is drawn over the report's recording, without details, a path and a comparison.
  private func fuse(
    _ input: String, isOverlay: Bool = false, _ progress: (Double) -> Void
  ) throws(FusionError) -> (FusionJob.Report, RowCollector) {
    var fusion = options.fusion
    fusion.use(options.filters[0])
    if !options.isRecognitionGiven, LogFormat.isRobot(input) { fusion.recognitions.removeAll(where: \.isOfPerson) }
    fusion.columns = try FusedColumn.named(
      Self.columns + fusion.recognitions.flatMap { Self.recognised[$0] ?? [] }
        + options.filters[0].kind.measurementKinds(smoothing: fusion.smooths).flatMap {
          $0.reportColumns(innovations: options.showsInnovations)
        })
    let findsPath = !isOverlay && fusion.recognitions.contains(.track)
    fusion.recognitions.removeAll { $0 == .track }
    let keepsAttitudes = !isOverlay && options.filters.count > 1
    let limit = options.hasAllSamples ? Int.max : isOverlay ? Self.overlaySamples : Self.keptSamples
    let gap = fusion.gap
    var intake: RowCollector?
    let report = try FusionJob(input: input, output: output, options: fusion).run(
      into: { columns in
        let fresh = RowCollector(columns: columns, gap: gap, limit: limit, keepsAttitudes: keepsAttitudes)
        intake = fresh
        return fresh
      }, isDetailed: !isOverlay, findsPath: findsPath, progress: progress)
    guard let intake, intake.rowCount > 0 else {
      throw .badData(
        "\(input): no attitude could be estimated, so there is nothing to show; check the log with 'inertial inspect'")
    }
    return (report, intake)
  }

  /// Adds the lines of a second recording to the plots, from the start of the first one.
  private func add(
    _ overlay: String, over table: TraceTable, to plots: inout [RecordingContent.Plot],
    _ tables: inout [(name: String, table: TraceTable)]
  ) throws(FusionError) {
    var other = try fuse(overlay, isOverlay: true) { _ in }.1.table
    if let start = table.times.first, let own = other.times.first { other.shift(by: start - own) }
    let places = table.columns.map { column in other.columns.firstIndex { $0.name == column.name } }
    for index in plots.indices {
      let known = plots[index].series
      plots[index].series += known.compactMap { series in
        let parts = (series.parts ?? []).compactMap { places[$0] }
        guard let column = places[series.column], parts.count == series.parts?.count ?? 0 else { return nil }
        var dashed = series
        (dashed.table, dashed.column, dashed.parts) = (tables.count, column, series.parts == nil ? nil : parts)
        (dashed.sigma, dashed.sigmaFactor, dashed.isDashed) = (nil, nil, true)
        dashed.label += " of \(overlay.lastPathPart)"
        dashed.look = series.look ?? known.firstIndex { $0.label == series.label }
        return dashed
      }
    }
    tables.append((overlay.lastPathPart, other))
  }

  /// Returns the Earth's field at the place and date of the recording, or `nil` if one is unknown.
  private var earthField: (strength: Double, dip: Double)? {
    let fusion = options.fusion
    return PlaceAndDate(place: fusion.location, year: fusion.date).completed(byLog: input, options: fusion.log)
      .earthField
  }

  /// Returns the comparison of the path with its reference, or `nil` if there is no reference or no path.
  private func pathReference(
    _ details: FusionJob.Details, epoch: Double?, _ warnings: inout [String]
  ) throws(FusionError) -> PathContent.Reference? {
    guard let name = options.track.evaluation.referencePath(of: input),
      case .success(let path)? = details.path, let track = path.track,
      let found = try options.track.comparison(
        of: track, epoch: epoch, origin: path.geographicFrame, with: input, &warnings)
    else { return nil }
    return PathContent.Reference(
      name: name.lastPathPart, track: found.reference, comparison: found.comparison,
      clockShift: options.track.evaluation.comparison.clockShift)
  }

  /// Returns the path, and adds the plot and the table of its height; returns `nil` if the path was not requested.
  private func addPath(
    _ details: FusionJob.Details, _ reference: PathContent.Reference?, origin: Double,
    to plots: inout [RecordingContent.Plot],
    _ tables: inout [(name: String, table: TraceTable)]
  ) -> RecordingContent.Path? {
    guard let finding = details.path else { return nil }
    let found = PathContent(finding, origin: origin, limit: Self.errorSamples, reference: reference)
    var path = RecordingContent.Path(note: found.note, chart: found.chart, plots: [])
    if let table = found.table {
      path.plots = [plots.count]
      var series = [
        RecordingContent.Series(
          table: tables.count, column: 0, label: "height", factor: 1, sigma: 1, sigmaFactor: 1,
          look: SeriesStyle.neutral)
      ]
      if found.hasFloors {
        series.append(.init(table: tables.count, column: 2, label: "floor", factor: 1, look: SeriesStyle.neutral + 1))
      }
      plots.append(
        RecordingContent.Plot(
          title: "Height of the path", unit: "m", series: series,
          note: "Above its start. Band: 95 % confidence interval.")
      )
      tables.append(("path", table))
    }
    return path
  }

  private func difference(
    of filter: ConfiguredFilter, from first: RowCollector, _ progress: (Double) -> Void
  ) throws(FusionError) -> TraceTable {
    var fusion = options.fusion
    (fusion.filter, fusion.settings) = (filter.kind.name, filter.settings)
    (fusion.recognitions, fusion.channels) = ([], .none)
    fusion.columns = try FusedColumn.named(DifferenceCollector.columns)
    var intake: DifferenceCollector?
    _ = try FusionJob(input: input, output: output, options: fusion).run(
      into: { columns in
        let fresh = DifferenceCollector(
          from: first, gap: fusion.gap, width: columns.count, limit: Self.errorSamples)
        intake = fresh
        return fresh
      }, isDetailed: false, progress: progress)
    guard let intake else { preconditionFailure("a fusion that ends has had a table") }
    return intake.table
  }

  private var isReferenceGiven: Bool {
    options.evaluation.referencePath != nil || options.evaluation.referenceName != nil
  }

  private func hasReference(_ log: LogSummary) -> Bool {
    isReferenceGiven || (log.reports[.referenceAttitude]?.used ?? 0) > 0
  }

  private func judge(
    _ log: LogSummary, _ progress: (Double) -> Void
  ) async throws(FusionError) -> (result: EvaluationJob.Result, options: EvaluationJob.Options) {
    var evaluation = options.evaluation
    evaluation.log = options.fusion.log
    evaluation.smooths = options.fusion.smooths
    evaluation.filters = options.filters.map(\.kind.name)
    evaluation.settings = ParameterSettings()
    evaluation.settings.own = Dictionary(
      options.filters.map { ($0.kind.name, $0.settings) }, uniquingKeysWith: { first, _ in first })
    evaluation.motion.field = options.fusion.motion.field
    evaluation.keepsErrors = true
    // The cost of a single filter has nothing to be compared with, and without it the same log yields the same page.
    evaluation.measuresCost = evaluation.measuresCost && options.filters.count > 1
    if !options.isFrameGiven {
      let hasField = [SensorChannel.magnetometer, .calibratedMagneticField].contains {
        (log.reports[$0]?.used ?? 0) > 0
      }
      evaluation.motion.frame = hasField ? .xMagneticNorthZVertical : .xArbitraryZVertical
    }
    return (try await EvaluationJob(options: evaluation).runConcurrently(on: input, progress: progress), evaluation)
  }

  private static func note(_ options: EvaluationJob.Options) -> String {
    var parts = ["Filters were evaluated in the frame \(options.motion.frame.name)"]
    if options.comparison.alignment != .none { parts.append("with --align \(options.comparison.alignment.rawValue)") }
    if options.comparison.clockAlignment != nil { parts.append("with --align-clock") }
    let text = parts.joined(separator: ", ") + "."
    return options.judgesHeading
      ? text
      : text
        + " X is arbitrary there, so total and heading errors are meaningless; use --align yaw to fit the difference."
  }

  private static func errorPlot(_ title: String, table: Int, hasHeading: Bool = true) -> RecordingContent.Plot {
    let names = hasHeading ? ["total", "heading", "inclination"] : ["inclination"]
    return RecordingContent.Plot(
      title: title, unit: "°",
      series: names.map { name in
        RecordingContent.Series(
          table: table, column: ["total", "heading", "inclination"].firstIndex(of: name)!, label: name, factor: 1,
          look: SeriesStyle.neutral + ["total", "heading", "inclination"].firstIndex(of: name)!)
      })
  }

  /// The formats that phones record; any other format may come from another device.
  private static let phones: Set<String> = [
    "sensor-logger", "sensor-logger-json", "sensor-logger-push", "sensor-logger-wearable", "phyphox-csv", "phyphox",
    "sensorlog",
    "iphone-text", "tyrex",
    "indoor-walk", "gnss-logger", "get-sensor-data", "motionsense", "sensorplay", "device-motion-csv",
    "device-motion-rows",
  ]

  private func scene(_ plan: PlotPlan, _ log: LogSummary) -> RecordingContent.Scene? {
    guard let quaternion = plan.places(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]),
      let gravity = plan.places(["gravityX", "gravityY", "gravityZ"])
    else { return nil }
    let isNorth = options.fusion.motion.frame.isNorthReferenced
    return RecordingContent.Scene(
      device: Self.phones.contains(log.description.format) ? "phone" : "box",
      axes: isNorth ? ["X north", "Y west", "Z up"] : ["X", "Y", "Z up"], hasNorth: isNorth, table: 0,
      quaternion: quaternion, gravity: gravity,
      userAcceleration: plan.places(["userAccelerationX", "userAccelerationY", "userAccelerationZ"]))
  }

  private func facts(
    _ fusion: FusionJob.Report, _ details: FusionJob.Details, _ intake: RowCollector,
    _ earthField: (strength: Double, dip: Double)?
  ) -> [RecordingContent.Fact] {
    let log = fusion.log
    var facts: [RecordingContent.Fact] = []
    func add(_ name: String, _ value: String) { facts.append(.init(name: name, value: value)) }
    add("Format", "\(log.description.format): \(log.description.summary)")
    if let first = intake.table.times.first, let last = intake.table.times.last {
      add(
        "Duration",
        Self.duration(last - first) + ", from \(Lanes.rounded(first)) to \(Lanes.rounded(last)) s of the log")
    }
    if let epoch = log.description.epoch, epoch != 0 || (intake.table.times.first ?? 0) > 1e8 {
      let start = Date(timeIntervalSince1970: epoch + (intake.table.times.first ?? 0))
      add("Recorded", start.formatted(.iso8601))
    }
    add(
      "Rows",
      "\(intake.rowCount)"
        + (intake.table.pauses.isEmpty ? "" : ", with \(intake.table.pauses.count) gaps between them"))
    add("Filter", options.filters[0].kind.name + (options.fusion.smooths ? ", offline form" : ""))
    add("Frame", options.fusion.motion.frame.name)
    if let declination = fusion.declination {
      add("Declination", "\((declination.degrees * 100).rounded() / 100)° by \(declination.model)")
    }
    for decision in fusion.decisions {
      add(decision.subject.prefix(1).uppercased() + decision.subject.dropFirst(), decision.detail)
    }
    let rest = details.inspection.rest
    if rest.phases.isEmpty {
      add("Rest", "none of two seconds or more")
    } else {
      let total = rest.phases.reduce(0) { $0 + $1.end - $1.start }
      add("Rest", "\(Self.duration(total)) in \(rest.phases.count) phase\(rest.phases.count == 1 ? "" : "s")")
      if let bias = rest.gyroscopeBias {
        let text = [bias.x, bias.y, bias.z].map { String(cFormat: "%.3f", $0 * 180 / .pi) }.joined(separator: ", ")
        add("Gyroscope bias at rest", "\(text) °/s")
      }
      if let norm = rest.accelerationNorm { add("Acceleration at rest", String(cFormat: "%.4f g", norm)) }
    }
    if let strength = details.inspection.consistency.fieldStrength, let dip = details.inspection.consistency.dip {
      add("Magnetic field", String(cFormat: "%.1f µT, %.1f° below the horizon", strength, dip))
    }
    if let earthField {
      add(
        "Earth's field at the place",
        String(cFormat: "%.1f µT, %.1f° below the horizon", earthField.strength, earthField.dip * 180 / .pi))
    }
    if let overlay = options.overlay {
      add("Dashed lines", "\(overlay.lastPathPart), from its own start")
    }
    for note in log.description.notes { add("Read as", note) }
    return facts
  }

  static func duration(_ seconds: Double) -> String {
    if seconds < 120 { return String(cFormat: "%.1f s", seconds) }
    let whole = Int(seconds.rounded())
    let minutes = String(cFormat: "%d:%02d", whole / 60 % 60, whole % 60)
    return whole < 3600
      ? "\(minutes) min" : "\(whole / 3600):" + String(cFormat: "%02d:%02d h", whole / 60 % 60, whole % 60)
  }

  /// Returns the page, with as many samples as its size permits.
  private func page(
    _ content: inout RecordingContent, _ tables: [(name: String, table: TraceTable)], facts: String
  ) -> PageWriter {
    let further = tables.dropFirst().map { EncodedTable($0.table, name: $0.name) }
    content.tables =
      [EncodedTable(tables[0].table.thinned(group: 1 << 20), name: "").description] + further.map(\.description)
    var page = PageWriter(
      title: content.title + " – Inertial", script: PageResources.recordingScript,
      scriptHash: PageResources.recordingHash, facts: "")
    page.facts = Self.document(content, recipe: facts)
    let used = page.fixedSize + further.reduce(0) { $0 + $1.size }
    let first =
      options.hasAllSamples
      ? EncodedTable(tables[0].table, name: tables[0].name)
      : EncodedTable.fitting(tables[0].table, name: tables[0].name, bytes: max(options.largestPage - used, 200_000))
    let encoded = [first] + further
    content.tables = encoded.map(\.description)
    page.facts = Self.document(content, recipe: facts)
    for (index, table) in encoded.enumerated() {
      if !table.overview.isEmpty { page.early.append(("overview-\(index)", table.overview)) }
      for (block, text) in table.blocks.enumerated() { page.late.append(("block-\(index)-\(block)", text)) }
    }
    return page
  }

  /// Returns the document; the recipe already is JSON.
  private static func document(_ content: RecordingContent, recipe: String) -> String {
    "{\"content\":" + PageWriter.document(content) + ",\"recipe\":" + recipe + "}"
  }
}
