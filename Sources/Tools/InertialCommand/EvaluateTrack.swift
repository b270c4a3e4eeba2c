import ArgumentParser
import Inertial

/// The subject of `evaluate`.
enum EvaluationTask: String, ExpressibleByArgument, CaseIterable {
  case orientation
  case track
}

/// The options for evaluating paths, in addition to the reference.
struct PathEvaluationArguments: ParsableArguments {
  @OptionGroup var track: TrackArguments

  @Flag(help: "The recordings end at their start: evaluate the distance between start and end.")
  var closed = false

  @Option(
    help: ArgumentHelp(
      "The duration of simulated outages of the position fixes, in seconds. One run for each outage; outages start at least 10 s apart, from 60 s after the first fix, at most 20 per recording; the error is taken at the end of each.",
      valueName: "seconds"))
  var withhold: Double?

  @Option(
    help: ArgumentHelp(
      "The interval of the relative error (RTE): a time such as 60s, or a distance such as 100m. Default: 60s.",
      valueName: "interval"))
  var over: PathInterval?

  func validate() throws {
    if let withhold, !(withhold > 0 && withhold.isFinite) {
      throw ValidationError("--withhold takes seconds above 0, not \(withhold)")
    }
  }

  /// The first of these options that was given, or `nil`.
  var given: String? {
    firstGiven(["--closed": closed, "--withhold": withhold != nil, "--over": over != nil]) ?? track.given
  }
}

extension EvaluateCommand {
  func validateTask() throws {
    guard task == .track else {
      if let given = paths.given { throw ValidationError("\(given) applies to paths; add --task track") }
      return
    }
    if device { throw ValidationError("--device applies to orientations; leave it out with --task track") }
    if innovations { throw ValidationError("--innovations applies to orientations; leave it out with --task track") }
    if judging.against.alignClock {
      throw ValidationError("--align-clock compares orientations; use --clock-shift SECONDS with --task track")
    }
    if estimate != nil, paths.withhold != nil {
      throw ValidationError("--withhold applies to paths that inertial estimates, not to --estimate; leave one out")
    }
    if paths.withhold == nil, !paths.closed, judging.against.reference == nil {
      throw ValidationError(
        "the evaluation of paths needs a reference; use --reference FILE (time,x,y or time,x,y,z), --closed if the path "
          + "ends at its start, or --withhold SECONDS")
    }
  }

  func trackJob(logCount: Int) throws -> TrackEvaluationJob {
    if estimate != nil, logCount > 1 { throw FusionError.usage("--estimate expects one log, found \(logCount)") }
    var job = TrackEvaluationJob()
    job.evaluation = try judging.options(filterArguments, log, logCount: logCount)
    job.evaluation.motion.frame = judging.frame ?? .commandDefault
    job.frameNeedsField = judging.frame != nil
    job.evaluation.filters = filters.map(commaSeparated)
    job.evaluation.smooths = smooth
    job.evaluation.estimatePath = estimate
    job.evaluation.estimateFrame = estimateFrame
    job.evaluation.measuresCost = !noCost
    job.track = paths.track.options
    job.comparison.alignment = judging.against.align ?? .yaw
    if let over = paths.over { job.comparison.interval = over }
    (job.isClosed, job.withheld) = (paths.closed, paths.withhold)
    return job
  }

  /// Evaluates the paths of the logs one after the other.
  func trackDocument(
    _ inputs: [String], _ grouping: RecordingGroups, _ base: LogOptions, progress: (Double) -> Void
  ) throws -> TrackEvaluationReport {
    var job = try trackJob(logCount: inputs.count)
    (job.evaluation.log.held, job.evaluation.log.stop) = (base.held, base.stop)
    var (rows, unjudged): ([TrackEvaluationReport.Row], [EvaluationJob.Failure]) = ([], [])
    for (index, input) in inputs.enumerated() {
      let result = try job.run(on: input) { progress((Double(index) + $0) / Double(inputs.count)) }
      rows += result.rows
      unjudged += result.failures
    }
    return TrackEvaluationReport(rows, unjudged: unjudged, groups: grouping.byPath(inputs), job: job)
  }

  func runTrack(_ inputs: [String], _ grouping: RecordingGroups) async throws {
    let job = try trackJob(logCount: inputs.count)
    let filters = try estimate.map { [$0] } ?? job.filters().map(\.kind.name)
    let (rows, unjudged, messages) = try await evaluateEach(inputs, filters: filters) { input, progress in
      let result = try job.run(on: input, progress: progress)
      return (result.rows, result.failures, result.warnings)
    }
    let report = TrackEvaluationReport(
      rows, unjudged: unjudged, failures: messages, groups: grouping.byPath(inputs), job: job)
    if json {
      try printJSON(report)
    } else if csv {
      summary ? report.printSummaryCSV() : report.printCSV()
    } else {
      let names = Dictionary(zip(inputs, grouping.names), uniquingKeysWith: { first, _ in first })
      report.print(names: names, showsRows: details || inputs.count == 1)
    }
    if !messages.isEmpty { throw ExitCode(1) }
  }
}
