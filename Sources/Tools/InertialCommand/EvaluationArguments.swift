import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

/// The recordings to evaluate, their reference, and the evaluation options: the common part of `evaluate` and `tune`.
struct EvaluationArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Logs with a reference, folders of such logs, or patterns. A folder can itself be a log.",
      valueName: "input"))
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "The reference frame; in xArbitraryZVertical the magnetometer is not used. Default: xMagneticNorthZVertical; for paths \(AttitudeReferenceFrame.commandDefault.name).",
      valueName: "frame"))
  var frame: AttitudeReferenceFrame?

  @OptionGroup var place: PlaceArguments

  @OptionGroup var against: ReferenceArguments

  @Option(
    help:
      "The grouping of the recordings: folder, none, or automatic (by folder if there are several folders and one has several logs)."
  )
  var groupBy = RecordingGroups.Rule.automatic

  @Option(
    help: ArgumentHelp(
      "The table of groups, such as participants, with lines 'pattern,group', for example 'personA_*,A'; the first match counts.",
      valueName: "file"))
  var groups: String?

  func validate() throws {
    if groups != nil, groupBy != .automatic { throw ValidationError("give --groups or --group-by, not both") }
  }

  /// Returns the logs that the inputs represent, each once.
  ///
  /// - Parameter options: The log options that the user has specified.
  func logs(_ options: LogOptions) throws(FusionError) -> [String] {
    let logs = try LogFeed.readableLogs(of: inputs, options)
    try against.check(logCount: logs.count)
    return logs
  }

  func grouping(of logs: [String]) throws(FusionError) -> RecordingGroups {
    guard let groups else { return RecordingGroups(logs, by: groupBy) }
    let data = try contents(of: groups, "check the path and its permissions")
    return try RecordingGroups(logs, table: String(decoding: data, as: UTF8.self), path: groups)
  }

  func options(
    _ filterArguments: FilterArguments, _ log: LogArguments, logCount: Int
  ) throws(FusionError) -> EvaluationJob.Options {
    var options = EvaluationJob.Options()
    options.settings = try filterArguments.parameterSettings()
    if let frame { options.motion.frame = frame }
    options.motion.field = filterArguments.field
    options.given = try place.given()
    against.apply(to: &options, logCount: logCount)
    options.log = try log.options
    return options
  }
}

/// The reference for the evaluation, and the offsets to remove first.
struct ReferenceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the reference: time, quaternionX..W, optional movement (CSV). With several logs: the name of the file next to or in each log; * stands for the log's name without its extension.",
      valueName: "file"))
  var reference: String?

  @Option(help: "The earth frame of the reference: enu, nwu or ned. Default: as specified in the log.")
  var referenceFrame: EarthFrame?

  @Option(
    help: ArgumentHelp(
      "The constant differences to fit and remove. For orientations: none, origin (equal heading at the start), yaw, frame (yaw and sensor misalignment); default: none. For paths: none, origin (equal start), yaw (rotation about the vertical and translation), frame (any rotation and translation); default: yaw.",
      valueName: "what"))
  var align: AlignmentMode?

  @Flag(help: "Estimate and correct a constant clock offset of up to 0.5 s.")
  var alignClock = false

  @Option(
    help: ArgumentHelp(
      "The offset to add to the estimate's times, in seconds; negative if the sensors' timestamps are later than the reference's.",
      valueName: "seconds"))
  var clockShift = 0.0

  @Option(help: ArgumentHelp("The duration to skip at the start, in seconds.", valueName: "seconds"))
  var skip = 0.0

  func validate() throws {
    if !(skip >= 0 && skip.isFinite) { throw ValidationError("--skip takes seconds, not \(skip)") }
    if !clockShift.isFinite { throw ValidationError("--clock-shift takes seconds, not \(clockShift)") }
    if alignClock, clockShift != 0 { throw ValidationError("give --align-clock or --clock-shift, not both") }
  }

  /// Checks the reference.
  ///
  /// - Throws: `FusionError` if a single file is given as the reference of several logs.
  func check(logCount: Int) throws(FusionError) {
    guard logCount > 1, let reference, reference.contains("/") else { return }
    throw .usage("--reference is one file, but there are \(logCount) logs; use the name of a file next to each log")
  }

  func apply(to options: inout EvaluationJob.Options, logCount: Int) {
    options.comparison.alignment = align ?? AlignmentMode.none
    options.comparison.clockAlignment = alignClock ? ClockAlignment() : nil
    options.comparison.clockShift = clockShift
    options.comparison.skip = skip
    if let reference {
      // A bare name that does not exist here is a file next to the log, as with several logs.
      let isHere = reference.contains("/") || FileManager.default.fileExists(atPath: reference)
      if logCount == 1, isHere { options.referencePath = reference } else { options.referenceName = reference }
    }
    options.referenceFrame = referenceFrame
  }
}

/// Returns the warnings about a log, and its format's notes on its reference, which determine how to interpret the
/// figures.
func warnings(about log: LogSummary, of path: String, align: AlignmentMode?) -> [String] {
  let isAsItIs = (align ?? AlignmentMode.none) == AlignmentMode.none
  let notes = log.description.notes.filter { $0.hasPrefix("reference") && isAsItIs }
  return (log.warnings + notes).map { "\(path): \($0)" }
}
