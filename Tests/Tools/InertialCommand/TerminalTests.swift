import InertialSystem
import Testing

@testable import InertialCommand

@Suite("Text output of results") struct PageTests {
  private func page(_ environment: [String: String] = [:], isTerminal: Bool = true, columns: Int? = 120) -> Page {
    .of(environment: environment, isTerminal: isTerminal, columns: columns)
  }

  @Test("a terminal has a width and colours; NO_COLOR disables the colours, and TERM=dumb both")
  func kinds() {
    #expect(page() == Page(isTerminal: true, width: 120, hasColour: true))
    #expect(page(["NO_COLOR": "1"]) == Page(isTerminal: true, width: 120, hasColour: false))
    #expect(page(["NO_COLOR": ""]).hasColour && page(["TERM": "dumb"]) == Page() && page(isTerminal: false) == Page())
    #expect(page(["COLUMNS": "70"], columns: nil).width == 70 && page(["COLUMNS": "many"], columns: nil).width == 80)
    #expect(page(columns: 3).width == 20)
  }

  @Test("control characters and bidirectional characters are removed")
  func cleaned() {
    #expect("a\u{1B}[2Jb\u{7F}c\u{9B}d\u{202E}e".withoutControls() == "a?[2Jb?c?d?e")
    #expect("one\ttwo\nthree µ° 漢".withoutControls() == "one\ttwo\nthree µ° 漢")
  }

  @Test("in plain text a column has a fixed width, regardless of its rows")
  func plainTable() {
    var table = TextTable([.init("name", 6, isLeft: true), .init("value", 8)])
    table.add("a", "1.5")
    table.add("longer than that", "2")
    table.remark("  a remark")
    let lines = table.lines(on: Page()).map(\.text)
    #expect(lines == ["name      value", "a           1.5", "longer than that        2", "  a remark"])
  }

  @Test("on a terminal columns have the width of their cells, and wrap at the width of the terminal")
  func terminalTable() {
    var table = TextTable([.init("name", 26, isLeft: true)] + (1...8).map { .init("column\($0)", 10) })
    table.add(["gyroscope"] + (1...8).map { "\($0 * 1000)" })
    let wide = table.lines(on: Page(isTerminal: true, width: 120))
    #expect(wide.count == 2 && wide[0].isHeader && !wide[1].isHeader)
    let narrow = table.lines(on: Page(isTerminal: true, width: 40))
    #expect(narrow.allSatisfy { $0.text.count <= 40 })
    for number in 1...8 { #expect(narrow.contains { $0.text.contains("column\(number)") }) }
    // Each part has the titles and row names.
    #expect(narrow.count { $0.text.hasPrefix("gyroscope") } == narrow.count { $0.isHeader })
  }

  @Test("a wide table repeats all columns of text, so that each part names its rows")
  func namedParts() {
    var table = TextTable(
      [.init("recording", 9, isLeft: true), .init("filter", 18, isLeft: true)]
        + (1...8).map { .init("column\($0)", 10) })
    for filter in ["vqf", "kalman"] { table.add(["log.csv", filter] + (1...8).map { "\($0 * 1000)" }) }
    let lines = table.lines(on: Page(isTerminal: true, width: 50)).map(\.text)
    #expect(lines.allSatisfy { $0.count <= 50 } && lines.count { $0.hasPrefix("log.csv    kalman") } > 1)
    #expect(lines.count { $0.contains("vqf") } == lines.count { $0.contains("kalman") })
  }

  @Test("in the locales C and POSIX the command's symbols are ASCII, and names of files stay")
  func ascii() {
    for environment in [["LC_ALL": "C"], ["LC_ALL": "", "LANG": "POSIX"], ["LC_CTYPE": "C", "LANG": "de_DE.UTF-8"]] {
      let ascii = page(environment)
      #expect(ascii.isASCII && ascii.shown("█▌░ 3.5° ± 2 µT 漢.csv") == "##. 3.5deg +- 2 uT 漢.csv")
      #expect(page(environment, isTerminal: false).isASCII)
    }
    for environment in [[:], ["LC_ALL": "C.UTF-8", "LANG": "C"], ["LC_ALL": "", "LANG": "de_DE.UTF-8"]] {
      #expect(!page(environment).isASCII && page(environment).shown("█ 3°") == "█ 3°")
    }
  }

  @Test("a strip has marks at the given times, also at its ends")
  func strip() {
    let times: [(Double, Double)] = [(10, 10), (15, 16.9), (20, 20), (99, 99)]
    let marks = times.map { ($0.0, $0.1, Character("█")) }
    #expect(timeline(from: 10, to: 20, width: 10, marks: marks) == "█····██··█")
    #expect(timeline(from: 5, to: 5, width: 3, marks: []) == "···")
  }

  @Test("a sparkline ranges from the lowest to the highest value, and a bar has the length of its fraction")
  func pictures() {
    #expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], width: 8) == "▁▂▃▄▅▆▇█")
    #expect(sparkline([0, .nan, 1], width: 3) == "▁ █")
    #expect(sparkline([0, 5, 0, 5], width: 2) == "██" || sparkline([0, 5, 0, 5], width: 2) == "▁▁")
    #expect(sparkline([], width: 5) == "" && sparkline([.nan], width: 5) == "")
    #expect(sparkline([3, 3], width: 2).count == 2 && sparkline([-1e308, 1e308], width: 2) == "▁█")
    #expect(bar(5, of: 10, width: 10) == "█████" && bar(10, of: 10, width: 3) == "███")
    #expect(bar(1, of: 16, width: 1) == "▏" && bar(0, of: 1, width: 5) == "" && bar(.nan, of: 1, width: 5) == "")
  }

  @Test("a progress bar is one line of a terminal, for any width and any title", arguments: [20, 40, 80, 200])
  func progress(width: Int) {
    let bar = ProgressBar(String(repeating: "folder/", count: 30) + "walk\u{1B}[2J.csv")
    for fraction in [0, 0.005, 0.5, 1] {
      let line = bar.line(fraction, width: width)
      #expect(line.count < width, "\(line)")
      #expect(!line.contains("\u{1B}"))
    }
    #expect(
      ProgressBar("walk.csv").line(0.5, width: 80) == "walk.csv " + String(repeating: "█", count: 15)
        + String(repeating: "░", count: 15) + " 50 %")
  }
}

