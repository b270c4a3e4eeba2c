import Inertial

/// The output of `inertial altitude`.
struct AltitudeDocument: Encodable {
  struct Sample: Encodable {
    /// The time on the log's clock, in seconds.
    var time: Double
    /// The height above the first sample from the barometer alone, in m; in rows at the motion's times, the latest
    /// value.
    var relativeAltitude: Double
    /// The pressure in kPa; missing if the log only has the device's relative altitude.
    var pressure: Double?
    /// The height above the first sample from barometer and motion, in m.
    var filteredAltitude: Double
    var filteredAltitudeSigma: Double
    /// The vertical speed in m/s, positive upwards.
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
    /// The start on the log's clock, in seconds.
    var start: Double
    var end: Double
    var direction: FloorEvent.Direction
    /// The height difference in m, above 0.
    var height: Double
    var floors: Int
    var kind: FloorEvent.Kind
    /// The mean speed in m/s.
    var speed: Double
    /// The fraction of seconds with steps, which determines the kind; missing without motion.
    var steppingShare: Double?

    init(_ event: FloorEvent) {
      (start, end, direction, height) = (event.start, event.end, event.direction, event.height)
      (floors, kind, steppingShare, speed) = (event.floors, event.kind, event.steppingFraction, event.meanSpeed)
    }
  }

  var input: String
  var format: String
  var source: MotionSource?
  var samples: [Sample]
  var floors: [Floor]
  /// The total numbers of floors climbed on stairs, as a pedometer counts them.
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
        + (source.map(\.meaning) ?? "no motion: altitudes are smoothed, and the kind of floor changes is unknown"))
    for warning in warnings { page.line("note: \(warning)", style: .yellow) }
    page.line("")
    printProfile(on: page)
    page.line("")
    guard !floors.isEmpty else { return page.line("No floor changes.") }
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

  /// Prints the altitude over the log's time, and its statistics.
  private func printProfile(on page: Page) {
    guard let first = samples.first, let last = samples.last else { return }
    let altitudes = samples.map(\.filteredAltitude)
    let (low, high) = (altitudes.min() ?? 0, altitudes.max() ?? 0)
    let (width, height) = (page.picture(beside: 12), 8)
    var columns = [Double?](repeating: nil, count: width)
    for sample in samples {
      let fraction = (sample.time - first.time) / max(last.time - first.time, .leastNonzeroMagnitude)
      columns[min(width - 1, max(0, Int(fraction * Double(width))))] = sample.filteredAltitude
    }
    for index in 1..<width where columns[index] == nil { columns[index] = columns[index - 1] }
    // The profile has a range of at least a metre, so that noise appears flat.
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
      "end \(fixed(last.filteredAltitude, 1)) ± \(fixed(last.filteredAltitudeSigma, 1)) m, barometer only "
        + "\(fixed(last.relativeAltitude, 1)) m; lowest \(fixed(low, 1)) m, highest \(fixed(high, 1)) m")
  }
}
