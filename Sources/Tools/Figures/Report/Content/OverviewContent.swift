internal import InertialJobs
internal import InertialLogs
internal import InertialRecognition
internal import InertialSystem

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
  /// The pictures of each line.
  private(set) var glances: [Glance] = []
  /// The recordings that differ from most others, and how.
  private(set) var odd: [RecordingContent.Fact] = []
  /// The findings of each line, one sentence per finding.
  private(set) var findings: [[String]] = []
  /// The recordings that could not be shown, and the reasons.
  var failures: [RecordingContent.Fact] = []

  init(title: String, command: String, version: String) {
    self.title = title
    self.command = command
    self.version = version
    var columns: [Grid.Column] = [
      .init(name: "recording"), .init(name: "trusted", unit: "%", digits: 0),
      .init(name: "largest acceleration", unit: "g", digits: 1), .init(name: "path", unit: "m", digits: 1),
      .init(name: "format"), .init(name: "duration", unit: "s", digits: 1),
      .init(name: "rate", unit: "Hz", digits: 1), .init(name: "findings", digits: 0),
      .init(name: "bad samples", unit: "%", digits: 2), .init(name: "in gaps", unit: "s", digits: 1),
      .init(name: "rest", unit: "%", digits: 0), .init(name: "field disturbed", unit: "%", digits: 0),
    ]
    for kind in ActivityClass.flagged { columns.append(.init(name: kind.rawValue, unit: "%", digits: 0)) }
    columns += [
      .init(name: "steps", digits: 0), .init(name: "shakes", digits: 0), .init(name: "floor changes", digits: 0),
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
      .text(name), .number(row.trustedFraction), .number(row.largestAcceleration), .number(row.pathLength),
      .text(result.fusion.log.description.format), .number(row.duration), .number(row.rate),
      count(result.findings.count), .number(row.badFraction), .number(row.gapTime), .number(row.restFraction),
      .number(row.disturbedFraction),
    ]
    grid.rows.append(
      cells + fractions + [
        count(row.steps), count(row.shakes), count(row.floors), count(row.falls), .number(row.error),
      ])
    pages.append(page)
    glances.append(row.glance)
    findings.append(result.findings)
  }

  // MARK: Odd recordings

  /// The columns that are compared, and the smallest difference from the median that counts, in the column's unit or as
  /// a fraction of the median.
  private static let comparisons: [(column: String, difference: Double, fraction: Double)] = [
    ("rate", 0, 0.1), ("trusted", 25, 0), ("bad samples", 1, 0), ("in gaps", 2, 0), ("field disturbed", 25, 0),
    ("error", 2, 0),
  ]
  /// The number of standard deviations, estimated by the median absolute deviation, above which a value is odd.
  private static let maximumDeviation = 5.0
  /// The smallest number of recordings that can be compared.
  private static let minimumCount = 4

  /// Finds the recordings that differ from most others in the format or in a number. The median and the median absolute
  /// deviation are not changed by the odd ones.
  mutating func compare() {
    var reasons = [[String]](repeating: [], count: grid.rows.count)
    if let format = grid.columns.firstIndex(where: { $0.name == "format" }) {
      let formats = grid.rows.map { row in if case .text(let text) = row[format] { text } else { "" } }
      let counts = Dictionary(formats.map { ($0, 1) }, uniquingKeysWith: +)
      if let usual = counts.first(where: { 5 * $0.value >= 4 * formats.count }), formats.count >= Self.minimumCount {
        for (row, name) in formats.enumerated() where name != usual.key {
          reasons[row].append("format \(name), the others \(usual.key)")
        }
      }
    }
    for (name, difference, fraction) in Self.comparisons {
      guard let column = grid.columns.firstIndex(where: { $0.name == name }) else { continue }
      let values = grid.rows.map { row in
        if case .number(let value?) = row[column], value.isFinite { value } else { Double.nan }
      }
      let known = values.filter(\.isFinite).sorted()
      guard known.count >= Self.minimumCount else { continue }
      let median = known[known.count / 2]
      let deviation = known.map { abs($0 - median) }.sorted()[known.count / 2] * 1.4826
      let limit = max(Self.maximumDeviation * deviation, difference, fraction * abs(median))
      let (unit, digits) = (grid.columns[column].unit, grid.columns[column].digits ?? 1)
      for (row, value) in values.enumerated() where abs(value - median) > limit {
        let text = [value, median].map { String(cFormat: "%.\(digits)f", $0) }
        reasons[row].append("\(name) \(text[0]) \(unit), the median is \(text[1]) \(unit)")
      }
    }
    odd = zip(grid.rows, reasons).compactMap { row, reasons in
      guard !reasons.isEmpty, case .text(let name) = row[0] else { return nil }
      return .init(name: name, value: reasons.joined(separator: "; "))
    }
  }
}
