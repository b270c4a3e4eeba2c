import Foundation
import InertialNumerics
import InertialSensors
import Synchronization
import TestSupport
import Testing

@testable import InertialLogs

/// A pipe with a stream at its reading end.
private final class Feed {
  let pipe = Pipe()
  let stream: SampleStream

  init(_ text: String = "", options: LogOptions = LogOptions()) throws {
    stream = try SampleStream(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "a pipe", options: options)
    write(text)
  }

  func write(_ text: String) { pipe.fileHandleForWriting.write(Data(text.utf8)) }

  func end() { try? pipe.fileHandleForWriting.close() }

  /// Reads everything up to the end.
  func readAll() throws -> (motion: [SensorSample], auxiliary: [AuxiliarySample]) {
    end()
    return try stream.readLines()
  }
}

extension SampleStream {
  /// Reads lines up to the end, or to a silence.
  fileprivate func readLines(
    timeout: Double = 60
  ) throws(LogError) -> (motion: [SensorSample], auxiliary: [AuxiliarySample]) {
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    while try read(into: &motion, auxiliary: &auxiliary, timeout: timeout) == .line {}
    return (motion, auxiliary)
  }
}

@Suite struct SampleStreamTests {
  @Test("rows with a header and JSON objects of the same numbers yield the same samples")
  func rowsAndObjects() throws {
    let rows = try Feed("time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n")
    rows.write("1.5,0.1,0.2,-1,0.01,0.02,0.03\n1.51,0.1,0.2,-1,,,\n")
    let objects = try Feed()
    objects.write(
      #"{"time":1.5,"accelerationX":0.1,"accelerationY":0.2,"accelerationZ":-1,"rotationRateX":0.01,"rotationRateY":0.02,"rotationRateZ":0.03}"#
        + "\r\n")
    objects.write(
      #"{"accelerationX":0.1,"accelerationY":0.2,"accelerationZ":-1,"rotationRateX":null,"time":1.51,"more":{"a":[1]}}"#
    )
    let (a, b) = (try rows.readAll().motion, try objects.readAll().motion)
    #expect(a.count == 3)
    #expect(Set(a) == Set(b))
    #expect(rows.stream.malformedCount == 0 && objects.stream.malformedCount == 0)
  }

  @Test("rows without a header have the first canonical columns")
  func noHeader() throws {
    let feed = try Feed("0.0,0,0,-1,1,2,3,20,30,-40\n")
    let samples = try feed.readAll().motion
    #expect(samples[.magnetometer].first?.vector.z == -40 && samples[.gyroscope].first?.vector.y == 2)
    #expect(samples[.accelerometer].first?.vector.z == -1)

    let short = try Feed("1,2\n")
    short.end()
    #expect(throws: LogError.self) { try short.stream.readLines() }
  }

