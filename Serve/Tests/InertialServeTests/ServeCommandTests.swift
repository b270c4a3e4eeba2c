import InertialSimulation
import Testing

/// `inertial serve` in a separate process and folder.
private final class ServeProcess {
  let process = Process()
  let port: UInt16
  let page: String
  private let output = Pipe()
  private let errors = Pipe()

  /// - Parameter limit: A shell command to run first, such as `ulimit -f 64`.
  init(_ folder: TemporaryFolder, _ arguments: [String] = [], limit: String = "true") throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "trap '' XFSZ; \(limit) && exec \"$0\" \"$@\"", inertial, "serve"]
      + (arguments.contains("--port") ? [] : ["--port", "0"]) + arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var reported = ""
    while !reported.contains("recordings ") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      reported += String(decoding: data, as: UTF8.self)
    }
    guard let found = reported.firstMatch(of: /page +(http.*:(\d+)\/.*)/), let number = UInt16(found.2) else {
      process.terminate()
      throw ServeFailure(
        text: reported + String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
    (page, port) = (String(found.1), number)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Ends the server with a signal, and returns its standard error.
  func end(_ signal: Int32) -> String {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

/// The command, which starts the server beside it.
private let inertial = BuiltProduct.url("inertial").path

private struct ServeFailure: Error { var text: String }

/// A phone that sends its messages in sequence, as fast as they are acknowledged.
private struct SendingPhone {
  private static let script = Checkout.url("Tests/Tools/Figures/Report/Browser/push.py").path

  /// - Returns: The numbers of the acknowledged messages, and the other responses.
  static func push(_ log: String, to page: String, more: [String] = []) throws -> (process: Process, output: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", script, log, page] + more
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    return (process, pipe)
  }
}

@Suite("inertial serve", .serialized) struct ServeCommandTests {
  private let folder = TemporaryFolder(inMemory: false)

  private func run(_ arguments: [String]) throws -> Program {
    try Program.run(inertial, arguments, in: folder.url)
  }

  private func check(_ arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
  }

  private func walk(_ duration: Double) throws {
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: duration, seed: 5).samples()
    try RawLogWriter.write(samples, to: folder.path("walk.csv"))
  }

  private var recordings: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("recordings"))) ?? []
    return names.filter { $0.hasSuffix(".push.jsonl") }.sorted().map { "recordings/" + $0 }
  }

  @Test(
    "acknowledged messages are recorded for every kind of termination, and the report of the recording opens",
    .needs(.python))
  func kills() throws {
    try walk(60)
    var generator = SystemRandomNumberGenerator()
    for run in 0..<(TestData.isLong ? 50 : 5) {
      let serve = try ServeProcess(folder)
      let (phone, output) = try SendingPhone.push(folder.path("walk.csv"), to: serve.page)
      // At a different time in each run: after some hundred acknowledgements.
      let count = Int.random(in: 20...600, using: &generator)
      var text = ""
      while text.split(separator: "\n").count < count {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        text += String(decoding: data, as: UTF8.self)
      }
      _ = serve.end(SIGKILL)
      text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      phone.waitUntilExit()
      let acknowledged = text.split(separator: "\n").filter { $0.hasPrefix("200 ") }.count
      #expect(acknowledged >= count)
      let names = recordings
      let recorded = names.map {
        folder.text($0).split(separator: "\n", omittingEmptySubsequences: true).count - 1
      }.reduce(0, +)
      // The message in transit can be included.
      #expect(recorded == acknowledged || recorded == acknowledged + 1, "run \(run): \(recorded) of \(acknowledged)")
      try check(["report", names[0], "-o", "report.html", "--force"])
      for name in names { try FileManager.default.removeItem(atPath: folder.path(name)) }
    }
  }

  @Test("a full disk is reported to the sender, and earlier acknowledged messages are complete", .needs(.python))
  func fullDisk() throws {
    try walk(20)
    // Blocks of 512 bytes (POSIX).
    let serve = try ServeProcess(folder, limit: "ulimit -f 128")
    let (phone, output) = try SendingPhone.push(folder.path("walk.csv"), to: serve.page)
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    phone.waitUntilExit()
    #expect(lines.contains { $0.hasPrefix("200 ") } && lines.last?.hasPrefix("507 ") == true, "\(lines.suffix(2))")
    #expect(lines.last?.contains("free some disk space") == true)
    _ = serve.end(SIGTERM)
    #expect(serve.process.terminationStatus == 0)
    let name = try #require(recordings.first)
    let text = folder.text(name)
    #expect(text.hasSuffix("\n") && text.split(separator: "\n").count == lines.count { $0.hasPrefix("200 ") } + 1)
    try check(["fuse", name, "-o", "out.csv"])
  }

  @Test(
    "a played log is recorded with its samples, fuses to the same rows, and its report is created by one request",
    .needs(.python))
  func played() throws {
    try walk(10)
    let serve = try ServeProcess(folder, ["--from", "walk.csv", "--speed", "inf"])
    #expect(
      eventually {
        recordings.contains { (try? run(["inspect", $0]).output)?.contains("1000") == true }
      })
    let name = try #require(recordings.first)
    let script = """
      import sys, urllib.request
      sys.stdout.write(urllib.request.urlopen(sys.argv[1], timeout=120).read(9).decode())
      """
    #expect(try Program.run("python3", ["-c", script, serve.page + name + "/report"]).output == "<!DOCTYPE")
    #expect(serve.end(SIGINT).contains("has ended; the server continues"))
    try check(["fuse", name, "-o", "a.csv"])
    try check(["fuse", "walk.csv", "-o", "b.csv"])
    let (a, b) = (folder.table("a.csv").rows, folder.table("b.csv").rows)
    #expect(a.count == b.count && a.count == 1000)
    // Times are transferred as integer nanoseconds, and start at the first sample.
    let (first, second) = (try #require(a.first), try #require(b.first))
    for (x, y) in zip(a, b) {
      #expect(abs((x[0] - first[0]) - (y[0] - second[0])) < 1e-6)
      #expect(zip(x[1..<5], y[1..<5]).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("a server with few descriptors serves a phone beside clients that hold connections", .needs(.python))
  func fewDescriptors() throws {
    try walk(5)
    let serve = try ServeProcess(folder, limit: "ulimit -n 64")
    let idle = try (0..<200).map { _ in try TestConnection(port: serve.port) }
    let (phone, output) = try SendingPhone.push(folder.path("walk.csv"), to: serve.page)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    phone.waitUntilExit()
    let lines = text.split(separator: "\n")
    #expect(lines.count > 90 && lines.allSatisfy { $0.hasPrefix("200 ") }, "\(lines.suffix(2))")
    withExtendedLifetime(idle) {}
    _ = serve.end(SIGTERM)
  }

  @Test("the example of the sample logs works")
  func example() throws {
    let logs = Checkout.url("Notebooks-data/logs")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Notebooks-data"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: logs, to: folder.url.appendingPathComponent("Notebooks-data/logs"))
    let text = try String(contentsOf: logs.appendingPathComponent("README.md"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("inertial serve ") })
    let result = try run(line.split(separator: " ").dropFirst().map(String.init))
    #expect(result.status == 0 && result.output.contains("page  ") && recordings.count == 1, "\(result.errors)")
  }

  @Test(
    "invalid options are reported in one line",
    arguments: [
      (["--listen", "nowhere"], "is not a numeric address"), (["--listen", "203.0.113.9"], "cannot be bound"),
      (["--speed", "0"], "--speed takes"), (["--public", "ftp://x"], "--public takes"),
      (["--smooth"], "--smooth needs"), (["--once"], "--once is for --from"),
      (["--from", "nothing.csv", "--once"], "nothing.csv"), (["--from", "ftp://a"], "is not an address of a source"),
      (["--from", "http://127.0.0.1:1/", "--once"], "provides no samples"),
      (["--certificate", "a.pem"], "go together"),
      (["--certificate", "a.pem", "--key", "a.key"], "a.pem: no certificate"),
      (["--recordings", "/dev/null/x"], "cannot be created"), (["--filter", "nothing"], "there is no filter"),
    ])
  func refused(arguments: [String], text: String) throws {
    let result = try run(["serve", "--port", "0"] + arguments)
    #expect(result.status != 0 && result.errors.contains(text), "\(result.errors)")
  }

  @Test(
    "the page shows the filter's attitude and events, freezes plots and reconnects to a restarted server",
    .needs(.browser))
  func page() throws {
    let script = Checkout.url("Tests/Tools/Figures/Report/Browser/check_live.py").path
    let page = try Program.run("python3", ["-B", script, inertial, folder.path])
    #expect(page.status == 0, "\(page.output)\(page.errors)")
  }
}
