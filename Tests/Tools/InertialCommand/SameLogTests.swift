import Foundation
import Testing

/// Compares a log by its path, through a pipe and in a batch.
@Suite struct SameLogTests {
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
    let runner = try CommandRunner()
    try runner.write(Self.sensorLog, to: "log.csv")
    #expect(try runner.run("fuse", "log.csv", "-o", "path.csv").status == 0)
    #expect(try runner.run("fuse", "-", "-o", "pipe.csv", input: Self.sensorLog).status == 0)
    let path = try runner.read("path.csv")
    #expect(try runner.read("pipe.csv") == path)
    let last = try #require(path.split(separator: "\n").last).split(separator: ",", omittingEmptySubsequences: false)
    #expect((Double(last[10]) ?? 0) < -0.99)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: runner.folder.path).sorted() == [
        "log.csv", "path.csv", "pipe.csv",
      ])
  }

  @Test("a batch lists every skipped log, on standard error and in the manifest, and exits with 1")
  func batch() throws {
    let runner = try CommandRunner()
    try FileManager.default.createDirectory(
      at: runner.folder.appendingPathComponent("logs"), withIntermediateDirectories: true)
    let log = CanonicalLog.text()
    try runner.write(log, to: "logs/good.csv")
    try runner.write(log.replacing("accelerationX", with: "acelerationX"), to: "logs/typo.csv")
    try runner.write(log.split(separator: "\n").dropFirst().joined(separator: "\n"), to: "logs/headerless.csv")
    try runner.write("", to: "logs/empty.csv")
    let wide: [UInt8] = [0xFF, 0xFE] + log.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data(wide).write(to: runner.folder.appendingPathComponent("logs/wide.csv"))
    try runner.write("start,end,label\n0,1,walking\n", to: "logs/labels.csv")
    try runner.write("These are the logs.\n", to: "logs/README.md")
    let result = try runner.run("fuse", "logs", "-o", "sets")
    #expect(result.status == 1)
    let dropped = ["empty.csv", "headerless.csv", "typo.csv"]
    let errors = result.errorLines.filter { $0.hasPrefix("error: ") }
    try #require(errors.count == 3, "\(result.errors)")
    for (name, line) in zip(dropped, errors) { #expect(line.hasPrefix("error: logs/\(name)"), "\(line)") }
    let manifest = try runner.read("sets/inertial-manifest.json")
    for name in dropped + ["good.csv", "wide.csv"] { #expect(manifest.contains("\"input\" : \"logs/\(name)\"")) }
    #expect(manifest.split(separator: "\n").count { $0.contains("\"failure\"") } == 3)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: runner.folder.path + "/sets").sorted() == [
        "good.csv.fused.csv", "inertial-manifest.json", "wide.csv.fused.csv",
      ])
    // A folder with only labels is not a failure.
    for name in dropped { try FileManager.default.removeItem(atPath: runner.folder.path + "/logs/" + name) }
    #expect(try runner.run("fuse", "logs", "-o", "sets", "--force").status == 0)
  }

  @Test("evaluate-events accepts patterns, and lists the skipped files")
  func patterns() throws {
    let runner = try CommandRunner()
    for name in ["a1.csv", "a2.csv", "b1.csv"] { try runner.write(CanonicalLog.text(), to: name) }
    let result = try runner.run("evaluate-events", "--task", "shake", "a*.csv", "--json")
    #expect(result.status == 0 && result.output.contains("\"logs\" : 2"), "\(result.errors)")
  }

  @Test(
    "an output extension without a format is a usage error, unless a format is given",
    arguments: ["fuse", "convert"])
  func endings(command: String) throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "log.csv")
    for name in ["out.arrow", "out.xlsx", "out.csv.gz", "OUT.Feather"] {
      let result = try runner.run(command, "log.csv", "-o", name)
      #expect(result.status == 2, "\(name)")
      #expect(result.errors.contains("cannot be written; use") && result.errors.contains("--format csv"))
    }
    #expect(try runner.files() == ["log.csv"])
    for name in ["out", "2024.05.17", "run.2024-05", "a.csv"] {
      #expect(try runner.run(command, "log.csv", "-o", name).status == 0, "\(name)")
    }
    #expect(try runner.run(command, "log.csv", "-o", "table.txt", "--format", "csv").status == 0)
  }

  @Test("several logs are not written into a folder that is named as a file")
  func folderNamedAsFile() throws {
    let runner = try CommandRunner()
    for name in ["a.csv", "b.csv"] { try runner.write(CanonicalLog.text(), to: name) }
    let result = try runner.run("fuse", "a.csv", "b.csv", "-o", "w.csv")
    #expect(result.status == 2 && result.errors.contains("need a folder"), "\(result.errors)")
    #expect(try runner.files() == ["a.csv", "b.csv"])
  }
}
