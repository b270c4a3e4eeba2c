import TestSupport
import Testing

@Suite struct FuseResumeTests {
  private let runner = try! CommandRunner()

  private static let count = 64

  /// Short logs with different contents.
  private func makeLogs(count: Int = Self.count, rows: Int = 300) throws {
    for index in 0..<count {
      let text = CanonicalLog.text(rows) { _, row in row[1] = Double(index) / 200 }
      try runner.write(text, to: String(format: "logs/%02d.csv", index))
    }
  }

  private func datasets(_ folder: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: runner.path(folder))
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try runner.read("\(folder)/\($0)")) })
  }

  private let options = ["--filter", "mahony", "--jobs", "2"]

  @Test("a batch of 64 recordings that is killed many times and resumed equals an uninterrupted one")
  func kills() throws {
    try makeLogs()
    let start = ContinuousClock.now
    try runner.check(["fuse", "logs", "-o", "whole"] + options)
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    let whole = try datasets("whole")
    #expect(whole.count == Self.count + 1)

    let wanted = TestData.isLong ? 50 : 10
    var (kills, tries, rounds) = (0, 0, 0)
    while kills < wanted {
      rounds += 1
      let out = "round\(rounds)"
      while kills < wanted {
        let process = try runner.start(["fuse", "logs", "-o", out, "--resume"] + options)
        // Distributed over the duration of the batch, on any machine.
        tries += 1
        usleep(UInt32(Double(tries * 7919 % 500) / 500 * duration))
        let isRunning = process.isRunning
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        guard isRunning else { break }
        kills += 1
        // At any time, all datasets are complete.
        for (name, text) in (try? datasets(out)) ?? [:] where name.hasSuffix(".fused.csv") {
          #expect(text == whole[name], "\(name) after \(kills) kills")
        }
      }
      try runner.check(["fuse", "logs", "-o", out, "--resume"] + options)
      #expect(try datasets(out) == whole)
    }
  }

  @Test("finished datasets are kept; changed, failed or missing ones are made")
  func kept() throws {
    try makeLogs(count: 5)
    try runner.write(CanonicalLog.text() + String(repeating: "1,2\n", count: 200), to: "logs/02.csv")
    try runner.check(["fuse", "logs", "-o", "out"] + options, status: 1)
    let manifest = try runner.read("out/inertial-manifest.json")
    #expect(manifest.contains("\"failure\" : \"logs/02.csv:502") && manifest.contains("\"crc32\""), "\(manifest)")

    // Corrected, changed and removed.
    try runner.write(CanonicalLog.text(), to: "logs/02.csv")
    try runner.write(CanonicalLog.text(400), to: "logs/03.csv")
    try runner.remove("out/04.csv.fused.csv")
    let second = try runner.check(["fuse", "logs", "-o", "out", "--resume"] + options)
    let wrote = second.output.split(separator: "\n").filter { $0.hasPrefix("wrote") }
    #expect(wrote.count == 3 && second.output.contains("kept    2 datasets"), "\(second.output)")
    #expect(try !runner.read("out/inertial-manifest.json").contains("failure"))
    let third = try runner.check(
      ["fuse", "logs", "-o", "out", "--resume", "--json"] + options, output: "\"datasets\" : [")
    #expect(third.output.components(separatedBy: "fused.csv").count == 6)
  }

  /// Changes a byte of a file, but neither its size nor its time.
  private func flip(_ name: String) throws {
    let path = runner.path(name)
    var status = stat()
    #expect(stat(path, &status) == 0)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let position = try #require(bytes.lastIndex { (0x31...0x38).contains($0) })
    bytes[position] += 1
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(bytes))
    try file.close()
    #if canImport(Darwin)
      let times = [status.st_atimespec, status.st_mtimespec]
    #else
      let times = [status.st_atim, status.st_mtim]
    #endif
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test(
    "a dataset with a changed byte, and one of a log changed without a new size or time, are made again",
    arguments: [[], ["--format", "csv,npz"], ["--format", "bids"]])
  func checksums(_ format: [String]) throws {
    try makeLogs(count: 3)
    let command = ["fuse", "logs", "-o", "out"] + options + format
    try runner.check(command)
    func kept() throws -> Int {
      return try #require(try runner.check(command + ["--resume", "--json"]).json()["kept"] as? [String]).count
    }
    #expect(try kept() == 3)
    try flip("logs/01.csv")
    #expect(try kept() == 2)
    #expect(try kept() == 3)
    let root = runner.folder.appendingPathComponent("out")
    let files = FileManager.default.enumerator(atPath: root.path)!.compactMap { $0 as? String }
    let data = try #require(
      files.first { $0.hasPrefix("02.csv") && ($0.hasSuffix(".csv") || $0.hasSuffix("motion.tsv")) })
    let before = try runner.read("out/" + data)
    try flip("out/" + data)
    #expect(try kept() == 2)
    #expect(try runner.read("out/" + data) == before)
  }

  @Test("other options, a folder in use by an interrupted run, and a foreign file are reported with status 2")
  func refusals() throws {
    try makeLogs(count: 3)
    try runner.check(["fuse", "logs", "-o", "out"] + options)
    try runner.check(["fuse", "logs", "-o", "out"] + options, status: 2, errors: "--resume to keep finished outputs")

    // The state after a killed run: an incomplete dataset, and half a line.
    let journal = try journalLine()
    try runner.write(journal + "{\"begun\":{\"_0\":\"00.csv.fused.csv\"}}\n{\"beg", to: "out/.inertial-journal")
    try runner.check(["fuse", "logs", "-o", "out"] + options, status: 2, errors: "--resume to continue it")
    let other = try runner.check(
      "fuse", "logs", "-o", "out", "--resume", "--filter", "madgwick", status: 2,
      errors: "differs in filter (then mahony, now madgwick)")
    // The filter's parameters depend on it.
    #expect(!other.errors.contains("parameter") && other.errors.count < 300, "\(other.errors)")
    for (change, words) in [
      (["--rate", "50"], "rate (then not given, now 50)"), (["--set", "kP=0.3"], "parameters."),
      (["--columns-out", "time,heading,status"], "columns (no longer quaternionX"),
    ] { try runner.check(["fuse", "logs", "-o", "out", "--resume"] + options + change, status: 2, errors: words) }
    try runner.check(["fuse", "logs", "-o", "out", "--resume"] + options)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: runner.path("out")).contains(".inertial-journal"))

    try runner.write("mine\n", to: "new/01.csv.fused.csv")
    try runner.check(["fuse", "logs", "-o", "new", "--resume"] + options, status: 2, errors: "exists already")
    #expect(try runner.read("new/01.csv.fused.csv") == "mine\n")
    try runner.check("fuse", "logs", "--resume", status: 2)
    try runner.check("fuse", "logs/00.csv", "-o", "one.csv", "--resume", status: 2)
  }

  /// The first line of a run's journal, read during the run.
  private func journalLine() throws -> String {
    // An endless log keeps the run alive.
    let input = Pipe()
    let process = try runner.start(["fuse", "logs", "-", "-o", "held"] + options, input: input)
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    for _ in 0..<3000 {
      if let text = try? runner.read("held/.inertial-journal"), let end = text.firstIndex(of: "\n") {
        try runner.check(["fuse", "logs", "-o", "held", "--resume"] + options, status: 2, errors: "another run")
        return String(text[...end])
      }
      usleep(20_000)
    }
    Issue.record("no journal after a minute")
    return ""
  }
}
