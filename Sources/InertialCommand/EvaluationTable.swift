import Foundation
import Inertial

/// The scores of filters over recordings, and their means.
struct EvaluationTable: Encodable {
  struct Row: Encodable {
    var recording: String
    var filter: String
    /// Root mean square errors, degrees.
    var total: Double
    var heading: Double
    var inclination: Double
    var samples: Int
    var missing: Int
    var clockShift: Double?
    var nanosecondsPerSample: Double?
  }

  /// Over all recordings of a filter, degrees.
  struct Summary: Encodable {
    var filter: String
    var recordings: Int
    var meanTotal: Double
    var meanHeading: Double
    var meanInclination: Double
    var medianTotal: Double
    var medianInclination: Double
    var worstTotal: Double
    var worstRecording: String
    var nanosecondsPerSample: Double?
  }

  let rows: [Row]
  let summaries: [Summary]
  let failures: [String]

  init(_ scores: [EvaluationJob.Score], failures: [String]) {
    self.failures = failures
    rows = scores.map {
      Row(
        recording: $0.recording, filter: $0.filter, total: $0.errors.total.rmse,
        heading: $0.errors.heading.rmse, inclination: $0.errors.inclination.rmse,
        samples: $0.errors.total.count, missing: $0.missingCount, clockShift: $0.clockShift,
        nanosecondsPerSample: $0.nanosecondsPerSample)
    }
    var filters: [String] = []
    for score in scores where !filters.contains(score.filter) { filters.append(score.filter) }
    summaries = filters.compactMap { filter in
      let own = scores.filter { $0.filter == filter }
      let group = GroupSummary(
        group: filter, own.map { RecordingScore(recording: $0.recording, group: filter, errors: $0.errors) })
      return group.map {
        Summary(
          filter: filter, recordings: $0.count, meanTotal: $0.total.mean, meanHeading: $0.heading.mean,
          meanInclination: $0.inclination.mean, medianTotal: $0.total.median,
          medianInclination: $0.inclination.median, worstTotal: $0.total.worst,
          worstRecording: $0.total.worstRecording,
          nanosecondsPerSample: Statistics.median(own.compactMap(\.nanosecondsPerSample)))
      }
    }
  }

  func print() {
    let width = max(9, rows.map { name($0.recording).count }.max() ?? 0)
    let filterWidth = max(6, rows.map { name($0.filter).count }.max() ?? 0)
    Swift.print(
      padded("recording", width), padded("filter", filterWidth), header("total"), header("heading"),
      header("inclination"), header("samples"), header("ns/sample"))
    for row in rows {
      Swift.print(
        padded(name(row.recording), width), padded(name(row.filter), filterWidth), number(row.total),
        number(row.heading), number(row.inclination), header("\(row.samples)"),
        header(row.nanosecondsPerSample.map { fixed($0, 0) } ?? "-"))
    }
    guard Set(rows.map(\.recording)).count > 1 else { return }
    Swift.print("")
    for summary in summaries {
      Swift.print(
        padded("mean of \(summary.recordings)", width), padded(name(summary.filter), filterWidth),
        number(summary.meanTotal), number(summary.meanHeading), number(summary.meanInclination),
        header("worst"), number(summary.worstTotal), " in \(name(summary.worstRecording))")
    }
  }

  func printCSV() {
    Swift.print("recording,filter,total,heading,inclination,samples,missing,clockShift,nanosecondsPerSample")
    for row in rows {
      let fields = [
        quoted(row.recording), quoted(row.filter), "\(row.total)", "\(row.heading)", "\(row.inclination)",
        "\(row.samples)", "\(row.missing)", row.clockShift.map { "\($0)" } ?? "",
        row.nanosecondsPerSample.map { "\($0)" } ?? "",
      ]
      Swift.print(fields.joined(separator: ","))
    }
  }

  private func name(_ path: String) -> String { (path as NSString).lastPathComponent }
  private func header(_ text: String) -> String { padded(text, 11, left: true) }
  private func number(_ value: Double) -> String { header(fixed(value, 3)) }
  private func quoted(_ text: String) -> String {
    text.contains(where: { ",\"\n".contains($0) })
      ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
  }
}
