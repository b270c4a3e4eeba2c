import TestSupport
import Testing

@Suite("Requests in JSON for jobs, in the process of another program") struct JobAnswerTests {
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

  /// The answer to a request for the log.
  private func answer(_ job: String, _ members: String = "") throws -> JobAnswer {
    try JobAnswer(request(job, members))
  }

  private func request(_ job: String, _ members: String = "") -> String {
    "{\"job\": \"\(job)\", \"input\": \"\(log)\"\(members.isEmpty ? "" : ", " + members)}"
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

  private func rows(_ answer: JobAnswer) throws -> [[Double]] {
    let block = try #require(answer.tables.first).block
    return block.columns.indices.map { index in (0..<block.rowCount).map { block[index]![$0] } }
  }

  private func isSame(_ a: [[Double]], _ b: [[Double]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
  }

  @Test("a table in memory gives the rows of the file, online and offline", arguments: [true, false])
  func held(_ smooths: Bool) throws {
    let options = "\"options\": {\"smooths\": \(smooths)}"
    let ofFile = try rows(answer("fuse", options))
    let ofTable = try withTable { try rows(JobAnswer("{\"job\": \"fuse\", \(options)}", held: $0)) }
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
        return try rows(JobAnswer(#"{"job": "fuse"}"#, held: table))
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
        let failure = #expect(throws: FusionError.self) { try JobAnswer(#"{"job": "fuse"}"#, held: table) }
        #expect(failure?.description.contains("\n") == false && failure?.description.isEmpty == false)
      }
    }
  }

  @Test(
    "messages and their kinds match the command",
    arguments: [
      (#"{"job": "fuse", "input": "none.csv"}"#, ["fuse", "none.csv"]),
      (
        #"{"job": "fuse", "input": "log.csv", "options": {"filter": "best"}}"#, ["fuse", "log.csv", "--filter", "best"]
      ),
      (#"{"job": "fuse", "input": "log.csv", "options": {"rate": 0}}"#, ["fuse", "log.csv", "--rate", "0"]),
      (
        #"{"job": "fuse", "input": "log.csv", "options": {"placement": "thigh"}}"#,
        ["fuse", "log.csv", "--placement", "thigh"]
      ),
      (#"{"job": "altitude", "input": "log.csv", "floorHeight": 0}"#, ["altitude", "log.csv", "--floor-height", "0"]),
      (#"{"job": "steps", "input": "log.csv", "height": 9}"#, ["steps", "log.csv", "--height", "9"]),
      (
        #"{"job": "steps", "input": "log.csv", "log": {"sampleRate": 0}}"#, ["steps", "log.csv", "--sample-rate", "0"]
      ),
      (
        #"{"job": "evaluate", "input": "log.csv", "isClosed": true}"#, ["evaluate", "log.csv", "--closed"]
      ),
      (#"{"job": "steps", "input": "none.csv"}"#, ["steps", "none.csv"]),
    ] as [(String, [String])])
  func messages(_ request: String, _ words: [String]) throws {
    let reported = try runner.run(words)
    let failure = #expect(throws: FusionError.self) {
      try JobAnswer(request.replacing(#"input": ""#, with: #"input": ""# + runner.path("") + "/"))
    }
    #expect(failure?.exitCode == reported.status)
    let message = failure?.description.replacing(runner.path("") + "/", with: "") ?? ""
    #expect(!message.isEmpty && reported.errors.contains(message))
  }

  @Test(
    "the documents match the output of --json",
    arguments: ["steps", "activity", "shake", "inspect", "filters", "formats"])
  func documents(_ word: String) throws {
    let isOfLog = !["filters", "formats"].contains(word)
    let reported = try runner.run([word] + (isOfLog ? ["log.csv"] : []) + ["--json"])
    let answer = try isOfLog ? answer(word) : JobAnswer("{\"job\": \"\(word)\"}")
    #expect(answer.document.replacing(runner.path("") + "/", with: "") + "\n" == reported.output)
  }

  @Test("the caller can stop the reading of a file and of a table")
  func stopped() throws {
    let stop = { (_: Double) in false }
    let ofFile = #expect(throws: FusionError.self) { try JobAnswer(request("fuse"), progress: stop) }
    let ofTable = #expect(throws: FusionError.self) {
      try withTable { try JobAnswer(#"{"job": "steps"}"#, held: $0, progress: stop) }
    }
    #expect(ofFile == .stopped && ofTable == .stopped)
  }

  @Test("rows in memory are written as fuse writes them", arguments: ["csv", "npz", "parquet", "tum"])
  func written(_ ending: String) throws {
    let options = #""options": {"startsAtZero": true}"#
    let answer = try answer("fuse", options)
    let (ours, theirs) = (runner.path("ours.\(ending)"), runner.path("theirs.\(ending)"))
    try answer.write("{\"output\": \"\(ours)\"}")
    _ = try self.answer("fuse", options + ", \"output\": \"\(theirs)\"")
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    let failure = #expect(throws: FusionError.self) { try answer.write("{\"output\": \"\(ours)\"}") }
    #expect(failure?.exitCode == 2)
    let again = "{\"output\": \"\(ours)\", \"force\": true}"
    try answer.write(again)
    #expect(throws: FusionError.self) { try answer.write("{}") }
    #expect(throws: FusionError.self) { try JobAnswer(#"{"job": "filters"}"#).write(again) }
  }

  @Test("restored rows and their document are written like the original result", arguments: ["csv", "parquet"])
  func restored(_ ending: String) throws {
    let options = #""options": {"startsAtZero": true, "filter": "vqf"}"#
    let answer = try answer("fuse", options)
    let block = answer.tables[0].block
    func table(_ columns: ArraySlice<FusedColumn>) -> InMemoryTable {
      InMemoryTable(
        columns: columns.indices.map {
          .init(name: columns[$0].name, kind: .float64, base: UnsafeRawPointer(block[$0]!), stride: 8)
        }, rowCount: block.rowCount)
    }
    let document = String(decoding: try JSONEncoder().encode(answer.document), as: UTF8.self)
    let request = request("restore", options + ", \"document\": \(document)")
    let restored = try JobAnswer(request, held: table(block.columns[...]))
    let (ours, theirs) = (runner.path("ours.\(ending)"), runner.path("theirs.\(ending)"))
    try restored.write("{\"output\": \"\(ours)\"}")
    try answer.write("{\"output\": \"\(theirs)\"}")
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    #expect(throws: FusionError.self) { try JobAnswer(request, held: table(block.columns.dropLast())) }
    #expect(throws: FusionError.self) { try JobAnswer(request) }
  }

  @Test(
    "an option that has no effect on a result is rejected",
    arguments: [
      #""digits": 6"#, #""formats": ["csv"]"#, #""force": true"#, #""writesLists": true"#, #""writesMetadata": true"#,
      #""writesUnits": true"#,
    ])
  func unused(_ member: String) {
    let name = member.split(separator: "\"")[0]
    func check(_ failure: FusionError?) {
      #expect(failure?.exitCode == 2 && failure?.description.hasPrefix("'\(name)' applies to a file") == true)
    }
    check(#expect(throws: FusionError.self) { try answer("fuse", "\"options\": {\(member)}") })
    check(#expect(throws: FusionError.self) { try FusionStream("{\(member)}", names: names) })
  }

  @Test("samples passed one by one give the rows of the log")
  func stream() throws {
    let whole = try rows(answer("fuse", #""options": {"filter": "mekf"}"#))
    var stream = try FusionStream(#"{"filter": "mekf"}"#, names: names)
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
    #expect(throws: FusionError.self) { try FusionStream("{}", names: ["a", "b"]) }
    for options in [
      #"{"smooths": true}"#, #"{"aligns": true}"#, #"{"filter": 1}"#, #"{"output": "a.csv"}"#, #"{"channels": "all"}"#,
      #"{"sound": {"path": "a.wav"}}"#, "[]", "",
    ] {
      #expect(throws: FusionError.self, "\(options)") { try FusionStream(options, names: names) }
    }
  }

  @Test("reading a log gives its samples by channel")
  func read() throws {
    let answer = try answer("read")
    #expect(answer.tables.map(\.name).prefix(2) == ["gyroscope", "accelerometer"])
    let rates = answer.tables[0].block
    #expect(rates.columns.map(\.name) == ["time", "rotationRateX", "rotationRateY", "rotationRateZ"])
    #expect(rates.rowCount == 400)
    let index = try #require(names.firstIndex(of: "rotationRateY"))
    #expect((0..<400).allSatisfy { rates[2]![$0] == numbers[$0 * names.count + index] })
  }

  @Test(
    "options that are out of range or do not apply to a file are rejected for rows in memory",
    arguments: [("digits", 99), ("digits", 0), ("rate", 10), ("writesLists", 1)])
  func refusedOptions(_ name: String, _ value: Int) throws {
    let answer = try answer("fuse")
    let failure = #expect(throws: FusionError.self) {
      try answer.write("{\"output\": \"\(runner.path("ours.csv"))\", \"\(name)\": \(value)}")
    }
    #expect(failure?.exitCode == 2 && failure?.description.contains(name) == true, "\(failure?.description ?? "")")
    #expect(!FileManager.default.fileExists(atPath: runner.path("ours.csv")))
  }
}
