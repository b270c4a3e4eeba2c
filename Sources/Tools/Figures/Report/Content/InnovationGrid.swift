internal import InertialEvaluation
internal import InertialJobs
internal import InertialSensors
internal import InertialSystem

/// What the filter made of its measurements, as a table of the page.
enum InnovationGrid {
  private static let reasons: [(verdict: MeasurementVerdict, title: String)] = [
    (.beyondGate, "beyond the gate"), (.disturbedField, "disturbed field"), (.motion, "motion"), (.clipped, "clipped"),
    (.unusable, "unusable"),
  ]

  static func grid(_ tallies: [MeasurementTally]) -> RecordingContent.Grid {
    let reasons = reasons.filter { reason in tallies.contains { $0.count(reason.verdict) > 0 } }
    var grid = RecordingContent.Grid(
      caption: "What the filter made of its measurements: accepted and rejected, and the mean normalised innovation "
        + "squared of a component. 1 is right; more: the filter takes its measurements for better than they are; less: "
        + "for worse",
      columns: [
        .init(name: "kind"), .init(name: "measurements", digits: 0), .init(name: "accepted", unit: "%", digits: 1),
      ] + reasons.map { .init(name: $0.title, unit: "%", digits: 1) }
        + [
          .init(name: "NIS", digits: 2), .init(name: "95 % band of it"),
          .init(name: "in their 95 %", unit: "%", digits: 1),
        ], rows: [])
    for tally in tallies {
      let share = { (count: Int) in 100 * Double(count) / Double(tally.count) }
      let consistency = tally.consistency
      grid.rows.append(
        [
          .text(PlotPlan.title(tally.kind.rawValue).lowercased()), .number(Double(tally.count)),
          .number(share(tally.count(.accepted))),
        ] + reasons.map { .number(share(tally.count($0.verdict))) }
          + [
            .number(consistency.meanNIS),
            .text(consistency.band.map { String(cFormat: "%.2f to %.2f", $0.lowerBound, $0.upperBound) } ?? ""),
            .number(consistency.shareWithin.map { 100 * $0 }),
          ])
    }
    return grid
  }
}
