import Inertial

extension StepEvaluationJob.Report {
  func print() {
    let width = max(20, rows.map { Self.name($0.input).count }.max() ?? 0)
    Page.standard.line(
      padded("recording", width), Self.right("min"), Self.right("counted"), Self.right("true"), Self.right("error %"),
      Self.right("ns"))
    for row in rows {
      Page.standard.line(
        padded(Self.name(row.input), width), Self.right(fixed(row.seconds / 60, 1)), Self.right("\(row.counted)"),
        Self.right(row.steps.map { "\($0)" } ?? "-"), Self.right(row.errorPercent.map { fixed($0, 1) } ?? "-"),
        Self.right(fixed(row.nanosecondsPerSample, 0)))
    }
    Page.standard.line("")
    if let meanAbsoluteError, let meanError {
      Page.standard.line(
        "\(counted) of \(steps) steps; mean absolute error \(fixed(meanAbsoluteError, 2)) %, "
          + "mean error \(fixed(meanError, 2)) %")
    }
    if let falseStepsPerMinute {
      Page.standard.line(
        "\(falseSteps) false steps in \(fixed(minutesWithoutSteps, 1)) min without steps, "
          + "\(fixed(falseStepsPerMinute, 2)) per minute")
    }
    if matches.labelled > 0 {
      Page.standard.line("\nsteps matched one to one, within \(matches.tolerance) s")
      Page.standard.line(EventMatches.head)
      Page.standard.line(matches.row)
    }
  }

  /// Returns the last two components of a path, as logs of a set often have the same name in separate folders.
  private static func name(_ path: String) -> String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  private static func right(_ text: String) -> String { padded(text, 9, left: true) }
}
