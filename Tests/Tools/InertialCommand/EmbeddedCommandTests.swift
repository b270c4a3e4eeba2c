import TestSupport
import Testing

@testable import InertialCommand

@Suite("The subcommands in the process of another program") struct EmbeddedCommandTests {
  private let runner = try! CommandRunner()
  private let log: String
  private let names: [String]
  /// The log's numbers, row by row.
  private let numbers: [Double]

  init() throws {
    try runner.write(CanonicalLog.text(400), to: "log.csv")
    log = runner.path("log.csv")
    let table = try runner.columns("log.csv")
    (names, numbers) = (table.header, table.rows.flatMap(\.self))
  }

  /// The log's rows in memory, with a column stride of one row.
  private func withTable<Result>(_ work: (InMemoryTable) throws -> Result) rethrows -> Result {
    try numbers.withUnsafeBytes { bytes in
      let columns = names.enumerated().map { index, name in
        InMemoryTable.Column(name: name, kind: .float64, base: bytes.baseAddress! + index * 8, stride: names.count * 8)
      }
      return try work(InMemoryTable(columns: columns, rowCount: numbers.count / names.count))
    }
  }

  private func rows(_ answer: EmbeddedCommand) throws -> [[Double]] {
    let block = try #require(answer.tables.first).block
    return block.columns.indices.map { index in (0..<block.rowCount).map { block[index]![$0] } }
  }

  private func isSame(_ a: [[Double]], _ b: [[Double]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
  }

  @Test("a table in memory gives the rows of the file, online and offline", arguments: [["--smooth"], []])
  func held(_ words: [String]) throws {
    let ofFile = try rows(EmbeddedCommand(["fuse"] + words + ["--", log]))
    let ofTable = try withTable { try rows(EmbeddedCommand(["fuse"] + words, held: $0)) }
    #expect(ofFile.first?.count == 400 && isSame(ofFile, ofTable))
  }

  @Test("UNIX nanoseconds in memory are as precise as in a file")
  func nanoseconds() throws {
    let start: Int64 = 1_700_000_000_123_456_789
    let stamps = (0..<400).map { start + Int64($0) * 10_000_001 }
    let table = try stamps.withUnsafeBytes { bytes in
      try withTable { table in
        var table = table
        table.columns[0] = .init(name: "time", kind: .int64, base: bytes.baseAddress!, stride: 8)
        return try rows(EmbeddedCommand(["fuse"], held: table))
      }
    }
    #expect(table[0] == (0..<400).map { Double($0 * 10_000_001) / 1e9 })
  }

  @Test("a table without rows, known columns or a required sensor is rejected in one line")
  func refused() throws {
    withTable { table in
      var (empty, strange, half) = (table, table, table)
      empty.rowCount = 0
      for index in strange.columns.indices { strange.columns[index].name = "c\(index)" }
      half.columns.removeAll { $0.name.hasPrefix("rotationRate") }
      for table in [empty, strange, half] {
        let failure = #expect(throws: FusionError.self) { try EmbeddedCommand(["fuse"], held: table) }
        #expect(failure?.description.contains("\n") == false && failure?.description.isEmpty == false)
      }
    }
  }

  @Test(
    "messages and their kinds match the command",
    arguments: [
      ["fuse", "none.csv"], ["fuse", "log.csv", "--filter", "best"], ["fuse", "log.csv", "--rate", "-1"],
      ["steps", "none.csv"], ["fuse", "log.csv", "--digits", "x"],
    ])
  func messages(_ words: [String]) throws {
    let reported = try runner.run(words)
    let failure = #expect(throws: FusionError.self) {
      try EmbeddedCommand(words.map { $0.hasSuffix(".csv") ? runner.path($0) : $0 })
    }
    #expect(failure?.exitCode == reported.status)
    let message = failure?.description.replacing(runner.path("") + "/", with: "") ?? ""
    #expect(!message.isEmpty && reported.errors.contains(message))
  }

  @Test(
    "the documents match the output of --json",
    arguments: ["steps", "activity", "shake", "inspect", "filters", "formats"])
  func documents(_ word: String) throws {
    let paths = ["filters", "formats"].contains(word) ? [] : ["log.csv"]
    let reported = try runner.run([word] + paths + ["--json"])
    let answer = try EmbeddedCommand([word] + paths.map { _ in log })
    #expect(answer.document.replacing(runner.path("") + "/", with: "") + "\n" == reported.output)
  }

