import ArgumentParser
import Inertial

/// What `evaluate` judges.
enum EvaluationTask: String, ExpressibleByArgument, CaseIterable {
  case orientation
  case track
}

/// Against what paths are judged, beside a reference.
struct PathJudgingArguments: ParsableArguments {
  @OptionGroup var track: TrackArguments

  @Flag(help: "The recordings end where they began: judge the distance between.")
  var closed = false

  @Option(
    help: ArgumentHelp(
      "Hold the log's position fixes back for so long at a time, in runs of their own every 10 s, and judge the error where they come back.",
      valueName: "seconds"))
  var withhold: Double?

  @Option(
    help: ArgumentHelp(
      "Over what the relative error (RTE) is: a time such as 60s, or a distance such as 100m. Default: 60s.",
      valueName: "interval"))
  var over: PathInterval?

  func validate() throws {
    if let withhold, !(withhold > 0 && withhold.isFinite) {
      throw ValidationError("--withhold takes seconds above 0, not \(withhold)")
    }
  }

  /// An option of these that is given; nil for none.
  var given: String? {
    if closed { return "--closed" }
    if withhold != nil { return "--withhold" }
    if over != nil { return "--over" }
    return track.given
  }
}

extension EvaluateCommand {
  func validateTask() throws {
    guard task == .track else {
      if let given = paths.given { throw ValidationError("\(given) is of paths; give --task track with it") }
      return
    }
    if device { throw ValidationError("--device is of orientations; leave it out with --task track") }
    if innovations { throw ValidationError("--innovations are of orientations; leave them out with --task track") }
    if judging.against.alignClock {
      throw ValidationError("--align-clock compares orientations; give --clock-shift SECONDS with --task track")
    }
    if estimate != nil, paths.withhold != nil {
      throw ValidationError("--withhold is of paths that are found here, and --estimate is one that is")
    }
    if paths.withhold == nil, !paths.closed, judging.against.reference == nil {
      throw ValidationError(
        "a path is judged against something: give --reference FILE (time,x,y or time,x,y,z), --closed where it ends at its "
          + "start, or --withhold SECONDS")
    }
  }

  func trackJob(logCount: Int) throws -> TrackEvaluationJob {
    if estimate != nil, logCount > 1 { throw FusionError.usage("--estimate is judged on one log") }
    var options = TrackEvaluationJob.Options()
    options.evaluation = try judging.options(filterArguments, log, logCount: logCount)
    options.evaluation.motion.frame = judging.frame ?? DefaultFrame.frame
    options.frameNeedsField = judging.frame != nil
    options.evaluation.filters = filters.map(commaSeparated)
    options.evaluation.smooths = smooth
    options.evaluation.estimatePath = estimate
    options.evaluation.estimateFrame = estimateFrame
    options.evaluation.measuresCost = !noCost
    options.track = paths.track.options
    options.comparison.alignment = judging.against.align ?? .yaw
    if let over = paths.over { options.comparison.interval = over }
    (options.isClosed, options.withheld) = (paths.closed, paths.withhold)
    return TrackEvaluationJob(options: options)
  }

  /// One log after the other.
  func trackDocument(
    _ inputs: [String], _ grouping: RecordingGroups, _ access: LogAccess, progress: (Double) -> Void
  ) throws -> TrackEvaluationDocument {
    var job = try trackJob(logCount: inputs.count)
    job.options.evaluation.log = access.applied(to: job.options.evaluation.log)
    var (rows, unjudged): ([TrackEvaluationReport.Row], [EvaluationJob.Failure]) = ([], [])
    for (index, input) in inputs.enumerated() {
      let result = try job.run(on: input) { progress((Double(index) + $0) / Double(inputs.count)) }
      rows += result.rows
      unjudged += result.failures
    }
    let report = TrackEvaluationReport(
      rows, unjudged: unjudged, groups: grouping.byPath(inputs), options: job.options)
    return TrackEvaluationDocument(report, failures: unjudged.map { "\($0.filter): \($0.reason)" })
  }

  func runTrack(_ inputs: [String], _ grouping: RecordingGroups) throws {
    let job = try trackJob(logCount: inputs.count)
    let names = try estimate.map { [$0] } ?? job.filters().map(\.kind.name)
    var rows: [TrackEvaluationReport.Row] = []
    var unjudged = UnjudgedLogs()
    var bar = ProgressBar("evaluate", isLong: true)
    for (index, input) in inputs.enumerated() {
      do throws(FusionError) {
        let result = try job.run(on: input) { bar.show((Double(index) + $0) / Double(inputs.count)) }
        rows += result.rows
        bar.end()
        for warning in result.warnings { Console.warning(warning) }
        unjudged.add(result.failures)
      } catch {
        bar.end()
        try unjudged.add(error, of: input, filters: names, inputs: inputs)
      }
    }
    bar.end()
    let report = TrackEvaluationReport(
      rows, unjudged: unjudged.failures, groups: grouping.byPath(inputs), options: job.options)
    if json {
      try printJSON(TrackEvaluationDocument(report, failures: unjudged.lines))
    } else {
      let shortNames = Dictionary(zip(inputs, grouping.names), uniquingKeysWith: { first, _ in first })
      let table = TrackEvaluationTable(report, names: shortNames, showsRows: details || inputs.count == 1)
      if csv { summary ? table.printSummaryCSV() : table.printCSV() } else { table.print() }
    }
    if !unjudged.lines.isEmpty { throw ExitCode(1) }
  }
}

/// The report on paths as one JSON document.
struct TrackEvaluationDocument: Encodable {
  var task = EvaluationTask.track.rawValue
  /// What was fitted and taken out before ATE and RTE.
  var alignment: AlignmentMode
  /// Over what the RTE is: seconds, or metres.
  var rteSeconds: Double?
  var rteMetres: Double?
  /// Seconds for which fixes were held back.
  var withheld: Double?
  var rows: [TrackEvaluationReport.Row]
  var summaries: [TrackEvaluationReport.Summary]
  var groups: [TrackEvaluationReport.Summary]
  var unjudged: [EvaluationJob.Failure]
  /// Why a log or a filter was not judged, a line each.
  var failures: [String]

  init(_ report: TrackEvaluationReport, failures: [String]) {
    (alignment, rteSeconds, rteMetres) = (report.alignment, report.rteSeconds, report.rteMetres)
    withheld = report.withheld
    (rows, summaries, groups) = (report.rows, report.summaries, report.groups)
    unjudged = report.unjudged
    self.failures = failures
  }
}
