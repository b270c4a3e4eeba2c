import ArgumentParser
import Inertial
import InertialSystem

struct ShakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shake",
    abstract: "Detect shakes in a log, with time, duration, score and axis.",
    discussion: """
      A raw log is fused first; if a log contains the device's user acceleration, it is used instead.

      Examples:
        inertial shake LOG                                          the reference detector
        inertial shake LOG --detector axis --set threshold=1.5 --set interval=0.5
        inertial shake LOG --detector all --set legacy.threshold=2  every detector, one with another threshold
        inertial shake --rules                                      every parameter: default, range, customary values

      Detectors:

      \(ShakeDetectorKind.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String?

  @Option(
    help: ArgumentHelp(
      "The detector, several separated by commas, or all. Default: \(ShakeDetectorKind.standard.name).",
      valueName: "name"))
  var detector: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of all detectors that have it, or of one with detector.name=value; can be repeated. --rules lists the parameters.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    help:
      "The sensitivity of the reference detector, 0 to 1: higher values detect more shakes, and more false alarms. Same as --set sensitivity."
  )
  var sensitivity: Double?

  @Option(
    help: ArgumentHelp(
      "The duration after which a shake is cancelled, in seconds. Default: no limit.", valueName: "seconds"))
  var maximumDuration: Double?

  @Flag(help: "Restart one-shot detectors after their first shake.")
  var continuous = false

  @Flag(help: "List the detectors with their parameters, without reading a log.")
  var rules = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print a CSV row for each start, end and cancellation.")
  var csv = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv both use standard output; leave one out") }
    if rules {
      if csv { throw ValidationError("--csv applies to a log's shakes; use --rules alone for a table, or with --json") }
      if input != nil { throw ValidationError("--rules takes no log") }
      let own = firstGiven([
        "--set": !settings.isEmpty, "--sensitivity": sensitivity != nil, "--maximum-duration": maximumDuration != nil,
        "--continuous": continuous,
      ])
      if let given = own ?? log.given {
        throw ValidationError("\(given) applies to a log's shakes; leave it out with --rules")
      }
    } else if input == nil {
      throw ValidationError("a log is missing; use inertial shake LOG, or inertial shake --rules for the detectors")
    }
    try validated { try ShakeJob.checkDuration(maximumDuration) }
  }

  func run() throws {
    guard let input else { return try listRules() }
    var job = ShakeJob(input: input)
    job.log = try log.options
    if let detector { job.detectors = ShakeDetectorKind.names(detector.split(separator: ",").map(String.init)) }
    job.settings = try ParameterSettings(words: settings)
    try job.set(sensitivity: sensitivity)
    job.gestures.maximumDuration = maximumDuration
    if continuous { job.gestures.isOneShot = false }
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    if json {
      try printJSON(report)
    } else if csv {
      report.printCSV()
    } else {
      report.print()
    }
  }

  /// Prints all detectors, or those given with `--detector`.
  private func listRules() throws {
    let names = detector.map { $0.split(separator: ",").map(String.init) } ?? ["all"]
    let kinds = try ShakeDetectorKind.names(names).map(ShakeDetectorKind.all.requested)
    if json { try printJSON(kinds.map(\.document)) } else { ShakeDetectorKind.printTable(kinds) }
  }
}
