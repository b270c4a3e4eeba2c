import TestSupport
import Testing

@Suite("Standard input, output and error that are closed or full") struct StandardStreamsTests {
  private let runner = try! CommandRunner()

  /// Every command, with a valid log and with a missing log.
  private static let commands: [[String]] = [
    ["inspect", "log.csv"], ["inspect", "none.csv"], ["fuse", "log.csv", "-o", "out.csv", "--force"],
    ["fuse", "log.csv", "-o", "-"], ["fuse", "none.csv"], ["steps", "log.csv"], ["steps", "log.csv", "--json"],
    ["activity", "log.csv"], ["shake", "log.csv"], ["altitude", "log.csv"], ["filters"], ["filters", "--json"],
    ["formats"], ["convert", "log.csv", "-o", "-"], ["convert", "log.csv", "-o", "raw.csv", "--force"],
    ["evaluate", "log.csv"], ["simulate", "--help"], ["--version"], ["help", "columns"], ["nonsense"],
    ["fuse", "log.csv", "none.csv", "-o", "batch", "--force"], ["tune", "none.csv"],
    ["evaluate-events", "none.csv", "--task", "shake", "--labels", "none"],
  ]

  private static let streams = [
    "</dev/null", "<&-", ">/dev/full", ">&-", "2>/dev/full", "2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-",
  ]

  @Test("no command traps, and the status is not 0 if output was lost", .needs(.fullDevice), arguments: streams)
  func matrix(_ streams: String) throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    for command in Self.commands {
      let plain = try runner.shell("\"$@\"", command)
      let end = try runner.shell("\"$@\" \(streams)", command)
      #expect(end.signal == nil, "\(command) \(streams) was ended by the signal \(end.signal ?? 0)")
      let losesOutput = streams.contains(/(^| )>/) && !plain.output.isEmpty
      let losesErrors = streams.contains("2>") && !plain.errors.isEmpty
      if losesOutput || losesErrors {
        #expect(end.status != 0, "\(command) \(streams) has lost something and says 0")
      } else {
        #expect(end.status == plain.status, "\(command) \(streams): \(end.errors)")
      }
    }
  }

  @Test("a failure to write standard output is reported in one line", .needs(.fullDevice))
  func reported() throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let end = try runner.shell("\"$@\" >/dev/full", ["inspect", "log.csv", "--json"])
    #expect(end.status == 1 && end.errorLines.count == 1, "\(end.errors)")
    #expect(end.errors.contains("standard output: not all output could be written"), "\(end.errors)")
  }

  @Test("a closed output pipe ends the command quietly, and a batch continues without a reader of its messages")
  func readersThatLeave() throws {
    let head = try runner.shell("\"$@\" | head -1", ["filters", "--json"])
    #expect(head.signal == nil && head.errors.isEmpty, "\(head.errors)")
    let names = (0..<12).map { "log\($0).csv" }
    for name in names { try runner.write(CanonicalLog.text(200) + "1,2\n3,4\n", to: name) }
    try runner.write(CanonicalLog.text(200), to: "good.csv")
    let batch = try runner.shell("\"$@\" 2>&1 >/dev/null | true", ["fuse"] + names + ["good.csv", "-o", "out"])
    #expect(batch.signal == nil)
    #expect(eventually { FileManager.default.fileExists(atPath: runner.path("out/good.csv.fused.csv")) })
  }

  @Test("messages for a closed standard error are never written to a file")
  func closedErrors() throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "whole.csv")
    let end = try runner.shell("\"$@\" <&- >&- 2>&-", ["fuse", "log.csv", "-o", "out.csv"])
    #expect(try end.signal == nil && runner.read("out.csv") == runner.read("whole.csv"))
  }

  @Test("a low limit of open files gives a one-line error", arguments: [4, 5, 6, 7, 8, 12, 23])
  func descriptors(_ count: Int) throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let end = try runner.shell("ulimit -n \(count); exec \"$@\"", ["fuse", "log.csv", "-o", "out.csv", "--force"])
    #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
    #expect(end.errors.contains("the limit of open files is \(count)"), "\(end.errors)")
    #expect(try runner.files() == ["log.csv"])
  }

  @Test("a soft limit of open files is raised up to the hard limit")
  func softLimit() throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let end = try runner.shell("ulimit -S -n 5; exec \"$@\"", ["fuse", "log.csv", "-o", "out.csv"])
    #expect(end.status == 0, "\(end)")
  }

  @Test(
    "an absurd number is rejected and does not trap",
    arguments: [
      ["altitude", "log.csv", "--floor-height", "1e-18"], ["altitude", "log.csv", "--floor-height", "1e18"],
      ["steps", "log.csv", "--height", "1e300"], ["shake", "log.csv", "--sensitivity", "1e300"],
      ["fuse", "log.csv", "--rate", "1e-300"], ["fuse", "log.csv", "--rate", "1e300"],
      ["fuse", "nowhere.csv", "--sample-rate", "1e-300"], ["fuse", "rows.csv", "--sample-rate", "1e300"],
      ["fuse", "rows.csv", "--sample-rate", "1e-300"],
    ])
  func absurd(_ arguments: [String]) throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let rows = CanonicalLog.text(300).split(separator: "\n").map { $0.drop { $0 != "," }.dropFirst() }
    try runner.write(rows.joined(separator: "\n") + "\n", to: "rows.csv")
    let end = try runner.shell("exec \"$@\"", arguments)
    #expect(end.signal == nil && end.status != 0, "\(end)")
  }

  @Test(
    "a low limit of address space gives a one-line error, and no command hangs", arguments: [300_000, 600_000, 800_000])
  func memory(_ limit: Int) throws {
    try runner.write(CanonicalLog.text(1000), to: "log.csv")
    for command in [
      ["fuse", "log.csv", "-o", "out.csv", "--force"], ["track", "log.csv", "--force"], ["activity", "log.csv"],
    ] {
      let end = try runner.shell("ulimit -v \(limit); exec timeout 60 \"$@\"", command)
      #expect(end.signal == nil && end.status != 124, "\(command) \(end)")
      if end.status != 0 { #expect(!end.errorLines.isEmpty, "\(command) \(end)") }
    }
  }
}
