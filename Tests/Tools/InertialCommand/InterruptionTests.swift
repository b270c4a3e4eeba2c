import TestSupport
import Testing

@Suite("The remains of an ended process") struct InterruptionTests {
  private let runner = try! CommandRunner()
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// A named pipe that is open at both ends, so that neither side blocks.
  private func makePipe() -> Int32 {
    let path = runner.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    return open(path, O_RDWR)
  }

  private func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Whether all data written to a pipe has been read.
  private func isDrained(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) == 0
  }

  private var partials: [String] { ((try? runner.files()) ?? []).filter { $0.contains(".partial-") } }

  /// Sends a signal, and returns whether it ended the process.
  private func ends(_ process: Process, by number: Int32) -> Bool {
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == number
  }

  @Test("SIGINT, SIGTERM and SIGHUP remove the incomplete folder, and no other file", arguments: signals)
  func folders(_ number: Int32) throws {
    let pipe = makePipe()
    defer { close(pipe) }
    // The incomplete output of a running process, and a file that only has such a name.
    let others = [".o.partial-1", ".o.partial-", "o.partial-\(getpid())"]
    for name in others { try runner.write("", to: name) }
    let process = try runner.start(["fuse", "pipe", "-o", "o", "--format", "bids"])
    // More than the format detection reads.
    write(CanonicalLog.text(3000), to: pipe)
    #expect(eventually { partials.contains { $0.hasSuffix("-\(process.processIdentifier)") } })
    #expect(ends(process, by: number))
    #expect(try Set(runner.files()) == Set(others + ["pipe"]))
  }

  @Test(
    "an incomplete single-file output is never visible, for any command",
    arguments: [
      ["fuse", "-o", "o.csv"], ["fuse", "-o", "o.h5"], ["fuse", "-o", "o.npz"], ["fuse", "-o", "o.parquet"],
      ["fuse", "-o", "o.mcap"], ["convert", "-o", "o.csv"], ["plot", "-o", "o.svg"],
    ])
  func files(_ words: [String]) throws {
    let pipe = makePipe()
    defer { close(pipe) }
    try runner.write("old", to: words[2])
    let process = try runner.start([words[0], "pipe"] + words.dropFirst() + ["--force"])
    write(CanonicalLog.text(3000), to: pipe)
    #expect(eventually { isDrained(pipe) })
    #expect(ends(process, by: SIGTERM))
    #expect(try runner.files() == [words[2], "pipe"] && runner.read(words[2]) == "old")
  }

  @Test("an incomplete overview of reports is removed, and the logs stay")
  func reports() throws {
    for name in 0..<8 { try runner.write(CanonicalLog.text(2000), to: "logs/\(name).csv") }
    let process = try runner.start(["report", "logs", "-o", "pages"])
    #expect(eventually { !partials.isEmpty })
    #expect(ends(process, by: SIGINT))
    #expect(try runner.files() == ["logs"])
  }

  @Test(
    "finished datasets of an interrupted or killed batch are complete, and --resume completes the batch",
    arguments: [signals, [SIGKILL]])
  func batch(_ numbers: [Int32]) throws {
    for name in 0..<12 { try runner.write(CanonicalLog.text(300), to: "logs/\(name).csv") }
    let arguments = ["fuse", "logs", "--format", "bids,csv,npz", "--metadata", "--jobs", "2", "--filter", "mahony"]
    try runner.check(arguments + ["-o", "whole"])
    let whole = try tree("whole")
    for round in 0..<12 {
      let number = numbers[round % numbers.count]
      let process = try runner.start(arguments + ["-o", "out", "--resume"])
      usleep(UInt32(round * 7919 % 200 + 20) * 1000)
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      // The batch may already have finished.
      #expect(process.terminationStatus == (process.terminationReason == .uncaughtSignal ? number : 0))
      let now = (try? tree("out")) ?? [:]
      // Only a kill leaves incomplete datasets, which are hidden.
      #expect(number == SIGKILL || !now.keys.contains { $0.contains(".partial-") }, "\(now.keys)")
      for (name, data) in now where !name.contains("inertial-") && !name.hasPrefix(".") {
        #expect(data == whole[name], "\(name)")
      }
    }
    try runner.check(arguments + ["-o", "out", "--resume"])
    #expect(try tree("out") == whole && !runner.files().contains { $0.hasPrefix(".") })
  }

  private func tree(_ folder: String) throws -> [String: Data] {
    let path = runner.path(folder)
    var all: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      all[name] = FileManager.default.contents(atPath: path + "/" + name)
    }
    return all
  }

  @Test("a stream that is ended by a signal has the rows of all received samples", arguments: signals)
  func follow(_ number: Int32) throws {
    let pipe = makePipe()
    defer { close(pipe) }
    let process = try runner.start(
      ["fuse", "-", "--follow", "-o", "o.csv"], input: FileHandle(forReadingAtPath: runner.path("pipe")))
    write(CanonicalLog.text(400), to: pipe)
    #expect(try eventually { try runner.files().contains("o.csv") && runner.read("o.csv").count { $0 == "\n" } > 300 })
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try runner.read("o.csv").split(separator: "\n").count == 401 && partials.isEmpty)
  }

  @Test("a signal that is ignored from the start, as by nohup, stays ignored")
  func ignored() throws {
    let pipe = makePipe()
    defer { close(pipe) }
    // More than the format detection reads, and more than a pipe buffers.
    try runner.write(CanonicalLog.text(3000), to: "log.csv")
    let end = try runner.shell(
      """
      (trap '' HUP; exec "$@") & process=$!
      cat log.csv >pipe & feeder=$!
      for turn in $(seq 1200); do ls -A | grep -q partial && echo begun && break; sleep 0.05; done
      kill -HUP $process; kill -TERM $process; wait $process; status=$?
      kill $feeder 2>/dev/null
      exit $status
      """, ["fuse", "pipe", "-o", "out", "--format", "bids"])
    #expect(end.signal == SIGTERM && end.output == "begun\n", "\(end)")
    #expect(try runner.files() == ["log.csv", "pipe"])
  }

  @Test("the remains of a killed run are removed by the next run with the same output")
  func killed() throws {
    let pipe = makePipe()
    defer { close(pipe) }
    let process = try runner.start(["fuse", "pipe", "-o", "out", "--format", "bids"])
    write(CanonicalLog.text(3000), to: pipe)
    #expect(eventually { !partials.isEmpty })
    #expect(ends(process, by: SIGKILL))
    #expect(!partials.isEmpty)
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "out", "--format", "bids")
    #expect(try runner.files() == ["log.csv", "out", "pipe"])
  }

  @Test(
    "an archive or a pipe that is unpacked leaves nothing after a signal, and the next one removes what a kill has left"
  )
  func scratch() throws {
    let folder = runner.path("tmp")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func scratches() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
    let pipe = makePipe()
    defer { close(pipe) }
    // Not a CSV, so it is copied before it is read.
    let json =
      "[{\"sensor\":\"Accelerometer\",\"time\":\"1\",\"seconds_elapsed\":\"0\",\"x\":\"0\",\"y\":\"0\",\"z\":\"1\"},\n"
    write(json + String(repeating: " ", count: 40_000), to: pipe)
    for number in [SIGTERM, SIGKILL] {
      // More than the format detection reads, which otherwise waits for more.
      let process = try runner.start(["inspect", "pipe"], environment: ["TMPDIR": folder])
      write(String(repeating: " ", count: 40_000), to: pipe)
      #expect(eventually { !scratches().isEmpty })
      #expect(ends(process, by: number))
      #expect(scratches().isEmpty == (number == SIGTERM), "\(scratches())")
      // The next command reads the data that the ended one left unread.
      write(json + String(repeating: " ", count: 30_000), to: pipe)
    }
    let left = try #require(scratches().first)
    // Dated one hour ago.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder + "/" + left)
    try FileManager.default.createDirectory(atPath: folder + "/inertial-of-others", withIntermediateDirectories: true)
    try runner.write(json + "null]", to: "log.json")
    _ = try runner.shell("cat log.json | \"$@\"", ["inspect", "-"], environment: ["TMPDIR": folder])
    #expect(scratches() == ["inertial-of-others"])
  }

  @Test("one of two commands that write the same file at the same time fails with status 2")
  func twoWriters() throws {
    let pipe = makePipe()
    let first = try runner.start(["fuse", "pipe", "-o", "out.csv"])
    write(CanonicalLog.text(3000), to: pipe)
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    // The first command starts its output after it has read some input.
    #expect(eventually { isDrained(pipe) })
    try runner.check("fuse", "log.csv", "-o", "out.csv")
    let whole = try runner.read("out.csv")
    close(pipe)
    first.waitUntilExit()
    #expect(first.terminationStatus == 2)
    #expect(try runner.read("out.csv") == whole && runner.files() == ["log.csv", "out.csv", "pipe"])
  }
}