  @Test("a bad line is left out and counted; before the first valid line it is an error with the line")
  func malformed() throws {
    let feed = try Feed()
    feed.write(
      "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.1,zero,0,-1\n0.2,0,0,-1\n{\"time\":3\n0.3,0")
    let samples = try feed.readAll().motion
    #expect(samples.map(\.time) == [0, 0.2])
    #expect(feed.stream.malformedCount == 3 && feed.stream.firstError?.line == 3)

    let bad = try Feed(#"{"accelerationX":1}"# + "\n")
    bad.write("0,0,0,-1\n")
    let error = #expect(throws: LogError.self) { try bad.stream.readLines() }
    #expect(error?.line == 1 && error?.problem.contains("no time") == true)
  }

  @Test("a restarted sender repeats its header, and its clock of nanoseconds continues")
  func restartedSender() throws {
    let feed = try Feed()
    let header = "time,accelerationX,accelerationY,accelerationZ\n"
    feed.write(header + "1700000000000000000,0,0,-1\n" + header + "1700000000500000000,0,0,-1\n")
    #expect(try feed.readAll().motion.map(\.time) == [0, 0.5] && feed.stream.malformedCount == 0)
  }

  @Test(
    "lines end with LF, CR or both, and a byte order mark before a line is skipped",
    arguments: ["\n", "\r", "\r\n", "\r\r\n"])
  func lineEnds(_ end: String) throws {
    let feed = try Feed()
    let lines = ["time,accelerationX,accelerationY,accelerationZ", "0,0,0,-1", "0.1,0,0,-1"]
    // Two joined files, each with a byte order mark.
    for _ in 0..<2 { feed.write("\u{FEFF}" + lines.joined(separator: end) + end) }
    #expect(try feed.readAll().motion.map(\.time) == [0, 0.1, 0, 0.1])
    #expect(feed.stream.malformedCount == 0 && feed.stream.lineCount == 6)
  }

  @Test(
    "a header that does not fit the next rows is left out and counted, and the previous columns apply again",
    arguments: [
      "time,accelerationX", "time,accelerationX,accelerationY,accelerationZ,note",
      "time,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,magneticFieldY,magneticFieldZ,heading",
    ])
  func strayHeader(_ stray: String) throws {
    let header = "time,accelerationX,accelerationY,accelerationZ\n"
    let rows = (0..<6).map { "\(Double($0) / 10),0,0,-1\n" }
    for index in [0, 3] {
      let feed = try Feed(header + rows[..<index].joined() + stray + "\n" + stray + "\n" + rows[index...].joined())
      #expect(try feed.readAll().motion.map(\.time) == [0, 0.1, 0.2, 0.3, 0.4, 0.5] && feed.stream.malformedCount == 1)
      #expect(feed.stream.firstError?.problem.contains("the header does not fit the rows after it") == true)
    }
  }

  @Test("a header with other columns applies from the first matching row, and the same header has no effect")
  func newHeader() throws {
    let feed = try Feed()
    let header = "time,accelerationX,accelerationY,accelerationZ\n"
    feed.write(header + "0,1,2,3\n" + "time,accelerationZ,accelerationY,accelerationX\n" + "0.1,3,2,1\n")
    feed.write("time,accelerationX\n" + "time,accelerationZ,accelerationY,accelerationX\n" + "0.2,3,2,1\n")
    let samples = try feed.readAll().motion
    #expect(samples.map(\.vector) == Array(repeating: Vector3(1, 2, 3), count: 3))
    #expect(feed.stream.malformedCount == 1)
  }

  @Test("a stream of UTF-16 is an error that names the encoding")
  func wideCharacters() throws {
    let feed = try Feed()
    feed.pipe.fileHandleForWriting.write("time,accelerationX\n0,1\n".data(using: .utf16)!)
    let error = #expect(throws: LogError.self) { try feed.stream.readLines() }
    #expect(error?.problem.contains("UTF-16") == true && error?.remedy.contains("iconv") == true)
  }

  @Test("requested auxiliary channels are read from rows and from objects")
  func auxiliary() throws {
    let feed = try Feed(options: with(LogOptions()) { $0.auxiliary = [.barometer, .activity] })
    feed.write("time,accelerationX,accelerationY,accelerationZ,pressure\n1,0,0,-1,101.3\n1.1,0,0,-1,\n")
    feed.write(#"{"time":1.2,"pressure":101.4,"activity":"walking"}"# + "\n")
    let samples = try feed.readAll().auxiliary
    #expect(samples.filter { $0.channel == .barometer }.map { $0["pressure"] } == [101.3, 101.4])
    #expect(samples.first { $0.channel == .activity }?["activityWalking"] == 1)
  }

  @Test("a line in several pieces is one line, and a line that is too long is skipped")
  func pieces() throws {
    let feed = try Feed("time,accelerationX,accelerationY,accelerationZ\n0,0,")
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    #expect(try feed.stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
    #expect(try feed.stream.read(into: &motion, auxiliary: &auxiliary, timeout: 0.01) == .silence)
    feed.write("0,-1\n")
    #expect(try feed.stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
    #expect(motion.map(\.z) == [-1])

    let stream = feed.stream
    // The text exceeds a pipe's buffer, so that reading must happen concurrently.
    let reader = feed.pipe.fileHandleForWriting
    let long = Data(String(repeating: "9", count: 200_000).utf8)
    DispatchQueue.global().async {
      reader.write(long)
      reader.write(Data("\n1,0,0,-1\n".utf8))
      try? reader.close()
    }
    while try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line {}
    #expect(motion.map(\.time) == [0, 1])
    #expect(stream.malformedCount == 1)
  }

  @Test("a datagram holds complete lines, a stray one is counted, and an empty one is the end")
  func datagrams() throws {
    let stream = try SampleStream(StreamAddress("udp://127.0.0.1:0"))
    let port = try #require(stream.port)
    #expect(port > 0 && stream.name == "udp://127.0.0.1:\(port)")
    let sender = try DatagramSender(port: port)
    let object = #"{"time":0.2,"accelerationX":0,"accelerationY":0,"accelerationZ":-1}"#
    sender.send("what is this", "0,0,0,-1\n0.1,0,0,-1", object, "")
    let (motion, _) = try stream.readLines()
    #expect(motion.map(\.time) == [0, 0.1, 0.2])
    #expect(stream.malformedCount <= 1)
  }

  @Test("a sender of datagrams has the channels that a calibration requires, like a file")
  func calibrationChannels() throws {
    let model = TemperatureModel(slope: Vector3(0.001, 0, 0), reference: 20, range: 10...40)
    let calibration = with(SensorCalibration()) { $0.gyroscopeTemperature = model }
    let options = with(LogOptions()) { $0.calibration = calibration }
    let stream = try SampleStream(StreamAddress("udp://127.0.0.1:0"), options: options)
    let sender = try DatagramSender(port: try #require(stream.port))
    sender.send("time,rotationRateX,rotationRateY,rotationRateZ,temperature (°C)\n0,1,2,3,25", "")
    let (motion, auxiliary) = try stream.readLines()
    #expect(motion.count == 1 && auxiliary.map { $0["temperature"] } == [25])
  }

  @Test("another sender's rows, header and end are left out and counted, and its columns do not affect others")
  func otherSenders() throws {
    let stream = try SampleStream(StreamAddress("udp://:0"))
    let port = try #require(stream.port)
    #expect(stream.name == "udp://127.0.0.1:\(port)")
    let (sender, other) = (try DatagramSender(port: port), try DatagramSender(port: port))
    // Does not end the stream, as no sender was heard yet.
    other.send("")
    sender.send("time,accelerationZ,accelerationY,accelerationX\n0,-1,0,0")
    other.send("time,accelerationX,accelerationY,accelerationZ\n0.05,9,9,9", "")
    sender.send("0.1,-1,0,0", "")
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    var outcome = SampleStream.Outcome.line
    while outcome == .line || outcome == .silence {
      outcome = try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60)
    }
    #expect(outcome == .end)
    #expect(motion.map(\.time) == [0, 0.1] && motion.map(\.z) == [-1, -1])
    #expect(stream.refusedCount == 2 && stream.lastRefused?.hasPrefix("127.0.0.1:") == true)
  }

  @Test("a connection's lines are a stream; by default it must be local, and later connections are refused")
  func connection() throws {
    let stream = try SampleStream(StreamAddress("tcp://:0"))
    let port = try #require(stream.port)
    #expect(port > 0 && stream.name == "tcp://127.0.0.1:\(port)")
    for address in ownAddresses() { #expect(connect(to: address, port: port) == nil, "\(address)") }
    let sender = try #require(connect(to: "127.0.0.1", port: port))
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    // No connection is accepted before the first read.
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 0.01) == .silence)
    #expect(connect(to: "127.0.0.1", port: port) == nil)
    sender.write(Data("0,0,0,-1\n0.1,0,0,".utf8))
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
    sender.write(Data("-1\n".utf8))
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
    try sender.close()
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .end)
    #expect(motion.map(\.time) == [0, 0.1] && stream.malformedCount == 0)
  }

