import Foundation
import InertialNumerics
import Testing

@testable import InertialFigures

@Suite("Figures") struct FigureTests {
  static let times = (0..<2000).map { Double($0) / 100 }

  /// Two lines with a band and a gap, a shade, marks, and points with labels below.
  static var sample: Figure {
    var panel = Figure.Panel(x: "Time (s)", y: "Heading (°)")
    panel.lines = [
      Figure.Line("kalman", x: times, y: times.map { 20 * sin($0) }),
      Figure.Line("vqf", x: times, y: times.map { (5...6).contains($0) ? .nan : 15 * cos($0) }),
    ]
    panel.lines[0].band = (lower: times.map { 20 * sin($0) - 3 }, upper: times.map { 20 * sin($0) + 3 })
    panel.shades = [Figure.Shade("at rest", [1...2, 8...9]), Figure.Shade("disturbance", [4...7])]
    panel.marks = [Figure.Marks("step", [2.5, 3, 3.5])]
    var costs = Figure.Panel(x: Figure.Axis("Cost (ns)", isLogarithmic: true), y: Figure.Axis("Error (°)"))
    costs.points = [
      Figure.Points("", x: [20, 200, 210, 4000], y: [3, 2, 2.01, 1], labels: ["mahony", "vqf", "madgwick", "kalman"])
    ]
    return Figure([panel, costs])
  }

  /// A panel with a line.
  private func panel(_ line: Figure.Line) -> Figure.Panel {
    var panel = Figure.Panel(x: "x", y: "y")
    panel.lines = [line]
    return panel
  }

  /// The parts in which a line is drawn.
  private func parts(_ line: Figure.Line) throws -> [[Point]] {
    let data = try #require(Figure([panel(line)]).drawing.groups.first { $0.clip != nil })
    guard case .lines(let parts, _) = try #require(data.shapes.last) else { return [] }
    return parts
  }

