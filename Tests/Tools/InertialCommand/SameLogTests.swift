import Testing

/// Compares a log by its path, through a pipe and in a batch.
@Suite struct SameLogTests {
  private let runner = try! CommandRunner()

  /// The wide CSV of SensorLog for a device at rest.
  static var sensorLog: String {
    let header =
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),"
      + "accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),"
      + "gyroRotationY(rad/s),gyroRotationZ(rad/s)\n"
    let rows = (0..<300).map { row in
      let time = String(format: "%.2f", 1000 + Double(row) / 100)
      return "2024-08-22T14:12:07.750+02:00,\(time),0.01,0.02,-1,\(time),0.001,0,0.002\n"
    }
    return header + rows.joined()
  }

  @Test("a SensorLog log has the same sign of gravity through a pipe, byte for byte")
  func pipe() throws {
    try runner.write(Self.sensorLog, to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "path.csv")
    try runner.check("fuse", "-", "-o", "pipe.csv", input: Self.sensorLog)
    let path = try runner.read("path.csv")
    #expect(try runner.read("pipe.csv") == path)
    let last = try #require(path.split(separator: "\n").last).split(separator: ",", omittingEmptySubsequences: false)
    #expect(try (Double(last[10]) ?? 0) < -0.99 && runner.files() == ["log.csv", "path.csv", "pipe.csv"])
  }

  @Test("a batch lists every skipped log, on standard error and in the manifest, and exits with 1")
  func batch() throws {
    let log = CanonicalLog.text()
    try runner.write(log, to: "logs/good.csv")
    try runner.write(log.replacing("accelerationX", with: "acelerationX"), to: "logs/typo.csv")
    try runner.write(log.split(separator: "\n").dropFirst().joined(separator: "\n"), to: "logs/headerless.csv")
    try runner.write("", to: "logs/empty.csv")
    let wide: [UInt8] = [0xFF, 0xFE] + log.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data(wide).write(to: runner.folder.appendingPathComponent("logs/wide.csv"))
    try runner.write("start,end,label\n0,1,walking\n", to: "logs/labels.csv")
    try runner.write("These are the logs.\n", to: "logs/README.md")
    let result = try runner.check("fuse", "logs", "-o", "sets", status: 1)
    let dropped = ["empty.csv", "headerless.csv", "typo.csv"]
    let errors = result.errorLines.filter { $0.hasPrefix("error: ") }
    try #require(errors.count == 3, "\(result.errors)")
    for (name, line) in zip(dropped, errors) { #expect(line.hasPrefix("error: logs/\(name)"), "\(line)") }
    let manifest = try runner.read("sets/inertial-manifest.json")
    for name in dropped + ["good.csv", "wide.csv"] { #expect(manifest.contains("\"input\" : \"logs/\(name)\"")) }
    #expect(manifest.split(separator: "\n").count { $0.contains("\"failure\"") } == 3)
    #expect(try runner.files(in: "sets") == ["good.csv.fused.csv", "inertial-manifest.json", "wide.csv.fused.csv"])
    // A folder with only labels is not a failure.
    for name in dropped { try runner.remove("logs/" + name) }
    try runner.check("fuse", "logs", "-o", "sets", "--force")
  }

  @Test("evaluate-events accepts patterns, and lists the skipped files")
  func patterns() throws {
    for name in ["a1.csv", "a2.csv", "b1.csv"] { try runner.write(CanonicalLog.text(), to: name) }
    try runner.check("evaluate-events", "--task", "shake", "a*.csv", "--json", output: "\"logs\" : 2")
  }

  @Test(
    "an output extension without a format is a usage error, unless a format is given", arguments: ["fuse", "convert"])
  func endings(command: String) throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    for name in ["out.arrow", "out.xlsx", "out.csv.gz", "OUT.Feather"] {
      try runner.check(command, "log.csv", "-o", name, status: 2, errors: "cannot be written; use", "--format csv")
    }
    #expect(try runner.files() == ["log.csv"])
    for name in ["out", "2024.05.17", "run.2024-05", "a.csv"] { try runner.check(command, "log.csv", "-o", name) }
    try runner.check(command, "log.csv", "-o", "table.txt", "--format", "csv")
  }
}
