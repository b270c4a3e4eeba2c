import Testing

@Suite("Implausible timestamps") struct ImplausibleTimestampTests {
  @Test(
    "a row with an implausible timestamp does not prevent any command from finishing",
    arguments: ["9223372036854775807", "1e15", "-1e15", "1e300", "-1e300", "4e-320", "9e12", "4e9"],
    [
      ["inspect"], ["activity"], ["steps"], ["shake"], ["fuse", "-o", "-"],
      ["fuse", "-o", "-", "--rate", "50", "--gaps", "hold"],
    ])
  func ends(_ time: String, _ command: [String]) throws {
    let runner = try CommandRunner()
    for index in [1, 150, 299, 300] {
      var rows = CanonicalLog.text(300).split(separator: "\n").map(String.init)
      for row in index...min(index + 1, 300) { rows[row] = time + rows[row].drop { $0 != "," } }
      try runner.write(rows.joined(separator: "\n") + "\n", to: "log.csv")
      let end = try runner.shell("timeout -s KILL 60 \"$@\"", [command[0], "log.csv"] + command.dropFirst())
      #expect(end.signal == nil, "row \(index): \(end.signal ?? 0)")
    }
  }
}
