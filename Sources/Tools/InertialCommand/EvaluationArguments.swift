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

  func validate() throws { try validated { try request.check() } }

  /// The request without settings and properties of the logs.
  var request: EvaluationRequest {
    var request = EvaluationRequest(inputs: inputs)
    (request.frame, request.reference, request.alignment) = (frame, against.reference, against.align)
    against.apply(to: &request.evaluation)
    (request.groupRule, request.groups) = (groupBy, groups)
    return request
  }

  /// Returns the request with settings and properties of the logs, which may be in files.
  func request(_ filterArguments: FilterArguments, _ log: LogArguments) throws(FusionError) -> EvaluationRequest {
    var request = request
    request.evaluation.settings = try filterArguments.parameterSettings()
    request.evaluation.motion.field = filterArguments.field
    request.evaluation.given = try place.given()
    request.evaluation.log = try log.options
    return request
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
    var options = EvaluationJob.Options()
    apply(to: &options)
    try validated { try options.check() }
  }

  /// Sets the offsets to remove and the frame of the reference, but not its file.
  func apply(to options: inout EvaluationJob.Options) {
    options.comparison.alignment = align ?? AlignmentMode.none
    options.comparison.clockAlignment = alignClock ? ClockAlignment() : nil
    (options.comparison.clockShift, options.comparison.skip) = (clockShift, skip)
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
