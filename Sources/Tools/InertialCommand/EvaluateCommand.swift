import ArgumentParser
import Inertial
import InertialSystem

struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Evaluate filters, or an external estimate, against a reference: accuracy and cost.",
    discussion: """
      The error is e = estimate x conj(reference), both sensor to earth with Z up: total = 2 acos|w|, heading = \
      2 atan2(|z|, |w|), inclination = 2 acos sqrt(w^2 + z^2); root mean square in degrees over the samples that the \
      log marks as movement and whose reference is valid. Over several logs, each log has the same weight. The cost is \
      the time of the filter alone on one thread; the filters are timed alternately.

      Examples:
        inertial evaluate broad/                       every log in a folder, every filter
        inertial evaluate broad/*.hdf5 --filters mekf,complementary --set mekf.motionWeight=0.1
        inertial evaluate broad/ --smooth              the offline forms
        inertial evaluate trials/ --groups persons.csv --details
        inertial evaluate broad/ --filters kalman,mekf --innovations
        inertial evaluate phone/ --device --align frame --align-clock --skip 60
        inertial evaluate walk/log.csv --reference walk/truth.csv --reference-frame nwu --align yaw
        inertial evaluate broad/ --csv --summary > filters.csv

      With --task track, the paths of 'inertial track': the root mean square distance to a reference path or to landmarks \
      (ATE, Sturm et al. 2012) after the alignment, the error of the displacement over a minute (RTE), the distance between \
      the start and the end of a loop, the error at the end of a period with withheld position fixes, and the fraction of \
      errors inside the 95 % confidence regions. The reference is a table with the columns time, x, y and optionally z \
      (m, Z up), or time, east, north, up, or time, latitude, longitude, altitude.

        inertial evaluate walks/*.csv --task track --reference '*_landmarks.csv'
        inertial evaluate loops/ --task track --closed --on foot
        inertial evaluate DRIVE --task track --withhold 15 --details
        inertial evaluate LOG --task track --estimate theirs.tum --reference mocap.csv --over 100m
      """)

  @Option(help: "The evaluated quantity: orientation or track.")
  var task = EvaluationRequest.Task.orientation

  @OptionGroup var judging: EvaluationArguments

  @Option(
    help: ArgumentHelp(
      "The filters to evaluate. Default: all; for paths \(FilterKind.standard.name).", valueName: "a,b,c"))
  var filters: String?

  @Flag(
    help:
      "Evaluate the filters' offline forms: every attitude from the whole log. Default filters: all with an offline form."
  )
  var smooth = false

  @Flag(help: "Also evaluate the attitude that the device recorded, such as Core Motion's.")
  var device = false

  @Option(
    help: ArgumentHelp(
      "The file with an estimate to evaluate instead of filters: time, quaternionX..W (CSV); a path: time, x, y, z, or TUM's format.",
      valueName: "file"))
  var estimate: String?

  @Option(help: "The earth frame of the estimate. Default: the reference's frame; NWU for a dataset of inertial.")
  var estimateFrame: EarthFrame?

  @Flag(help: "Do not time the filters.")
  var noCost = false

  @Flag(
    help: ArgumentHelp(
      "Also report measurement outcomes: accepted and rejected measurements by kind, and the consistency of their errors with the filter's expectation (NIS; 1 is consistent)."
    ))
  var innovations = false

  @Flag(help: "Also print a row for each log and filter.")
  var details = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print comma-separated values, with a row for each log and filter.")
  var csv = false

  @Flag(help: "With --csv: print a row for each filter.")
  var summary = false

  @OptionGroup(title: "Paths (--task track)") var paths: PathEvaluationArguments
  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv both use standard output; leave one out") }
    if summary, !csv {
      throw ValidationError("--summary requires --csv; the table and --json always contain the summary")
    }
    if csv, innovations { throw ValidationError("--innovations applies to the table and to --json; leave --csv out") }
    try validated { try completed(judging.request).check() }
  }

  /// Returns a request with the options of this command alone.
  private func completed(_ request: EvaluationRequest) -> EvaluationRequest {
    var request = request
    request.task = task
    request.evaluation.filters = filters.map(commaSeparated)
    request.evaluation.smooths = smooth
    request.evaluation.judgesDevice = device
    request.evaluation.talliesMeasurements = innovations
    (request.evaluation.estimatePath, request.evaluation.estimateFrame) = (estimate, estimateFrame)
    request.evaluation.measuresCost = !noCost
    (request.on, request.height, request.without) = (paths.track.on, paths.track.height, paths.track.without)
    request.isClosed = paths.closed
    (request.withheld, request.interval, request.isCausal) = (paths.withhold, paths.over, paths.online)
    return request
  }

  func run() async throws {
    var request = completed(try judging.request(filterArguments, log))
    let inputs = try request.logs(warn: Console.warning)
    let grouping = try request.grouping(of: inputs)
    if task == .track { return try await runTrack(request, inputs, grouping) }
    let job = try request.job(logCount: inputs.count)
    let found = try await evaluateEach(inputs, filters: request.filterNames(job.filters)) {
      (input, progress) async throws(FusionError) in
      let result = try await job.runConcurrently(on: input, progress: progress)
      return (result.scores, result.failures, warnings(about: result.log, of: input, align: judging.against.align))
    }
    let report = EvaluationReport(
      found.scores, unjudged: found.unjudged, failures: found.messages, groups: grouping.byPath(inputs),
      judgesHeading: job.options.judgesHeading)
    let names = Dictionary(uniqueKeysWithValues: zip(inputs, grouping.names))
    if json {
      try printJSON(report)
    } else if csv {
      summary ? report.printSummaryCSV() : report.printCSV()
    } else {
      report.print(names: names, showsRows: details || inputs.count == 1)
    }
    if !found.messages.isEmpty { throw ExitCode(1) }
  }

  /// Evaluates logs one after the other. The warnings, and a message for each log or filter that cannot be evaluated,
  /// are printed immediately.
  ///
  /// - Throws: The error of a log, if the log is the only one or the error does not concern this log alone.
  func evaluateEach<Score>(
    _ inputs: [String], filters: [String],
    _ evaluate: (_ input: String, _ progress: (Double) -> Void) async throws(FusionError) -> (
      scores: [Score], failures: [EvaluationJob.Failure], warnings: [String]
    )
  ) async throws(FusionError) -> LogEvaluations<Score> {
    var found = LogEvaluations<Score>(logCount: inputs.count, filters: filters)
    var bar = ProgressBar("evaluate", isLong: true)
    defer { bar.end() }
    for (index, input) in inputs.enumerated() {
      bar.show(Double(index) / Double(inputs.count))
      let result: Result<(scores: [Score], failures: [EvaluationJob.Failure]), FusionError>
      do throws(FusionError) {
        let own = try await evaluate(input) { bar.show((Double(index) + $0) / Double(inputs.count)) }
        bar.end()
        own.warnings.forEach(Console.warning)
        result = .success((own.scores, own.failures))
      } catch {
        bar.end()
        result = .failure(error)
      }
      try found.add(result, of: input).forEach(Console.error)
    }
    return found
  }
}
