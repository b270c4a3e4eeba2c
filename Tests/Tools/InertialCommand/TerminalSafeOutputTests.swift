import TestSupport
import Testing

@Suite("Terminal-safe output") struct TerminalSafeOutputTests {
  private let runner = try! CommandRunner()

  @Test("control characters and bidirectional characters in file names are not printed")
  func names() throws {
    for name in ["a\u{1B}[31mred.csv", "a\u{07}.csv", "a\u{202E}vsc.csv", "two\nlines.csv", "a\u{9B}2J.csv"] {
      let result = try runner.check("inspect", name, status: 1, lines: 1)
      #expect(isPlain(result.errors), "\(result.errors.debugDescription)")
    }
  }

  /// Whether a string has no control characters except line ends.
  private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar.properties.generalCategory != .control && ![0x202E, 0x2066].contains(scalar.value)
    }
  }

  @Test(
    "the names in a log reach standard output without control characters, as text and as JSON, from every command",
    arguments: [
      ["inspect", "LOG"], ["fuse", "LOG", "-o", "NAME.out.csv"], ["convert", "LOG", "-o", "NAME.raw.csv"],
      ["steps", "LOG"], ["activity", "LOG"], ["shake", "LOG"], ["altitude", "LOG"],
      ["evaluate", "LOG", "--reference", "TRUTH", "--reference-frame", "enu"], ["report", "LOG", "-o", "NAME.html"],
      ["plot", "LOG", "-o", "NAME.svg"], ["fuse", "FOLDER", "-o", "NAME.sets"],
      ["simulate", "walk", "-o", "NAME.sim", "--duration", "2"],
    ])
  func standardOutput(_ words: [String]) throws {
    // Red, a window title, a single-byte control sequence introducer, and two bidirectional characters.
    let name = "a\u{1B}[31m\u{1B}]0;b\u{07}\u{9B}2J\u{202E}\u{2066}c"
    try runner.makeFolder("\(name)")
    let truth = (0..<300).map { "\(Double($0) / 100),0,0,0,1" }
    try runner.write(
      "time,quaternionX,quaternionY,quaternionZ,quaternionW\n" + truth.joined(separator: "\n") + "\n",
      to: "truth\(name).csv")
    // An unknown column is reported by its name.
    var rows = CanonicalLog.text(300).split(separator: "\n").map { $0 + ",101.3,0" }
    rows[0] = rows[0].dropLast(8) + ",pressure,\(name)"
    try runner.write(rows.joined(separator: "\n") + "\n", to: "\(name)/\(name).csv")
    let places = ["LOG": "\(name)/\(name).csv", "FOLDER": name, "TRUTH": "truth\(name).csv"]
    let arguments = words.map { places[$0] ?? $0.replacing("NAME", with: name) }
    for isJSON in [false, true] {
      let result = try runner.run(arguments + (isJSON ? ["--json"] : []) + (words.contains("-o") ? ["--force"] : []))
      #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
      #expect(isPlain(result.output), "\(result.output.debugDescription)")
      #expect(isPlain(result.errors), "\(result.errors.debugDescription)")
      guard isJSON else { continue }
      // A script can find the file by the name in the JSON.
      let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      #expect(texts(document).contains { $0.contains(name) })
    }
  }

  /// All strings of a JSON document.
  private func texts(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let object as [String: Any]: object.values.flatMap(texts)
    default: []
    }
  }

  @Test("an error about a cell, a header or a path of 100,000 bytes is a line of some thousand bytes")
  func lengths() throws {
    let long = String(repeating: "x", count: 100_000)
    try runner.write(
      CanonicalLog.text(20) + String(repeating: "0.2,\(long),0,0,0,0,0,0,0,0\n", count: 9), to: "cell.csv")
    try runner.write("time,\(long)\n0,1\n", to: "header.csv")
    try runner.write("[{\"sensor\":\"\(long)\"", to: "word.json")
    for arguments in [
      ["inspect", "cell.csv"], ["inspect", "header.csv"], ["inspect", "word.json"], ["inspect", long],
    ] {
      let result = try runner.check(arguments, status: 1, lines: 1)
      #expect(result.errors.utf8.count < 4200, "\(result.errors.utf8.count) bytes")
    }
  }

  @Test("a folder without read permission is reported, and the other logs of the batch are fused", .needs(.nonroot))
  func nonrootFolder() throws {
    let locked = runner.path("logs/locked")
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: true)
    try runner.write(CanonicalLog.text(300), to: "logs/good.csv")
    #expect(chmod(locked, 0) == 0)
    defer { chmod(locked, 0o700) }
    try runner.check("fuse", "logs", "-o", "out", status: 1, errors: "logs/locked")
    #expect(try !runner.read("out/good.csv.fused.csv").isEmpty)
  }
}
