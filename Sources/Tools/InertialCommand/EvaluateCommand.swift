import ArgumentParser
import Inertial
import InertialSystem

struct EvaluateCommand: AsyncParsableCommand, AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Judge filters, or somebody else's estimate, against a reference: accuracy and cost.",
    discussion: """
      The error is e = estimate x conj(reference), both sensor to earth with Z up: total = 2 acos|w|, heading = \
      2 atan2(|z|, |w|), inclination = 2 acos sqrt(w^2 + z^2); root mean square in degrees over the samples that the \
      log marks as movement and whose reference is valid. Over several logs each log counts once. The cost is the \
      filter alone on one thread, the filters in turns.

      Examples:
        inertial evaluate broad/                       every log in a folder, every filter
        inertial evaluate broad/*.hdf5 --filters mekf,complementary --set mekf.motionWeight=0.1
        inertial evaluate broad/ --smooth              the offline forms
        inertial evaluate trials/ --groups persons.csv --details
        inertial evaluate broad/ --filters kalman,mekf --innovations
        inertial evaluate phone/ --device --align frame --align-clock --skip 60
        inertial evaluate walk/log.csv --reference walk/truth.csv --reference-frame nwu --align yaw
        inertial evaluate broad/ --csv --summary > filters.csv

      Paths, as 'inertial track' finds them, with --task track: the root mean square of the distances to a reference path or \
      to landmarks (ATE, Sturm et al. 2012) after the alignment, how much the way of a minute is off (RTE), what lies between \
      the start and the end of a loop, the error where withheld position fixes come back, and the share of errors inside the \
      stated 95 %. The reference is a table with the columns time, x, y and maybe z (m, Z up), or time, east, north, up, or \
      time, latitude, longitude, altitude.

        inertial evaluate walks/*.csv --task track --reference '*_landmarks.csv' --smooth
        inertial evaluate loops/ --task track --closed --on foot
        inertial evaluate DRIVE --task track --withhold 15 --details
        inertial evaluate LOG --task track --estimate theirs.tum --reference mocap.csv --over 100m
      """)

  @Option(help: "What is judged: orientation or track.")
  var task = EvaluationTask.orientation

  @OptionGroup var judging: JudgingArguments

  @Option(help: ArgumentHelp("Filters to judge. Default: all; of paths \(FilterKind.standard).", valueName: "a,b,c"))
  var filters: String?

  @Flag(
    help: "Judge the filters' offline forms: every attitude from the whole log. Default filters: those that have one.")
  var smooth = false

  @Flag(help: "Judge the attitude that the device recorded of itself, such as Core Motion's, beside the filters.")
  var device = false

  @Option(
    help: ArgumentHelp(
      "File with an estimate to judge in place of filters: time, quaternionX..W (CSV); a path: time, x, y, z, or TUM's.",
      valueName: "file"))
  var estimate: String?

  @Option(help: "Earth frame of the estimate. Default: the reference's; NWU for a dataset of this command.")
  var estimateFrame: EarthFrame?

  @Flag(help: "Do not time the filters.")
  var noCost = false

  @Flag(
    help: ArgumentHelp(
      "Tell what filters made of their measurements, too: accepted and rejected by kind, and whether they were as far off as the filter expected (NIS, 1 is right)."
    ))
  var innovations = false

  @Flag(help: "Print a row for each log and filter, too.")
  var details = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print comma separated values, a row for each log and filter.")
  var csv = false

  @Flag(help: "With --csv: a row for each filter.")
  var summary = false

  @OptionGroup(title: "Paths (--task track)") var paths: PathJudgingArguments
  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv both want standard output") }
    if summary, !csv { throw ValidationError("--summary belongs to --csv; the table and --json have it anyway") }
    if estimate != nil, filters != nil { throw ValidationError("give --estimate or --filters, not both") }
    if estimate != nil, device { throw ValidationError("give --estimate or --device, not both") }
    if estimate != nil, innovations { throw ValidationError("--innovations are of filters, and --estimate has none") }
    if csv, innovations { throw ValidationError("--innovations are in the table and in --json; leave --csv out") }
    if estimate != nil, smooth { throw ValidationError("--smooth is of filters, and --estimate has none") }
    try validateTask()
  }

  func job(logCount: Int) throws -> EvaluationJob {
    if estimate != nil, logCount > 1 { throw FusionError.usage("--estimate is judged on one log") }
    var options = try judging.options(filterArguments, log, logCount: logCount)
    if let filters { options.filters = commaSeparated(filters) }
    options.smooths = smooth
    options.judgesDevice = device
    options.talliesMeasurements = innovations
    options.estimatePath = estimate
    options.estimateFrame = estimateFrame
    options.measuresCost = !noCost
    return EvaluationJob(options: options)
  }

  /// One log after the other, in the caller's thread.
  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> EvaluationAnswer {
    let inputs = access.held == nil ? try judging.logs(log.options) : judging.inputs
    let grouping = try judging.grouping(of: inputs)
    if task == .track { return .track(try trackDocument(inputs, grouping, access, progress: progress)) }
    var job = try job(logCount: inputs.count)
    job.options.log = access.applied(to: job.options.log)
    var scores: [EvaluationJob.Score] = []
    var unjudged: [EvaluationJob.Failure] = []
    for (index, input) in inputs.enumerated() {
      let result = try job.run(on: input) { progress((Double(index) + $0) / Double(inputs.count)) }
      scores += result.scores
      unjudged += result.failures
    }
    return .orientation(
      EvaluationDocument(
        report(scores, unjudged, inputs, grouping, job), failures: unjudged.map { "\($0.filter): \($0.reason)" }))
  }

  private func report(
    _ scores: [EvaluationJob.Score], _ unjudged: [EvaluationJob.Failure], _ inputs: [String],
    _ grouping: RecordingGroups, _ job: EvaluationJob
  ) -> EvaluationReport {
    EvaluationReport(
      scores, unjudged: unjudged, groups: grouping.byPath(inputs), judgesHeading: job.options.judgesHeading)
  }

  func run() async throws {
    let inputs = try judging.logs(log.options)
    let grouping = try judging.grouping(of: inputs)
    if task == .track { return try runTrack(inputs, grouping) }
    let job = try job(logCount: inputs.count)
    let names = try estimate.map { [$0] } ?? job.filters().map(\.kind.name) + (device ? [EvaluationJob.deviceName] : [])

    var scores: [EvaluationJob.Score] = []
    var unjudged = UnjudgedLogs()
    var bar = ProgressBar("evaluate", isLong: true)
    for (index, input) in inputs.enumerated() {
      bar.show(Double(index) / Double(inputs.count))
      do throws(FusionError) {
        let result = try await job.runConcurrently(on: input) { share in
          bar.show((Double(index) + share) / Double(inputs.count))
        }
        scores += result.scores
        bar.end()
        tellWarnings(result.log, of: input, align: judging.against.align)
        unjudged.add(result.failures)
      } catch {
        bar.end()
        try unjudged.add(error, of: input, filters: names, inputs: inputs)
      }
    }
    bar.end()
    let report = report(scores, unjudged.failures, inputs, grouping, job)
    let shortNames = Dictionary(uniqueKeysWithValues: zip(inputs, grouping.names))
    let table = EvaluationTable(report, names: shortNames, showsRows: details || inputs.count == 1)
    if json {
      try printJSON(EvaluationDocument(report, failures: unjudged.lines))
    } else if csv {
      summary ? table.printSummaryCSV() : table.printCSV()
    } else {
      table.print()
    }
    if !unjudged.lines.isEmpty { throw ExitCode(1) }
  }
}

/// What `evaluate` finds out.
enum EvaluationAnswer: Encodable {
  case orientation(EvaluationDocument)
  case track(TrackEvaluationDocument)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .orientation(let document): try document.encode(to: encoder)
    case .track(let document): try document.encode(to: encoder)
    }
  }
}

/// The report as one JSON document.
struct EvaluationDocument: Encodable {
  var rows: [EvaluationReport.Row]
  var summaries: [EvaluationReport.Summary]
  var groups: [EvaluationReport.Group]
  /// The filters that no other one beats in both accuracy and cost.
  var pareto: [String]
  var unjudged: [EvaluationJob.Failure]
  /// Why a log or a filter was not judged, a line each.
  var failures: [String]
  /// False where X is arbitrary: then total and heading say nothing.
  var judgesHeading: Bool

  init(_ report: EvaluationReport, failures: [String]) {
    rows = report.rows
    summaries = report.summaries
    groups = report.groups
    pareto = report.summaries.filter(\.isOnParetoFront).map(\.filter)
    unjudged = report.unjudged
    self.failures = failures
    judgesHeading = report.judgesHeading
  }
}
