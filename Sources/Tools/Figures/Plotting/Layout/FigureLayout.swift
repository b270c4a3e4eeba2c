/// Determines the position of every part of a figure on paper.
///
/// No elements overlap: the legend is above its panel, the number of ticks depends on the available space, and long
/// labels are wrapped to a second line or truncated with an ellipsis.
struct FigureLayout {
  static let pointsPerMillimetre = 72 / 25.4

  private let figure: Figure
  private let size: Double
  private let width: Double
  private let isGrey: Bool
  private let ink = Colour(grey: 0)

  init(_ figure: Figure) {
    self.figure = figure
    size = min(max(figure.style.fontSize, 1), 200)
    width = max(figure.style.width, 10) * Self.pointsPerMillimetre
    isGrey = figure.style.isGreyscale
  }

  private var tickLength: Double { 0.3 * size }
  private var gap: Double { 0.35 * size }
  private var lineHeight: Double { 1.25 * size }
  private var frame: Drawing.Stroke { Drawing.Stroke(width: 0.5, colour: ink) }
  /// Half of the cap height: the distance from the middle of a text to its baseline.
  private var middle: Double { PlotFont.standard.capHeight / PlotFont.standard.unitsPerEm * size / 2 }

  private typealias LegendRow = [(entry: PanelPlan.Entry, x: Double)]

  /// A panel with its position.
  private struct PlacedPanel {
    var plan: PanelPlan
    /// The legend without the entries of the panel above.
    var legend: [PanelPlan.Entry]
    var xRange: ClosedRange<Double>
    /// The range of y, or `nil` if the panel has no data.
    var yRange: ClosedRange<Double>?
    /// Whether the panel has its own x ticks, or shares those of the panel below it.
    var hasNumbers: Bool
    var box = Box(left: 0, top: 0, right: 0, bottom: 0)
    var rows: [LegendRow] = []
    var legendTop = 0.0
    var xTicks = Ticks.linear(0...1, atMost: 2)
    var yTicks = Ticks.linear(0...1, atMost: 2)
    var yLabels: [String] = []
  }

  func drawing() -> Drawing {
    var placed = shared()
    let edge = 0.25 * size
    var plotHeights = heights(of: placed)
    var height = place(&placed, left: edge, plotHeights: plotHeights)
    let hasEqualScale = placed.contains(where: \.plan.panel.hasEqualScale)
    if hasEqualScale {
      plotHeights = zip(placed, plotHeights).map { panel, usual in equalHeight(of: panel) ?? usual }
      height = place(&placed, left: edge, plotHeights: plotHeights)
    }
    if let asked = figure.style.height.map({ max($0, 5) * Self.pointsPerMillimetre }) {
      // The height of everything except the plots is fixed.
      let plots = placed.map(\.box.height).reduce(0, +)
      let left = max(asked - (height - plots), Double(placed.count) * 2 * size)
      let weights = hasEqualScale ? plotHeights : placed.map { max($0.plan.panel.weight, 0.01) }
      let all = weights.reduce(0, +)
      height = place(&placed, left: edge, plotHeights: weights.map { left * $0 / all })
    }
    // The tick labels at the side reduce the width of the plot, and the plot's range determines the tick labels.
    if hasEqualScale {
      for _ in 0..<3 {
        for index in placed.indices where placed[index].plan.panel.hasEqualScale { widen(&placed[index]) }
        height = place(&placed, left: edge, plotHeights: placed.map(\.box.height))
      }
      for index in placed.indices where placed[index].plan.panel.hasEqualScale { widen(&placed[index]) }
    }
    var drawing = Drawing(width: width, height: height)
    drawing.title = PlotText.cleaned(figure.description)
    for (index, panel) in placed.enumerated() { draw(panel, number: index + 1, into: &drawing) }
    return drawing
  }

  // MARK: Positions

