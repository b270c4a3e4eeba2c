import ArgumentParser
import Inertial
import InertialFigures
import InertialSystem

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write an HTML report of logs: plots, findings, the device in 3D, filter comparison, errors.",
    discussion: """
      The report is one self-contained HTML file: it opens from disk in any browser of 2023 or later, loads no other \
      files, and has at most 5 MB. Several logs become a folder: index.html with a line per log, and a page per log.

      It shows the recorded channels and their quality, with the findings of 'inspect'; attitude, quaternion, gravity, \
      user acceleration, rotation rate, field, heading, altitude and other channels over time, with marks of rest, \
      disturbance, rejected samples, gaps, activities, steps, shakes, floors and falls; the device in 3D; and the command \
      to reproduce the page. If possible, the path is drawn in plan view: foot-mounted, from steps, or of a vehicle with \
      position fixes; otherwise the page gives the reason. The numbers match those of 'fuse', and with a reference, in \
      the log or given, those of 'evaluate'.

      In the page: drag over a plot to zoom, Shift and drag to scroll, double-click to show all; arrow keys move the \
      cursor, space plays, + and - zoom, 0 shows all.

      Examples:
        inertial report walk.csv
        inertial report LOGFOLDER -o walk.html --frame xMagneticNorthZVertical
        inertial report walk.csv --filters kalman,vqf,madgwick
        inertial report trial.hdf5 --filters kalman,vqf,madgwick --align yaw
        inertial report RECORDINGS -o REPORTS
        inertial report walk.csv --detail full
        inertial report walk2.csv --overlay walk1.csv
        inertial report walk.csv --path-reference landmarks.csv
      """)

  /// The amount of data in the page of a log.
  enum Detail: String, ExpressibleByArgument, CaseIterable {
    case capped
    case full
  }

  @Argument(
    help: ArgumentHelp(
      "Logs: files, folders, folders of logs, or patterns such as 'walk*.csv'.", valueName: "input"))
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The output file. With several logs: a folder. Default: INPUT.report.html, or INPUT.report for a folder of logs.",
      valueName: "path"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The detail of the plots. capped: downsampled to 5 MB, keeping the minimum and maximum of omitted samples. full: all samples.",
      valueName: "capped|full"))
  var detail = Detail.capped

  @Option(
    help: ArgumentHelp(
      "The filters to compare, instead of --filter: the first is shown, the others by their difference from it.",
      valueName: "a,b,c"))
  var filters: String?

  @Option(
    help: ArgumentHelp(
      "A second recording, drawn dashed in the same plots. Both begin at their first row.", valueName: "log"))
  var overlay: String?

  @Flag(
    help:
      "Draw the filter's innovations: measured minus predicted values, with three standard deviations. The page becomes larger."
  )
  var innovations = false

  @Option(help: ArgumentHelp("The rate of the rows, in Hz. Default: one row per gyroscope sample.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Overwrite an existing report.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Path") var track: TrackArguments
  @OptionGroup(title: "Additional contents (default: all)") var extra: ColumnArguments
  @OptionGroup(title: "Reference") var against: ReferenceArguments
  @Option(
    help: ArgumentHelp(
      "The file with positions (time,x,y or time,x,y,z), to colour the path by its error. With several logs: a name as for --reference.",
      valueName: "file"))
  var pathReference: String?
  @Flag(help: "Do not time the filters, so that the same log gives an identical page.")
  var noCost = false
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @Flag(help: "Estimate and correct constant time offsets of the other sensors, as --align of 'fuse'.")
  var alignSensors = false
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if inputs.contains("-") {
      throw ValidationError(
        "a report reads its log more than once, which is not possible for standard input; use a file")
    }
    if attitude.online { throw ValidationError("a report uses the whole log; leave --online out") }
    if output == "-" { throw ValidationError("a report cannot be written to standard output; use -o PATH") }
    if extra.sound.sound != nil, inputs.count > 1 { throw ValidationError("--sound is for one log") }
    if filters != nil, attitude.filter != FilterKind.standard.name {
      throw ValidationError("give --filter or --filters, not both: the first of --filters is shown")
    }
    try checkNumbers { $0.rate = rate }
  }

  func run() async throws {
    let (logs, areExpanded) = LogFeed.logs(of: inputs)
    let isFolder = logs.count > 1 || areExpanded && !(output?.hasSuffix(".html") ?? false)
    let options = try reportOptions(logCount: logs.count)
    if isFolder {
      try await report(logs.map { .init(input: $0.path, name: $0.name) }, options)
    } else {
      try await report(logs[0].path, options)
    }
  }

  private func report(_ input: String, _ options: ReportOptions) async throws {
    var bar = ProgressBar(input)
    defer { bar.end() }
    let result = try await RecordingReport(input: input, output: output, options: options).run { bar.show($0) }
    bar.end()
    printReport(result)
    if json { try printJSON(result) }
  }

  private func report(_ logs: [FolderReport.Recording], _ options: ReportOptions) async throws {
    guard let output = output ?? (inputs.count == 1 ? inputs[0].withoutSlashesAtEnd + ".report" : nil) else {
      throw FusionError.usage("\(counted(logs.count, "log")) need a folder for -o")
    }
    if output.hasSuffix(".html") {
      throw FusionError.usage(
        "\(output): \(counted(logs.count, "log")) need a folder for -o, but the path ends in .html")
    }
    let folder = FolderReport(
      recordings: logs, output: output,
      title: inputs.count == 1 ? inputs[0].lastPathPart : "Recordings",
      options: options)
    var bar = ProgressBar(counted(logs.count, "log"), isLong: true)
    defer { bar.end() }
    let all = try await folder.run(progress: { bar.show($0) }) { _, outcome in
      bar.end()
      switch outcome {
      case .done(let result): printReport(result)
      case .failed(let error): Console.error(error.description)
      }
    }
    bar.end()
    if json { try printJSON(all) } else { Page.standard.line("overview \(all.overview)") }
    if !all.failures.isEmpty { throw ExitCode(1) }
  }

  private func printReport(_ result: RecordingReport.Result) {
    let input = result.fusion.job.input
    for warning in result.fusion.log.warnings { Console.warning("\(input): \(warning)") }
    if let reason = result.unjudged { Console.warning("not evaluated against the reference: \(reason)") }
    if attitude.frame == nil, let note = result.fusion.defaultFrameNote {
      Console.note("\(input): \(note)")
    }
    if json { return }
    let size = fixed(Double(result.size) / 1e6, 1)
    Page.standard.line(
      "report  \(result.output): \(size) MB, \(result.samples) of \(counted(result.rows, "row")) per column")
    if !result.findings.isEmpty { Page.standard.line("        \(counted(result.findings.count, "finding"))") }
  }

  private func reportOptions(logCount: Int) throws -> ReportOptions {
    var fusion = try FusionOptions(attitude, quality, log, track: track.options, resolvesSettings: false)
    (fusion.aligns, fusion.rate) = (alignSensors, rate)
    // A report shows all available data, unless less is requested.
    (fusion.recognitions, fusion.channels) = (Recognition.shown, .all)
    var extra = extra
    if extra.recognitions == "none" { (extra.recognitions, fusion.recognitions) = (nil, []) }
    if extra.withChannels == "none" { (extra.withChannels, fusion.channels) = (nil, .none) }
    try extra.apply(to: &fusion)

    let names = filters.map(commaSeparated) ?? [attitude.filter]
    var evaluation = EvaluationJob.Options()
    evaluation.filters = names
    evaluation.smooths = attitude.smooth
    evaluation.settings = try attitude.parameters.parameterSettings()
    if let frame = attitude.frame { evaluation.motion.frame = frame }
    evaluation.given = try attitude.place.given()
    evaluation.measuresCost = !noCost
    against.apply(to: &evaluation)
    if let reference = against.reference { try evaluation.setReference(reference, logCount: logCount) }

    var options = ReportOptions(filters: try EvaluationJob(options: evaluation).filters())
    options.fusion = fusion
    options.evaluation = evaluation
    options.isFrameGiven = attitude.frame != nil
    options.isRecognitionGiven = extra.recognitions != nil
    options.hasAllSamples = detail == .full
    (options.overlay, options.showsInnovations) = (overlay, innovations)
    against.apply(to: &options.track.evaluation)
    options.track.comparison.alignment = against.align ?? options.track.comparison.alignment
    if let pathReference {
      try options.track.evaluation.setReference(pathReference, logCount: logCount, option: "--path-reference")
    }
    options.command = Self.command
    options.force = force
    return options
  }

  /// The command line, quoted for a shell.
  private static var command: String {
    let own = InertialCommand.arguments ?? Array(CommandLine.arguments.dropFirst())
    return (["inertial"] + own.map(\.quotedForShell)).joined(separator: " ")
  }
}
