internal import InertialEvaluation
internal import InertialJobs
internal import InertialSensors
internal import InertialSystem

/// The measurement outcomes of the filter, as a table of the page.
enum InnovationGrid {
  private static let reasons: [(verdict: MeasurementVerdict, title: String)] = [
    (.beyondGate, "beyond the gate"), (.disturbedField, "disturbed field"), (.motion, "motion"), (.clipped, "clipped"),
    (.unusable, "unusable"),
  ]

  static func grid(_ tallies: [MeasurementStatistics]) -> RecordingContent.Grid {
    let reasons = reasons.filter { reason in tallies.contains { $0.count(reason.verdict) > 0 } }
    var grid = RecordingContent.Grid(
      caption: "Measurement outcomes: the accepted and rejected fractions, and the mean normalised innovation squared "
        + "(NIS) per component. 1 is consistent; above 1 the filter overestimates the accuracy of its measurements, "
        + "below 1 it underestimates it",
      columns: [
        .init(name: "kind"), .init(name: "measurements", digits: 0), .init(name: "accepted", unit: "%", digits: 1),
      ] + reasons.map { .init(name: $0.title, unit: "%", digits: 1) }
        + [
          .init(name: "NIS", digits: 2), .init(name: "95 % band of NIS"),
          .init(name: "within their 95 %", unit: "%", digits: 1),
        ], rows: [])
    for tally in tallies {
      let fraction = { (count: Int) in 100 * Double(count) / Double(tally.count) }
      let consistency = tally.consistency
      grid.rows.append(
        [
          .text(PlotPlan.title(tally.kind.rawValue).lowercased()), .number(Double(tally.count)),
          .number(fraction(tally.count(.accepted))),
        ] + reasons.map { .number(fraction(tally.count($0.verdict))) }
          + [
            .number(consistency.meanNIS),
            .text(consistency.band.map { String(cFormat: "%.2f to %.2f", $0.lowerBound, $0.upperBound) } ?? ""),
            .number(consistency.fractionWithin.map { 100 * $0 }),
          ])
    }
    return grid
  }
}
