import Foundation
import Testing

@testable import InertialFigures

@Suite("Panels with equal scales") struct MapPanelTests {
  /// A panel from above, with a line along the sides of a box.
  private func panel(_ width: Double, _ height: Double, at corner: (x: Double, y: Double) = (0, 0)) -> Figure.Panel {
    var panel = Figure.Panel(x: "East (m)", y: "North (m)")
    panel.hasEqualScale = true
    var line = Figure.Line(
      "", x: [0, width, width, 0, 0].map { $0 + corner.x }, y: [0, 0, height, height, 0].map { $0 + corner.y })
    line.tone = 0.5
    panel.lines = [line]
    return panel
  }

  private func frame(_ figure: Figure, _ number: Int = 0) throws -> (box: Box, shapes: [Drawing.Shape]) {
    let group = figure.drawing.groups.filter { $0.clip != nil }[number]
    return (try #require(group.clip), group.shapes)
  }

  /// The corners of lines and areas.
  private func corners(_ shapes: [Drawing.Shape]) -> [Point] {
    shapes.flatMap { shape -> [Point] in
      switch shape {
      case .lines(let parts, _), .areas(let parts, _): parts.flatMap { $0 }
      case .text: []
      }
    }
  }

  /// The first line with a number of points.
  private func line(of count: Int, in shapes: [Drawing.Shape]) throws -> [Point] {
    for case .lines(let parts, _) in shapes where parts[0].count == count { return parts[0] }
    return try #require(nil as [Point]?, "there is no line of \(count) points")
  }

  private func range(_ values: [Double]) -> ClosedRange<Double> { values.min()!...values.max()! }

  private func span(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  @Test(
    "have a metre as long upwards as across, with any contents and page",
    arguments: [(100.0, 10.0), (10, 100), (30, 30), (1e-3, 2e-3), (5e6, 1e6)], [nil, 50.0, 200] as [Double?])
  func scale(size: (Double, Double), height: Double?) throws {
    var figure = Figure([panel(size.0, size.1, at: (7 * size.0, -3 * size.1))])
    figure.style.height = height
    let (box, shapes) = try frame(figure)
    let drawn = corners(shapes)
    let (x, y) = (range(drawn.map(\.x)), range(drawn.map(\.y)))
    #expect(abs(span(x) / size.0 / (span(y) / size.1) - 1) < 1e-6)
    // All of it is inside, with room around it, and the rest of one axis is filled.
    #expect(x.lowerBound > box.left && x.upperBound < box.right && y.lowerBound > box.top && y.upperBound < box.bottom)
    #expect(max(span(x) / box.width, span(y) / box.height) > 0.85)
    #expect(abs(x.lowerBound + x.upperBound - box.left - box.right) < 0.01)
    #expect(abs(y.lowerBound + y.upperBound - box.top - box.bottom) < 0.01)
    if let height { #expect(abs(figure.drawing.height - height * 72 / 25.4) < 1) }
  }

  @Test("are as high as their contents, from a third of their width to all of it")
  func shape() throws {
    func ratio(_ width: Double, _ height: Double) throws -> Double {
      let box = try frame(Figure([panel(width, height)])).box
      return box.height / box.width
    }
    let ratios = [try ratio(100, 10), try ratio(100, 60), try ratio(10, 100)]
    for (found, wanted) in zip(ratios, [1.0 / 3, 0.6, 1]) { #expect(abs(found - wanted) < 0.03, "\(ratios)") }
  }

  @Test("beside a panel over time leave that as it is, in line with it")
  func beside() throws {
    var over = Figure.Panel(x: "Time (s)", y: "Height (m)")
    over.lines = [Figure.Line("", x: [0, 60], y: [0, 1])]
    let figure = Figure([panel(50, 50), over])
    let (map, time) = (try frame(figure).box, try frame(figure, 1).box)
    #expect(map.left == time.left && map.right == time.right && abs(time.height - 30 * 72 / 25.4) < 1e-9)
  }

  @Test("show an outline in its place and size; one with an invalid number is not drawn")
  func areas() throws {
    var panel = panel(100, 60)
    let ellipse = (0..<72).map { corner -> (x: Double, y: Double) in
      let angle = 2 * Double.pi * Double(corner) / 72
      return (100 + 12 * cos(angle), 60 + 4 * sin(angle))
    }
    panel.areas = [Figure.Area("", [ellipse], styleIndex: 2, isOutlined: true)]
    let (_, shapes) = try frame(Figure([panel]))
    let (path, outline) = (try line(of: 5, in: shapes), try line(of: 73, in: shapes))
    // Points of paper to the metre.
    let scale = (path[1].x - path[0].x) / 100
    let (x, y) = (range(outline.map(\.x)), range(outline.map(\.y)))
    #expect(abs(span(x) / scale - 24) < 1e-6 && abs(span(y) / scale - 8) < 1e-6)
    let (across, up) = ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2)
    #expect(abs(across - path[2].x) < 1e-6 && abs(up - path[2].y) < 1e-6)

    for value in [Double.nan, .infinity, -.infinity] {
      panel.areas = [Figure.Area("likely", [ellipse + [(value, 0)], [(0, value)]], styleIndex: 6)]
      let figure = Figure([panel])
      #expect(!figure.svg.contains("nan") && !figure.svg.contains("inf"), "\(value)")
      #expect(try !frame(figure).shapes.contains { if case .areas = $0 { true } else { false } }, "\(value)")
    }
  }

  @Test("show an endless area up to the size of the other contents on each side")
  func endless() throws {
    var panel = panel(100, 60)
    panel.areas = [Figure.Area("", [[(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9)]], styleIndex: 6)]
    let (box, shapes) = try frame(Figure([panel]))
    let path = try line(of: 5, in: shapes)
    #expect(abs(box.width / (path[1].x - path[0].x) - 3.3) < 0.2)
  }

  @Test("of one place, of none, and of numbers that are not finite are drawn with valid numbers only")
  func few() throws {
    for points in [
      [], [(3.0, 4.0)], [(1e9, -1e9)], [(.nan, 2)], [(.infinity, .nan)], [(1e308, -1e308), (-1e308, 1e308)],
    ] as [[(Double, Double)]] {
      var panel = Figure.Panel(x: "East (m)", y: "North (m)")
      (panel.hasEqualScale, panel.hasGrid, panel.hasNorthArrow) = (true, true, true)
      panel.lines = [Figure.Line("path", x: points.map(\.0), y: points.map(\.1))]
      panel.points = [Figure.Points("end", x: points.map(\.0), y: points.map(\.1))]
      let svg = Figure([panel]).svg
      #expect(XMLCheck(svg).problem == nil && !svg.lowercased().contains("nan") && !svg.contains("inf"), "\(points)")
      for point in corners(Figure([panel]).drawing.groups.flatMap(\.shapes)) {
        #expect(point.x.isFinite && point.y.isFinite, "\(points)")
      }
    }
  }

  @Test("put the arrow to the north inside, away from the path")
  func north() throws {
    // Through all corners but that at the bottom left.
    var panel = panel(60, 60)
    panel.lines = [Figure.Line("", x: [0, 30, 60, 60], y: [60, 60, 60, 0])]
    panel.hasNorthArrow = true
    let drawing = Figure([panel]).drawing
    let box = try #require(drawing.groups[0].clip)
    var position: Point?
    for case .text("N", let at, _, _, _, _) in drawing.groups.flatMap(\.shapes) { position = at }
    let at = try #require(position)
    #expect(box.contains(at) && at.x < box.left + box.width / 3 && at.y > box.top + box.height / 2)
  }

  @Test("have tones that grow lighter from first to last, in colour and in grey", arguments: [false, true])
  func tones(isGrey: Bool) {
    let lumas = (0...10).map { SeriesStyle.tone(Double($0) / 10, isGrey: isGrey).luma }
    #expect(zip(lumas, lumas.dropFirst()).allSatisfy { $0 < $1 })
    #expect(SeriesStyle.tone(.nan, isGrey: isGrey) == SeriesStyle.tone(0, isGrey: isGrey) && lumas[10] < 0.66)
  }
}
