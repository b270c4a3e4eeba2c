/// The contents of a panel's frame.
struct PanelDrawing {
  static let lineWidth = 0.9
  static let thinWidth = 0.5
  static let outlineWidth = 0.6
  static let bandOpacity = 0.22
  static func placesStroke(_ index: Int) -> Drawing.Stroke {
    Drawing.Stroke(width: index.isMultiple(of: 2) ? 0.6 : 1.6, colour: Colour(grey: 0.35))
  }
  /// The vertical path length per horizontal distance above which dashes are no longer legible.
  private static let maximumRestlessness = 12.0

  private let panel: Figure.Panel
  private let box: Box
  private let x: AxisScale
  private let y: AxisScale
  private let size: Double
  private let isGrey: Bool

  /// The shapes below the grid, those above it, and those that may extend beyond the frame.
  private(set) var background: [Drawing.Shape] = []
  private(set) var foreground: [Drawing.Shape] = []
  private(set) var above: [Drawing.Shape] = []
  /// The boxes covered by lines, used to place the arrow in the panel.
  private var occupied: [Box] = []
  /// The dash pattern of each look that was drawn, for the legend.
  private(set) var dashes: [Int: [Double]] = [:]

  init(panel: Figure.Panel, box: Box, x: AxisScale, y: AxisScale, size: Double, isGrey: Bool) {
    (self.panel, self.box, self.x, self.y) = (panel, box, x, y)
    (self.size, self.isGrey) = (size, isGrey)
  }

  mutating func draw() {
    drawShades()
    for (index, line) in panel.lines.enumerated() { drawBand(line, styleIndex: line.styleIndex ?? index) }
    for area in panel.areas where !area.isOutlined { drawArea(area) }
    drawMarks()
    drawDots(.faint)
    for (index, line) in panel.lines.enumerated() { drawLine(line, styleIndex: line.styleIndex ?? index) }
    for area in panel.areas where area.isOutlined { drawArea(area) }
    drawDots(.dots)
    drawPoints()
  }

  /// Returns the regions that lines cover, in small boxes.
  private func taken(by lines: [[Point]]) -> [Box] {
    let step = size / 4
    return lines.flatMap { part -> [Box] in
      var boxes: [Box] = []
      for (a, b) in zip(part, part.dropFirst()) where box.contains(a) || box.contains(b) {
        // For a line that extends far beyond the frame, only the part that may be inside.
        let length = max(abs(b.x - a.x), abs(b.y - a.y))
        let count = max(1, min(1000, Int(length / step)))
        for place in 0...count {
          let fraction = Double(place) / Double(count)
          let (x, y) = (a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction)
          if let last = boxes.last, last.contains(Point(x, y)) { continue }
          boxes.append(Box(left: x - step / 2, top: y - step / 2, right: x + step / 2, bottom: y + step / 2))
        }
      }
      return boxes
    }
  }

  private mutating func drawArea(_ area: Figure.Area) {
    let outlines = area.outlines.compactMap { outline -> [Point]? in
      let corners = outline.compactMap { corner -> Point? in
        guard let across = x.place(corner.x), let up = y.place(corner.y) else { return nil }
        return Point(across, up)
      }
      guard corners.count == outline.count, let first = corners.first else { return nil }
      return area.isOutlined ? corners + [first] : corners
    }
    guard !outlines.isEmpty else { return }
    let colour = SeriesStyle.colour(area.styleIndex, isGrey: isGrey)
    if area.isOutlined {
      if panel.hasNorthArrow { occupied += taken(by: outlines) }
      foreground.append(.lines(outlines, Drawing.Stroke(width: Self.outlineWidth, colour: colour)))
    } else {
      background.append(.areas(outlines, Drawing.Fill(colour: colour, opacity: Self.bandOpacity)))
    }
  }

  private mutating func drawDots(_ weight: Figure.Points.Weight) {
    for (index, points) in panel.points.enumerated() where points.weight == weight {
      let styleIndex = points.styleIndex ?? index
      var last: Point?
      var dots: [[Point]] = []
      for place in points.x.indices {
        guard let across = x.place(points.x[place]), let up = y.place(points.y[place]) else { continue }
        let centre = Point(across, up)
        guard box.contains(centre), last.map({ abs($0.x - across) + abs($0.y - up) > ColumnEnvelope.column }) ?? true
        else { continue }
        last = centre
        dots += SeriesStyle.dot(at: centre, size: size)
      }
      guard !dots.isEmpty else { continue }
      let fill = SeriesStyle.dotFill(styleIndex, isFaint: weight == .faint, isGrey: isGrey)
      if weight == .faint { background.append(.areas(dots, fill)) } else { foreground.append(.areas(dots, fill)) }
    }
  }

  private mutating func drawShades() {
    for (index, shade) in panel.shades.enumerated() {
      // Spans that touch on paper are merged.
      var boxes: [Box] = []
      for span in shade.spans {
        guard var from = x.place(span.lowerBound), var to = x.place(span.upperBound) else { continue }
        from = max(from, box.left)
        to = min(to, box.right)
        guard from <= box.right, to >= box.left else { continue }
        // Short spans remain visible.
        if to - from < 0.5 { to = from + 0.5 }
        if let last = boxes.last, from <= last.right, from >= last.left {
          boxes[boxes.count - 1].right = max(last.right, to)
        } else {
          boxes.append(Box(left: from, top: box.top, right: to, bottom: box.bottom))
        }
      }
      for box in boxes { background += SeriesStyle.shade(shade.styleIndex ?? index, in: box) }
    }
  }

