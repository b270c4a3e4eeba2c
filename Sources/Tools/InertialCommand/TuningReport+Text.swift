import Inertial
import InertialSystem

/// The result of a parameter search as a JSON document and as text.
extension TuningReport {
  /// The values fitted on all recordings, and those of the folds: values that differ widely between folds are not
  /// determined by the recordings.
  private var fitted: [(facts: ParameterFacts, value: Double, folds: [Double])] {
    parameters.compactMap { name in
      guard let facts = FilterKind.all[filter]?.parameters.first(where: { $0.name == name }),
        let value = settings[name]
      else { return nil }
      return (facts, value, folds.compactMap { $0.settings[name] })
    }
  }

  /// The arguments for `fuse` and `evaluate`.
  private var arguments: String {
    let words = settings.sorted { $0.key < $1.key }.map { "--set \($0.key)=\(significant($0.value))" }
    return (["--filter \(filter)"] + words).joined(separator: " ")
  }

  /// Returns the document of `--json`, with mean errors in degrees: of training, of each recording when it was left
  /// out, and of the same with the initial parameters, which are the defaults if `startIsDefault`.
  ///
  /// - Parameter fixed: The parameters that were set, of which those that were not searched are included.
  func document(fixed: [String: Double]) -> EncodedObject {
    EncodedObject([
      "report": self,
      "fitted": fitted.map { facts, value, folds in
        EncodedObject([
          "name": facts.name, "unit": facts.unit, "defaultValue": facts.defaultValue, "value": value,
          "least": folds.min() ?? value, "largest": folds.max() ?? value,
        ])
      },
      "fixed": fixed.filter { !parameters.contains($0.key) }, "meanTrainingError": meanTrainingError,
      "meanValidationError": meanValidationError, "meanStartError": meanStartError,
      "improvedRecordings": improvedCount, "recordings": heldOut.count, "arguments": arguments,
    ])
  }

  /// - Parameter names: A short name per recording.
  func print(names: [String: String], on page: Page = .standard) {
    let groupCount = Set(heldOut.compactMap(\.group)).count
    let groups = groupCount > 0 ? " in \(counted(groupCount, "group"))" : ""
    page.line(
      "\(filter): \(counted(parameters.count, "parameter")) for the minimum \(objective.rawValue) error, "
        + "\(method.rawValue), seed \(seed), at most \(budget) evaluations per search")
    page.line("\(folds.count) folds over \(heldOut.count) recordings\(groups); mean errors in degrees\n")
    printFolds(on: page)
    printVerdict(names, on: page)
    printParameters(on: page)
    page.line("\n\(arguments)")
  }

  private func printFolds(on page: Page) {
    page.line(padded("", 6), right("training", 26), right("validation", 26))
    page.line(
      padded("fold", 6), header("logs"), header("fitted"), header("start"), header("logs"), header("fitted"),
      header("start"), " evaluations")
    for (index, fold) in folds.enumerated() {
      page.line(
        padded("\(index + 1)", 6), header("\(fold.trainingCount)"), number(fold.trainingError),
        number(fold.startTrainingError), header("\(fold.recordings.count)"), number(fold.validationError),
        number(fold.startValidationError), header("\(fold.evaluations)"))
    }
    let startTraining = Statistics.mean(folds.map(\.startTrainingError)) ?? .nan
    page.line(
      padded("mean", 6), header(""), number(meanTrainingError), number(startTraining), header(""),
      number(meanValidationError), number(meanStartError))
  }

  private func printVerdict(_ names: [String: String], on page: Page) {
    let start = startIsDefault ? "the defaults" : "the defaults except --set"
    page.line(
      "\nOn unseen recordings: \(degrees(meanValidationError)), with \(start) "
        + "\(degrees(meanStartError)); better on \(improvedCount) of \(heldOut.count).")
    if !(meanValidationError < meanStartError) { page.line("The search gave no improvement; keep \(start).") }
    guard let worst = heldOut.max(by: { $0.error - $0.startError < $1.error - $1.startError }),
      worst.error > worst.startError
    else { return }
    page.line(
      "The largest loss is on \(names[worst.recording] ?? worst.recording): \(degrees(worst.error)) instead of "
        + "\(degrees(worst.startError)).")
  }

  private func printParameters(on page: Page) {
    page.line(
      "\nFitted on all recordings, with an error of \(degrees(trainingError)) on these; no recording is left for validation"
    )
    let fitted = fitted
    let width = max(9, fitted.map(\.facts.name.count).max() ?? 0)
    page.line(padded("parameter", width), right("fitted", 11), right("default", 11), " unit      range over the folds")
    for (facts, value, folds) in fitted {
      page.line(
        padded(facts.name, width), right(significant(value), 11), right(significant(facts.defaultValue), 11), "",
        padded(facts.unit, 9), "\(significant(folds.min() ?? value)) to \(significant(folds.max() ?? value))")
    }
  }

  private func header(_ text: String) -> String { right(text, 8) }
  private func number(_ value: Double) -> String { header(fixed(value, 3)) }
  private func degrees(_ value: Double) -> String { fixed(value, 3) + "°" }
}
