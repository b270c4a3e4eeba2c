/// The data of a panel that does not depend on its position: the ranges of its axes and the entries of its legend.
struct PanelPlan {
  /// The symbol in front of a legend entry.
  enum Sample: Equatable {
    case none
    case line(styleIndex: Int, hasBand: Bool)
    case tone(Double)
    case area(styleIndex: Int, isOutlined: Bool)
    case mark(styleIndex: Int)
    case dot(styleIndex: Int, isFaint: Bool)
    case shade(styleIndex: Int)
    case places(index: Int)
  }

  struct Entry: Equatable {
    var name: String
    var sample: Sample
  }

  let panel: Figure.Panel
  /// The ranges of the axes, or `nil` without data.
  let x: ClosedRange<Double>?
  let y: ClosedRange<Double>?
  /// The legend entries of lines and points, and those of intervals and marks.
  let series: [Entry]
  let events: [Entry]

  init(_ panel: Figure.Panel) {
    self.panel = panel
    var across = Extent(isLogarithmic: panel.x.isLogarithmic)
    var up = Extent(isLogarithmic: panel.y.isLogarithmic)
    var bands = up
    for line in panel.lines {
      for index in line.x.indices where Self.isSeen(line.x[index], in: panel.x) {
        if line.y[index].isFinite { across.add(line.x[index]) }
        up.add(line.y[index])
        guard let band = line.band else { continue }
        bands.add(band.lower[index])
        bands.add(band.upper[index])
      }
    }
    for points in panel.points {
      for index in points.x.indices where Self.isSeen(points.x[index], in: panel.x) {
        across.add(points.x[index])
        up.add(points.y[index])
      }
    }
    if across.isEmpty {
      for span in panel.shades.flatMap(\.spans) {
        across.add(span.lowerBound)
        across.add(span.upperBound)
      }
      for position in panel.marks.flatMap(\.places) { across.add(position) }
    }
    up.stretch(to: bands)
    Self.addAreas(of: panel, to: &across, &up)
    // Time extends to the edges; a point at the edge would be clipped.
    let room = panel.hasEqualScale ? 0.05 : panel.points.isEmpty ? 0 : 0.07
    x = panel.x.range ?? across.padded(room, beyondZero: panel.hasEqualScale)
    y = panel.y.range ?? up.padded(panel.hasEqualScale ? room : 0.06, beyondZero: panel.hasEqualScale)

    (series, events) = Self.legend(of: panel)
  }

  /// Includes areas, by at most the length of the range on either side, or completely if the range is a single point.
  private static func addAreas(of panel: Figure.Panel, to across: inout Extent, _ up: inout Extent) {
    let room = max(across.length, up.length)
    var (acrossAreas, upAreas) = (Extent(isLogarithmic: across.isLogarithmic), Extent(isLogarithmic: up.isLogarithmic))
    for corner in panel.areas.flatMap(\.outlines).joined() where corner.x.isFinite && corner.y.isFinite {
      acrossAreas.add(corner.x)
      upAreas.add(corner.y)
    }
    across.stretch(to: acrossAreas, room: room > 0 ? room : .infinity)
    up.stretch(to: upAreas, room: room > 0 ? room : .infinity)
  }

  private static func legend(of panel: Figure.Panel) -> (series: [Entry], events: [Entry]) {
    var (series, events): ([Entry], [Entry]) = ([], [])
    func add(_ name: String, _ sample: Sample, to legend: inout [Entry]) {
      let name = PlotText.cleaned(name)
      if !name.isEmpty, !legend.contains(Entry(name: name, sample: sample)) {
        legend.append(Entry(name: name, sample: sample))
      }
    }
    for (index, line) in panel.lines.enumerated() {
      let styleIndex = line.styleIndex ?? index
      add(
        line.name, line.tone.map { .tone($0) } ?? .line(styleIndex: styleIndex, hasBand: line.band != nil), to: &series)
    }
    for area in panel.areas {
      add(area.name, .area(styleIndex: area.styleIndex, isOutlined: area.isOutlined), to: &series)
    }
    for (index, points) in panel.points.enumerated() {
      let styleIndex = points.styleIndex ?? index
      add(
        points.name,
        points.weight == .marks
          ? .mark(styleIndex: styleIndex) : .dot(styleIndex: styleIndex, isFaint: points.weight == .faint),
        to: &series)
    }
    for (index, shade) in panel.shades.enumerated() {
      add(shade.name, .shade(styleIndex: shade.styleIndex ?? index), to: &events)
    }
    for (index, marks) in panel.marks.enumerated() { add(marks.name, .places(index: index), to: &events) }
    return (series, events)
  }

  private static func isSeen(_ x: Double, in axis: Figure.Axis) -> Bool { axis.range?.contains(x) ?? true }
}
