/// A panel with all that is known of it before it has a place: what its axes show, and what its legend tells.
struct PanelPlan {
  /// What stands before a word of the legend.
  enum Sample: Equatable {
    case none
    case line(look: Int, hasBand: Bool)
    case tone(Double)
    case area(look: Int, isOutlined: Bool)
    case mark(look: Int)
    case dot(look: Int, isFaint: Bool)
    case shade(look: Int)
    case places
  }

  struct Entry: Equatable {
    var name: String
    var sample: Sample
  }

  let panel: Figure.Panel
  /// nil where there is nothing to be shown.
  let x: ClosedRange<Double>?
  let y: ClosedRange<Double>?
  /// Of lines and points, and of what is marked over x.
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
      for place in panel.marks.flatMap(\.places) { across.add(place) }
    }
    up.stretch(to: bands)
    Self.addAreas(of: panel, to: &across, &up)
    // Time goes from edge to edge; a point at the edge would be cut.
    let room = panel.hasEqualScale ? 0.05 : panel.points.isEmpty ? 0 : 0.07
    x = panel.x.range ?? across.padded(room, beyondZero: panel.hasEqualScale)
    y = panel.y.range ?? up.padded(panel.hasEqualScale ? room : 0.06, beyondZero: panel.hasEqualScale)

    (series, events) = Self.legend(of: panel)
  }

  /// Takes areas in, up to as much again as is shown without them to either side; all of them where that is a point.
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
      let look = line.look ?? index
      add(line.name, line.tone.map { .tone($0) } ?? .line(look: look, hasBand: line.band != nil), to: &series)
    }
    for area in panel.areas {
      add(area.name, .area(look: area.look, isOutlined: area.isOutlined), to: &series)
    }
    for (index, points) in panel.points.enumerated() {
      let look = points.look ?? index
      add(
        points.name,
        points.weight == .marks ? .mark(look: look) : .dot(look: look, isFaint: points.weight == .faint),
        to: &series)
    }
    for (index, shade) in panel.shades.enumerated() { add(shade.name, .shade(look: shade.look ?? index), to: &events) }
    for marks in panel.marks { add(marks.name, .places, to: &events) }
    return (series, events)
  }

  private static func isSeen(_ x: Double, in axis: Figure.Axis) -> Bool { axis.range?.contains(x) ?? true }
}
