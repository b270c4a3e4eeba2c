import TestSupport
import Testing

@Suite("fuse --follow") struct FollowCommandTests {
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
    try runner.check(["fuse", "log.csv", "-o", "whole.csv"] + options)
    let followed = try runner.check(["fuse", "-", "--follow"] + options, input: text)
    #expect(try followed.output == runner.read("whole.csv"))
    let document = try runner.check(["fuse", "-", "--follow", "-o", "followed.csv", "--json"] + options, input: text)
      .json()
    #expect(try runner.read("followed.csv") == runner.read("whole.csv"))
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
    try runner.check(
      ["fuse", "-", "--follow", "-o", "out.csv"], status: 1, errors: "the stream ended within a line",
      input: Self.log(300) + "3.0,0.1")
    #expect(try rowTimes(runner.read("out.csv")).count == 300)
  }

  /// Starts a command that follows an address with a free port, and waits for the port.
  private func listen(_ address: String, _ more: String...) throws -> (process: Process, port: UInt16, errors: Pipe) {
    let errors = Pipe()
    let process = try runner.start(["fuse", address, "--follow", "-o", "out.csv"] + more, errors: errors)
    let reported = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    let digits = try #require(reported.firstMatch(of: #/listening at (?:udp|tcp)://127\.0\.0\.1:(\d+)/#)?.1)
    return (process, try #require(UInt16(digits)), errors)
  }

  @Test("--from and --secret apply to datagrams; datagrams of other senders are dropped and reported")
  func admission() throws {
    try runner.check(
      ["fuse", "-", "--follow", "--secret", "s"], status: 2, errors: "--from and --secret are for", input: Self.log(100)
    )
    let (process, port, errors) = try listen("udp://:0", "--secret", "s", "--from", "127.0.0.1")
    let rows = Self.log(200).split(separator: "\n").dropFirst().map(String.init)
    try send(["", "1,2,3,4", "wrong\n" + rows[0]], to: port)
    try send(rows.map { "s\n" + $0 } + ["s"], to: port)
    process.waitUntilExit()
    let reported = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(reported)")
    #expect(try runner.read("out.csv").split(separator: "\n").count == 201)
    #expect(reported.contains("of other senders dropped, the last from 127.0.0.1:"), "\(reported)")
    #expect(reported.contains("3 datagrams of other senders, or without the secret, were rejected"), "\(reported)")
  }

  @Test("a connection gives the rows of the log, rejects --from and --secret, and a missing server is reported")
  func connection() throws {
    try runner.check(
      ["fuse", "tcp://:0", "--follow", "--secret", "s"], status: 2, errors: "--from and --secret are for")
    try runner.check(["fuse", "http://127.0.0.1:1/", "--follow"], status: 1, errors: "provides no samples")
    try runner.write(Self.log(), to: "log.csv")
    try runner.check(["fuse", "log.csv", "-o", "whole.csv"])
    let (process, port, _) = try listen("tcp://:0")
    let descriptor = try socket(Self.stream, to: port)
    let sender = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    sender.write(Data(Self.log().utf8))
    try sender.close()
    process.waitUntilExit()
    #expect(try process.terminationStatus == 0 && runner.read("out.csv") == runner.read("whole.csv"))
  }

  @Test("a row is written before the next line arrives")
  func promptness() throws {
    let (input, output) = (Pipe(), Pipe())
    let process = try runner.start(["fuse", "-", "--follow"], input: input, output: output)
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
    #expect(process.terminationStatus == 0 && text.split(separator: "\n").count == 301)
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
    let fifo = runner.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    // Open at both ends, so that it buffers lines without a reader.
    let writer = open(fifo, O_RDWR)
    defer { close(writer) }
    var position = 0
    for round in 0..<6 {
      let process = try runner.start(
        ["fuse", "-", "--follow", "-o", "out.csv", "--resume", "--filter", "mahony"],
        input: FileHandle(forReadingAtPath: fifo))
      let end = position + 500
      for line in lines[position..<end] { _ = line.withCString { write(writer, $0, strlen($0)) } }
      position = end
      // All lines except the header have rows.
      let expected = position - 1
      #expect(eventually { (try? rowCount()) ?? 0 >= expected })
      #expect(try rowCount() == expected, "in round \(round)")
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // As if a row had been cut off by the kill.
      if round == 2, let handle = FileHandle(forWritingAtPath: runner.path("out.csv")) {
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
    try runner.check(follow, input: Self.log(100))
    try runner.check(follow, status: 2, errors: "--resume to continue after its last row", input: Self.log(100))
    try runner.check(follow + ["--force"], input: Self.log(50))
    #expect(try runner.read("out.csv").split(separator: "\n").count == 51)
    try runner.check(follow + ["--resume"], errors: "times will not increase", input: Self.log(50))
    #expect(try runner.read("out.csv").split(separator: "\n").count == 101)
    try runner.check(
      follow + ["--resume", "--columns-out", "time,yaw"], status: 1, errors: "has columns that differ",
      input: Self.log(50))
  }

  @Test("a stream in other units, or without a gyroscope, is rejected with one line, like a log")
  func unfit() throws {
    let meters = CanonicalLog.text(300) { _, row in for axis in 1...3 { row[axis] *= 9.80665 } }
    let wrong = try runner.check(
      ["fuse", "-", "--follow"], status: 1, errors: "values in m/s² need --acceleration-unit m/s2", lines: 1,
      input: meters)
    // Before the first row.
    #expect(wrong.output.split(separator: "\n").count == 1)
    let reported = try runner.run(["fuse", "-", "--follow", "--acceleration-unit", "m/s2"], input: meters)
    #expect(reported.status == 0 && reported.output.split(separator: "\n").count == 301, "\(reported.errors)")
    try runner.check(
      ["fuse", "-", "--follow"], status: 1, errors: "m/s2",
      input: meters.split(separator: "\n").prefix(6).joined(separator: "\n"))
    let lone = (0..<50).map {
      "{\"time\": \(Double($0) / 100), " + #""accelerationX": 0, "accelerationY": 0, "accelerationZ": -1}"#
    }
    try runner.check(
      ["fuse", "-", "--follow"], status: 1, errors: "no gyroscope samples", input: lone.joined(separator: "\n"))
    try runner.check(["fuse", "-", "--follow"], input: "")
  }

  @Test("a stream at an impossible rate, with many impossible samples or without any sample has status 1, like a log")
  func unusable() throws {
    func check(_ text: String, _ error: String) throws {
      try runner.check(["fuse", "-", "--follow"], status: 1, errors: error, input: text)
    }
    try check(CanonicalLog.text(300) { _, row in row[0] *= 1000 }, "too few to follow motion")
    try check(
      CanonicalLog.text(300) { index, row in if index.isMultiple(of: 20) { row[4] = 1e4 } }, "infinite or impossible")
    try check(
      CanonicalLog.text(300) { _, row in for axis in 1..<row.count { row[axis] = 0 } }, "without a sample")
    try check(CanonicalLog.header, "without a sample of a motion sensor, after 1 line;")
  }

  @Test("what a stream's header implies is stated once")
  func inference() throws {
    let names = ["time", "ax (m/s^2)", "ay (m/s^2)", "az (m/s^2)", "gx (deg/s)", "gy (deg/s)", "gz (deg/s)"]
    let rows = (0..<200).map { "\(Double($0) / 100),0,0,9.8,0,0,\($0 % 3)" }
    let text = ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
    let errors = try runner.check(["fuse", "-", "--follow"], input: text).errors
    #expect(errors.components(separatedBy: "interpreted as specific force").count == 2, "\(errors)")
    #expect(errors.contains("deg/s, from the header"))
  }

  @Test("missing parts of a stream are reported at its end: north, and requested channels")
  func lacking() throws {
    try runner.check(
      [
        "fuse", "-", "--follow", "--frame", "xMagneticNorthZVertical", "--with-channels", "barometer", "--with",
        "altitude",
      ], errors: "north is unknown", "the log has no barometer: empty in the dataset", "which altitude needs",
      input: CanonicalLog.text(300) { _, row in for axis in 7...9 { row[axis] = .nan } })
  }

  @Test("a silent stream is reported, and ends")
  func silence() throws {
    let (input, errors) = (Pipe(), Pipe())
    let process = try runner.start(
      ["fuse", "-", "--follow", "-o", "out.csv", "--longest-silence", "0.3"], input: input, errors: errors)
    input.fileHandleForWriting.write(Data(Self.log(200).utf8))
    process.waitUntilExit()
    let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(process.terminationStatus == 0 && text.contains("the stream has ended"), "\(text)")
    #expect(try runner.read("out.csv").split(separator: "\n").count == 201)
  }

  @Test("datagrams are followed")
  func datagrams() throws {
    let (process, port, _) = try listen("udp://127.0.0.1:0")
    try send(Self.log(200).split(separator: "\n").dropFirst().map { String($0) } + [""], to: port)
    process.waitUntilExit()
    #expect(try process.terminationStatus == 0 && runner.read("out.csv").split(separator: "\n").count == 201)
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
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
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
    try runner.check("fuse", "log.csv", "--follow", status: 2, errors: "--follow takes one stream")
    try runner.check("fuse", "udp://127.0.0.1:9000", status: 2, errors: "add --follow")
    try runner.check("fuse", "udp://nowhere", "--follow", status: 2, errors: "udp://host:port")
  }
}