  /// The number of marks above which they are ticks at the top, as full lines would cover the panel.
  private static let maximumFullMarks = 200

  private mutating func drawMarks() {
    for (index, marks) in panel.marks.enumerated() {
      var lines: [[Point]] = []
      let isDense = marks.places.count > Self.maximumFullMarks
      let end = isDense ? box.top + 0.06 * (box.bottom - box.top) : box.bottom
      for place in marks.places {
        guard let place = x.place(place), place >= box.left, place <= box.right else { continue }
        // A single mark per column is sufficient.
        if let last = lines.last, abs(last[0].x - place) < ColumnEnvelope.column { continue }
        lines.append([Point(place, box.top), Point(place, end)])
      }
      if !lines.isEmpty { foreground.append(.lines(lines, Self.placesStroke(index))) }
    }
  }

  private func isBroken(_ line: Figure.Line, at index: Int) -> Bool {
    if let gap = line.maximumGap, line.x[index] - line.x[index - 1] > gap { return true }
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

  private mutating func drawLine(_ line: Figure.Line, styleIndex: Int) {
    let parts = parts(line, line.y) { isBroken(line, at: $0) }
    guard !parts.isEmpty else { return }
    let isRestless = line.tone == nil && ColumnEnvelope.restlessness(parts) > Self.maximumRestlessness
    let width = line.isThin || isRestless ? Self.thinWidth : Self.lineWidth
    if panel.hasNorthArrow { occupied += taken(by: parts) }
    if let tone = line.tone {
      foreground.append(.lines(parts, Drawing.Stroke(width: width, colour: SeriesStyle.tone(tone, isGrey: isGrey))))
      return
    }
    let dash = isRestless ? [] : SeriesStyle.dash(styleIndex, width: Self.lineWidth)
    dashes[styleIndex] = dash
    foreground.append(
      .lines(parts, Drawing.Stroke(width: width, colour: SeriesStyle.colour(styleIndex, isGrey: isGrey), dash: dash)))
  }

  private mutating func drawBand(_ line: Figure.Line, styleIndex: Int) {
    let areas = bandAreas(line)
    guard !areas.isEmpty else { return }
    background.append(
      .areas(areas, Drawing.Fill(colour: SeriesStyle.colour(styleIndex, isGrey: isGrey), opacity: Self.bandOpacity)))
  }

  private func bandAreas(_ line: Figure.Line) -> [[Point]] {
    guard let band = line.band, band.lower.count == line.x.count, band.upper.count == line.x.count else { return [] }
    // If an edge cannot be shown, such as 0 on a logarithmic axis, the frame's edge is used.
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
    for (index, points) in panel.points.enumerated() where points.weight == .marks {
      let styleIndex = points.styleIndex ?? index
      var areas: [[Point]] = []
      for place in points.x.indices {
        guard let across = x.place(points.x[place]), let up = y.place(points.y[place]) else { continue }
        let centre = Point(across, up)
        guard box.contains(centre) else { continue }
        areas += SeriesStyle.mark(styleIndex, at: centre, size: mark)
        taken.append(
          Box(left: across - mark / 2, top: up - mark / 2, right: across + mark / 2, bottom: up + mark / 2))
        if !points.labels.isEmpty { wanted.append((PlotText.cleaned(points.labels[place]), centre)) }
      }
      if !areas.isEmpty {
        above.append(.areas(areas, Drawing.Fill(colour: SeriesStyle.colour(styleIndex, isGrey: isGrey))))
      }
    }
    if panel.hasNorthArrow { putNorthArrow(among: occupied + taken) }
    for (label, place) in wanted { put(label, beside: place, among: &taken) }
  }

  /// Draws an arrow with an N, in the corner where it covers the least.
  private mutating func putNorthArrow(among taken: [Box]) {
    let (width, height, edge) = (1.2 * size, 2.6 * size, 0.4 * size)
    let corners = [
      (box.right - edge - width, box.top + edge), (box.left + edge, box.top + edge),
      (box.right - edge - width, box.bottom - edge - height), (box.left + edge, box.bottom - edge - height),
    ]
    let rooms = corners.map { Box(left: $0.0, top: $0.1, right: $0.0 + width, bottom: $0.1 + height) }
    let covered = rooms.map { room in taken.count { $0.overlaps(room) } }
    let room = rooms[covered.firstIndex(of: covered.min()!)!]
    let centre = (room.left + room.right) / 2
    let (tip, head) = (room.top + 1.1 * size, 0.32 * size)
    above.append(
      .lines(
        [[Point(centre, room.bottom), Point(centre, tip + 1.5 * head)]],
        Drawing.Stroke(width: 0.6, colour: Colour(grey: 0))))
    above.append(
      .areas(
        [
          [
            Point(centre, tip), Point(centre + head, tip + 2 * head), Point(centre, tip + 1.5 * head),
            Point(centre - head, tip + 2 * head),
          ]
        ], Drawing.Fill(colour: Colour(grey: 0))))
    above.append(
      .text(
        "N", at: Point(centre, room.top + 0.8 * size), size: size, anchor: .middle, isTurned: false, Colour(grey: 0)))
  }

  /// Places a label without covering a marker or another label: next to its point, or further away with a line to it.
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
    // Without any free space, the label is omitted, rather than covering others.
  }
}
