internal import InertialEvaluation
internal import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The path on a page: the map, the height over time, and the uncertainty of both.
struct PathContent {
  /// The basis of the path, the uncertainty of its end and its limits, or the reason that there is no path.
  let note: String
  /// The map, or `nil` if there is no path.
  private(set) var chart: RecordingContent.Chart?
  /// The height, half of its 95 % interval, and the floor, or `nil` if the height is unknown.
  private(set) var table: TraceTable?
  /// Whether `table` has a floor.
  private(set) var hasFloors = false

  /// The reference of a path, in its own frame.
  struct Reference {
    /// The name of its file.
    var name: String
    var track: PositionTrack
    /// The errors of the path, with the alignment that was applied to it.
    var comparison: PathComparison
    /// The time that was added to the path's times, in seconds.
    var clockShift: Double
  }

  /// The minimum distance of the dots of a page, as a fraction of the map's larger side.
  private static let minimumDotSpacingFraction = 1.0 / 110

  /// Creates the content.
  ///
  /// - Parameters:
  ///   - finding: The path, or the reason that it is missing.
  ///   - origin: The log's time that is 0 on the page, in seconds.
  ///   - limit: The maximum number of samples of the height; a multiple of 4.
  ///   - reference: The reference of the path, whose errors the map shows, or `nil` without one.
  init(_ finding: Result<EstimatedPath, FusionError>, origin: Double, limit: Int, reference: Reference? = nil) {
    switch finding {
    case .failure(let reason): note = "No path is shown: \(reason)."
    case .success(let path):
      let plotData = path.plotData(origin: origin)
      note = Self.note(path, plotData)
      chart = Self.chart(path, plotData, origin: origin, reference)
      guard plotData.knowsHeight else { return }
      let levels = plotData.isNorthUp ? [] : plotData.levels
      hasFloors = !levels.isEmpty
      // The positions of a long path are further apart.
      let gap = max(path.maximumGap, 1.5 * plotData.times.medianStep)
      var table = TraceTable(
        columns: ["height", "height95", "floor"].map { TraceTable.Column(name: $0, unit: "m", thinning: .sampled) },
        limit: limit, gap: gap)
      var place = 0
      for (index, time) in plotData.times.enumerated() {
        while place < levels.count, levels[place].to < time { place += 1 }
        let isLevel = place < levels.count && levels[place].from <= time
        table.append(
          time: time,
          [plotData.heights[index], plotData.heightReaches[index], isLevel ? levels[place].height : .nan])
      }
      table.finish()
      self.table = table
    }
  }

  // MARK: Text

