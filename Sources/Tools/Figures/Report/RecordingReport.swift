internal import InertialFilters
internal import InertialFusion
public import InertialJobs
internal import InertialLogs
internal import InertialRotations
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
    let earthField = earthField(fusion.log)
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
      command: options.command, figure: figureCommand(input),
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

  /// Returns the command that draws the same attitude as a figure, without an interval of time.
  private func figureCommand(_ input: String) -> String {
    let (fusion, kind) = (options.fusion, options.filters[0].kind)
    var words = ["inertial plot", input.quotedForShell, "--relative-time"] + fusion.log.answers.map(\.text)
    if options.filters.count > 1 {
      words.append("--filters " + options.filters.map(\.kind.name).joined(separator: ","))
    } else if kind.name != FilterKind.standard.name {
      words.append("--filter \(kind.name)")
    }
    if fusion.smooths { words.append("--smooth") }
    if fusion.motion.frame != .commandDefault { words.append("--frame \(fusion.motion.frame.name)") }
    words += fusion.settings.sorted { $0.key < $1.key }.map { "--set \($0.key)=\($0.value)" }
    return words.joined(separator: " ")
  }
}

extension RecordingReport {
  /// The paths of all files that are read.
  var inputs: [String] {
    [input, options.overlay].compactMap(\.self).flatMap { FusionJob(input: $0, options: options.fusion).inputs }
      + [options.evaluation.referencePath(of: input), options.track.evaluation.referencePath(of: input)].compactMap(
        \.self)
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