  @Test("the caller can stop the reading of a file and of a table")
  func stopped() throws {
    let stop = { (_: Double) in false }
    let ofFile = #expect(throws: FusionError.self) { try EmbeddedCommand(["fuse", "--", log], progress: stop) }
    let ofTable = #expect(throws: FusionError.self) {
      try withTable { try EmbeddedCommand(["steps"], held: $0, progress: stop) }
    }
    #expect(ofFile == .stopped && ofTable == .stopped)
  }

  @Test("rows in memory are written as fuse writes them", arguments: ["csv", "npz", "parquet", "tum"])
  func written(_ ending: String) throws {
    let answer = try EmbeddedCommand(["fuse", "--relative-time", "--", log])
    let (ours, theirs) = (runner.path("ours.\(ending)"), runner.path("theirs.\(ending)"))
    try answer.write(["-o", ours])
    _ = try EmbeddedCommand(["fuse", "--relative-time", "-o", theirs, "--", log])
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    let failure = #expect(throws: FusionError.self) { try answer.write(["-o", ours]) }
    #expect(failure?.exitCode == 2)
    try answer.write(["-o", ours, "--force"])
    #expect(throws: FusionError.self) { try answer.write([]) }
    #expect(throws: FusionError.self) { try EmbeddedCommand(["filters"]).write(["-o", ours, "--force"]) }
  }

  @Test("restored rows and their document are written like the original result", arguments: ["csv", "parquet"])
  func restored(_ ending: String) throws {
    let words = ["--relative-time", "--filter", "vqf", "--", log]
    let answer = try EmbeddedCommand(["fuse"] + words)
    let block = answer.tables[0].block
    func table(_ columns: ArraySlice<FusedColumn>) -> InMemoryTable {
      InMemoryTable(
        columns: columns.indices.map {
          .init(name: columns[$0].name, kind: .float64, base: UnsafeRawPointer(block[$0]!), stride: 8)
        }, rowCount: block.rowCount)
    }
    let request = ["restore", answer.document] + words
    let restored = try EmbeddedCommand(request, held: table(block.columns[...]))
    let (ours, theirs) = (runner.path("ours.\(ending)"), runner.path("theirs.\(ending)"))
    try restored.write(["-o", ours])
    try answer.write(["-o", theirs])
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    #expect(throws: FusionError.self) { try EmbeddedCommand(request, held: table(block.columns.dropLast())) }
    #expect(throws: FusionError.self) { try EmbeddedCommand(request) }
  }

  @Test(
    "an option that has no effect on a result is rejected",
    arguments: [
      ["--digits", "6"], ["--format", "csv"], ["--force"], ["--lists"], ["--metadata"], ["--header-units"], ["--json"],
    ])
  func unused(_ words: [String]) {
    let failure = #expect(throws: FusionError.self) { try EmbeddedCommand(["fuse"] + words + ["--", log]) }
    #expect(failure?.exitCode == 2 && failure?.description.contains(words[0]) == true)
  }

  @Test("samples passed one by one give the rows of the log")
  func stream() throws {
    let whole = try rows(EmbeddedCommand(["fuse", "--filter", "mekf", "--", log]))
    var stream = try EmbeddedCommand.stream(["--filter", "mekf"], names: names)
    var columns = [[Double]](repeating: [], count: stream.columns.count)
    let room = UnsafeMutableBufferPointer<Double>.allocate(capacity: 7 * stream.columns.count)
    defer { room.deallocate() }
    func take() {
      while case let count = stream.takeRows(into: room), count > 0 {
        for row in 0..<count {
          for index in columns.indices { columns[index].append(room[row * columns.count + index]) }
        }
      }
    }
    for row in stride(from: 0, to: numbers.count, by: names.count) {
      try stream.append(Array(numbers[row..<(row + names.count)]))
      take()
    }
    try stream.finish()
    take()
    #expect(isSame(columns, whole))
    #expect(throws: FusionError.self) { try stream.append(Array(numbers.prefix(names.count))) }
  }

  @Test("a stream rejects options that need the whole log, and unknown column names")
  func streamRefused() {
    #expect(throws: FusionError.self) { try EmbeddedCommand.stream(["--smooth"], names: names) }
    #expect(throws: FusionError.self) { try EmbeddedCommand.stream([], names: ["a", "b"]) }
    #expect(throws: FusionError.self) { try EmbeddedCommand.stream(["--filter"], names: names) }
    for words in [["-o", "a.csv"], ["--digits", "6"], ["--jobs", "2"], ["--json"], ["--resume", "-o", "a"]] {
      #expect(throws: FusionError.self, "\(words)") { try EmbeddedCommand.stream(words, names: names) }
    }
  }

  @Test("reading a log gives its samples by channel")
  func read() throws {
    let answer = try EmbeddedCommand(["read", "--", log])
    #expect(answer.tables.map(\.name).prefix(2) == ["gyroscope", "accelerometer"])
    let rates = answer.tables[0].block
    #expect(rates.columns.map(\.name) == ["time", "rotationRateX", "rotationRateY", "rotationRateZ"])
    #expect(rates.rowCount == 400)
    let index = try #require(names.firstIndex(of: "rotationRateY"))
    #expect((0..<400).allSatisfy { rates[2]![$0] == numbers[$0 * names.count + index] })
  }

  @Test(
    "options that are out of range or do not apply to a file are rejected for rows in memory",
    arguments: [["--digits", "99"], ["--digits", "0"], ["--rate", "10"], ["--metadata"], ["--columns-out", "time"]])
  func refusedOptions(_ words: [String]) throws {
    let answer = try EmbeddedCommand(["fuse", "--", log])
    let failure = #expect(throws: FusionError.self) { try answer.write(["-o", runner.path("ours.csv")] + words) }
    #expect(failure?.exitCode == 2 && failure?.description.contains(words[0]) == true, "\(failure?.description ?? "")")
    #expect(!FileManager.default.fileExists(atPath: runner.path("ours.csv")))
  }
}