@Suite("The command on a terminal") struct TerminalTests {
  private let runner = try! CommandRunner()

  private func walk() throws { try runner.simulate("walk", to: "walk", "--duration", "12") }

  @Test("inspect prints colours and a strip per channel, within the terminal's width")
  func inspect() throws {
    try walk()
    let result = try runner.runOnTerminal(["inspect", "walk/log.csv"], columns: 72)
    #expect(result.status == 0)
    #expect(result.shown.contains("\u{1B}[1m") && result.shown.contains("gyroscope") && result.shown.contains("█"))
    let bare = try runner.runOnTerminal(["inspect", "walk/log.csv"], columns: 72, environment: ["NO_COLOR": "1"])
    #expect(!Self.withoutProgress(bare.shown).contains("\u{1B}"))
    let rows = Self.withoutProgress(bare.shown).split(separator: "\n").filter {
      $0.contains("  ") && !$0.hasPrefix(" ")
    }
    #expect(rows.allSatisfy { $0.count <= 72 }, "\(rows.filter { $0.count > 72 })")
  }

  /// The remains of a cleared progress bar.
  private static func withoutProgress(_ text: String) -> String {
    guard let last = text.range(of: "\r\u{1B}[K", options: .backwards) else { return text }
    return String(text[last.upperBound...])
  }

  @Test("a pipe and TERM=dumb give the same plain text", arguments: ["inspect", "steps", "activity", "shake"])
  func plain(subcommand: String) throws {
    try walk()
    let piped = try runner.run(subcommand, "walk/log.csv")
    let dumb = try runner.runOnTerminal([subcommand, "walk/log.csv"], columns: 50, environment: ["TERM": "dumb"])
    #expect(!piped.output.contains("\u{1B}"))
    // The terminal combines both outputs; the other one has no messages.
    #expect(dumb.shown.hasSuffix(piped.output) && !dumb.shown.contains("\u{1B}") && !dumb.shown.contains("\r"))
  }

  @Test("steps and shakes are as wide as the terminal", arguments: [60, 140])
  func width(columns: UInt16) throws {
    try walk()
    for subcommand in ["steps", "shake", "activity"] {
      let command = [subcommand, "walk/log.csv"]
      let shown = try runner.runOnTerminal(command, columns: columns, environment: ["NO_COLOR": "1"]).shown
      let strips = Self.withoutProgress(shown).split(separator: "\n").filter { $0.contains("█") || $0.contains("··") }
      #expect(!strips.isEmpty && strips.allSatisfy { $0.count <= Int(columns) }, "\(shown)")
    }
  }

  @Test("evaluate prints the errors of filters as bars")
  func evaluate() throws {
    try walk()
    let arguments = [
      "evaluate", "walk/log.csv", "--reference", "walk/truth.csv", "--reference-frame", "nwu", "--filters",
      "mahony,madgwick", "--no-cost",
    ]
    let shown = try runner.runOnTerminal(arguments).shown
    #expect(shown.contains("total error, degrees") && shown.contains("█"))
    #expect(try !runner.run(arguments).output.contains("█"))
  }

  @Test("a log's name cannot move the cursor")
  func hostileName() throws {
    try walk()
    let name = "walk\u{1B}]0;owned\u{7}.csv"
    try FileManager.default.copyItem(
      at: runner.folder.appendingPathComponent("walk/log.csv"), to: runner.folder.appendingPathComponent(name))
    for subcommand in ["inspect", "shake", "steps", "activity"] {
      let result = try runner.runOnTerminal([subcommand, name], environment: ["NO_COLOR": "1"])
      #expect(!result.shown.contains("\u{1B}]") && !result.shown.contains("\u{7}"), "\(subcommand)")
      #expect(result.shown.contains("walk?]0;owned?.csv"), "\(subcommand)")
      #expect(try !runner.run(subcommand, name).output.contains("\u{1B}"))
    }
    let refused = try runner.runOnTerminal(["fuse", "none\u{1B}[2J.csv"])
    #expect(refused.status != 0 && !refused.shown.contains("\u{1B}[2J"))
  }
}
