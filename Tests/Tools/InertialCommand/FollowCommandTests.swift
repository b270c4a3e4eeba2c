import Foundation
import Inertial
import Testing

@Suite("fuse --follow")
struct FollowCommandTests {
  private let runner = try! CommandRunner()

  /// A device that rotates back and forth about Z, at 100 Hz.
  private static func log(_ count: Int = 500) -> String {
    CanonicalLog.text(count) { index, row in
      row[6] = 0.5 * cos(Double(index) / 30)
      row[1] = 0.05 * sin(Double(index) / 20)
    }
  }

  @Test(
    "the rows match the rows of the log, byte for byte",
    arguments: [
      [], ["--frame", "xMagneticNorthZVertical"], ["--rate", "40"], ["--gaps", "split", "--with", "shake"],
      ["--filter", "vqf", "--columns-out", "time,yaw", "--digits", "6"],
      ["--with-channels", "rawAcceleration,rawRotationRate"],
    ])
  func rows(_ options: [String]) throws {
    let text = Self.log()
    try runner.write(text, to: "log.csv")
    let whole = try runner.run(["fuse", "log.csv", "-o", "whole.csv"] + options)
    #expect(whole.status == 0, "\(whole.errors)")
    let followed = try runner.run(["fuse", "-", "--follow"] + options, input: text)
    #expect(followed.status == 0, "\(followed.errors)")
    #expect(try followed.output == runner.read("whole.csv"))
    let file = try runner.run(["fuse", "-", "--follow", "-o", "followed.csv", "--json"] + options, input: text)
    #expect(try file.status == 0 && runner.read("followed.csv") == runner.read("whole.csv"))
    let document = try #require(try JSONSerialization.jsonObject(with: Data(file.output.utf8)) as? [String: Any])
    #expect(document["rows"] as? Int == followed.output.split(separator: "\n").count - 1)
  }

