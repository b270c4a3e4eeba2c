import Inertial

extension AltitudeJob.Report {
  func print(on page: Page = .standard) {
    let first = rows.first?.time ?? 0
    let span = (rows.last?.time ?? 0) - first
    page.line(
      "\(log.description.path): \(fixed(span, 1)) s, barometer and "
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
        fixed(floor.height, 1), "\(floor.floors)", fixed(floor.meanSpeed, 2),
        floor.steppingFraction.map { fixed(100 * $0, 0) } ?? "-")
    }
    table.print(on: page)
  }

  /// Prints the altitude over the log's time, and its statistics.
  private func printProfile(on page: Page) {
    guard let first = rows.first, let last = rows.last else { return }
    let altitudes = rows.map(\.estimate.altitude)
    let (low, high) = (altitudes.min() ?? 0, altitudes.max() ?? 0)
    let (width, height) = (page.picture(beside: 12), 8)
    var columns = [Double?](repeating: nil, count: width)
    for row in rows {
      let fraction = (row.time - first.time) / max(last.time - first.time, .leastNonzeroMagnitude)
      columns[min(width - 1, max(0, Int(fraction * Double(width))))] = row.estimate.altitude
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
      page.line(right(isLabelled ? fixed(label, 1) + " m" : "", 10), marks.joined(), style: .blue)
    }
    page.line(
      "end \(fixed(last.estimate.altitude, 1)) ± \(fixed(last.estimate.altitudeSigma, 1)) m, barometer only "
        + "\(fixed(last.data.relativeAltitude, 1)) m; lowest \(fixed(low, 1)) m, highest \(fixed(high, 1)) m")
  }
}
