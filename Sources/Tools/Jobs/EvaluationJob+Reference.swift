internal import InertialEssentials
internal import InertialEvaluation
internal import InertialSystem

extension EvaluationJob.Options {
  /// Sets the file of the reference. A single log takes a path, or the name of a file next to or in the log, like several
  /// logs; in the name, * stands for the log's name without its extension.
  ///
  /// - Parameter option: The name of the option in messages.
  /// - Throws: ``FusionError`` if there are several logs and the reference is a path.
  package mutating func setReference(
    _ reference: String, logCount: Int, option: String = "--reference"
  ) throws(FusionError) {
    let isPath = reference.contains("/")
    guard logCount == 1 || !isPath else {
      throw .usage("\(option) is one file, but there are \(logCount) logs; use the name of a file next to each log")
    }
    if logCount == 1, isPath || FileManager.default.fileExists(atPath: reference) {
      referencePath = reference
    } else {
      referenceName = reference
    }
  }

  /// - Throws: ``FusionError`` if a number is out of range or two options exclude each other.
  package func check() throws(FusionError) {
    if !(comparison.skip >= 0 && comparison.skip.isFinite) {
      throw .usage("--skip takes seconds, not \(comparison.skip)")
    }
    if !comparison.clockShift.isFinite { throw .usage("--clock-shift takes seconds, not \(comparison.clockShift)") }
    if comparison.clockAlignment != nil, comparison.clockShift != 0 {
      throw .usage("give --align-clock or --clock-shift, not both")
    }
  }
}
