import Testing

@Suite("inertial plot") struct PlotCommandTests {
  private let runner = try! CommandRunner()

  init() throws { try runner.simulate("walk", to: "walk", "--duration", "12") }

  private struct Document: Decodable {
    struct Panel: Decodable, Equatable {
      var x, y: String
      var series: [String]
    }

    var output: String
    var panels: [Panel]
    var samples: Int
    var timeOrigin: Double
    var notes: [String]
  }

  private func plot(_ arguments: String...) throws -> Document { try plot(arguments) }

  private func plot(_ arguments: [String]) throws -> Document {
    try runner.check(["plot"] + arguments + ["--json", "--force"]).decoded()
  }

  /// Checks that a plot is refused in one line.
  private func fails(_ arguments: String..., status: Int32, words: String) throws {
    #expect(try runner.check(["plot"] + arguments, status: status, errors: words, lines: 1).output.isEmpty)
  }

  private func failure(_ arguments: String...) throws -> (status: Int32, lines: [String]) {
    let result = try runner.run(["plot"] + arguments)
    #expect(result.output.isEmpty)
    return (result.status, result.errorLines)
  }

  @Test("the attitude of a log is plotted next to it, in degrees, with one panel for three angles")
  func attitude() throws {
    let document = try plot("walk/log.csv")
    #expect(document.output == "walk/log.csv.plot.svg")
    #expect(document.panels == [.init(x: "Time (s)", y: "Attitude (°)", series: ["roll", "pitch", "yaw"])])
    let svg = try runner.read("walk/log.csv.plot.svg")
    #expect(svg.contains(">roll</text>") && svg.contains("Attitude (°)"))
    // kalman has standard deviations, shown as a band.
    #expect(try svg.contains("fill-opacity") && plot("walk/log.csv", "--sigma", "0").samples == document.samples)
    #expect(try !runner.read("walk/log.csv.plot.svg").contains("fill-opacity"))
    #expect(try plot("walk/log.csv", "--radians").panels[0].y == "Attitude (rad)")
  }

  @Test("the output's name determines the format, the page options its size", arguments: ["svg", "pdf", "png"])
  func formats(ending: String) throws {
    let words = [
      "walk/log.csv", "--quantity", "userAcceleration,yaw", "-o", "figure." + ending, "--width", "120", "--greyscale",
      "--frame", "xMagneticNorthZVertical", "--mark", "rest,steps,shake",
    ]
    // Only a PNG has pixels.
    let dense = try runner.run(["plot"] + words + ["--dpi", "100", "--force"])
    #expect(dense.status == (ending == "png" ? 0 : 2), "\(dense.errors)")
    let document = try plot(words + (ending == "png" ? ["--dpi", "100"] : []))
    #expect(document.panels.map(\.y) == ["User acceleration (g)", "Yaw (°)"])
    let data = try Data(contentsOf: runner.folder.appendingPathComponent("figure." + ending))
    let head = ["svg": "<?xml", "pdf": "%PDF-", "png": "\u{89}PNG"][ending]!
    #expect(data.starts(with: head.unicodeScalars.map { UInt8($0.value) }))
    guard ending == "svg" else { return }
    let again = try runner.run(
      "plot", "walk/log.csv", "--quantity", "userAcceleration,yaw", "-o", "-", "--format", ending, "--width", "120",
      "--greyscale", "--frame", "xMagneticNorthZVertical", "--mark", "rest,steps,shake")
    #expect(again.status == 0 && Data(again.output.utf8) == data)
  }

  @Test("each of several filters has a line, and each angle has a panel")
  func filters() throws {
    let document = try plot(
      "walk/log.csv", "--quantity", "attitude", "--filters", "kalman,mahony,madgwick", "-o", "f.svg")
    #expect(document.panels.map(\.y) == ["Roll (°)", "Pitch (°)", "Yaw (°)"])
    #expect(document.panels.allSatisfy { $0.series == ["kalman", "mahony", "madgwick"] })
  }

  @Test("raw channels are plotted at their own times, under either name")
  func channels() throws {
    let document = try plot("walk/log.csv", "--quantity", "accelerometer,rawRotationRate,magnetometer", "-o", "r.svg")
    #expect(document.panels.map(\.y) == ["Raw acceleration (g)", "Raw rotation rate (°/s)", "Raw magnetic field (µT)"])
    #expect(document.panels.allSatisfy { $0.series == ["x", "y", "z"] })
    try fails("walk/log.csv", "--quantity", "barometer", "-o", "b.svg", status: 1, words: "inertial inspect")
  }

  @Test("dataset columns are plotted unchanged, and fused again if a filter is named")
  func dataset() throws {
    try runner.check("fuse", "walk/log.csv", "-o", "walk.fused.csv", "--header-units")
    let document = try plot("walk.fused.csv", "--quantity", "gravity,rotationRateX", "-o", "d.svg")
    #expect(document.panels.map(\.y) == ["Gravity (g)", "Rotation rate x (°/s)"])
    #expect(document.notes.contains { $0.contains("drawn unchanged") })
    try fails("walk.fused.csv", "--quantity", "shakeProbability", "-o", "n.svg", status: 1, words: "shakeProbability")
    #expect(try plot("walk.fused.csv", "--quantity", "gravity", "--filters", "mahony", "-o", "m.svg").notes.isEmpty)
  }

