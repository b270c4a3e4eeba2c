import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

/// Which recordings are judged, against what, and how: what `evaluate` and `tune` have in common.
struct JudgingArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Logs with a reference, folders of such logs, or patterns. A folder that is itself a log is one.",
      valueName: "input"))
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "Reference frame; in xArbitraryZVertical the magnetometer is not used. Default: xMagneticNorthZVertical; of paths \(DefaultFrame.frame.name).",
      valueName: "frame"))
  var frame: AttitudeReferenceFrame?

  @OptionGroup var place: PlaceArguments

  @OptionGroup var against: ReferenceArguments

  @Option(
    help:
      "Groups of recordings: folder, none, or automatic (folder where there are several and one has more than one log)."
  )
  var groupBy = RecordingGroups.Rule.automatic

  @Option(
    help: ArgumentHelp(
      "Table of groups, such as persons: a line 'pattern,group' each, as in 'personA_*,A'; the first match counts.",
      valueName: "file"))
  var groups: String?

  func validate() throws {
    if groups != nil, groupBy != .automatic { throw ValidationError("give --groups or --group-by, not both") }
  }

  /// The logs that the inputs stand for, each once.
  ///
  /// - Parameter options: what was said of them.
  func logs(_ options: LogOptions) throws(FusionError) -> [String] {
    let logs = try LogInputs.paths(inputs, options)
    try against.check(logCount: logs.count)
    return logs
  }

  func grouping(of logs: [String]) throws(FusionError) -> RecordingGroups {
    guard let groups else { return RecordingGroups(logs, by: groupBy) }
    guard let data = FileManager.default.contents(atPath: groups) else {
      throw .badData("\(groups): the file cannot be read; check the path and its permissions")
    }
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

/// What estimates are judged against, and what is taken out before.
struct ReferenceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File with the reference: time, quaternionX..W, optional movement (CSV). With several logs: the name of the file beside or in each, where * stands for the log's name without its ending.",
      valueName: "file"))
  var reference: String?

  @Option(help: "Earth frame of the reference: enu, nwu or ned. Default: the log's own statement.")
  var referenceFrame: EarthFrame?

  @Option(
    help: ArgumentHelp(
      "Constant differences to fit and take out: none, origin (the first heading; of paths the first place), yaw (of paths with a translation), or frame (yaw and sensor side; of paths any rotation and translation). Default: none; of paths yaw.",
      valueName: "what"))
  var align: AlignmentMode?

  @Flag(help: "Search a constant clock offset of up to 0.5 s and take it out.")
  var alignClock = false

  @Option(
    help: ArgumentHelp(
      "Seconds to add to the estimate's times; negative where the sensors are stamped later than the reference.",
      valueName: "seconds"))
  var clockShift = 0.0

  @Option(help: ArgumentHelp("Seconds not judged at the start.", valueName: "seconds"))
  var skip = 0.0

  func validate() throws {
    if !(skip >= 0 && skip.isFinite) { throw ValidationError("--skip takes seconds, not \(skip)") }
    if !clockShift.isFinite { throw ValidationError("--clock-shift takes seconds, not \(clockShift)") }
    if alignClock, clockShift != 0 { throw ValidationError("give --align-clock or --clock-shift, not both") }
  }

  /// - Throws: where one file is given as the reference of several logs.
  func check(logCount: Int) throws(FusionError) {
    guard logCount > 1, let reference, reference.contains("/") else { return }
    throw .usage("--reference is one file, and there are \(logCount) logs; give the name of the one beside each")
  }

  func apply(to options: inout EvaluationJob.Options, logCount: Int) {
    options.comparison.alignment = align ?? AlignmentMode.none
    options.comparison.clockAlignment = alignClock ? ClockAlignment() : nil
    options.comparison.clockShift = clockShift
    options.comparison.skip = skip
    if let reference {
      // A bare name that is no file here is meant beside the log, as with several logs.
      let isHere = reference.contains("/") || FileManager.default.fileExists(atPath: reference)
      if logCount == 1, isHere { options.referencePath = reference } else { options.referenceName = reference }
    }
    options.referenceFrame = referenceFrame
  }
}

/// Warnings about a log, and what its format says of its reference, which decides how figures are to be read.
func tellWarnings(_ log: LogSummary, of path: String, align: AlignmentMode?) {
  let isAsItIs = (align ?? AlignmentMode.none) == AlignmentMode.none
  let notes = log.description.notes.filter { $0.hasPrefix("reference") && isAsItIs }
  for warning in log.warnings + notes { Console.warning("\(path): \(warning)") }
}
