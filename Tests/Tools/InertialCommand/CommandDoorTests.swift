import Foundation
import Inertial
import Testing

@testable import InertialCommand

@Suite("The subcommands in another program's own process")
struct CommandDoorTests {
  private let runner = try! CommandRunner()
  private let log: String
  private let names: [String]
  /// The log's numbers, row by row.
  private let numbers: [Double]

  init() throws {
    try runner.write(CanonicalLog.text(400), to: "log.csv")
    log = runner.folder.appendingPathComponent("log.csv").path
    let lines = try runner.read("log.csv").split(separator: "\n")
    names = lines[0].split(separator: ",").map(String.init)
    numbers = lines.dropFirst().flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    }
  }

  /// The log's rows as they lie in memory, a column's numbers as far apart as a row is long.
  private func withTable<Result>(_ work: (HeldTable) throws -> Result) rethrows -> Result {
    try numbers.withUnsafeBytes { bytes in
      let columns = names.enumerated().map { place, name in
        HeldTable.Column(
          name: name, kind: .float64, base: bytes.baseAddress! + place * 8, stride: names.count * 8)
      }
      return try work(HeldTable(columns: columns, rowCount: numbers.count / names.count))
    }
  }

  private func rows(_ answer: CommandAnswer) throws -> [[Double]] {
    let block = try #require(answer.tables.first).block
    return block.columns.indices.map { place in
      (0..<block.rowCount).map { block[place]![$0] }
    }
  }

  private func isSame(_ a: [[Double]], _ b: [[Double]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
  }

  @Test("a table in memory gives the rows of the file, online and offline", arguments: [["--smooth"], []])
  func held(_ words: [String]) throws {
    let ofFile = try rows(CommandDoor().answer(["fuse"] + words + ["--", log]))
    let ofTable = try withTable { try rows(CommandDoor(held: $0).answer(["fuse"] + words)) }
    #expect(ofFile.first?.count == 400)
    #expect(isSame(ofFile, ofTable))
  }

  @Test("UNIX nanoseconds in memory are as exact as in a file")
  func nanoseconds() throws {
    let start: Int64 = 1_700_000_000_123_456_789
    let stamps = (0..<400).map { start + Int64($0) * 10_000_001 }
    let table = try stamps.withUnsafeBytes { bytes in
      try withTable { table in
        var table = table
        table.columns[0] = .init(name: "time", kind: .int64, base: bytes.baseAddress!, stride: 8)
        return try rows(CommandDoor(held: table).answer(["fuse"]))
      }
    }
    #expect(table[0] == (0..<400).map { Double($0 * 10_000_001) / 1e9 })
  }

  @Test("a table without rows, without columns that are known or with a missing sensor is refused in one line")
  func refused() throws {
    withTable { table in
      var (empty, strange, half) = (table, table, table)
      empty.rowCount = 0
      for place in strange.columns.indices { strange.columns[place].name = "c\(place)" }
      half.columns.removeAll { $0.name.hasPrefix("rotationRate") }
      for table in [empty, strange, half] {
        let failure = #expect(throws: CommandFailure.self) { try CommandDoor(held: table).answer(["fuse"]) }
        #expect(failure?.message.contains("\n") == false)
        #expect(failure?.message.isEmpty == false)
      }
    }
  }

  @Test(
    "the messages and their kinds are the command's",
    arguments: [
      ["fuse", "none.csv"], ["fuse", "log.csv", "--filter", "best"], ["fuse", "log.csv", "--rate", "-1"],
      ["steps", "none.csv"], ["fuse", "log.csv", "--digits", "x"],
    ])
  func messages(_ words: [String]) throws {
    let told = try runner.run(words)
    let failure = #expect(throws: CommandFailure.self) {
      try CommandDoor().answer(words.map { $0.hasSuffix(".csv") ? runner.folder.path + "/" + $0 : $0 })
    }
    #expect(failure?.kind.rawValue == told.status)
    let message = failure?.message.replacing(runner.folder.path + "/", with: "") ?? ""
    #expect(!message.isEmpty)
    #expect(told.errors.contains(message))
  }

  @Test(
    "the documents are what --json prints",
    arguments: ["steps", "activity", "shake", "inspect", "filters", "formats"])
  func documents(_ word: String) throws {
    let paths = ["filters", "formats"].contains(word) ? [] : ["log.csv"]
    let told = try runner.run([word] + paths + ["--json"])
    let answer = try CommandDoor().answer([word] + paths.map { _ in log })
    #expect(answer.document.replacing(runner.folder.path + "/", with: "") + "\n" == told.output)
  }

  @Test("whoever asks for the end gets it, of a file and of a table")
  func stopped() throws {
    let stop = { (_: Double) in false }
    let ofFile = #expect(throws: CommandFailure.self) {
      try CommandDoor(progress: stop).answer(["fuse", "--", log])
    }
    let ofTable = #expect(throws: CommandFailure.self) {
      try withTable { try CommandDoor(held: $0, progress: stop).answer(["steps"]) }
    }
    #expect(ofFile?.kind == .stopped && ofTable?.kind == .stopped)
  }

  @Test("rows in memory are written as fuse writes them", arguments: ["csv", "npz", "parquet", "tum"])
  func written(_ ending: String) throws {
    let answer = try CommandDoor().answer(["fuse", "--relative-time", "--", log])
    let (ours, theirs) = (runner.folder.path + "/ours.\(ending)", runner.folder.path + "/theirs.\(ending)")
    try answer.write(["-o", ours])
    _ = try CommandDoor().answer(["fuse", "--relative-time", "-o", theirs, "--", log])
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    let failure = #expect(throws: CommandFailure.self) { try answer.write(["-o", ours]) }
    #expect(failure?.kind == .usage)
    try answer.write(["-o", ours, "--force"])
    #expect(throws: CommandFailure.self) { try answer.write([]) }
    #expect(throws: CommandFailure.self) { try CommandDoor().answer(["filters"]).write(["-o", ours, "--force"]) }
  }

  @Test("rows that come back with their document are written as the answer writes them", arguments: ["csv", "parquet"])
  func restored(_ ending: String) throws {
    let words = ["--relative-time", "--filter", "vqf", "--", log]
    let answer = try CommandDoor().answer(["fuse"] + words)
    let block = answer.tables[0].block
    func table(_ columns: ArraySlice<FusedColumn>) -> HeldTable {
      HeldTable(
        columns: columns.indices.map {
          .init(name: columns[$0].name, kind: .float64, base: UnsafeRawPointer(block[$0]!), stride: 8)
        }, rowCount: block.rowCount)
    }
    let request = ["restore", answer.document] + words
    let restored = try CommandDoor(held: table(block.columns[...])).answer(request)
    let (ours, theirs) = (runner.folder.path + "/ours.\(ending)", runner.folder.path + "/theirs.\(ending)")
    try restored.write(["-o", ours])
    try answer.write(["-o", theirs])
    #expect(FileManager.default.contents(atPath: ours) == FileManager.default.contents(atPath: theirs))
    let fewer = CommandDoor(held: table(block.columns.dropLast()))
    #expect(throws: CommandFailure.self) { try fewer.answer(request) }
    #expect(throws: CommandFailure.self) { try CommandDoor().answer(request) }
  }

  @Test(
    "an option that an answer would not use is refused",
    arguments: [
      ["--digits", "6"], ["--format", "csv"], ["--force"], ["--lists"], ["--metadata"], ["--header-units"], ["--json"],
    ])
  func unused(_ words: [String]) {
    let failure = #expect(throws: CommandFailure.self) { try CommandDoor().answer(["fuse"] + words + ["--", log]) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.contains(words[0]) == true)
  }

  @Test("samples that come one by one give the rows of the log")
  func stream() throws {
    let whole = try rows(CommandDoor().answer(["fuse", "--filter", "mekf", "--", log]))
    var stream = try CommandStream(["--filter", "mekf"], names: names)
    var columns = [[Double]](repeating: [], count: stream.columns.count)
    let room = UnsafeMutableBufferPointer<Double>.allocate(capacity: 7 * stream.columns.count)
    defer { room.deallocate() }
    func take() {
      while case let count = stream.take(into: room), count > 0 {
        for row in 0..<count {
          for place in columns.indices { columns[place].append(room[row * columns.count + place]) }
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
    #expect(throws: CommandFailure.self) { try stream.append(Array(numbers.prefix(names.count))) }
  }

  @Test("a stream takes no option that needs the whole log, and no names that say nothing")
  func streamRefused() {
    #expect(throws: CommandFailure.self) { try CommandStream(["--smooth"], names: names) }
    #expect(throws: CommandFailure.self) { try CommandStream([], names: ["a", "b"]) }
    #expect(throws: CommandFailure.self) { try CommandStream(["--filter"], names: names) }
    for words in [["-o", "a.csv"], ["--digits", "6"], ["--jobs", "2"], ["--json"], ["--resume", "-o", "a"]] {
      #expect(throws: CommandFailure.self, "\(words)") { try CommandStream(words, names: names) }
    }
  }

  @Test("a log that is read gives its samples, channel by channel")
  func read() throws {
    let answer = try CommandDoor().answer(["read", "--", log])
    #expect(answer.tables.map(\.name).prefix(2) == ["gyroscope", "accelerometer"])
    let rates = answer.tables[0].block
    #expect(rates.columns.map(\.name) == ["time", "rotationRateX", "rotationRateY", "rotationRateZ"])
    #expect(rates.rowCount == 400)
    let place = try #require(names.firstIndex(of: "rotationRateY"))
    #expect((0..<400).allSatisfy { rates[2]![$0] == numbers[$0 * names.count + place] })
  }

  @Test(
    "rows in memory are refused with options that are out of range or of no use to a file",
    arguments: [["--digits", "99"], ["--digits", "0"], ["--rate", "10"], ["--metadata"], ["--columns-out", "time"]])
  func refusedOptions(_ words: [String]) throws {
    let answer = try CommandDoor().answer(["fuse", "--", log])
    let failure = #expect(throws: CommandFailure.self) {
      try answer.write(["-o", runner.folder.path + "/ours.csv"] + words)
    }
    #expect(failure?.kind == .usage && failure?.message.contains(words[0]) == true, "\(failure?.message ?? "")")
    #expect(!FileManager.default.fileExists(atPath: runner.folder.path + "/ours.csv"))
  }
}
