import Inertial

/// What `inertial altitude` prints.
struct AltitudeDocument: Encodable {
  struct Sample: Encodable {
    /// Seconds on the log's clock.
    var time: Double
    /// m above the first, by the barometer alone; in rows at the motion's times the newest one.
    var relativeAltitude: Double
    /// kPa; absent where the log has the device's relative altitude only.
    var pressure: Double?
    /// m above the first, by barometer and motion.
    var filteredAltitude: Double
    var filteredAltitudeSigma: Double
    /// m/s, up positive.
    var verticalSpeed: Double
    var verticalSpeedSigma: Double

    init(_ row: AltitudeJob.Row, atBarometer: Bool) {
      time = atBarometer ? row.data.time : row.estimate.time
      relativeAltitude = row.data.relativeAltitude
      pressure = row.data.pressure
      (filteredAltitude, filteredAltitudeSigma) = (row.estimate.altitude, row.estimate.altitudeSigma)
      (verticalSpeed, verticalSpeedSigma) = (row.estimate.verticalSpeed, row.estimate.verticalSpeedSigma)
    }
  }

  struct Floor: Encodable {
    /// Seconds on the log's clock.
    var start: Double
    var end: Double
    var direction: FloorEvent.Direction
    /// m, more than 0.
    var height: Double
    var floors: Int
    var kind: FloorEvent.Kind
    /// Mean, m/s.
    var speed: Double
    /// Share of the seconds with steps, which the kind is based on; absent without motion.
    var steppingShare: Double?

    init(_ event: FloorEvent) {
      (start, end, direction, height) = (event.start, event.end, event.direction, event.height)
      (floors, kind, steppingShare, speed) = (event.floors, event.kind, event.steppingShare, event.meanSpeed)
    }
  }

  var input: String
  var format: String
  var source: MotionSource?
  var samples: [Sample]
  var floors: [Floor]
  /// Sums of the floors of stairs, as a pedometer counts them.
  var floorsAscended: Int
  var floorsDescended: Int
  var warnings: [String]

  init(_ report: AltitudeJob.Report, atBarometer: Bool = true) {
    input = report.log.description.path
    format = report.log.description.format
    source = report.source
    samples = report.rows.map { Sample($0, atBarometer: atBarometer) }
    floors = report.floors.map { Floor($0) }
    func sum(_ direction: FloorEvent.Direction) -> Int {
      report.floors.reduce(0) { $0 + ($1.kind == .stairs && $1.direction == direction ? $1.floors : 0) }
    }
    (floorsAscended, floorsDescended) = (sum(.up), sum(.down))
    warnings = report.log.warnings + report.notes
  }

  func print(on page: Page = .standard) {
    let first = samples.first?.time ?? 0
    let span = (samples.last?.time ?? 0) - first
    page.line(
      "\(input): \(fixed(span, 1)) s, barometer and "
        + (source.map(\.meaning) ?? "no motion: altitudes are smoothed, and floors of unknown kind"))
    for warning in warnings { page.line("note: \(warning)", style: .yellow) }
    page.line("")
    printProfile(on: page)
    page.line("")
    guard !floors.isEmpty else { return page.line("No way between floors.") }
    var table = TextTable(
      ["kind", "direction"].map { .init($0, 9, isLeft: true) }
        + ["start s", "end s", "height m", "floors", "m/s", "steps %"].map { .init($0, 9) })
    for floor in floors {
      table.add(
        floor.kind.rawValue, floor.direction.rawValue, fixed(floor.start, 1), fixed(floor.end, 1),
        fixed(floor.height, 1), "\(floor.floors)", fixed(floor.speed, 2),
        floor.steppingShare.map { fixed(100 * $0, 0) } ?? "-")
    }
    table.print(on: page)
  }

  /// The altitude over the log's time from left to right, and the figures of it.
  private func printProfile(on page: Page) {
    guard let first = samples.first, let last = samples.last else { return }
    let altitudes = samples.map(\.filteredAltitude)
    let (low, high) = (altitudes.min() ?? 0, altitudes.max() ?? 0)
    let (width, height) = (page.picture(beside: 12), 8)
    var columns = [Double?](repeating: nil, count: width)
    for sample in samples {
      let share = (sample.time - first.time) / max(last.time - first.time, .leastNonzeroMagnitude)
      columns[min(width - 1, max(0, Int(share * Double(width))))] = sample.filteredAltitude
    }
    for index in 1..<width where columns[index] == nil { columns[index] = columns[index - 1] }
    // A metre is the least that fills the page, so that noise stays flat.
    let step = max(high - low, 1) / Double(height)
    for line in (0..<height).reversed() {
      let marks = columns.map { altitude in
        altitude.map { $0 >= low + (Double(line) + 0.5) * step || line == 0 } == true ? "█" : " "
      }
      let label = line == height - 1 ? low + Double(height) * step : low
      let isLabelled = line == 0 || line == height - 1
      page.line(
        padded(isLabelled ? fixed(label, 1) + " m" : "", 10, left: true), marks.joined(), style: .blue)
    }
    page.line(
      "end \(fixed(last.filteredAltitude, 1)) ± \(fixed(last.filteredAltitudeSigma, 1)) m, by the barometer alone "
        + "\(fixed(last.relativeAltitude, 1)) m; lowest \(fixed(low, 1)) m, highest \(fixed(high, 1)) m")
  }
}
