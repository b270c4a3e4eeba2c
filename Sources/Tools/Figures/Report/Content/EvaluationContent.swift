internal import InertialEvaluation
internal import InertialJobs
internal import InertialRotations

/// The results of evaluating filters against a reference: tables, curves, and errors over time.
struct EvaluationContent {
  private(set) var grids: [RecordingContent.Grid] = []
  private(set) var charts: [RecordingContent.Chart] = []
  /// The errors over time of each filter.
  private(set) var tables: [(name: String, table: TraceTable)] = []
  let judgesHeading: Bool

  private static let degrees = 180 / Double.pi

  /// Creates the content.
  ///
  /// - Parameters:
  ///   - gap: The minimum interval between two evaluated samples that is not crossed by a line, in seconds.
  ///   - limit: The maximum number of samples of an error.
  init(_ result: EvaluationJob.Result, judgesHeading: Bool, gap: Double, limit: Int) {
    self.judgesHeading = judgesHeading
    let report = EvaluationReport(result.scores, unjudged: result.failures, judgesHeading: judgesHeading)
    addAccuracy(report, result.scores)
    if !report.unjudged.isEmpty { addFailures(report.unjudged) }
    addDistribution(result)
    addCosts(report)
    for score in result.scores {
      guard let comparison = result.comparisons[score.filter] else { continue }
      var table = TraceTable(
        columns: ["total", "heading", "inclination"].map { TraceTable.Column(name: $0, unit: "°") }, limit: limit,
        gap: max(gap, 4 * comparison.times.medianStep))
      for (time, error) in zip(comparison.times, comparison.errors) {
        table.append(
          time: time,
          [error.total * Self.degrees, error.heading * Self.degrees, error.inclination * Self.degrees])
      }
      table.finish()
      tables.append((score.filter, table))
    }
  }

  private mutating func addAccuracy(_ report: EvaluationReport, _ scores: [EvaluationJob.Score]) {
    let fronts = Set(report.summaries.filter(\.isOnParetoFront).map(\.filter))
    var grid = RecordingContent.Grid(
      caption: "Accuracy relative to the reference: root mean square errors, as from 'inertial evaluate'",
      columns: [
        .init(name: "filter"), .init(name: "total", unit: "°", digits: 3), .init(name: "heading", unit: "°", digits: 3),
        .init(name: "inclination", unit: "°", digits: 3), .init(name: "95 % below", unit: "°", digits: 3),
        .init(name: "largest", unit: "°", digits: 3), .init(name: "heading drift", unit: "°/min", digits: 2),
        .init(name: "jumps", digits: 0), .init(name: "samples", digits: 0), .init(name: "missing", digits: 0),
        .init(name: "cost", unit: "ns/sample", digits: 0), .init(name: "on the Pareto front"),
      ], rows: [])
    for (row, score) in zip(report.rows, scores) {
      let judged = judgesHeading ? score.errors.total : score.errors.inclination
      grid.rows.append([
        .text(row.filter), .number(judgesHeading ? row.total : nil), .number(judgesHeading ? row.heading : nil),
        .number(row.inclination), .number(judged.percentile95), .number(row.largest), .number(row.headingDrift),
        .number(Double(row.jumps)), .number(Double(row.samples)), .number(Double(row.missing)),
        .number(row.nanosecondsPerSample),
        .text(row.nanosecondsPerSample == nil ? "" : fronts.contains(row.filter) ? "yes" : "no"),
      ])
    }
    grids.append(grid)
  }

  private mutating func addFailures(_ failures: [EvaluationJob.Failure]) {
    grids.append(
      RecordingContent.Grid(
        caption: "Not evaluated", columns: [.init(name: "filter"), .init(name: "reason")],
        rows: failures.map { [.text($0.filter), .text($0.reason)] }))
  }

  private mutating func addDistribution(_ result: EvaluationJob.Result) {
    let fractions = Array(stride(from: 0.0, through: 100, by: 1))
    let curves = result.scores.compactMap { score -> RecordingContent.Chart.Curve? in
      guard let comparison = result.comparisons[score.filter] else { return nil }
      let errors = comparison.errors.map { (judgesHeading ? $0.total : $0.inclination) * Self.degrees }.sorted()
      guard let last = errors.indices.last else { return nil }
      return .init(
        label: score.filter,
        x: fractions.map { errors[min(last, Int((Double(last) * $0 / 100).rounded()))] }, y: fractions)
    }
    guard !curves.isEmpty else { return }
    charts.append(
      .init(
        title: "Distribution of the \(judgesHeading ? "total" : "inclination") error", x: "error in °",
        y: "samples below in %", curves: curves))
  }

  private mutating func addCosts(_ report: EvaluationReport) {
    let timed = report.rows.filter { $0.nanosecondsPerSample != nil }
    guard timed.count > 1 else { return }
    charts.append(
      .init(
        title: "Accuracy against cost", x: "cost in ns per sample",
        y: "\(judgesHeading ? "total" : "inclination") error in °", hasLogarithmicX: true, isLine: false,
        curves: timed.map {
          .init(label: $0.filter, x: [$0.nanosecondsPerSample!], y: [judgesHeading ? $0.total : $0.inclination])
        }, note: "Cost of the filter alone on one thread, measured when the report was made; lower left is better."))
  }
}