  @Test("lines without a header and JSON objects are read as canonical columns")
  func lines() throws {
    let rows = Self.log().split(separator: "\n").dropFirst()
    let names = CanonicalLog.header.dropLast().split(separator: ",")
    let objects = rows.map { row in
      "{" + zip(names, row.split(separator: ",")).map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }
    let expected = try runner.run(["fuse", "-", "--follow"], input: Self.log()).output
    #expect(expected.split(separator: "\n").count == 501)
    #expect(try runner.run(["fuse", "-", "--follow"], input: rows.joined(separator: "\n")).output == expected)
    #expect(
      try runner.run(["fuse", "-", "--follow"], input: objects.joined(separator: "\n") + "\n").output == expected)
  }

  @Test("late samples and unreadable lines are skipped and reported; --hold-back sorts late samples")
  func disorder() throws {
    var lines = Self.log().split(separator: "\n").map(String.init)
    lines.swapAt(300, 301)
    let ordered = try runner.run(["fuse", "-", "--follow", "--hold-back", "0.5"], input: lines.joined(separator: "\n"))
    #expect(ordered.output == (try runner.run(["fuse", "-", "--follow"], input: Self.log()).output))
    lines.insert("no,row,of,numbers", at: 200)
    let result = try runner.run(["fuse", "-", "--follow"], input: lines.joined(separator: "\n"))
    #expect(result.status == 0 && result.output.split(separator: "\n").count == 500, "\(result.errors)")
    #expect(result.errors.contains("gyroscope: 1 sample too late to be sorted in, dropped"), "\(result.errors)")
    #expect(result.errors.contains("1 line could not be read and was skipped"), "\(result.errors)")
  }

  private func rowTimes(_ output: String) -> [Double] {
    output.split(separator: "\n").dropFirst().compactMap { row in Double(row.prefix { $0 != "," }) }
  }

  @Test("a row with an implausible time is skipped, and the following rows are kept")
  func wildTime() throws {
    var lines = Self.log().split(separator: "\n").map(String.init)
    lines.insert("1e15" + lines[250].drop { $0 != "," }, at: 250)
    let result = try runner.run(["fuse", "-", "--follow"], input: lines.joined(separator: "\n"))
    #expect(result.status == 0 && rowTimes(result.output) == (0..<500).map { Double($0) / 100 }, "\(result.errors)")
    #expect(result.errors.contains("1 line with a time far from its neighbours' was skipped"), "\(result.errors)")
  }

  @Test("a restarted sender clock starts a new segment, is reported immediately, and loses no row")
  func restart() throws {
    let rows = Self.log().split(separator: "\n").map(String.init)
    let lines = rows + rows.dropFirst()
    let result = try runner.run(
      ["fuse", "-", "--follow", "--gaps", "split", "--columns-out", "time,yaw,segment"],
      input: lines.joined(separator: "\n"))
    #expect(result.status == 0 && rowTimes(result.output).count == 1000, "\(result.errors)")
    #expect(result.errors.contains("the sender's clock has jumped from 4.99 s to 0.0 s"), "\(result.errors)")
    let cells = result.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    #expect(cells.prefix(500).map { $0[1] } == cells.suffix(500).map { $0[1] })
    #expect(Set(cells.prefix(500).map { $0[2] }).count == 1 && cells[0][2] != cells[500][2])
  }

  @Test("a stream that ends within a line gives status 1, and the previous rows are written")
  func cutOff() throws {
    let result = try runner.run(["fuse", "-", "--follow", "-o", "out.csv"], input: Self.log(300) + "3.0,0.1")
    #expect(result.status == 1 && result.errors.contains("the stream ended within a line"), "\(result.errors)")
    #expect(try rowTimes(runner.read("out.csv")).count == 300)
  }

  @Test("--from and --secret apply to datagrams; datagrams of other senders are dropped and reported")
  func admission() throws {
    let wrong = try runner.run(["fuse", "-", "--follow", "--secret", "s"], input: Self.log(100))
    #expect(wrong.status == 2 && wrong.errors.contains("--from and --secret are for"), "\(wrong.errors)")
    let process = Process()
    process.executableURL = CommandRunner.executable
    process.arguments = ["fuse", "udp://:0", "--follow", "-o", "out.csv", "--secret", "s", "--from", "127.0.0.1"]
    process.currentDirectoryURL = runner.folder
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    var reported = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    let digits = try #require(reported.firstMatch(of: #/udp://127\.0\.0\.1:(\d+)/#)?.1)
    let port = try #require(UInt16(digits))
    let rows = Self.log(200).split(separator: "\n").dropFirst().map(String.init)
    try send(["", "1,2,3,4", "wrong\n" + rows[0]], to: port)
    try send(rows.map { "s\n" + $0 } + ["s"], to: port)
    process.waitUntilExit()
    reported += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(reported)")
    #expect(try runner.read("out.csv").split(separator: "\n").count == 201)
    #expect(reported.contains("of other senders dropped, the last from 127.0.0.1:"), "\(reported)")
    #expect(reported.contains("3 datagrams of other senders, or without the secret, were rejected"), "\(reported)")
  }

  @Test(
    "a connection gives the rows of the log, rejects --from and --secret, and a missing server is reported"
  )
  func connection() throws {
    let wrong = try runner.run(["fuse", "tcp://:0", "--follow", "--secret", "s"])
    #expect(wrong.status == 2 && wrong.errors.contains("--from and --secret are for"), "\(wrong.errors)")
    let nobody = try runner.run(["fuse", "http://127.0.0.1:1/", "--follow"])
    #expect(nobody.status == 1 && nobody.errors.contains("provides no samples"), "\(nobody.errors)")
    try runner.write(Self.log(), to: "log.csv")
    #expect(try runner.run(["fuse", "log.csv", "-o", "whole.csv"]).status == 0)
    let process = Process()
    process.executableURL = CommandRunner.executable
    process.arguments = ["fuse", "tcp://:0", "--follow", "-o", "out.csv"]
    process.currentDirectoryURL = runner.folder
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let reported = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    let digits = try #require(reported.firstMatch(of: #/listening at tcp://127\.0\.0\.1:(\d+)/#)?.1)
    let descriptor = try socket(Self.stream, to: try #require(UInt16(digits)))
    let sender = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    sender.write(Data(Self.log().utf8))
    try sender.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try runner.read("out.csv") == runner.read("whole.csv"))
  }

  @Test("a row is written before the next line arrives")
  func promptness() throws {
    let process = Process()
    process.executableURL = CommandRunner.executable
    process.arguments = ["fuse", "-", "--follow"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var lines = Self.log(300).split(separator: "\n").map { $0 + "\n" }[...]
    // The first rows follow when the filter has settled.
    input.fileHandleForWriting.write(Data(lines.prefix(202).joined().utf8))
    lines = lines.dropFirst(202)
    var text = try Self.read(output, until: "\n2.0,")
    for (index, line) in lines.enumerated() {
      input.fileHandleForWriting.write(Data(line.utf8))
      text = try Self.read(output, until: "\n\(Double(201 + index) / 100),", text)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.split(separator: "\n").count == 301)
  }

  /// Reads until a given text has arrived, or the stream has ended.
  private static func read(_ pipe: Pipe, until mark: String, _ before: String = "") throws -> String {
    var text = before
    // Some formatters omit the zero.
    while !text.contains(mark), !text.contains(mark.replacing(".0,", with: ",")) {
      let data = pipe.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the stream ended before \(mark.dropFirst())")
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  @Test("rows written before a kill stay, and a later run continues after the last complete row")
  func kills() throws {
    let lines = Self.log(3000).split(separator: "\n").map { $0 + "\n" }
    let fifo = runner.folder.appendingPathComponent("fifo").path
    #expect(mkfifo(fifo, 0o600) == 0)
    // Open at both ends, so that it buffers lines without a reader.
    let writer = open(fifo, O_RDWR)
    defer { close(writer) }
    var position = 0
    for round in 0..<6 {
      let process = Process()
      process.executableURL = CommandRunner.executable
      process.arguments = ["fuse", "-", "--follow", "-o", "out.csv", "--resume", "--filter", "mahony"]
      process.currentDirectoryURL = runner.folder
      process.standardInput = FileHandle(forReadingAtPath: fifo)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let end = position + 500
      for line in lines[position..<end] { _ = line.withCString { write(writer, $0, strlen($0)) } }
      position = end
      // All lines except the header have rows.
      let expected = position - 1
      for _ in 0..<2400 {
        if (try? rowCount()) ?? 0 >= expected { break }
        usleep(25_000)
      }
      #expect(try rowCount() == expected, "in round \(round)")
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // As if a row had been cut off by the kill.
      if round == 2, let handle = FileHandle(forWritingAtPath: runner.folder.path + "/out.csv") {
        try handle.seekToEnd()
        handle.write(Data("12.3,0.4".utf8))
        try handle.close()
      }
    }
    let rows = try runner.read("out.csv").split(separator: "\n")
    let times: [Double] = rows.dropFirst().compactMap { row in Double(row.prefix { $0 != "," }) }
    #expect(times == (0..<2999).map { Double($0) / 100 })
  }

  private func rowCount() throws -> Int { try runner.read("out.csv").count { $0 == "\n" } - 1 }

  @Test("an existing output is rejected, replaced with --force, and resumed only with the same columns")
  func existing() throws {
    let follow = ["fuse", "-", "--follow", "-o", "out.csv"]
    #expect(try runner.run(follow, input: Self.log(100)).status == 0)
    let refused = try runner.run(follow, input: Self.log(100))
    #expect(
      refused.status == 2 && refused.errors.contains("--resume to continue after its last row"), "\(refused.errors)")
    #expect(try runner.run(follow + ["--force"], input: Self.log(50)).status == 0)
    #expect(try runner.read("out.csv").split(separator: "\n").count == 51)
    let again = try runner.run(follow + ["--resume"], input: Self.log(50))
    #expect(again.status == 0 && again.errors.contains("times will not increase"), "\(again.errors)")
    #expect(try runner.read("out.csv").split(separator: "\n").count == 101)
    let other = try runner.run(follow + ["--resume", "--columns-out", "time,yaw"], input: Self.log(50))
    #expect(other.status == 1 && other.errors.contains("has columns that differ"), "\(other.errors)")
  }

  @Test("a stream in other units, or without a gyroscope, is rejected with one line, like a log")
  func unfit() throws {
    let meters = CanonicalLog.text(300) { _, row in for axis in 1...3 { row[axis] *= 9.80665 } }
    let wrong = try runner.run(["fuse", "-", "--follow"], input: meters)
    #expect(wrong.status == 1 && wrong.errorLines.count == 1, "\(wrong.errors)")
    #expect(wrong.errors.contains("values in m/s² need --acceleration-unit m/s2"), "\(wrong.errors)")
    // Before the first row.
    #expect(wrong.output.split(separator: "\n").count == 1)
    let reported = try runner.run(["fuse", "-", "--follow", "--acceleration-unit", "m/s2"], input: meters)
    #expect(reported.status == 0 && reported.output.split(separator: "\n").count == 301, "\(reported.errors)")
    let short = try runner.run(
      ["fuse", "-", "--follow"], input: meters.split(separator: "\n").prefix(6).joined(separator: "\n"))
    #expect(short.status == 1 && short.errors.contains("m/s2"), "\(short.errors)")
    let lone = (0..<50).map {
      "{\"time\": \(Double($0) / 100), " + #""accelerationX": 0, "accelerationY": 0, "accelerationZ": -1}"#
    }
    let partial = try runner.run(["fuse", "-", "--follow"], input: lone.joined(separator: "\n"))
    #expect(partial.status == 1 && partial.errors.contains("no gyroscope samples"), "\(partial.errors)")
    #expect(try runner.run(["fuse", "-", "--follow"], input: "").status == 0)
  }

  @Test("missing parts of a stream are reported at its end: north, and requested channels")
  func lacking() throws {
    let result = try runner.run(
      [
        "fuse", "-", "--follow", "--frame", "xMagneticNorthZVertical", "--with-channels", "barometer", "--with",
        "altitude",
      ],
      input: CanonicalLog.text(300) { _, row in for axis in 7...9 { row[axis] = .nan } })
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("north is unknown"), "\(result.errors)")
    #expect(result.errors.contains("the log has no barometer: empty in the dataset"), "\(result.errors)")
    #expect(result.errors.contains("which altitude needs"), "\(result.errors)")
  }

  @Test("a silent stream is reported, and ends")
  func silence() throws {
    let process = Process()
    process.executableURL = CommandRunner.executable
    process.arguments = ["fuse", "-", "--follow", "-o", "out.csv", "--longest-silence", "0.3"]
    process.currentDirectoryURL = runner.folder
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    input.fileHandleForWriting.write(Data(Self.log(200).utf8))
    process.waitUntilExit()
    let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(process.terminationStatus == 0 && text.contains("the stream has ended"), "\(text)")
    #expect(try runner.read("out.csv").split(separator: "\n").count == 201)
  }

  @Test("datagrams are followed")
  func datagrams() throws {
    let process = Process()
    process.executableURL = CommandRunner.executable
    process.arguments = ["fuse", "udp://127.0.0.1:0", "--follow", "-o", "out.csv"]
    process.currentDirectoryURL = runner.folder
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let reported = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    let digits = try #require(reported.firstMatch(of: #/udp://127\.0\.0\.1:(\d+)/#)?.1)
    let port = try #require(UInt16(digits))
    try send(Self.log(200).split(separator: "\n").dropFirst().map { String($0) } + [""], to: port)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try runner.read("out.csv").split(separator: "\n").count == 201)
  }

  #if canImport(Darwin)
    private static let (stream, datagram) = (SOCK_STREAM, SOCK_DGRAM)
  #else
    private static let (stream, datagram) = (Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue))
  #endif

  /// A socket connected to a port of this machine.
  private func socket(_ kind: Int32, to port: UInt16) throws -> Int32 {
    let descriptor = Foundation.socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return descriptor
  }

  private func send(_ lines: [String], to port: UInt16) throws {
    let descriptor = try socket(Self.datagram, to: port)
    defer { close(descriptor) }
    for line in lines {
      let sent = line.withCString { Foundation.send(descriptor, $0, strlen($0), 0) }
      try #require(sent == line.utf8.count)
      // Prevents an overflow of the receiver's buffer.
      usleep(200)
    }
  }

  @Test(
    "options that need the whole log are rejected with one line and status 2",
    arguments: [
      (["--smooth"], "--smooth needs the whole log"), (["--align"], "--align"), (["--format", "npz"], "CSV rows"),
      (["--metadata"], "--metadata"), (["--with-channels", "all"], "name them instead of 'all'"),
      (["--with-channels", "annotation"], "events"), (["--hold-back", "-1"], "--hold-back"),
      (["--longest-silence", "0"], "--longest-silence"), (["--resume"], "--resume needs -o FILE"),
    ])
  func refusals(_ options: [String], _ words: String) throws {
    let result = try runner.run(["fuse", "-", "--follow"] + options, input: Self.log(100))
    #expect(result.status == 2 && result.errors.contains(words) && result.output.isEmpty, "\(result.errors)")
  }

  @Test("a log with --follow, a stream without it and an invalid address are rejected")
  func addresses() throws {
    try runner.write(Self.log(100), to: "log.csv")
    let log = try runner.run("fuse", "log.csv", "--follow")
    #expect(log.status == 2 && log.errors.contains("--follow takes one stream"), "\(log.errors)")
    let stream = try runner.run("fuse", "udp://127.0.0.1:9000")
    #expect(stream.status == 2 && stream.errors.contains("add --follow"), "\(stream.errors)")
    let bad = try runner.run("fuse", "udp://nowhere", "--follow")
    #expect(bad.status == 2 && bad.errors.contains("udp://host:port"), "\(bad.errors)")
  }
}