  /// Returns the panels; adjacent panels with the same x label share their range, and the last one has the tick labels.
  private func shared() -> [PlacedPanel] {
    let plans = figure.panels.map(PanelPlan.init)
    var placed: [PlacedPanel] = []
    var start = 0
    while start < plans.count {
      var end = start + 1
      while end < plans.count, plans[end].panel.x == plans[start].panel.x { end += 1 }
      let ranges = plans[start..<end].compactMap(\.x)
      let minimum = ranges.map(\.lowerBound).min() ?? 0
      let maximum = ranges.map(\.upperBound).max() ?? 1
      for index in start..<end {
        let plan = plans[index]
        let above = index > start ? plans[index - 1] : nil
        let series = above?.series == plan.series ? [] : plan.series
        let events = above?.events == plan.events ? [] : plan.events
        placed.append(
          PlacedPanel(
            plan: plan, legend: Self.titled(plan.panel.title) + series + events, xRange: minimum...maximum,
            yRange: plan.y, hasNumbers: index == end - 1))
      }
      start = end
    }
    return placed
  }

  private static func titled(_ title: String) -> [PanelPlan.Entry] {
    let title = PlotText.cleaned(title)
    return title.isEmpty ? [] : [PanelPlan.Entry(name: title, sample: .none)]
  }

  private func heights(of placed: [PlacedPanel]) -> [Double] {
    placed.map { max($0.plan.panel.weight, 0.01) * Self.oneHeight(of: placed.count) }
  }

  /// Returns the default height of one of the given number of panels, in points.
  private static func oneHeight(of count: Int) -> Double {
    (count == 1 ? 42.0 : count < 4 ? 30 : 24) * pointsPerMillimetre
  }

  /// Returns the height that gives a panel equal scales, between a third of its width and its width, or `nil` for a
  /// panel without equal scales.
  private func equalHeight(of placed: PlacedPanel) -> Double? {
    guard placed.plan.panel.hasEqualScale, let y = placed.yRange else { return nil }
    let (across, up) = (placed.xRange.upperBound - placed.xRange.lowerBound, y.upperBound - y.lowerBound)
    let fraction = across > 0 ? up / across : up > 0 ? 1 : 0.5
    return placed.box.width * (fraction.isFinite ? min(max(fraction, 1.0 / 3), 1) : 0.5)
  }

  /// Extends the axes of a panel with equal scales to the available space, equally on both sides.
  private func widen(_ placed: inout PlacedPanel) {
    guard let x = placed.plan.x, let y = placed.plan.y, placed.box.width > 0, placed.box.height > 0 else { return }
    func centre(_ range: ClosedRange<Double>) -> Double { range.lowerBound / 2 + range.upperBound / 2 }
    func span(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }
    // The data units per point of the axis that needs more of them; for a single position, a range of about a metre
    // around it.
    var scale = max(span(x) / placed.box.width, span(y) / placed.box.height)
    if !(scale > 0) { scale = max(2, abs(centre(x)) * 1e-3, abs(centre(y)) * 1e-3) / placed.box.width }
    guard scale.isFinite else { return }
    let (across, up) = (scale * placed.box.width / 2, scale * placed.box.height / 2)
    placed.xRange = centre(x) - across...centre(x) + across
    placed.yRange = centre(y) - up...centre(y) + up
  }

  /// Positions the panels.
  ///
  /// - Returns: The height of the figure.
  private func place(_ placed: inout [PlacedPanel], left: Double, plotHeights: [Double]) -> Double {
    for index in placed.indices {
      let panel = placed[index].plan.panel
      placed[index].yTicks = yTicks(placed[index], height: plotHeights[index])
      placed[index].yLabels = words(
        Self.label(panel.y.label, exponent: placed[index].yTicks.exponent), within: plotHeights[index])
    }
    let numbers = placed.flatMap { $0.yTicks.ticks }.map { PlotText($0.label).width(size: size) }.max() ?? 0
    let wordLines = Double(placed.map(\.yLabels.count).max() ?? 0)
    let plotLeft = left + wordLines * lineHeight + gap + numbers + gap + tickLength
    // Half of the last tick label may extend beyond the end of the axis.
    var plotRight = width - left
    for index in placed.indices {
      let ticks = xTicks(placed[index].plan, range: placed[index].xRange, width: plotRight - plotLeft)
      if let last = ticks.ticks.last {
        let end = AxisScale(ticks.range, isLogarithmic: placed[index].plan.panel.x.isLogarithmic)
        let beyond =
          PlotText(last.label).width(size: size) / 2 - (1 - (end.place(last.value) ?? 1)) * (plotRight - plotLeft)
        plotRight = min(plotRight, width - left - max(0, beyond))
      }
    }

    var y = left
    for index in placed.indices {
      placed[index].rows = rows(placed[index].legend, from: plotLeft, to: width - left)
      placed[index].legendTop = y
      let rowCount = Double(placed[index].rows.count)
      // Without a legend, the topmost tick label still needs space.
      y += rowCount > 0 ? rowCount * lineHeight + gap : index == 0 ? 0.5 * size : gap
      placed[index].box = Box(
        left: plotLeft, top: y, right: max(plotRight, plotLeft + size), bottom: y + plotHeights[index])
      y += plotHeights[index]
      placed[index].xTicks = xTicks(placed[index].plan, range: placed[index].xRange, width: placed[index].box.width)
      if placed[index].hasNumbers {
        y += tickLength + gap + size
        if !placed[index].plan.panel.x.label.isEmpty { y += gap + size }
        y += 0.3 * size
      } else {
        y += 0.6 * size
      }
    }
    return y + left
  }

