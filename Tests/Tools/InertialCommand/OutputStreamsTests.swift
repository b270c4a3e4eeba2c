import Testing

/// Rows written to `-o -`, `-o /dev/stdout` and `-o FIFO` at the end of the run.
@Suite("Rows on standard output and in pipes") struct OutputStreamsTests {
  private let runner = try! CommandRunner()

  /// A log with a very late row, which is read a second time and sorted.
  private func writeLateLog() throws {
    var rows = CanonicalLog.text(3000).split(separator: "\n").map(String.init)
    rows.append(rows.remove(at: 1500))
    try runner.write(rows.joined(separator: "\n") + "\n", to: "late.csv")
  }

  @Test(
    "a log that is read a second time gives each row once, and only rows",
    arguments: ["fuse", "convert"], ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func late(_ command: String, _ output: String) throws {
    try writeLateLog()
    try runner.check(command, "late.csv", "-o", "file.csv")
    let end = try runner.shell("exec \"$@\" | cat", [command, "late.csv", "-o", output])
    #expect(try end.status == 0 && end.output == runner.read("file.csv"), "\(end.errors)")
    try runner.check(command, "late.csv", "--json", "-o", output, status: 2)
  }

  @Test("a named pipe is opened once, and gets the rows of a file", arguments: ["fuse", "convert", "track"])
  func namedPipe(_ command: String) throws {
    try writeLateLog()
    let arguments = [command, "late.csv"] + (command == "track" ? ["--on", "foot"] : [])
    _ = try runner.run(arguments + ["-o", "file.csv"])
    #expect(mkfifo(runner.path("pipe"), 0o600) == 0)
    let end = try runner.shell("timeout 60 cat pipe >got.csv & \"$@\"; wait", arguments + ["-o", "pipe"])
    #expect(try end.status == 0 && runner.read("got.csv") == runner.read("file.csv"), "\(end.errors)")
  }

  @Test("a format that needs a regular file rejects a named pipe without waiting for its reader")
  func noStream() throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    #expect(mkfifo(runner.path("pipe"), 0o600) == 0)
    let end = try runner.shell("exec timeout 60 \"$@\"", ["fuse", "log.csv", "--format", "hdf5", "-o", "pipe"])
    #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
  }
}