  private static func note(_ path: EstimatedPath, _ plotData: PathPlotData) -> String {
    let (report, reach) = (path.report, plotData.endReach)
    let steps = report.steps
    let isHeld = report.on != .vehicle && !path.fixes.isEmpty
    let basis: String
    let unknown: String
    switch report.on {
    case .foot:
      basis =
        "The path is based on \(steps) strides of a foot that is stationary between them: the sensors are integrated from "
        + "one stance to the next."
      unknown =
        plotData.isNorthUp
        ? "" : "Its geographic origin\(path.frame.isNorthReferenced ? " is" : " and north are") unknown."
    case .vehicle:
      basis =
        "The path is based on \(path.fixes.count) position fixes and on a vehicle without lateral or vertical velocity; "
        + "between fixes the sensors are integrated."
      unknown = "Before the first changes of speed the direction of the device is unknown, so there is no path."
    case .auto, .hand, .pocket, .body:
      basis =
        "The path is based on \(steps) steps, with lengths from their cadence, their acceleration and a body height of "
        + "\(String(cFormat: "%.2f", path.height)) m (--height), and on the yaw rotation of the device."
      unknown =
        isHeld
        ? ""
        : (plotData.knowsHeight ? "Its height is the barometer's. T" : "Its height is unknown, and t")
          + "he whole path may be rotated about its start."
    }
    let fixes = isHeld ? "The \(path.fixes.count) position fixes determine its rotation and correct it." : ""
    let axes = plotData.isNorthUp ? ("east or west", "north or south") : ("along X", "along Y")
    var end = "With 95 % confidence its end is within \(reach.x.metres) m \(axes.0) and \(reach.y.metres) m \(axes.1)"
    if plotData.knowsHeight { end += ", and within \(reach.z.metres) m in height" }
    end += "."
    if max(reach.x, reach.y) > plotData.span / 2 {
      end += " This is more than half of the path's extent: only the shape of short segments is meaningful."
    }
    let length = "It is \(report.length.metres) m long and ends \(report.distance.metres) m from its start."
    let places: [CarryMode: String] = [
      .foot: "on a foot", .hand: "in a hand", .pocket: "in a pocket", .vehicle: "in a vehicle",
    ]
    let place = places[report.on] ?? "on the body"
    return ["Placement: \(place) (\(report.decision)).", basis, fixes, length, end, unknown].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  // MARK: The map

  private static func chart(
    _ path: EstimatedPath, _ plotData: PathPlotData, origin: Double, _ reference: Reference?
  ) -> RecordingContent.Chart {
    // A thousandth of the extent is less than a dot.
    let digits = plotData.span > 0 ? max(0, Int((3.7 - log10(plotData.span)).rounded(.up))) : 3
    let scale = pow(10, Double(min(digits, 6)))
    func rounded(_ value: Double) -> Double { (value * scale).rounded() / scale }
    var curves: [RecordingContent.Chart.Curve] = []
    for stretch in plotData.stretches {
      var isFirst = true
      // The numbers on a page are all finite: each part of a broken line is a separate curve.
      for part in stretch.x.indices.split(whereSeparator: { stretch.x[$0].isNaN }) {
        curves.append(
          .init(
            label: isFirst ? label(stretch, origin: origin) : "", x: part.map { rounded(stretch.x[$0]) },
            y: part.map { rounded(stretch.y[$0]) }, tone: stretch.tone,
            times: part.map { Lanes.rounded(stretch.times[$0]) }))
        isFirst = false
      }
    }
    let errors = reference.map { PathErrorTones($0.comparison, clockShift: $0.clockShift) }
    if let errors { curves = errors.toned(curves) }
    func outline(_ places: [PathPlotData.Place]) -> [Double] { places.flatMap { [rounded($0.x), rounded($0.y)] } }
    func dots(_ label: String, _ places: [PathPlotData.Place], isFaint: Bool = false) -> RecordingContent.Chart.Dots {
      .init(label: label, x: places.map { rounded($0.x) }, y: places.map { rounded($0.y) }, isFaint: isFaint)
    }
    var map = RecordingContent.Chart.Map(isNorthUp: plotData.isNorthUp, areas: [], dots: [], places: [])
    if !plotData.band.isEmpty { map.areas.append(.init(label: "95 %", outlines: plotData.band.map(outline))) }
    if let end = plotData.endOutline { map.areas.append(.init(label: "", outlines: [outline(end)], isOutlined: true)) }
    let fixes = thinned(path.fixes, apart: plotData.span / 500) { $0.place }
    if !fixes.isEmpty {
      var circles = dots("position fix, 68 % radius", fixes.map(\.place), isFaint: true)
      circles.radii = fixes.map { ($0.radius * 10).rounded() / 10 }
      map.dots.append(circles)
    }
    if let frame = path.geographicFrame {
      let (origin, far) = (frame.place(east: 0, north: 0), frame.place(east: 1000, north: 1000))
      map.anchor = [
        origin.latitude, origin.longitude, (far.latitude - origin.latitude) / 1000,
        (far.longitude - origin.longitude).remainder(dividingBy: 360) / 1000,
      ]
    }
    let own = plotData.dots(apart: plotData.span * minimumDotSpacingFraction)
    if !own.isEmpty { map.dots.append(dots(plotData.dotName, own)) }
    if let reference {
      let alignment = reference.comparison.alignment
      let places = reference.track.positions.map {
        plotData.place(of: alignment.rotation.rotateInverse($0 - alignment.translation))
      }
      map.dots.append(
        dots(reference.name, thinned(places, apart: plotData.span * minimumDotSpacingFraction) { $0 }, isFaint: true))
    }
    for (label, place) in [("start", plotData.start), ("end", plotData.end)] {
      if let place { map.places.append(.init(label: label, x: rounded(place.x), y: rounded(place.y))) }
    }
    return RecordingContent.Chart(
      title: "Plan view", x: plotData.isNorthUp ? "east in m" : "X of \(path.frame.name) in m",
      y: plotData.isNorthUp ? "north in m" : "Y in m", curves: curves,
      note:
        "Equal axis scales. Grey: 95 % confidence region of the position at each time; the outline around the end: that of "
        + "the end. X and Y are assumed to be independent; if they are not, the confidence is at least 92 %."
        + (reference.flatMap { one in errors?.note(of: one.name) } ?? ""),
      map: map)
  }

  /// Returns the elements whose places are at least `minimum` metres from the previously kept one.
  private static func thinned<Element>(
    _ elements: [Element], apart minimum: Double, _ place: (Element) -> PathPlotData.Place
  ) -> [Element] {
    var (kept, last): ([Element], PathPlotData.Place?) = ([], nil)
    for element in elements {
      let place = place(element)
      if let last, abs(place.x - last.x) + abs(place.y - last.y) < minimum { continue }
      kept.append(element)
      last = place
    }
    return kept
  }

  private static func label(_ stretch: PathPlotData.Segment, origin: Double) -> String {
    let (from, to) = (stretch.from - origin, stretch.to - origin)
    let (unit, name) = to - from >= 3600 ? (3600.0, "h") : to - from >= 60 ? (60, "min") : (1, "s")
    return String(cFormat: "%.4g–%.4g ", from / unit, to / unit) + name
  }
}
