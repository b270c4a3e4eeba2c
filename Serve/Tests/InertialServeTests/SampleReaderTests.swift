import InertialLive
import Testing

@testable import InertialServe

@Suite("Samples of the live server, for programs") struct SampleReaderTests {
  private func page(_ server: TestServer) -> String { "http://127.0.0.1:\(server.port)\(server.token)/" }

  @Test("a source at the page's address yields all of a phone's samples as recorded, and their device motions")
  func motions() async throws {
    let server = try TestServer(isOpen: true)
    let source = try StreamSource(StreamAddress(page(server)))
    let listener = SampleListener()
    let attachment = source.attach(listener)
    let updates = source.deviceMotions(bufferSize: 10_000)
    // The iterator listens from now on.
    let iterator = updates.makeAsyncIterator()
    try server.push(TestServer.messages(duration: 6))
    let recorded = try server.samples(try #require(server.recordings.first))
    #expect(eventually { listener.samples.count >= recorded.count - 4 })
    // The end of the server ends the stream, and releases the pending samples.
    server.server.stop()
    #expect(eventually { listener.hasEnded })
    attachment.cancel()
    func key(_ sample: SensorSample) -> [Double] {
      [sample.time, Double(sample.channel.rawValue), sample.x, sample.y, sample.z]
    }
    #expect(listener.samples.map(key) == recorded.map(key) && recorded.count >= 1500)

    var motions: [DeviceMotion] = []
    while let motion = await iterator.next() { motions.append(motion) }
    var estimator = try DeviceMotionEstimator(
      filter: try FilterKind.all.known(FilterKind.standard.name), configuration: .live)
    let expected = estimator.motions(of: recorded)
    #expect(motions.count == expected.count && motions.count > 100 && updates.droppedCount == 0)
    #expect(zip(motions, expected).allSatisfy { $0.time == $1.time && $0.attitude == $1.attitude })
  }

  @Test(
    "a reader gets the samples of one device, selected by name or the first that sends, with its barometer if present")
  func devices() throws {
    let server = try TestServer()
    func read(_ query: String) throws -> TestConnection {
      let connection = try server.connect()
      try connection.request("GET", "/samples" + query)
      #expect(try connection.read(until: "\r\n\r\n").contains("Content-Type: text/csv"))
      let names = try connection.read(until: "\n")
      #expect(names.hasPrefix("time,accelerationX,") && names.hasSuffix(",relativeAltitude,pressure"))
      return connection
    }
    let (any, second) = (try read(""), try read("?device=my%20phone"))
    var barometer = PushMessageWriter()
    barometer.add("barometer", time: 1_700_000_000_100_000_000, [("relativeAltitude", 1.5), ("pressure", 1012.5)])
    let extra = barometer.message(number: 2, session: "one", device: "a")
    let messages = TestServer.messages(duration: 0.5, device: "a")
    let (sent, others) = (
      [messages[0], extra] + messages[2...], TestServer.messages(duration: 0.3, device: "my phone")
    )
    try server.push(Array(sent[..<2]))
    try server.push(others)
    try server.push(Array(sent[2...]))
    server.server.stop()
    func times(_ connection: TestConnection) -> (times: [Double], last: [String]) {
      var (times, last): ([Double], [String]) = ([], [])
      while let line = try? connection.read(until: "\n") {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(fields.count == 16)
        times.append(Double(fields[0]) ?? .nan)
        if !fields[15].isEmpty { last = fields }
      }
      return (times, last)
    }
    func moments(_ messages: [[UInt8]]) throws -> Int {
      Set(try messages.flatMap { try PushMessage(body: $0, name: "").readings.map(\.time) }).count
    }
    let (first, other) = (times(any), times(second))
    #expect(try Set(first.times).count == moments(sent) && first.times == first.times.sorted(), "\(first.times)")
    #expect(first.last.suffix(2) == ["1.5", "101.25"])
    #expect(try Set(other.times).count == moments(others) && other.last.isEmpty)
  }

  @Test("a request without the token is refused with the reason")
  func refused() throws {
    let server = try TestServer(isOpen: true)
    let error = #expect(throws: LogError.self) { try StreamSource(StreamAddress("http://127.0.0.1:\(server.port)/")) }
    #expect(error?.problem.contains("status 403: the address lacks the token") == true, "\(error as Any)")
    server.server.stop()
    #expect(throws: LogError.self) { try StreamSource(StreamAddress("http://127.0.0.1:1/")) }
  }
}

/// Records the events of a source.
private final class SampleListener: SensorReceiver, @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [SensorSample] = []
  private var isOver = false

  var samples: [SensorSample] { lock.withLock { kept } }
  var hasEnded: Bool { lock.withLock { isOver } }

  func receive(_ event: SensorEvent) {
    lock.withLock {
      if case .samples(let samples) = event { kept += samples }
      if case .end = event { isOver = true }
    }
  }
}