  @Test("errors against a reference are plotted over time, as a distribution, and against cost")
  func errors() throws {
    let reference = ["--reference", "walk/truth.csv", "--reference-frame", "nwu"]
    let one = try plot(["walk/log.csv", "--quantity", "error", "-o", "e.svg"] + reference)
    #expect(one.panels == [.init(x: "Time (s)", y: "Error (°)", series: ["total", "heading", "inclination"])])
    let quantities = ["--quantity", "headingError,errorDistribution,accuracy", "--filters", "mahony,madgwick"]
    let several = try plot(["walk/log.csv", "-o", "s.svg"] + quantities + reference)
    #expect(several.panels.map(\.y) == ["Heading error (°)", "Fraction of samples", "RMS error (°)"])
    #expect(several.panels.allSatisfy { $0.series == ["mahony", "madgwick"] })
    try fails("walk/log.csv", "--quantity", "error", "-o", "x.svg", status: 1, words: "--reference")
    let arbitrary = ["plot", "walk/log.csv", "--quantity", "error", "--frame", "xArbitraryZVertical", "-o", "y.svg"]
    #expect(try runner.check(arbitrary + reference, status: 2, errors: "--align yaw").output.isEmpty)
  }

  @Test("only the interval between two times is plotted, and an empty interval is an error")
  func times() throws {
    _ = try plot("walk/log.csv", "--from", "2", "--to", "4.5", "-o", "t.svg")
    let svg = try runner.read("t.svg")
    #expect(svg.contains(">2.0</text>") || svg.contains(">2</text>"))
    #expect(!svg.contains(">6</text>") && !svg.contains(">6.0</text>"))
    try fails("walk/log.csv", "--from", "100", "-o", "u.svg", status: 2, words: "--from")
  }

  @Test("a log with dates as timestamps is plotted from its first sample")
  func dates() throws {
    try runner.shiftTimes(of: "walk/log.csv", by: 1_716_900_000, to: "dated.csv")
    let document = try plot("dated.csv", "--quantity", "gravity", "-o", "dated.svg")
    #expect(document.timeOrigin > 1.7e9 && document.notes.contains { $0.contains("first sample") })
    #expect(try !runner.read("dated.svg").contains("17169"))
  }

  @Test("a usage error is one line with a remedy")
  func usage() throws {
    let unknown = try failure("walk/log.csv", "--quantity", "atitude")
    #expect(unknown.status == 2 && unknown.lines.count == 1)
    #expect(unknown.lines[0].contains("attitude") && unknown.lines[0].contains("inertial plot LOG --quantity"))
    #expect(try failure("walk/log.csv", "-o", "figure.jpg").status == 2)
    #expect(try failure("walk/log.csv", "--mark", "dance", "-o", "f.svg").lines[0].contains("shake"))
    #expect(try failure("walk/log.csv", "--filters", "vqf,vqf", "-o", "f.svg").lines[0].contains("twice"))
    #expect(try failure("none.csv", "-o", "f.svg").status == 1)
    _ = try plot("walk/log.csv", "-o", "f.svg")
    let there = try failure("walk/log.csv", "-o", "f.svg")
    #expect(there.status == 2 && there.lines[0].contains("--force"))
  }

  @Test("a quantity without values is an error, not an empty panel")
  func nothing() throws {
    let heading = try failure("walk/log.csv", "--quantity", "heading", "-o", "h.svg")
    #expect(heading.status == 1 && heading.lines.last?.contains("xMagneticNorthZVertical") == true)
    let sigma = try failure("walk/log.csv", "--quantity", "attitudeSigma", "--filters", "mahony", "-o", "h.svg")
    #expect(sigma.status == 1 && sigma.lines.last?.contains("inertial filters") == true)
  }

  @Test("standard input is accepted if one pass is sufficient")
  func standardInput() throws {
    let log = try runner.read("walk/log.csv")
    try runner.check("plot", "-", "--quantity", "gravity", "-o", "in.svg", input: log)
    let twice = try runner.run("plot", "-", "--filters", "vqf,mahony", "-o", "two.svg", input: log)
    #expect(twice.status == 2 && twice.errorLines[0].contains("save it to a file"))
  }

  @Test("a path is plotted from a log, with --on, and from the output of track")
  func path() throws {
    try runner.simulate("walk", to: "long", "--duration", "30")
    let direct = try plot("long/log.csv", "--quantity", "path,pathHeight", "--on", "hand", "-o", "p.svg")
    #expect(direct.panels.map(\.y) == ["Y (m)", "Height (m)"])
    #expect(direct.notes.contains { $0.contains("on hand (set by --on)") })
    #expect(direct.panels[0].series.suffix(2) == ["start", "end"])
    try runner.check("track", "long/log.csv", "-o", "path.csv", "--on", "hand")
    let dataset = try plot("path.csv", "--quantity", "path,pathHeight", "-o", "d.svg")
    #expect(dataset.panels.map(\.series) == direct.panels.map(\.series))
    let vehicle = try failure("long/log.csv", "--quantity", "path", "--on", "vehicle", "-o", "v.svg")
    #expect(vehicle.status == 1 && vehicle.lines.last?.contains("needs position fixes") == true)
    let log = try runner.read("long/log.csv")
    try runner.check(
      "plot", "-", "--quantity", "path", "--online", "-o", "s.svg", status: 2, errors: "--on foot, hand", input: log)
    try runner.check("plot", "-", "--quantity", "path", "-o", "s.svg", input: log)
  }
}
