import ArgumentParser
import Foundation
import Inertial

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Judge filters, or somebody else's estimate, against a reference: accuracy and cost.",
    discussion: """
      The error is e = estimate x conj(reference), both sensor to earth with Z up: total = 2 acos|w|, heading = \
      2 atan2(|z|, |w|), inclination = 2 acos sqrt(w^2 + z^2); root mean square in degrees over the samples that the \
      log marks as movement and whose reference is valid.
      """)

  @Argument(help: ArgumentHelp("Logs with a reference, or one log and --reference.", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("Filters to judge. Default: all.", valueName: "a,b,c"))
  var filters: String?

  @Option(help: "Reference frame; in xArbitraryZVertical the magnetometer is not used.")
  var frame = AttitudeReferenceFrame.xMagneticNorthZVertical

  @Option(
    help: ArgumentHelp(
      "File with the reference: time, quaternionX..W, optional movement (CSV).", valueName: "file"))
  var reference: String?

  @Option(help: "Earth frame of the reference: enu, nwu or ned. Default: the log's own statement.")
  var referenceFrame: EarthFrame?

  @Option(
    help: ArgumentHelp(
      "File with an estimate to judge in place of filters: time, quaternionX..W (CSV).", valueName: "file"))
  var estimate: String?

  @Option(help: "Earth frame of the estimate. Default: the reference's; NWU for a dataset of this command.")
  var estimateFrame: EarthFrame?

  @Option(help: "Constant rotations to fit and take out: none, yaw, or frame (yaw and sensor side).")
  var align = AlignmentMode.none

  @Flag(help: "Search a constant clock offset of up to 0.5 s and take it out.")
  var alignClock = false

  @Option(help: ArgumentHelp("Seconds not judged at the start.", valueName: "seconds"))
  var skip = 0.0

  @Flag(help: "Do not time the filters.")
  var noCost = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: "Print comma separated values.")
  var csv = false

  @OptionGroup var filterArguments: FilterArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv both want standard output") }
    if estimate != nil, inputs.count > 1 { throw ValidationError("--estimate is judged on one log") }
    if reference != nil, inputs.count > 1 { throw ValidationError("--reference belongs to one log") }
    if estimate != nil, filters != nil { throw ValidationError("give --estimate or --filters, not both") }
    if !(skip >= 0 && skip.isFinite) { throw ValidationError("--skip takes seconds, not \(skip)") }
  }

  func run() throws {
    var options = EvaluationJob.Options()
    if let filters {
      options.filters = commaSeparated(filters)
    }
    options.settings = try parsedSettings(filterArguments.settings)
    options.motion.frame = frame
    options.motion.field = filterArguments.field
    options.comparison.alignment = align
    options.comparison.clockAlignment = alignClock ? ClockAlignment() : nil
    options.comparison.skip = skip
    options.referencePath = reference
    options.referenceFrame = referenceFrame
    options.estimatePath = estimate
    options.estimateFrame = estimateFrame
    options.measuresCost = !noCost
    options.log = log.options
    let job = EvaluationJob(options: options)

    var scores: [EvaluationJob.Score] = []
    var failures: [String] = []
    var bar = ProgressBar("evaluate")
    for (index, input) in inputs.enumerated() {
      bar.show(Double(index) / Double(inputs.count))
      do {
        let result = try job.run(on: input)
        scores += result.scores
        bar.end()
        // What the format says of its reference decides how the figures are to be read.
        let notes = result.log.description.notes.filter { $0.hasPrefix("reference") && align == .none }
        for warning in result.log.warnings + notes { Console.warning("\(input): \(warning)") }
      } catch {
        bar.end()
        guard inputs.count > 1, error.exitCode == 1 else { throw error }
        Console.error(error.description)
        failures.append(error.description)
      }
    }
    bar.end()
    let table = EvaluationTable(scores, failures: failures)
    if json { try printJSON(table) } else if csv { table.printCSV() } else { table.print() }
    if !failures.isEmpty { throw ExitCode(1) }
  }
}
