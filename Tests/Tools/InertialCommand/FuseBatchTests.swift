import Testing

@Suite struct FuseBatchTests {
  private let runner = try! CommandRunner()

  /// A log at rest with a distinct attitude.
  private func log(tilted tilt: Double) -> String { CanonicalLog.text(300) { _, row in row[1] = tilt } }

  @Test("every number of jobs gives the same datasets, reported in the order of the logs")
  func sameForEveryNumber() throws {
    let names = (0..<7).map { "log\($0).csv" }
    for (index, name) in names.enumerated() { try runner.write(log(tilted: Double(index) / 20), to: name) }
    var texts: [[String]] = []
    for jobs in ["1", "2", "5", nil] {
      let more = ["-o", "out", "--force", "--filter", "mahony"] + (jobs.map { ["--jobs", $0] } ?? [])
      let result = try runner.check(["fuse"] + names + more, lines: 0)
      let reported = result.output.split(separator: "\n").filter { $0.hasPrefix("wrote") }
      #expect(zip(reported, names).allSatisfy { $0.contains("out/\($1).fused.csv") } && reported.count == 7)
      texts.append(try names.map { try runner.read("out/\($0).fused.csv") })
    }
    #expect(texts.allSatisfy { $0 == texts[0] } && Set(texts[0]).count == 7)
  }

  @Test("one log gives the same dataset with one core and with several")
  func oneLog() throws {
    try runner.write(CanonicalLog.text(3000), to: "log.csv")
    for jobs in ["1", "4"] { try runner.check("fuse", "log.csv", "-o", "\(jobs).csv", "--jobs", jobs) }
    #expect(try runner.read("1.csv") == runner.read("4.csv"))
  }

  @Test("with several jobs a faulty log is reported in order, the others are fused, and no partial output remains")
  func failure() throws {
    for name in ["a.csv", "c.csv", "d.csv"] { try runner.write(CanonicalLog.text(), to: name) }
    try runner.write(CanonicalLog.text() + String(repeating: "1,2\n", count: 200), to: "b.csv")
    let result = try runner.check("fuse", "a.csv", "b.csv", "c.csv", "d.csv", "-o", "out", "--jobs", "3", status: 1)
    #expect(result.errorLines.count == 1 && result.errors.hasPrefix("error: b.csv:502"), "\(result.errors)")
    let out = try runner.files(in: "out")
    #expect(out == ["a.csv.fused.csv", "c.csv.fused.csv", "d.csv.fused.csv", "inertial-manifest.json"])
    #expect(try runner.read("out/a.csv.fused.csv") == runner.read("out/c.csv.fused.csv"))
    try runner.write("", to: "b.csv")
    let document = try runner.check(
      "fuse", "a.csv", "b.csv", "c.csv", "-o", "out", "--force", "--json", status: 1, lines: 1
    ).json()
    #expect((document["datasets"] as? [Any])?.count == 2 && (document["failures"] as? [Any])?.count == 1)
  }

  @Test("a folder stands for its logs, which keep their relative paths in the output folder")
  func folders() throws {
    try runner.write(log(tilted: 0), to: "logs/one/log.csv")
    try runner.write(log(tilted: 0.3), to: "logs/two/log.csv")
    try runner.check("fuse", "logs", "-o", "sets")
    #expect(try runner.read("sets/one/log.csv.fused.csv") != runner.read("sets/two/log.csv.fused.csv"))
    // Next to the logs if no folder is given; a second run does not read these as logs.
    for _ in 0..<2 { #expect(try runner.run("fuse", "logs", "--force").status == 0) }
    #expect(try runner.files(in: "logs/one") == ["log.csv", "log.csv.fused.csv"])
    try runner.check("fuse", "logs", "-o", "-", status: 2, errors: "several inputs need a folder")
  }

  @Test("a pattern stands for the matching logs, and for itself without a match; a missing path is rejected")
  func patterns() throws {
    for name in ["walk1.csv", "walk2.csv", "run1.csv"] { try runner.write(CanonicalLog.text(), to: name) }
    for _ in 0..<2 { #expect(try runner.run("fuse", "walk*.csv", "--force").status == 0) }
    #expect(try runner.files() == ["run1.csv", "walk1.csv", "walk1.csv.fused.csv", "walk2.csv", "walk2.csv.fused.csv"])
    for path in ["swim*.csv", "absent.csv"] {
      try runner.check("fuse", path, status: 1, errors: "error: \(path): no such file")
    }
  }

  @Test("colliding names, a folder named as a file and an invalid number of jobs are usage errors without output")
  func usage() throws {
    for name in ["one", "two"] {
      try runner.write(CanonicalLog.text(), to: "\(name)/log.csv")
    }
    try runner.check(
      "fuse", "one/log.csv", "two/log.csv", "-o", "out", status: 2, errors: "two inputs would be written to")
    try runner.check("fuse", "one/log.csv", "two/log.csv", "-o", "w.csv", status: 2, errors: "need a folder")
    #expect(try runner.files() == ["one", "two"])
    try runner.check("fuse", "one/log.csv", "--jobs", "0", status: 2)
  }

  #if os(Linux)
    @Test("memory does not grow with the length of a log")
    func memory() throws {
      let input = Pipe()
      let process = try runner.start(["fuse", "-", "-o", "out.csv", "--filter", "complementary"], input: input)
      /// The peak memory of the process so far, in kB.
      func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
      }
      func feed(_ rows: Range<Int>) throws {
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: 1000) {
          let text = (start..<(start + 1000)).map { row in
            "\(Double(row) / 100),0.0123456,0.0234567,-1.0012345,0.0011111,\(Double(row % 97) * 1e-5),0.0022222\n"
          }
          try input.fileHandleForWriting.write(contentsOf: Data(text.joined().utf8))
        }
      }
      let header = CanonicalLog.motionHeader
      try input.fileHandleForWriting.write(contentsOf: Data(header.utf8))
      try feed(0..<20_000)
      let early = try peak()
      try feed(20_000..<80_000)
      let late = try peak()
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      // 60,000 rows in memory would be 5 MB as samples and 16 MB as text.
      #expect(late - early < 3000, "\(early) kB after 20,000 rows, \(late) kB after 80,000")
    }
  #endif
}