  @Test("a stream without a host only receives datagrams of this machine")
  func loopback() throws {
    let stream = try SampleStream(StreamAddress("udp://:0"))
    let port = try #require(stream.port)
    for address in ownAddresses() { try DatagramSender(port: port, address: address).send("0,0,0,-1") }
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 0.05) == .silence)
    try DatagramSender(port: port).send("1,0,0,-1")
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
    #expect(motion.map(\.time) == [1])
  }

  @Test("a stream of every address receives datagrams of other machines", .needs(.network))
  func everyAddress() throws {
    let open = try SampleStream(StreamAddress("udp://*:0"))
    for address in ownAddresses() {
      try DatagramSender(port: try #require(open.port), address: address).send("2,0,0,-1")
    }
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    #expect(try open.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .line)
  }

  @Test("continuous datagrams of other senders do not prevent the detection of silence")
  func flood() throws {
    let stream = try SampleStream(StreamAddress("udp://127.0.0.1:0"), admission: SenderPolicy(secret: "s"))
    let other = try DatagramSender(port: try #require(stream.port))
    let isOver = SharedFlag()
    let flood = Thread { while !isOver.isSet { other.send("0,0,0,-1") } }
    flood.start()
    defer { isOver.set() }
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 0.2) == .silence)
    #expect(motion.isEmpty)
  }

  @Test("datagrams that are not read in time are counted", .needs(.linux))
  func losses() throws {
    let stream = try SampleStream(StreamAddress("udp://127.0.0.1:0"))
    let sender = try DatagramSender(port: try #require(stream.port))
    #expect(stream.lostCount == 0)
    // The datagrams exceed the system's buffer of a socket.
    let text = String(repeating: "0,0,0,-1\n", count: 6000)
    for _ in 0..<200 { sender.send(text) }
    let (motion, _) = try stream.readLines(timeout: 0.05)
    let lost = try #require(stream.lostCount)
    #expect(lost > 0 && motion.count == (200 - lost) * 6000, "\(lost) lost, \(motion.count) rows")
  }

  @Test("an incomplete last line marks an early end; a complete line needs no line end")
  func cutOff() throws {
    let cut = try Feed("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.1,0")
    #expect(try cut.readAll().motion.count == 1 && cut.stream.hasEndedWithinLine)
    let whole = try Feed("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.1,0,0,-1")
    #expect(try whole.readAll().motion.count == 2 && !whole.stream.hasEndedWithinLine)
  }

  @Test("a second header, the same or with its columns in another order, loses no row")
  func secondHeader() throws {
    let feed = try Feed()
    let header = "time,accelerationX,accelerationY,accelerationZ\n"
    feed.write(header + "0,1,2,3\n" + header + "0.1,1,2,3\ntime,accelerationZ,accelerationY,accelerationX\n0.2,3,2,1\n")
    feed.write("what,is,this,header\n0.3,3,2,1\n")
    let samples = try feed.readAll().motion
    #expect(samples.map(\.time) == [0, 0.1, 0.2, 0.3] && samples.allSatisfy { $0.vector == Vector3(1, 2, 3) })
    #expect(feed.stream.malformedCount == 1 && feed.stream.lastError?.line == 7)
  }

  @Test("another thread can interrupt a wait, and the next wait is not affected")
  func interruption() throws {
    let feed = try Feed()
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    let stream = feed.stream
    DispatchQueue.global().async { stream.interrupt() }
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 60) == .interrupted)
    #expect(try stream.read(into: &motion, auxiliary: &auxiliary, timeout: 0.01) == .silence)
  }

  @Test("addresses are distinguished from paths, and the error of an invalid one explains the syntax")
  func addresses() throws {
    #expect(try StreamAddress("-") == .standardInput && StreamAddress("udp://:9000") == .udp(host: "", port: 9000))
    #expect(try StreamAddress("udp://[::1]:9000") == .udp(host: "::1", port: 9000))
    #expect(try StreamAddress("udp://[::1]:9000").description == "udp://[::1]:9000")
    #expect(StreamAddress.isStream("-") && StreamAddress.isStream("udp://x:1") && !StreamAddress.isStream("a.csv"))
    for wrong in [
      "udp://", "udp://host", "udp://host:99999", "tcp://host", "tcp://:70000", "http://", "http://:80/",
      "http://a/b c", "a.csv",
    ] { #expect(throws: LogError.self, "\(wrong)") { try StreamAddress(wrong) } }
    #expect(try StreamAddress("tcp://:9000") == .tcp(host: "", port: 9000))
    #expect(
      try StreamAddress("http://[::1]:8000/t0/?device=a") == .server(host: "::1", port: 8000, path: "/t0/?device=a"))
    #expect(try StreamAddress("http://a?device=b") == .server(host: "a", port: 80, path: "/?device=b"))
    #expect(try StreamAddress("http://[::1]:8000/t0/").description == "http://[::1]:8000/t0/")
    #expect(StreamAddress.isStream("tcp://x:1") && StreamAddress.isStream("https://x/"))
    #expect(
      throws: LogError(
        path: "https://a/t", problem: "is encrypted, which is not supported",
        remedy: "read it with curl: curl -sN https://a/t/samples, with - for its output")
    ) { try StreamAddress("https://a/t") }
    #expect(throws: LogError.self) { try SampleStream(StreamAddress("udp://no.such.host.invalid:1")) }
  }
}

