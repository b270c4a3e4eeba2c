import Inertial

extension StepEvaluationJob.Report {
  func print() {
    let width = max(20, rows.map { Self.name($0.input).count }.max() ?? 0)
    Page.standard.line(
      padded("recording", width), right("min", 9), right("counted", 9), right("true", 9), right("error %", 9),
      right("ns", 9))
    for row in rows {
      Page.standard.line(
        padded(Self.name(row.input), width), right(fixed(row.seconds / 60, 1), 9), right("\(row.counted)", 9),
        right(row.steps.map { "\($0)" } ?? "-", 9), right(fixed(row.errorPercent, 1), 9),
        right(fixed(row.nanosecondsPerSample, 0), 9))
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
}
