internal import InertialEssentials
package import InertialEvaluation
internal import InertialLogs
package import InertialRotations
internal import InertialSystem

/// The reference of an evaluation, and the offsets that are removed first.
package struct ReferenceOptions: Sendable {
  /// The file with the reference, or `nil` for a reference in the log. With several logs, the name of the file next to
  /// or in each log; * stands for the log's name without its extension.
  package var path: String?
  /// The earth frame of the reference, or `nil` for the frame that the log specifies.
  package var frame: EarthFrame?
  /// The constant differences to fit and remove, or `nil` for the default of the evaluated quantity.
  package var alignment: AlignmentMode?
  /// Whether a constant clock offset of up to 0.5 s is estimated and corrected.
  package var alignsClock = false
  /// The seconds added to the estimate's times.
  package var clockShift = 0.0
  /// The duration to skip at the start, in seconds.
  package var skip = 0.0

  /// The options of a log that contains its reference.
  package init() {}

  /// - Throws: ``FusionError`` if a number is out of range or two options exclude each other.
  package func check() throws(FusionError) {
    if !(skip >= 0 && skip.isFinite) { throw .usage("--skip takes seconds, not \(skip)") }
    if !clockShift.isFinite { throw .usage("--clock-shift takes seconds, not \(clockShift)") }
    if alignsClock, clockShift != 0 { throw .usage("give --align-clock or --clock-shift, not both") }
  }

  /// - Throws: ``FusionError`` if a single file is given as the reference of several logs.
  package func check(logCount: Int) throws(FusionError) {
    guard logCount > 1, let path, path.contains("/") else { return }
    throw .usage("--reference is one file, but there are \(logCount) logs; use the name of a file next to each log")
  }

  /// Sets the options of an evaluation of the given number of logs.
  package func apply(to options: inout EvaluationJob.Options, logCount: Int) {
    options.comparison.alignment = alignment ?? .none
    options.comparison.clockAlignment = alignsClock ? ClockAlignment() : nil
    options.comparison.clockShift = clockShift
    options.comparison.skip = skip
    if let path {
      // A bare name that does not exist here is a file next to the log, as with several logs.
      let isHere = path.contains("/") || FileManager.default.fileExists(atPath: path)
      if logCount == 1, isHere { options.referencePath = path } else { options.referenceName = path }
    }
    options.referenceFrame = frame
  }

  /// Creates the options that an object of a request contains.
  init(_ request: RequestObject?) throws(FusionError) {
    guard var request else { return }
    path = try request.text("path")
    (frame, alignment) = (try request.choice("frame"), try request.choice("alignment"))
    alignsClock = try request.flag("alignsClock") ?? alignsClock
    clockShift = try request.number("clockShift") ?? clockShift
    skip = try request.number("skip") ?? skip
    try request.finish()
    try check()
  }
}