  /// Returns at least three ticks, if their labels do not overlap.
  private func yTicks(_ placed: PlacedPanel, height: Double) -> Ticks {
    let axis = placed.plan.panel.y
    let range = placed.yRange ?? 0...1
    let count = min(7, max(2, Int(height / (1.9 * size))))
    func ticks(_ count: Int) -> Ticks {
      axis.isLogarithmic ? .logarithmic(range, atMost: count) : .linear(range, atMost: count, ofTurn: axis.hasDegrees)
    }
    for finer in count..<count + 4 {
      let found = ticks(finer)
      if found.ticks.count >= 3, height / Double(found.ticks.count) >= 1.3 * size { return found }
    }
    return ticks(count)
  }

  /// Returns as many ticks as fit without overlap.
  private func xTicks(_ plan: PanelPlan, range: ClosedRange<Double>, width: Double) -> Ticks {
    let axis = plan.panel.x
    var count = min(9, max(2, Int(width / (2.2 * size))))
    while true {
      let ticks =
        axis.isLogarithmic
        ? Ticks.logarithmic(range, atMost: count) : .linear(range, atMost: count, ofTurn: axis.hasDegrees)
      var scale = AxisScale(ticks.range, isLogarithmic: axis.isLogarithmic)
      scale.to = width
      let spans = ticks.ticks.map { tick in
        let half = PlotText(tick.label).width(size: size) / 2
        let place = scale.place(tick.value) ?? 0
        return (place - half, place + half)
      }
      if count <= 2 || zip(spans, spans.dropFirst()).allSatisfy({ $1.0 - $0.1 >= 0.7 * size }) { return ticks }
      count -= 1
    }
  }

  /// Returns the label with the power of ten that its tick labels omit: `Rate (10⁻³ rad/s)`.
  private static func label(_ text: String, exponent: Int) -> String {
    let text = PlotText.cleaned(text)
    guard exponent != 0 else { return text }
    let power = "10" + Ticks.superscript(exponent)
    guard text.hasSuffix(")"), let bracket = text.lastIndex(of: "(") else { return "\(text) (\(power))" }
    return text[...bracket] + power + " " + text[text.index(after: bracket)...]
  }

  /// Returns a string in one line, or in two if it is too long.
  private func words(_ text: String, within length: Double) -> [String] {
    guard !text.isEmpty else { return [] }
    func isShort(_ text: String) -> Bool { PlotText(text).width(size: size) <= length }
    if isShort(text) { return [text] }
    let spaces = text.indices.filter { text[$0] == " " }
    let halves = spaces.map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
    // Prefer to move only the unit to the second line.
    let fitting = halves.filter { isShort($0.0) && isShort($0.1) }
    if let best = fitting.last(where: { $0.1.hasPrefix("(") }) ?? fitting.last { return [best.0, best.1] }
    let parts = halves.last.map { [$0.0, $0.1] } ?? [text]
    return parts.map { PlotText.fitted($0, size: size, width: length) }
  }

  private var sampleWidth: Double { 2.2 * size }

  private func rows(_ legend: [PanelPlan.Entry], from left: Double, to right: Double) -> [LegendRow] {
    var rows: [LegendRow] = []
    var x = left
    for var entry in legend {
      let lead = sampleLead(entry.sample)
      entry.name = PlotText.fitted(entry.name, size: size, width: right - left - lead)
      let own = lead + PlotText(entry.name).width(size: size)
      if rows.isEmpty || x + own > right {
        rows.append([])
        x = left
      }
      rows[rows.count - 1].append((entry, x))
      x += own + 1.2 * size
    }
    return rows
  }