  @Test("are well-formed XML that contains every word", arguments: [false, true])
  func wellFormed(isGreyscale: Bool) {
    var figure = Self.sample
    figure.style.isGreyscale = isGreyscale
    figure.panels[0].areas = [Figure.Area("likely", [[(0, 0), (1, 0), (0, 1)]], styleIndex: 6)]
    figure.panels[0].points = [Figure.Points("fix", x: [1], y: [1])]
    let check = XMLCheck(figure.svg)
    #expect(check.problem == nil)
    for word in [
      "kalman", "vqf", "likely", "fix", "at rest", "disturbance", "step", "Time (s)", "Heading (°)", "mahony",
      "madgwick", "103",
    ] { #expect(check.words.contains(word), "\(word) is not among \(check.words)") }
  }

  @Test(
    "keep hostile names words",
    arguments: [
      "<script>alert(1)</script>", "a & b < c > d \"e\"", "]]>", "\u{1B}[31mred\u{7}", "line\nline", "\u{202E}evil",
      "\u{0}nul", "漢字", "&amp;", String(repeating: "long ", count: 200),
    ])
  func hostile(name: String) throws {
    var figure = Self.sample
    figure.panels[0].lines[0].name = name
    figure.panels[0].areas = [Figure.Area(name, [[(0, 0), (1, 0), (0, 1)]], styleIndex: 6)]
    figure.panels[0].points = [Figure.Points(name, x: [1], y: [1])]
    (figure.panels[0].title, figure.panels[0].x.label, figure.panels[1].y.label) = (name, name, name)
    figure.panels[1].points[0].labels[0] = name
    figure.description = name
    let check = XMLCheck(figure.svg)
    #expect(check.problem == nil && !check.elements.contains("script"))
    #expect(!figure.svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    for format in Figure.Format.allCases { #expect(try !figure.bytes(as: format).isEmpty) }
    #expect(check.words.contains(PlotText.cleaned(name)))
  }

  @Test("put nothing outside of the page, and no words over words", arguments: [60.0, 89, 183], [6.0, 8, 14])
  func page(width: Double, size: Double) {
    var figure = Self.sample
    (figure.style.width, figure.style.fontSize) = (width, size)
    let drawing = figure.drawing
    var boxes: [(text: String, box: Box)] = []
    for case .text(let text, let at, let size, let anchor, let isTurned, _) in drawing.groups.flatMap(\.shapes) {
      let width = PlotText(text).width(size: size)
      let back = anchor == .start ? 0 : anchor == .middle ? width / 2 : width
      let box =
        isTurned
        ? Box(left: at.x - 0.72 * size, top: at.y + back - width, right: at.x, bottom: at.y + back)
        : Box(left: at.x - back, top: at.y - 0.72 * size, right: at.x - back + width, bottom: at.y)
      #expect(box.left >= 0 && box.right <= drawing.width, "\(text): \(box), \(drawing.width)")
      #expect(box.top >= 0 && box.bottom <= drawing.height, "\(text): \(box), \(drawing.height)")
      for other in boxes { #expect(!box.overlaps(other.box), "\(text) over \(other.text)") }
      boxes.append((text, box))
    }
    #expect(abs(drawing.width - width * 72 / 25.4) < 1e-9)
  }

  @Test("have the requested height")
  func height() {
    var figure = Self.sample
    figure.style.height = 120
    #expect(abs(figure.drawing.height - 120 * 72 / 25.4) < 0.01)
  }

  @Test("break a line at missing numbers, and draw a single point as a dot")
  func gaps() throws {
    let drawn = try parts(Figure.Line("", x: [0, 1, 2, 3, 4, 5, 6], y: [0, 1, .nan, 5, .infinity, 3, 4]))
    // From 0 to 1, the dot at 3, from 5 to 6.
    #expect(drawn.map(\.count) == [2, 2, 2] && drawn.contains { $0[0] == $0[1] })
  }

  @Test("break a line at a long pause, and where an angle wraps")
  func breaks() throws {
    func partCount(_ change: (inout Figure.Line) -> Void) throws -> Int {
      var line = Figure.Line("", x: [0, 1, 2, 9, 10], y: [350, 359, 2, 10, 20])
      change(&line)
      return try parts(line).count
    }
    #expect(try partCount { _ in } == 1 && partCount { $0.maximumGap = 5 } == 2)
    #expect(try partCount { $0.period = 360 } == 2 && partCount { ($0.maximumGap, $0.period) = (5, 360) } == 3)
  }

  @Test("of a million samples are small, and show the highest and the lowest of them")
  func million() throws {
    var random = SeededGenerator(seed: 1)
    var values = (0..<1_000_000).map { _ in random.uniform() }
    (values[123_456], values[765_432]) = (3, -2)
    var panel = Figure.Panel(x: "Time (s)", y: "Value (g)")
    let times = (0..<1_000_000).map { Double($0) / 100 }
    panel.lines = [Figure.Line("x", x: times, y: values), Figure.Line("y", x: times, y: values.map { -$0 })]
    panel.lines[0].band = (lower: values.map { $0 - 0.1 }, upper: values.map { $0 + 0.1 })
    var figure = Figure([panel, panel])
    figure.style.width = 183
    let svg = figure.svg
    #expect(svg.utf8.count < 1_000_000, "\(svg.utf8.count) bytes")
    #expect(try figure.bytes(as: .pdf).count < 1_000_000)
    print("1,000,000 samples of two lines and a band, two panels of 183 mm: SVG \(svg.utf8.count) bytes")
    let group = try #require(figure.drawing.groups.first { $0.clip != nil })
    let box = try #require(group.clip)
    var (top, bottom) = (Double.infinity, -Double.infinity)
    for case .lines(let parts, _) in group.shapes {
      for point in parts.joined() { (top, bottom) = (min(top, point.y), max(bottom, point.y)) }
    }
    // Room of 6 % on either side.
    #expect(top - box.top < 0.1 * box.height && box.bottom - bottom < 0.1 * box.height)
  }

  @Test("a PNG that would not fit into memory is refused, with what to do; as PDF the same figure is written")
  func tooLarge() throws {
    var figure = Self.sample
    (figure.style.width, figure.style.height, figure.style.dotsPerInch) = (1000, 2000, 2400)
    let error = try #require(throws: (any Error).self) { _ = try figure.bytes(as: .png) }
    #expect("\(error)".contains("million pixels") && "\(error)".contains("fewer pixels per inch"))
    #expect(try figure.bytes(as: .pdf).starts(with: Array("%PDF".utf8)))
  }

  @Test("are identical bytes each time", arguments: Figure.Format.allCases)
  func deterministic(format: Figure.Format) throws {
    #expect(try Self.sample.bytes(as: format) == Self.sample.bytes(as: format))
  }

  @Test("of nothing, and of numbers at the ends of what there is, are still figures")
  func nasty() throws {
    for numbers in [
      [], [.nan], [0], [1e300, -1e300], [1e-300, 2e-300], [.greatestFiniteMagnitude, 0], [.leastNonzeroMagnitude],
    ] as [[Double]] {
      for isLogarithmic in [false, true] {
        var panel = Figure.Panel(
          x: Figure.Axis("x", isLogarithmic: isLogarithmic), y: Figure.Axis("y", isLogarithmic: isLogarithmic))
        panel.lines = [Figure.Line("line", x: numbers, y: numbers)]
        panel.points = [Figure.Points("points", x: numbers, y: numbers, labels: numbers.map { "\($0)" })]
        let figure = Figure([panel])
        #expect(XMLCheck(figure.svg).problem == nil, "\(numbers)")
        #expect(!figure.svg.contains("nan") && !figure.svg.contains("inf"), "\(numbers)")
        #expect(try !figure.bytes(as: .png).isEmpty)
      }
    }
    #expect(XMLCheck(Figure([]).svg).problem == nil)
  }

  @Test("tell lines apart without colour: no two neighbours have the same stroke or the same lightness")
  func looks() {
    for isGrey in [false, true] {
      for index in 0..<6 {
        let lumas = [index, index + 1].map { SeriesStyle.colour($0, isGrey: isGrey).luma }
        #expect(abs(lumas[0] - lumas[1]) > 0.08, "\(index), \(isGrey)")
        #expect(SeriesStyle.dash(index, width: 1) != SeriesStyle.dash(index + 1, width: 1))
      }
    }
    #expect(
      (0..<7).map { SeriesStyle.colour($0, isGrey: true) }.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
  }

  @Test("do not dash a line that goes up and down like noise, and dash a quiet one")
  func restless() {
    func dash(_ y: [Double]) -> [Double] {
      let figure = Figure([panel(Figure.Line("line", x: Self.times, y: y, styleIndex: 1))])
      for case .lines(_, let stroke) in figure.drawing.groups[0].shapes { return stroke.dash }
      return []
    }
    var random = SeededGenerator(seed: 5)
    #expect(dash(Self.times.map { _ in random.uniform() }).isEmpty && !dash(Self.times.map { sin($0) }).isEmpty)
  }

  @Test("share numbers below where the words below are the same")
  func shared() {
    var upper = Figure.Panel(x: "Time (s)", y: "a")
    upper.lines = [Figure.Line("", x: [0, 1], y: [0, 1])]
    var lower = upper
    lower.lines[0].x = [5, 9]
    var other = upper
    other.x.label = "Cost (ns)"
    let words = XMLCheck(Figure([upper, lower, other]).svg).words
    #expect(words.count { $0 == "Time (s)" } == 1 && words.count { $0 == "Cost (ns)" } == 1)
  }

  @Test("of values tell their distribution")
  func distribution() {
    let line = Figure.Line.cumulative("", of: [3, 1, 2, 2, .nan])
    #expect(line.x == [1, 1, 2, 3] && line.y == [0, 0.25, 0.75, 1])
    #expect(Figure.Line.cumulative("", of: []).x.isEmpty)
    let bins = Figure.Line.histogram("", of: [0, 0.1, 0.9, 1, .infinity], bins: 2)
    #expect(bins.x == [0, 0, 0.5, 0.5, 1, 1] && bins.y == [0, 2, 2, 2, 2, 0])
    let density = Figure.Line.histogram("", of: (0..<1000).map { Double($0) }, isDensity: true)
    let area = zip(density.x.indices, density.x.indices.dropFirst()).reduce(0) {
      $0 + (density.x[$1.1] - density.x[$1.0]) * density.y[$1.0]
    }
    #expect(abs(area - 1) < 1e-9)
    #expect(!Figure.Line.histogram("", of: [5, 5, 5]).x.isEmpty)
  }
}
