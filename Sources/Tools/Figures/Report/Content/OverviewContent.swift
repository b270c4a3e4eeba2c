internal import InertialJobs
internal import InertialLogs
internal import InertialRecognition

/// The data of the overview page of many recordings, which `overview.js` reads.
struct OverviewContent: Encodable {
  typealias Grid = RecordingContent.Grid

  var title: String
  var command: String
  var version: String
  /// One line per recording; the first cell links to its page.
  private(set) var grid: Grid
  /// The pages, in the order of the lines.
  private(set) var pages: [String] = []
  /// The findings of each line, one sentence per finding.
  private(set) var findings: [[String]] = []
  /// The recordings that could not be shown, and the reasons.
  var failures: [RecordingContent.Fact] = []

  init(title: String, command: String, version: String) {
    self.title = title
    self.command = command
    self.version = version
    var columns: [Grid.Column] = [
      .init(name: "recording"), .init(name: "format"), .init(name: "duration", unit: "s", digits: 1),
      .init(name: "rate", unit: "Hz", digits: 1), .init(name: "findings", digits: 0),
      .init(name: "bad samples", unit: "%", digits: 2), .init(name: "in gaps", unit: "s", digits: 1),
      .init(name: "rest", unit: "%", digits: 0), .init(name: "field disturbed", unit: "%", digits: 0),
    ]
    for kind in ActivityClass.flagged { columns.append(.init(name: kind.rawValue, unit: "%", digits: 0)) }
    columns += [
      .init(name: "steps", digits: 0), .init(name: "shakes", digits: 0), .init(name: "floors", digits: 0),
      .init(name: "falls", digits: 0), .init(name: "error", unit: "°", digits: 2),
    ]
    grid = Grid(caption: "Recordings", columns: columns, rows: [])
  }

  mutating func add(_ result: RecordingReport.Result, name: String, page: String) {
    let row = result.overview
    func count(_ value: Int?) -> Grid.Cell { .number(value.map(Double.init)) }
    let duration = row.duration ?? 0
    let fractions = ActivityClass.flagged.map { kind -> Grid.Cell in
      guard !row.activities.isEmpty, duration > 0 else { return .number(nil) }
      // The flags are not exclusive: stairs are walking, too.
      let seconds = row.activities.filter { $0.key.split(separator: ", ").contains(Substring(kind.rawValue)) }
      return .number(100 * seconds.values.reduce(0, +) / duration)
    }
    let cells: [Grid.Cell] = [
      .text(name), .text(result.fusion.log.description.format), .number(row.duration), .number(row.rate),
      count(result.findings.count), .number(row.badFraction), .number(row.gapTime), .number(row.restFraction),
      .number(row.disturbedFraction),
    ]
    grid.rows.append(
      cells + fractions + [
        count(row.steps), count(row.shakes), count(row.floors), count(row.falls), .number(row.error),
      ])
    pages.append(page)
    findings.append(result.findings)
  }
}