/// A flag shared by threads.
private final class SharedFlag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

extension Need {
  fileprivate static let network = Need("network", "the machine has no address beside 127.0.0.1") {
    !ownAddresses().isEmpty
  }
}

/// Returns the addresses at which other machines reach this machine; empty without a network.
private func ownAddresses() -> [String] {
  var list: UnsafeMutablePointer<ifaddrs>?
  guard getifaddrs(&list) == 0 else { return [] }
  defer { freeifaddrs(list) }
  var (addresses, next): ([String], UnsafeMutablePointer<ifaddrs>?) = ([], list)
  while let interface = next?.pointee {
    next = interface.ifa_next
    guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
    let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
    let text = String(cString: inet_ntoa(number))
    if !text.hasPrefix("127.") { addresses.append(text) }
  }
  return addresses
}

/// Returns a connection to a port, or `nil` if it is refused.
private func connect(to host: String, port: UInt16) -> FileHandle? {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr(host)
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) }
  }
  return status == 0 ? handle : nil
}

/// Sends datagrams to a port of this machine.
private final class DatagramSender: @unchecked Sendable {
  private let descriptor: Int32
  private var address = sockaddr_in()

  init(port: UInt16, address host: String = "127.0.0.1") throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_DGRAM, 0)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
  }

  deinit { close(descriptor) }

  func send(_ texts: String...) {
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    for bytes in texts.map({ Array($0.utf8) }) {
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes, bytes.count, 0, $0, size)
        }
      }
    }
  }
}
