internal import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// What a page tells of the path: the map, the height over time, and how far both can be trusted.
struct PathContent {
  /// What it rests on, how uncertain its end is, and what cannot be known; or why there is no path.
  let note: String
  /// nil where there is no path.
  private(set) var chart: RecordingContent.Chart?
  /// Height, half of its 95 % interval, and the floor; nil where the height is not known.
  private(set) var table: TraceTable?
  /// Whether `table` has a floor.
  private(set) var hasFloors = false

  /// Metres that dots of a page are apart at least, as a share of the map's larger side.
  private static let leastDotShare = 1.0 / 110

  /// - Parameters:
  ///   - finding: the path, or why there is none.
  ///   - origin: the log's time that is 0 on the page, s.
  ///   - limit: of moments of the height; a multiple of 4.
  init(_ finding: PathFinding, origin: Double, limit: Int) {
    switch finding {
    case .none(let reason): note = "No path is shown: \(reason)."
    case .found(let path):
      let picture = path.picture(origin: origin)
      note = Self.note(path, picture)
      chart = Self.chart(path, picture, origin: origin)
      guard picture.knowsHeight else { return }
      let levels = picture.isNorthUp ? [] : picture.levels
      hasFloors = !levels.isEmpty
      var table = TraceTable(
        columns: ["height", "height95", "floor"].map { TraceTable.Column(name: $0, unit: "m", thinning: .sampled) },
        limit: limit)
      var place = 0
      for (index, time) in picture.times.enumerated() {
        while place < levels.count, levels[place].to < time { place += 1 }
        let isLevel = place < levels.count && levels[place].from <= time
        table.append(
          time: time,
          [picture.heights[index], picture.heightReaches[index], isLevel ? levels[place].height : .nan])
      }
      table.finish()
      self.table = table
    }
  }

  // MARK: Words

  private static func note(_ path: FoundPath, _ picture: PathPicture) -> String {
    let (report, reach) = (path.report, picture.endReach)
    let steps = report.steps
    let isHeld = report.on != .vehicle && !path.fixes.isEmpty
    let basis: String
    let unknown: String
    switch report.on {
    case .foot:
      basis =
        "The path rests on \(steps) strides of a foot that stands still at each: the sensors are integrated from one "
        + "stance to the next."
      unknown =
        picture.isNorthUp
        ? "" : "Where on earth it began is not known\(path.frame.isNorthReferenced ? "" : ", nor where north is")."
    case .vehicle:
      basis =
        "The path rests on \(path.fixes.count) position fixes, and on a vehicle that slides neither sideways nor up; "
        + "between fixes the sensors are integrated."
      unknown = "Before the first changes of speed nobody knows which way the device faces, and there is no path."
    case .auto, .hand, .pocket, .body:
      basis =
        "The path rests on \(steps) steps, as long as their cadence says for a person of "
        + "\(String(cFormat: "%.2f", path.height)) m (--height), and on how far the device turned."
      unknown =
        isHeld
        ? ""
        : (picture.knowsHeight ? "Its height is the barometer's. T" : "Its height is not known, and t")
          + "he whole path may be turned about its start."
    }
    let fixes = isHeld ? "The \(path.fixes.count) position fixes show how it is turned, and correct it." : ""
    let axes = picture.isNorthUp ? ("east or west", "north or south") : ("along X", "along Y")
    var end = "With 95 % its end is within \(reach.x.metres) m \(axes.0) and \(reach.y.metres) m \(axes.1)"
    if picture.knowsHeight { end += ", and within \(reach.z.metres) m in height" }
    end += "."
    if max(reach.x, reach.y) > picture.span / 2 {
      end += " That is more than half of what the path spans: only its shape over short stretches means something."
    }
    let length = "It is \(report.length.metres) m long and ends \(report.distance.metres) m from its start."
    let places: [Carrying: String] = [
      .foot: "on a foot", .hand: "in a hand", .pocket: "in a pocket", .vehicle: "in a vehicle",
    ]
    let place = places[report.on] ?? "on the body"
    return ["Taken to be \(place) (\(report.reason)).", basis, fixes, length, end, unknown].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  // MARK: The map

  private static func chart(
    _ path: FoundPath, _ picture: PathPicture, origin: Double
  ) -> RecordingContent.Chart {
    // A thousandth of what is shown is less than a dot.
    let digits = picture.span > 0 ? max(0, Int((3.7 - log10(picture.span)).rounded(.up))) : 3
    let scale = pow(10, Double(min(digits, 6)))
    func rounded(_ value: Double) -> Double { (value * scale).rounded() / scale }
    var curves: [RecordingContent.Chart.Curve] = []
    for stretch in picture.stretches {
      var isFirst = true
      // A page's numbers are all finite: what is broken is another curve.
      for part in stretch.x.indices.split(whereSeparator: { stretch.x[$0].isNaN }) {
        curves.append(
          .init(
            label: isFirst ? label(stretch, origin: origin) : "", x: part.map { rounded(stretch.x[$0]) },
            y: part.map { rounded(stretch.y[$0]) }, tone: stretch.tone,
            times: part.map { Lanes.rounded(stretch.times[$0]) }))
        isFirst = false
      }
    }
    func outline(_ places: [PathPicture.Place]) -> [Double] { places.flatMap { [rounded($0.x), rounded($0.y)] } }
    func dots(_ label: String, _ places: [PathPicture.Place], isFaint: Bool = false) -> RecordingContent.Chart.Dots {
      .init(label: label, x: places.map { rounded($0.x) }, y: places.map { rounded($0.y) }, isFaint: isFaint)
    }
    var map = RecordingContent.Chart.Map(isNorthUp: picture.isNorthUp, areas: [], dots: [], places: [])
    if !picture.band.isEmpty { map.areas.append(.init(label: "95 %", outlines: picture.band.map(outline))) }
    if let end = picture.endOutline { map.areas.append(.init(label: "", outlines: [outline(end)], isOutlined: true)) }
    let fixes = path.fixes.thinned(apart: picture.span / 500)
    if !fixes.isEmpty { map.dots.append(dots("position fix", fixes, isFaint: true)) }
    let own = picture.dots(apart: picture.span * leastDotShare)
    if !own.isEmpty { map.dots.append(dots(picture.dotName, own)) }
    for (label, place) in [("start", picture.start), ("end", picture.end)] {
      if let place { map.places.append(.init(label: label, x: rounded(place.x), y: rounded(place.y))) }
    }
    return RecordingContent.Chart(
      title: "From above", x: picture.isNorthUp ? "east in m" : "X of \(path.frame.name) in m",
      y: picture.isNorthUp ? "north in m" : "Y in m", curves: curves,
      note:
        "A metre is as long upwards as across. Grey holds the path with 95 % at each moment, the line around the end its "
        + "last one; X and Y are taken for independent, of which the page knows no better: where they are not, 92 % at least.",
      map: map)
  }

  private static func label(_ stretch: PathPicture.Stretch, origin: Double) -> String {
    let (from, to) = (stretch.from - origin, stretch.to - origin)
    let (unit, name) = to - from >= 3600 ? (3600.0, "h") : to - from >= 60 ? (60, "min") : (1, "s")
    return String(cFormat: "%.4g–%.4g ", from / unit, to / unit) + name
  }
}

extension [PathPicture.Place] {
  /// Those that are further than so many metres from the one kept before.
  fileprivate func thinned(apart least: Double) -> [PathPicture.Place] {
    var kept: [PathPicture.Place] = []
    for place in self {
      if let last = kept.last, abs(place.x - last.x) + abs(place.y - last.y) < least { continue }
      kept.append(place)
    }
    return kept
  }
}
