import ArgumentParser
import Inertial
import InertialFigures
import InertialSystem

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show logs in a page to read: plots, findings, the device in 3D, filters side by side, errors.",
    discussion: """
      One HTML file that needs nothing else: it opens from the disk in any browser of 2023 or later, loads nothing, and \
      is at most 5 MB. Several logs become a folder: index.html with a line for each, and a page for each.

      It shows what was recorded and how well, with what 'inspect' finds; attitude, quaternion, gravity, user \
      acceleration, rotation rate, field, heading, altitude and what else the phone recorded over time, with marks of \
      rest, disturbance, rejected samples, gaps, activities, steps, shakes, floors and falls; the device in 3D; and at \
      the foot what it takes to make it again. Where the log allows it, the path is drawn from above: of a foot, of steps, \
      of a vehicle with position fixes; else the page says why not. The numbers are those of 'fuse', and with a reference, in the log or \
      given, those of 'evaluate'.

      In the page: drag over a plot to zoom, Shift and drag to move, double click for all; arrow keys move the cursor, \
      space plays, + and - zoom, 0 shows all.

      Examples:
        inertial report walk.csv
        inertial report LOGFOLDER -o walk.html --frame xMagneticNorthZVertical
        inertial report walk.csv --filters kalman,vqf,madgwick
        inertial report trial.hdf5 --filters kalman,vqf,madgwick --align yaw
        inertial report RECORDINGS -o REPORTS
        inertial report walk.csv --detail full
      """)

  /// How much of a log is in its page.
  enum Detail: String, ExpressibleByArgument, CaseIterable {
    case capped
    case full
  }

  @Argument(
    help: ArgumentHelp(
      "Logs: files, folders, folders with logs in them, or patterns such as 'walk*.csv'.", valueName: "input"))
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The page. With several logs: a folder. Default: INPUT.report.html, or INPUT.report for a folder of logs.",
      valueName: "path"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "capped: as many samples as fit into 5 MB; of what is left out the smallest and largest are kept. full: all samples.",
      valueName: "capped|full"))
  var detail = Detail.capped

  @Option(
    help: ArgumentHelp(
      "Filters to show side by side, in place of --filter: the first is shown, the others by their difference from it.",
      valueName: "a,b,c"))
  var filters: String?

  @Option(help: ArgumentHelp("Rate of the rows. Default: one row for each gyroscope sample.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Overwrite an existing report.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Attitude") var place: PlaceArguments
  @OptionGroup(title: "Attitude") var filterArguments: FilterArguments
  @OptionGroup(title: "Path") var track: TrackArguments
  @OptionGroup(title: "What is shown beside the motion (default: all)") var extra: ColumnArguments
  @OptionGroup(title: "What is shown beside the motion (default: all)") var sound: SoundArguments
  @OptionGroup(title: "Judging against a reference") var against: ReferenceArguments
  @Flag(help: "Do not time the filters: then the same log gives the same page, byte by byte.")
  var noCost = false
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @Flag(help: "Estimate constant time offsets of the other sensors and remove them: what --align is to 'fuse'.")
  var alignSensors = false
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if inputs.contains("-") {
      throw ValidationError("a report reads its log more than once, which standard input cannot be; give a file")
    }
    if output == "-" { throw ValidationError("a report is a file or a folder; give its path with -o") }
    if sound.sound != nil, inputs.count > 1 { throw ValidationError("--sound is for one log") }
    if filters != nil, attitude.filter != FilterKind.standard {
      throw ValidationError("give --filter or --filters, not both: the first of --filters is the one that is shown")
    }
    var options = FusionOptions()
    options.rate = rate
    try validated { () throws(FusionError) in try options.checkNumbers() }
  }

  func run() async throws {
    let logs = LogInputs(inputs)
    let isFolder = logs.logs.count > 1 || logs.areExpanded && !(output?.hasSuffix(".html") ?? false)
    let options = try reportOptions(logCount: logs.logs.count)
    if isFolder {
      try await report(logs, options)
    } else {
      try await report(logs.logs[0].path, options)
    }
  }

  private func report(_ input: String, _ options: ReportOptions) async throws {
    var bar = ProgressBar(input)
    defer { bar.end() }
    let result = try await RecordingReport(input: input, output: output, options: options).run { bar.show($0) }
    bar.end()
    tell(result, of: input)
    if json { try printJSON(ReportDocument(result, input: input)) }
  }

  private func report(_ logs: LogInputs, _ options: ReportOptions) async throws {
    guard let output = output ?? (inputs.count == 1 ? withoutSlashes(inputs[0]) + ".report" : nil) else {
      throw FusionError.usage("\(counted(logs.logs.count, "log")) need a folder for -o")
    }
    if output.hasSuffix(".html") {
      throw FusionError.usage(
        "\(output): \(counted(logs.logs.count, "log")) need a folder for -o, and that is the name of a page")
    }
    let folder = FolderReport(
      recordings: logs.logs.map { .init(input: $0.path, name: $0.name) }, output: output,
      title: inputs.count == 1 ? withoutSlashes(inputs[0]).lastPathPart : "Recordings",
      options: options)
    var bar = ProgressBar(counted(logs.logs.count, "log"), isLong: true)
    defer { bar.end() }
    var documents: [ReportDocument] = []
    var failures: [String] = []
    try await folder.run(progress: { bar.show($0) }) { place, outcome in
      bar.end()
      switch outcome {
      case .done(var result):
        // Until all are done the folder has another name.
        result.output = output + "/recordings/" + result.output.lastPathPart
        tell(result, of: logs.logs[place].path)
        documents.append(ReportDocument(result, input: logs.logs[place].path))
      case .failed(let error):
        Console.error(error.description)
        failures.append(error.description)
      }
    }
    bar.end()
    if json {
      try printJSON(ReportDocuments(overview: folder.index, reports: documents, failures: failures))
    } else {
      Page.standard.line("overview \(folder.index)")
    }
    if !failures.isEmpty { throw ExitCode(1) }
  }

  private func tell(_ result: RecordingReport.Result, of input: String) {
    for warning in result.fusion.log.warnings { Console.warning("\(input): \(warning)") }
    if let reason = result.unjudged { Console.warning("not judged against the reference: \(reason)") }
    if attitude.frame == nil, let note = DefaultFrame.note(for: result.fusion.log, filter: attitude.filter) {
      Console.note("\(input): \(note)")
    }
    if json { return }
    let size = fixed(Double(result.size) / 1e6, 1)
    Page.standard.line(
      "report  \(result.output): \(size) MB, \(result.samples) of \(counted(result.rows, "row")) a column")
    if !result.findings.isEmpty { Page.standard.line("        \(counted(result.findings.count, "finding"))") }
  }

  private func reportOptions(logCount: Int) throws -> ReportOptions {
    var fusion = try FusionOptions(attitude, place, filterArguments, quality, log, settles: false)
    fusion.aligns = alignSensors
    fusion.rate = rate
    fusion.track = track.options
    // A report shows what there is, unless less is asked for.
    (fusion.recognitions, fusion.channels) = (Recognition.shown, .all)
    var extra = extra
    if extra.recognitions == "none" { (extra.recognitions, fusion.recognitions) = (nil, []) }
    if extra.withChannels == "none" { (extra.withChannels, fusion.channels) = (nil, .none) }
    try extra.apply(to: &fusion, sound: sound.source)

    let names = filters.map(commaSeparated) ?? [attitude.filter]
    var evaluation = EvaluationJob.Options()
    evaluation.filters = names
    evaluation.smooths = attitude.smooth
    evaluation.settings = try filterArguments.parameterSettings()
    if let frame = attitude.frame { evaluation.motion.frame = frame }
    evaluation.given = try place.given()
    evaluation.measuresCost = !noCost
    try against.check(logCount: logCount)
    against.apply(to: &evaluation, logCount: logCount)

    var options = ReportOptions(filters: try EvaluationJob(options: evaluation).filters())
    options.fusion = fusion
    options.evaluation = evaluation
    options.isFrameGiven = attitude.frame != nil
    options.hasAllSamples = detail == .full
    options.command = Self.command
    options.force = force
    return options
  }

  /// The command as a shell takes it.
  private static var command: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:@%+")
    let own = InertialCommand.words ?? Array(CommandLine.arguments.dropFirst())
    let words = own.map { word in
      !word.isEmpty && word.allSatisfy(plain.contains) ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
    return (["inertial"] + words).joined(separator: " ")
  }

  private func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// What `report` made of a log, as one JSON document.
private struct ReportDocument: Encodable {
  var input: String
  var output: String
  var bytes: Int
  var rows: Int
  /// Of each column, in the page.
  var samples: Int
  var findings: [String]
  var warnings: [String]
  /// nil where there is no reference.
  var scores: [EvaluationReport.Row]?
  /// Why nothing was judged though there is a reference.
  var unjudged: String?
  /// What the path rests on and how uncertain it is, or why there is none; nil where none was wanted.
  var path: String?

  init(_ result: RecordingReport.Result, input: String) {
    self.input = input
    output = result.output
    (bytes, rows, samples) = (result.size, result.rows, result.samples)
    findings = result.findings
    warnings = result.fusion.log.warnings
    scores = result.scores.isEmpty ? nil : EvaluationReport(result.scores, judgesHeading: result.judgesHeading).rows
    unjudged = result.unjudged
    path = result.path
  }
}

private struct ReportDocuments: Encodable {
  var overview: String
  var reports: [ReportDocument]
  var failures: [String]
}
