import ArgumentParser
import Inertial
import InertialCalibration
internal import InertialFigures
import InertialSystem

struct AllanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allan",
    abstract: "Measure sensor noise from a log of a device at rest: Allan deviation and its noise terms.",
    discussion: """
      A longer log reveals slower noise: one hour for angle random walk and bias instability, several hours for random \
      walks. Four deviations are computed over logarithmic averaging times, each with a confidence interval for the type \
      of noise at that time (NIST Special Publication 1065). Gaps and jitter are allowed: a mean needs nine tenths of its \
      samples.

      If the device moves, the times are listed and the noise is computed from the longest rest. If no rest lasts a \
      minute, the figures describe motion, and noise.json and imu.yaml are refused. Single samples far beyond the noise \
      are listed and excluded.

      The five terms of IEEE Std 952 are fitted together, with standard deviations; a term that is not observable has an \
      upper limit (95 %). Bias instability is B; the floor of the curve is 0.664 B, and some data sheets state that \
      instead.

      Examples:
        inertial allan night.csv
        inertial allan night.csv -o noise.json && inertial fuse walk.csv --noise noise.json
        inertial allan night.csv -o imu.yaml -o curves.csv --plot allan.pdf
        inertial allan imu.bin --columns rotationRateX,rotationRateY,rotationRateZ,accelerationX,accelerationY,accelerationZ \
      --sample-rate 100 --rotation-unit deg/s

      Outputs: .json for --noise; .yaml in the format of Kalibr's imu.yaml; .csv with every point of every deviation.
      """)

  @Argument(help: ArgumentHelp("A log of a device at rest: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "An output file: noise.json, imu.yaml or curves.csv, by its extension; can be repeated.", valueName: "path"))
  var output: [String] = []

  @Option(
    help: ArgumentHelp(
      "The deviations: \(StabilityDeviation.allCases.map(\.rawValue).joined(separator: ", ")). Default: all.",
      valueName: "a,b"))
  var deviations: String?

  @Option(help: ArgumentHelp("The number of averaging times.", valueName: "n"))
  var times = 60

  @Option(help: ArgumentHelp("The probability of each point's confidence interval, in percent.", valueName: "percent"))
  var confidence = 95.0

  @Option(help: ArgumentHelp("The duration to skip at the start of the log, in seconds.", valueName: "s"))
  var start = 0.0

  @Option(
    help: ArgumentHelp(
      "The end of the evaluated part, in seconds since the start of the log. Default: all.", valueName: "s"))
  var end: Double?

  @Flag(help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print every point of every deviation as comma-separated values.")
  var csv = false

  @OptionGroup var figure: FigureArguments
  @OptionGroup(title: "Figure layout") var page: PageArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    try figure.check(page)
    if json, csv { throw ValidationError("--json and --csv both use standard output; leave one out") }
    if !(1...1000).contains(times) { throw ValidationError("--times takes 1 to 1000, not \(times)") }
    if !(confidence > 0 && confidence < 100) {
      throw ValidationError("--confidence takes percent above 0 and below 100, not \(confidence)")
    }
    if !(start >= 0 && start.isFinite) { throw ValidationError("--start takes seconds from 0 on, not \(start)") }
    if let end, !(end > start) { throw ValidationError("--end takes seconds after --start, not \(end)") }
    for path in output where !["json", "yaml", "yml", "csv"].contains(kind(of: path)) {
      throw ValidationError("-o takes a name that ends in .json, .yaml or .csv, not '\(path)'")
    }
  }

  func run() throws {
    let files = try OutputFiles(
      output + [figure.plot].compactMap(\.self), sparing: InputGuard([input] + [log.calibration].compactMap(\.self)),
      force: force)
    var job = AllanJob(input: input)
    job.log = try log.options
    (job.timeCount, job.confidence, job.start, job.end) = (times, confidence / 100, start, end)
    if let deviations { job.kinds = try StabilityDeviation.list(commaSeparated(deviations)) }
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    let contents = try output.map { ($0, try report.content(of: $0)) }
    for warning in report.warnings { Console.warning("\(input): \(warning)") }
    for (path, text) in contents { try files.write(text, to: path) }
    let drawn = try figure.write(report.figure, page, to: files)
    try files.commit()
    if json {
      try printJSON(report)
    } else if csv {
      Page.standard.text(String(report.csv.dropLast()))
    } else {
      report.print()
      for path in output + drawn { Page.standard.line("\n\(path) is written") }
    }
  }

  private func kind(of path: String) -> String { path.pathEnding.lowercased() }
}
