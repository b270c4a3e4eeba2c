import Inertial

/// The evaluation of the pedometer over recordings.
struct StepEvaluationDocument: Encodable {
  var task = "steps"
  var recordings: [StepEvaluationJob.Row]
  /// The recordings with true counts: both counts, and the errors in percent.
  var counted: Int
  var steps: Int
  var meanAbsoluteErrorPercent: Double?
  var meanErrorPercent: Double?
  /// The recordings without true counts.
  var falseSteps: Int
  var minutesWithoutSteps: Double
  var falseStepsPerMinute: Double?
  var nanosecondsPerSample: Double?
  /// The matches of single steps, in recordings with known step times, or `nil` if there are none.
  var matches: EventMatchesDocument?

  init(_ report: StepEvaluationJob.Report) {
    recordings = report.rows
    (counted, steps) = (report.counted, report.steps)
    (meanAbsoluteErrorPercent, meanErrorPercent) = (report.meanAbsoluteError, report.meanError)
    (falseSteps, minutesWithoutSteps) = (report.falseSteps, report.minutesWithoutSteps)
    (falseStepsPerMinute, nanosecondsPerSample) = (report.falseStepsPerMinute, report.nanosecondsPerSample)
    matches = report.matches.labelled > 0 ? EventMatchesDocument(report.matches) : nil
  }

  func print() {
    let width = max(20, recordings.map { Self.name($0.input).count }.max() ?? 0)
    Page.standard.line(
      padded("recording", width), Self.right("min"), Self.right("counted"), Self.right("true"), Self.right("error %"),
      Self.right("ns"))
    for row in recordings {
      Page.standard.line(
        padded(Self.name(row.input), width), Self.right(fixed(row.seconds / 60, 1)), Self.right("\(row.counted)"),
        Self.right(row.steps.map { "\($0)" } ?? "-"), Self.right(row.errorPercent.map { fixed($0, 1) } ?? "-"),
        Self.right(fixed(row.nanosecondsPerSample, 0)))
    }
    Page.standard.line("")
    if let meanAbsoluteErrorPercent, let meanErrorPercent {
      Page.standard.line(
        "\(counted) of \(steps) steps; mean absolute error \(fixed(meanAbsoluteErrorPercent, 2)) %, "
          + "mean error \(fixed(meanErrorPercent, 2)) %")
    }
    if let falseStepsPerMinute {
      Page.standard.line(
        "\(falseSteps) false steps in \(fixed(minutesWithoutSteps, 1)) min without steps, "
          + "\(fixed(falseStepsPerMinute, 2)) per minute")
    }
    if let matches {
      Page.standard.line("\nsteps matched one to one, within \(matches.tolerance) s")
      Page.standard.line(EventMatchesDocument.head)
      Page.standard.line(matches.row)
    }
  }

  /// Returns the last two components of a path, as logs of a set often have the same name in separate folders.
  private static func name(_ path: String) -> String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  private static func right(_ text: String) -> String { padded(text, 9, left: true) }
}
