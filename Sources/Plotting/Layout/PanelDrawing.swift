/// What is inside a panel's frame.
struct PanelDrawing {
  static let lineWidth = 0.9
  static let thinWidth = 0.5
  static let bandOpacity = 0.22
  static let placesStroke = Drawing.Stroke(width: 0.6, colour: Colour(grey: 0.35))
  /// Above this a line goes up and down so much that its strokes cannot be told from its turns.
  private static let mostRestless = 12.0

  private let panel: Figure.Panel
  private let box: Box
  private let x: AxisScale
  private let y: AxisScale
  private let size: Double
  private let isGrey: Bool

  /// Behind the grid, before it, and what may stand out of the frame.
  private(set) var background: [Drawing.Shape] = []
  private(set) var foreground: [Drawing.Shape] = []
  private(set) var above: [Drawing.Shape] = []
  /// The strokes of each look that was drawn, for the legend.
  private(set) var dashes: [Int: [Double]] = [:]

  init(panel: Figure.Panel, box: Box, x: AxisScale, y: AxisScale, size: Double, isGrey: Bool) {
    (self.panel, self.box, self.x, self.y) = (panel, box, x, y)
    (self.size, self.isGrey) = (size, isGrey)
  }

  mutating func draw() {
    drawShades()
    for (index, line) in panel.lines.enumerated() { drawBand(line, look: line.look ?? index) }
    drawMarks()
    for (index, line) in panel.lines.enumerated() { drawLine(line, look: line.look ?? index) }
    drawPoints()
  }

  private mutating func drawShades() {
    for (index, shade) in panel.shades.enumerated() {
      // Spans that touch on paper are one.
      var boxes: [Box] = []
      for span in shade.spans {
        guard var from = x.place(span.lowerBound), var to = x.place(span.upperBound) else { continue }
        from = max(from, box.left)
        to = min(to, box.right)
        guard from <= box.right, to >= box.left else { continue }
        // What is short is seen as well.
        if to - from < 0.5 { to = from + 0.5 }
        if let last = boxes.last, from <= last.right, from >= last.left {
          boxes[boxes.count - 1].right = max(last.right, to)
        } else {
          boxes.append(Box(left: from, top: box.top, right: to, bottom: box.bottom))
        }
      }
      for box in boxes { background += Look.shade(shade.look ?? index, in: box) }
    }
  }

  private mutating func drawMarks() {
    for marks in panel.marks {
      var lines: [[Point]] = []
      for place in marks.places {
        guard let place = x.place(place), place >= box.left, place <= box.right else { continue }
        // Of marks in one column one is enough.
        if let last = lines.last, abs(last[0].x - place) < ColumnEnvelope.column { continue }
        lines.append([Point(place, box.top), Point(place, box.bottom)])
      }
      if !lines.isEmpty { foreground.append(.lines(lines, Self.placesStroke)) }
    }
  }

  private func isBroken(_ line: Figure.Line, at index: Int) -> Bool {
    if let gap = line.longestGap, line.x[index] - line.x[index - 1] > gap { return true }
    if let period = line.period, abs(line.y[index] - line.y[index - 1]) > period / 2 { return true }
    return false
  }

  private func parts(_ line: Figure.Line, _ values: [Double], isBroken: (Int) -> Bool) -> [[Point]] {
    ColumnEnvelope.parts(
      count: line.x.count, visible: box.left...box.right, isBroken: isBroken,
      place: { index in
        guard let across = x.place(line.x[index]), let up = y.place(values[index]) else { return nil }
        return Point(across, up)
      })
  }

  private mutating func drawLine(_ line: Figure.Line, look: Int) {
    let parts = parts(line, line.y) { isBroken(line, at: $0) }
    guard !parts.isEmpty else { return }
    let isRestless = ColumnEnvelope.restlessness(parts) > Self.mostRestless
    let width = line.isThin || isRestless ? Self.thinWidth : Self.lineWidth
    let dash = isRestless ? [] : Look.dash(look, width: Self.lineWidth)
    dashes[look] = dash
    foreground.append(
      .lines(parts, Drawing.Stroke(width: width, colour: Look.colour(look, isGrey: isGrey), dash: dash)))
  }

