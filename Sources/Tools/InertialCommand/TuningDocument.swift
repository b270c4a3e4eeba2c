import Inertial
import InertialSystem

/// A parameter search as a JSON document.
struct TuningDocument: Encodable {
  struct Parameter: Encodable {
    var name: String
    var unit: String
    var defaultValue: Double
    /// The value fitted on all recordings.
    var value: Double
    /// The range over the folds: values that differ widely are not determined by the recordings.
    var least: Double
    var largest: Double
  }

  var report: TuningReport
  var fitted: [Parameter]
  /// The parameters that were set and not searched.
  var fixed: [String: Double]
  /// The mean errors in degrees: of training, of each recording when it was left out, and of the same with the initial
  /// parameters, which are the defaults if `report.startIsDefault`.
  var meanTrainingError: Double
  var meanValidationError: Double
  var meanStartError: Double
  var improvedRecordings: Int
  var recordings: Int
  /// The arguments for `fuse` and `evaluate`.
  var arguments: String

  init(_ report: TuningReport, _ kind: FilterKind, fixed: [String: Double]) {
    self.report = report
    fitted = report.parameters.compactMap { name in
      guard let facts = kind.parameters.first(where: { $0.name == name }), let value = report.settings[name] else {
        return nil
      }
      let values = report.folds.compactMap { $0.settings[name] }
      return Parameter(
        name: name, unit: facts.unit, defaultValue: facts.defaultValue, value: value,
        least: values.min() ?? value, largest: values.max() ?? value)
    }
    self.fixed = fixed.filter { !report.parameters.contains($0.key) }
    meanTrainingError = report.meanTrainingError
    meanValidationError = report.meanValidationError
    meanStartError = report.meanStartError
    improvedRecordings = report.improvedCount
    recordings = report.heldOut.count
    let words = report.settings.sorted { $0.key < $1.key }.map { "--set \($0.key)=\(significant($0.value))" }
    arguments = (["--filter \(report.filter)"] + words).joined(separator: " ")
  }
}

/// The human-readable result of a parameter search.
extension TuningDocument {
  /// - Parameter names: A short name per recording.
  func print(names: [String: String], on page: Page = .standard) {
    let groupCount = Set(report.heldOut.compactMap(\.group)).count
    let groups = groupCount > 0 ? " in \(counted(groupCount, "group"))" : ""
    page.line(
      "\(report.filter): \(counted(report.parameters.count, "parameter")) for the minimum \(report.objective.rawValue) error, "
        + "\(report.method.rawValue), seed \(report.seed), at most \(report.budget) evaluations per search")
    page.line("\(report.folds.count) folds over \(recordings) recordings\(groups); mean errors in degrees\n")
    printFolds(on: page)
    printVerdict(names, on: page)
    printParameters(on: page)
    page.line("\n\(arguments)")
  }

  private func printFolds(on page: Page) {
    page.line(padded("", 6), padded("training", 26, left: true), padded("validation", 26, left: true))
    page.line(
      padded("fold", 6), header("logs"), header("fitted"), header("start"), header("logs"), header("fitted"),
      header("start"), " evaluations")
    for (index, fold) in report.folds.enumerated() {
      page.line(
        padded("\(index + 1)", 6), header("\(fold.trainingCount)"), number(fold.trainingError),
        number(fold.startTrainingError), header("\(fold.recordings.count)"), number(fold.validationError),
        number(fold.startValidationError), header("\(fold.evaluations)"))
    }
    let startTraining = Statistics.mean(report.folds.map(\.startTrainingError)) ?? .nan
    page.line(
      padded("mean", 6), header(""), number(report.meanTrainingError), number(startTraining), header(""),
      number(report.meanValidationError), number(report.meanStartError))
  }

  private func printVerdict(_ names: [String: String], on page: Page) {
    let start = report.startIsDefault ? "the defaults" : "the defaults except --set"
    page.line(
      "\nOn unseen recordings: \(degrees(report.meanValidationError)), with \(start) "
        + "\(degrees(report.meanStartError)); better on \(report.improvedCount) of \(recordings).")
    if !(report.meanValidationError < report.meanStartError) {
      page.line("The search gave no improvement; keep \(start).")
    }
    guard let worst = report.heldOut.max(by: { $0.error - $0.startError < $1.error - $1.startError }),
      worst.error > worst.startError
    else { return }
    page.line(
      "The largest loss is on \(names[worst.recording] ?? worst.recording): \(degrees(worst.error)) instead of "
        + "\(degrees(worst.startError)).")
  }

  private func printParameters(on page: Page) {
    page.line(
      "\nFitted on all recordings, with an error of \(degrees(report.trainingError)) on these; no recording is left for validation"
    )
    let width = max(9, fitted.map(\.name.count).max() ?? 0)
    page.line(
      padded("parameter", width), header("fitted", 11), header("default", 11), " unit      range over the folds")
    for parameter in fitted {
      page.line(
        padded(parameter.name, width), header(significant(parameter.value), 11),
        header(significant(parameter.defaultValue), 11), "", padded(parameter.unit, 9),
        "\(significant(parameter.least)) to \(significant(parameter.largest))")
    }
  }

  private func header(_ text: String, _ width: Int = 8) -> String { padded(text, width, left: true) }
  private func number(_ value: Double) -> String { header(String(cFormat: "%.3f", value)) }
  private func degrees(_ value: Double) -> String { String(cFormat: "%.3f", value) + "°" }
}

/// Returns a number with up to six significant digits.
private func significant(_ value: Double) -> String { String(cFormat: "%.6g", value) }