  private func sampleLead(_ sample: PanelPlan.Sample) -> Double {
    switch sample {
    case .none: 0
    case .line, .tone: sampleWidth + 0.4 * size
    case .area, .shade: 1.4 * size + 0.4 * size
    case .mark, .dot, .places: 0.9 * size + 0.3 * size
    }
  }

  // MARK: Drawing

  private func draw(_ placed: PlacedPanel, number: Int, into drawing: inout Drawing) {
    let (panel, box) = (placed.plan.panel, placed.box)
    var x = AxisScale(placed.xTicks.range, isLogarithmic: panel.x.isLogarithmic)
    (x.from, x.to) = (box.left, box.right)
    var y = AxisScale(placed.yTicks.range, isLogarithmic: panel.y.isLogarithmic)
    (y.from, y.to) = (box.bottom, box.top)
    var data = PanelDrawing(panel: panel, box: box, x: x, y: y, size: size, isGrey: isGrey)
    data.draw()
    var shapes = data.background
    if panel.hasGrid { shapes += grid(placed, x, y) }
    shapes += data.foreground
    drawing.groups.append(Drawing.Group(clip: box, shapes: shapes, name: "panel \(number)"))
    // Elements that may overlap the frame, such as the marker of a point.
    drawing.groups.append(
      Drawing.Group(
        clip: nil, shapes: data.above + axes(placed, x, y) + legend(placed, data.dashes), name: "panel \(number), words"
      ))
  }

  private func grid(_ placed: PlacedPanel, _ x: AxisScale, _ y: AxisScale) -> [Drawing.Shape] {
    let box = placed.box
    let lines =
      placed.xTicks.ticks.compactMap { x.place($0.value) }.map { [Point($0, box.top), Point($0, box.bottom)] }
      + placed.yTicks.ticks.compactMap { y.place($0.value) }.map { [Point(box.left, $0), Point(box.right, $0)] }
    return lines.isEmpty ? [] : [.lines(lines, Drawing.Stroke(width: 0.3, colour: Colour(grey: 0.8)))]
  }

  private func axes(_ placed: PlacedPanel, _ x: AxisScale, _ y: AxisScale) -> [Drawing.Shape] {
    let (box, panel) = (placed.box, placed.plan.panel)
    let corners = [
      Point(box.left, box.top), Point(box.right, box.top), Point(box.right, box.bottom), Point(box.left, box.bottom),
    ]
    var strokes = [corners + [corners[0], corners[1]]]
    var words: [Drawing.Shape] = []
    func add(_ text: String, _ place: Point, _ anchor: Drawing.Anchor, isTurned: Bool = false) {
      words.append(.text(text, at: place, size: size, anchor: anchor, isTurned: isTurned, ink))
    }
    for tick in placed.yTicks.ticks {
      guard let place = y.place(tick.value) else { continue }
      strokes.append([Point(box.left - tickLength, place), Point(box.left, place)])
      add(tick.label, Point(box.left - tickLength - gap, place + middle), .end)
    }
    for value in placed.yTicks.minor {
      guard let place = y.place(value) else { continue }
      strokes.append([Point(box.left - tickLength / 2, place), Point(box.left, place)])
    }
    let below = box.bottom + tickLength + gap + 2 * middle
    for tick in placed.xTicks.ticks {
      guard let place = x.place(tick.value) else { continue }
      strokes.append([Point(place, box.bottom), Point(place, box.bottom + tickLength)])
      if placed.hasNumbers { add(tick.label, Point(place, below), .middle) }
    }
    for value in placed.xTicks.minor {
      guard let place = x.place(value) else { continue }
      strokes.append([Point(place, box.bottom), Point(place, box.bottom + tickLength / 2)])
    }
    if placed.hasNumbers, !panel.x.label.isEmpty {
      let text = PlotText.fitted(
        Self.label(panel.x.label, exponent: placed.xTicks.exponent), size: size, width: width - 0.5 * size)
      // Centred on the axis, or as close as the page permits.
      let half = PlotText(text).width(size: size) / 2
      let centre = max(half + 0.25 * size, min(width - half - 0.25 * size, (box.left + box.right) / 2))
      add(text, Point(centre, below + gap + size), .middle)
    }
    let centre = (box.top + box.bottom) / 2
    for (line, text) in placed.yLabels.enumerated() {
      add(text, Point(0.25 * size + (Double(line) + 0.8) * lineHeight, centre), .middle, isTurned: true)
    }
    return [.lines(strokes, frame)] + words
  }