  private mutating func drawBand(_ line: Figure.Line, look: Int) {
    let areas = bandAreas(line)
    guard !areas.isEmpty else { return }
    background.append(
      .areas(areas, Drawing.Fill(colour: Look.colour(look, isGrey: isGrey), opacity: Self.bandOpacity)))
  }

  private func bandAreas(_ line: Figure.Line) -> [[Point]] {
    guard let band = line.band, band.lower.count == line.x.count, band.upper.count == line.x.count else { return [] }
    // Of an edge that has no place, such as one at 0 on a logarithmic axis, the frame's edge is taken.
    func edge(_ values: [Double], _ frame: Double) -> [Double] {
      values.indices.map { index in
        guard y.place(line.y[index]) != nil, !values[index].isNaN else { return .nan }
        return y.place(values[index]) ?? frame
      }
    }
    let (lower, upper) = (edge(band.lower, box.bottom), edge(band.upper, box.top))
    func parts(_ places: [Double]) -> [[Point]] {
      ColumnEnvelope.parts(
        count: line.x.count, visible: box.left...box.right, isBroken: { isBroken(line, at: $0) },
        place: { index in
          guard let across = x.place(line.x[index]), lower[index].isFinite, upper[index].isFinite else { return nil }
          return Point(across, places[index])
        })
    }
    return zip(parts(lower), parts(upper)).map { $0 + $1.reversed() }
  }

  // MARK: Points

  private mutating func drawPoints() {
    var taken: [Box] = []
    var wanted: [(label: String, place: Point)] = []
    let mark = 0.65 * size
    for (index, points) in panel.points.enumerated() {
      let look = points.look ?? index
      var areas: [[Point]] = []
      for place in points.x.indices {
        guard let across = x.place(points.x[place]), let up = y.place(points.y[place]) else { continue }
        let centre = Point(across, up)
        guard across >= box.left, across <= box.right, up >= box.top, up <= box.bottom else { continue }
        areas += Look.mark(look, at: centre, size: mark)
        taken.append(
          Box(left: across - mark / 2, top: up - mark / 2, right: across + mark / 2, bottom: up + mark / 2))
        if !points.labels.isEmpty { wanted.append((PlotText.cleaned(points.labels[place]), centre)) }
      }
      if !areas.isEmpty {
        above.append(.areas(areas, Drawing.Fill(colour: Look.colour(look, isGrey: isGrey))))
      }
    }
    for (label, place) in wanted { put(label, beside: place, among: &taken) }
  }

  /// A label is put where it covers neither a mark nor another label: beside its point, or further off with a line to it.
  private mutating func put(_ label: String, beside place: Point, among taken: inout [Box]) {
    let width = PlotText(label).width(size: size)
    let font = PlotFont.standard
    let rise = font.capHeight / font.unitsPerEm * size
    for distance in [0.55, 1.2, 2, 3, 4.2] {
      let d = distance * size
      let near: [(Double, Double)] = [
        (d, rise / 2), (-d - width, rise / 2), (-width / 2, -d), (-width / 2, d + rise), (d * 0.8, -d * 0.8),
        (-d * 0.8 - width, -d * 0.8), (d * 0.8, d * 0.8 + rise), (-d * 0.8 - width, d * 0.8 + rise),
      ]
      for (dx, dy) in near {
        let start = Point(place.x + dx, place.y + dy)
        let room = Box(
          left: start.x - 0.1 * size, top: start.y - rise - 0.15 * size, right: start.x + width + 0.1 * size,
          bottom: start.y + 0.25 * size)
        guard box.contains(room), !taken.contains(where: { $0.overlaps(room) }) else { continue }
        taken.append(room)
        if distance > 1 {
          let end = Point(
            min(max(place.x, room.left), room.right), min(max(place.y, room.top), room.bottom))
          above.append(.lines([[place, end]], Drawing.Stroke(width: 0.3, colour: Colour(grey: 0.5))))
        }
        above.append(.text(label, at: start, size: size, anchor: .start, isTurned: false, Colour(grey: 0)))
        return
      }
    }
    // Where there is no room at all the point stays without its word, rather than with one that covers others.
  }
}
