import ArgumentParser
import Inertial
import InertialSystem

struct ShakeCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "shake",
    abstract: "Find the shakes in a log: when, how long, how sure, along which axis.",
    discussion: """
      A raw log is fused first; of a log with the device's own user acceleration that is taken.

      Examples:
        inertial shake LOG                                          the reference detector
        inertial shake LOG --detector axis --set threshold=1.5 --set interval=0.5
        inertial shake LOG --detector all --set legacy.threshold=2  every detector; one of them otherwise
        inertial shake --rules                                      every parameter: default, range, customary values

      Detectors:

      \(ShakeDetectorKind.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String?

  @Option(
    help: ArgumentHelp(
      "The detector, several with commas between, or all. Default: \(ShakeDetectorKind.standard).", valueName: "name"))
  var detector: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the detector; may be given again. With several detectors it is for those that have it, and detector.name=value for one. --rules lists them.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    help: "Of the reference detector, 0 to 1: bigger finds more, and more false alarms. The same as --set sensitivity.")
  var sensitivity: Double?

  @Option(help: ArgumentHelp("A shake that lasts longer is cancelled. Default: never.", valueName: "seconds"))
  var maximumDuration: Double?

  @Flag(help: "Go on after the first shake with the detectors that stop themselves, too.")
  var continuous = false

  @Flag(help: "List the detectors with their parameters, and find nothing.")
  var rules = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print a row for every beginning, end and cancellation as CSV.")
  var csv = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv both want standard output") }
    if rules {
      if csv { throw ValidationError("--csv is for a log's shakes; --rules is a table, or a document with --json") }
      if input != nil { throw ValidationError("--rules takes no log") }
      let given =
        !settings.isEmpty
        ? "--set"
        : sensitivity != nil
          ? "--sensitivity" : maximumDuration != nil ? "--maximum-duration" : continuous ? "--continuous" : log.given
      if let given { throw ValidationError("\(given) is for a log's shakes; --rules lists what there is") }
    } else if input == nil {
      throw ValidationError("a log is missing: inertial shake LOG, or inertial shake --rules for the detectors")
    }
    if let maximumDuration, !(maximumDuration > 0) {
      throw ValidationError("--maximum-duration takes seconds above 0, not \(maximumDuration)")
    }
  }

  private var detectors: [String] {
    let detector = detector ?? ShakeDetectorKind.standard
    return detector == "all" ? ShakeDetectorKind.all.map(\.name) : detector.split(separator: ",").map(String.init)
  }

  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> ShakeDocument {
    guard let input else { throw FusionError.usage("--rules lists the detectors, and finds nothing; leave it out") }
    var job = ShakeJob(input: input)
    job.log = try access.applied(to: log.options)
    job.detectors = detectors
    job.settings = try ParameterSettings(words: settings)
    // Of other detectors a sensitivity says nothing, and is no error with them.
    if let sensitivity, detectors.contains(ReferenceRule.name) {
      guard job.settings.own[ReferenceRule.name, default: [:]].updateValue(sensitivity, forKey: "sensitivity") == nil,
        job.settings.common["sensitivity"] == nil
      else { throw FusionError.usage("--sensitivity and --set sensitivity are the same; give one of them") }
    }
    job.gestures.maximumDuration = maximumDuration
    if continuous { job.gestures.isOneShot = false }
    return ShakeDocument(try job.run(progress: progress), detectors: job.detectors)
  }

  func run() throws {
    guard let input else { return try listRules() }
    let document = try documentWithBar(input)
    if json {
      try printJSON(document)
    } else if csv {
      document.printCSV()
    } else {
      document.print()
    }
  }

  /// All of them, or with `--detector` those.
  private func listRules() throws {
    let kinds = detector == nil ? ShakeDetectorKind.all : try detectors.map(ShakeDetectorKind.known)
    let table = ShakeRulesTable(kinds)
    if json { try printJSON(table.rules) } else { table.print() }
  }
}