  private func legend(_ placed: PlacedPanel, _ dashes: [Int: [Double]]) -> [Drawing.Shape] {
    var shapes: [Drawing.Shape] = []
    for (row, entries) in placed.rows.enumerated() {
      let base = placed.legendTop + (Double(row) + 0.85) * lineHeight
      let centre = base - middle
      for (entry, x) in entries {
        shapes += sample(entry.sample, at: Point(x, centre), dashes)
        shapes.append(
          .text(
            entry.name, at: Point(x + sampleLead(entry.sample), base), size: size, anchor: .start, isTurned: false, ink)
        )
      }
    }
    return shapes
  }

  private func sample(_ sample: PanelPlan.Sample, at place: Point, _ dashes: [Int: [Double]]) -> [Drawing.Shape] {
    func box(_ width: Double, _ height: Double) -> Box {
      Box(left: place.x, top: place.y - height / 2, right: place.x + width, bottom: place.y + height / 2)
    }
    switch sample {
    case .none: return []
    case .line(let styleIndex, let hasBand):
      let line = [place, Point(place.x + sampleWidth, place.y)]
      let stroke = Drawing.Stroke(
        width: PanelDrawing.lineWidth, colour: SeriesStyle.colour(styleIndex, isGrey: isGrey),
        dash: dashes[styleIndex] ?? [])
      let b = box(sampleWidth, 0.6 * size)
      let corners = [Point(b.left, b.top), Point(b.right, b.top), Point(b.right, b.bottom), Point(b.left, b.bottom)]
      let band = Drawing.Fill(colour: SeriesStyle.colour(styleIndex, isGrey: isGrey), opacity: PanelDrawing.bandOpacity)
      let area: [Drawing.Shape] = hasBand ? [.areas([corners], band)] : []
      return area + [.lines([line], stroke)]
    case .tone(let fraction):
      let line = [place, Point(place.x + sampleWidth, place.y)]
      return [
        .lines(
          [line], Drawing.Stroke(width: PanelDrawing.lineWidth, colour: SeriesStyle.tone(fraction, isGrey: isGrey)))
      ]
    case .area(let styleIndex, let isOutlined):
      let b = box(1.4 * size, 0.7 * size)
      let corners = [Point(b.left, b.top), Point(b.right, b.top), Point(b.right, b.bottom), Point(b.left, b.bottom)]
      let colour = SeriesStyle.colour(styleIndex, isGrey: isGrey)
      return isOutlined
        ? [.lines([corners + [corners[0]]], Drawing.Stroke(width: PanelDrawing.outlineWidth, colour: colour))]
        : [.areas([corners], Drawing.Fill(colour: colour, opacity: PanelDrawing.bandOpacity))]
    case .dot(let styleIndex, let isFaint):
      return [
        .areas(
          SeriesStyle.dot(at: Point(place.x + 0.45 * size, place.y), size: size),
          SeriesStyle.dotFill(styleIndex, isFaint: isFaint, isGrey: isGrey))
      ]
    case .mark(let styleIndex):
      let centre = Point(place.x + 0.45 * size, place.y)
      return [
        .areas(
          SeriesStyle.mark(styleIndex, at: centre, size: 0.65 * size),
          Drawing.Fill(colour: SeriesStyle.colour(styleIndex, isGrey: isGrey)))
      ]
    case .shade(let styleIndex):
      let b = box(1.4 * size, 0.7 * size)
      let corners = [
        Point(b.left, b.top), Point(b.right, b.top), Point(b.right, b.bottom), Point(b.left, b.bottom),
        Point(b.left, b.top),
      ]
      return SeriesStyle.shade(styleIndex, in: b) + [
        .lines([corners], Drawing.Stroke(width: 0.3, colour: Colour(grey: 0.5)))
      ]
    case .places(let index):
      let x = place.x + 0.45 * size
      return [
        .lines([[Point(x, place.y - 0.4 * size), Point(x, place.y + 0.4 * size)]], PanelDrawing.placesStroke(index))
      ]
    }
  }
}
