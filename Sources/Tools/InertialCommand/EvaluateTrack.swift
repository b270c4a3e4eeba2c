import ArgumentParser
import Inertial

extension EvaluationRequest.Task: ExpressibleByArgument {}

/// The options for evaluating paths, in addition to the reference.
struct PathEvaluationArguments: ParsableArguments {
  @OptionGroup var track: TrackArguments

  @Flag(help: "The recordings end at their start: evaluate the distance between start and end.")
  var closed = false

  @Flag(help: "Evaluate the path of a stream, from earlier samples only. Default: the path from the whole log.")
  var online = false

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
}

extension EvaluateCommand {
  func runTrack(_ request: EvaluationRequest, _ inputs: [String], _ grouping: RecordingGroups) async throws {
    let job = try request.trackJob(logCount: inputs.count)
    let found = try await evaluateEach(inputs, filters: request.filterNames(job.filters)) {
      (input, progress) async throws(FusionError) in
      let result = try job.run(on: input, progress: progress)
      return (result.rows, result.failures, result.warnings)
    }
    let report = TrackEvaluationReport(
      found.scores, unjudged: found.unjudged, failures: found.messages, groups: grouping.byPath(inputs), job: job)
    if json {
      try printJSON(report)
    } else if csv {
      summary ? report.printSummaryCSV() : report.printCSV()
    } else {
      let names = Dictionary(zip(inputs, grouping.names), uniquingKeysWith: { first, _ in first })
      report.print(names: names, showsRows: details || inputs.count == 1)
    }
    if !found.messages.isEmpty { throw ExitCode(1) }
  }
}
