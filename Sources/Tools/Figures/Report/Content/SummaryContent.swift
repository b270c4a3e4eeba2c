internal import InertialEvaluation
internal import InertialJobs
internal import InertialLogs
internal import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// The answers at the top of a recording's page: tiles, and the reliability of each second.
struct SummaryContent: Encodable, Sendable {
  /// A figure with its name, and a note on its meaning or limits.
  struct Tile: Encodable, Sendable {
    var name: String
    var value: String
    var note = ""
  }

  private(set) var tiles: [Tile] = []
  /// The seconds with the same reliability.
  let trust: RecordingContent.Lane
  /// The indices of the plots below the tiles: the size of the acceleration, and the heading.
  var plots: [Int] = []

  private static let degrees = 180 / Double.pi

  init(
    _ row: OverviewRow, _ details: FusionJob.Details, _ intake: RowCollector, hasNorth: Bool
  ) {
    let spans = row.trust
    trust = RecordingContent.Lane(
      name: "trust", kind: "trust", times: spans.flatMap { [Lanes.rounded($0.start), Lanes.rounded($0.end)] },
      texts: spans.map { $0.trust.causes.map(\.text).joined(separator: ", ") }, levels: spans.map(\.trust.level))
    let duration = row.duration ?? 0
    tiles.append(.init(name: "Duration", value: RecordingReport.duration(duration), note: Self.gaps(row)))
    if let rate = row.rate {
      tiles.append(.init(name: "Rate", value: String(cFormat: "%.1f Hz", rate), note: "\(intake.rowCount) rows"))
    }
    addMotion(row, details, duration: duration)
    addHeading(intake, hasNorth: hasNorth)
    addTrust(spans)
  }

  private static func gaps(_ row: OverviewRow) -> String {
    guard let time = row.gapTime, row.gapCount > 0 else { return "without gaps" }
    return "\(row.gapCount) gap\(row.gapCount == 1 ? "" : "s"), \(RecordingReport.duration(time))"
  }

  private mutating func addMotion(_ row: OverviewRow, _ details: FusionJob.Details, duration: Double) {
    // The longest activities. A stair is a walk, too: the first word is the activity.
    var seconds: [Substring: Double] = [:]
    for (label, time) in row.activities { seconds[label.prefix { $0 != "," }, default: 0] += time }
    let shares = seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { label, time in
      "\(label) \(Int((100 * time / max(duration, 1e-9)).rounded())) %"
    }
    if let main = shares.first {
      tiles.append(.init(name: "Activity", value: main, note: shares.dropFirst().joined(separator: ", ")))
    }
    if let steps = row.steps {
      let cadence = details.events.filter { $0.kind == .activity && $0.text.hasPrefix("walking") }
        .reduce(0) { $0 + $1.end - $1.start }
      tiles.append(
        .init(
          name: "Steps", value: "\(steps)",
          note: steps > 0 && cadence > 0 ? "walking for \(RecordingReport.duration(cadence))" : ""))
    }
    switch details.path {
    case .success(let path):
      tiles.append(
        .init(
          name: "Distance", value: "\(path.report.length.metres) m",
          note: "ends \(path.report.distance.metres) m from the start"))
    case .failure: tiles.append(.init(name: "Distance", value: "–", note: "no path: see below"))
    case nil: break
    }
    for (name, count, kind) in [
      ("Shakes", row.shakes, RecognisedEvent.Kind.shake), ("Floor changes", row.floors, .floors),
      ("Falls", row.falls, .fall),
    ] {
      guard let count else { continue }
      let events = details.events.filter { $0.kind == kind }
      tiles.append(
        .init(
          name: name, value: "\(count)",
          note: kind == .floors ? events.map(\.text).prefix(2).joined(separator: "; ") : ""))
    }
  }

  private mutating func addHeading(_ intake: RowCollector, hasNorth: Bool) {
    guard let column = intake.table.columns.firstIndex(where: { $0.name == "attitudeSigmaZ" }) else { return }
    let sigmas = intake.table.column(column).filter(\.isFinite).map { $0 * Self.degrees }.sorted()
    guard let largest = sigmas.last else { return }
    tiles.append(
      .init(
        name: hasNorth ? "Heading" : "Yaw, north unknown", value: String(cFormat: "± %.1f°", sigmas[sigmas.count / 2]),
        note: largest > 90
          ? "median sigma; unknown for a part" : String(cFormat: "median sigma; at most %.0f°", largest)))
  }

  private mutating func addTrust(_ spans: [TrustCollector.Span]) {
    let total = spans.reduce(0) { $0 + $1.duration }
    guard total > 0 else { return }
    func fraction(_ level: AttitudeTrust.Level) -> Int { Int((100 * spans.duration(level) / total).rounded()) }
    tiles.append(
      .init(
        name: "Trusted", value: "\(fraction(.trusted)) %",
        note: "doubtful \(fraction(.doubtful)) %, not \(fraction(.untrusted)) % of the time"))
  }
}
