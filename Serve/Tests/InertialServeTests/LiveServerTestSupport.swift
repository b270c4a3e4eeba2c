import InertialFigures
import InertialSimulation
import Testing

@testable import InertialServe

/// A live server on a free port of this machine, with a folder for its recordings; both are removed with it.
final class TestServer {
  let server: LiveServer
  let folder = TemporaryFolder()
  let options: LiveOptions
  var port: UInt16 { server.addresses.port }
  var token: String { server.addresses.token.map { "/" + $0 } ?? "" }

  init(
    isOpen: Bool = false, patience: Double = 60, certificate: WebCertificate? = nil,
    _ change: (inout LiveOptions) -> Void = { _ in }
  ) throws {
    var report = ReportOptions(filters: [ConfiguredFilter(try FilterKind.all.known("kalman"))])
    (report.fusion.frameNeedsField, report.fusion.motion.frame) = (false, .commandDefault)
    var options = LiveOptions(folder: folder.path, report: report)
    (options.fusion.motion.frame, options.fusion.frameNeedsField) = (.commandDefault, false)
    options.patience = patience
    change(&options)
    self.options = options
    let origin = isOpen ? "https://phone.example.org" : nil
    server = try LiveServer(options, at: .init(port: 0, publicOrigin: origin, certificate: certificate))
    server.start()
  }

  deinit { server.stop() }

  func connect() throws -> TestConnection { try TestConnection(port: port) }

  /// Sends a request on a separate connection.
  func ask(_ path: String, _ body: String? = nil, headers: [String: String] = [:], method: String? = nil) throws
    -> TestAnswer
  {
    let connection = try connect()
    try connection.request(
      method ?? (body == nil ? "GET" : "POST"), path, body.map { Array($0.utf8) }, headers: headers)
    return try connection.answer()
  }

  var recordings: [String] { folder.contents.filter { $0.hasSuffix(".push.jsonl") } }

  func samples(_ name: String) throws -> [SensorSample] { try LogFeed(path: folder.path(name)).load().samples }

  /// Sends a phone's messages on one connection, and checks that each is acknowledged.
  func push(_ messages: [[UInt8]]) throws {
    let connection = try connect()
    for message in messages {
      try connection.request("POST", token + "/push", message, headers: ["Content-Type": "application/json"])
      let answer = try connection.answer()
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  /// Returns a phone's messages of a simulated walk: one message per 50 ms.
  static func messages(duration: Double, device: String = "phone", session: String = "one") -> [[UInt8]] {
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: duration, seed: 5).samples()
    var messages = SampleMessages(device: device, session: session, epoch: 1_700_000_000)
    return messages.add(samples.filter { $0.channel != .referenceAttitude }).map(\.body)
      + [messages.finish()].compactMap(\.self)
  }
}

struct TestAnswer {
  var status: Int
  var head: String
  var body: String
}

struct TestFailure: Error { var text: String }

/// A connection on which tests send arbitrary bytes.
final class TestConnection {
  private let descriptor: Int32
  private let port: UInt16
  private var buffer: [UInt8] = []

  init(port: UInt16) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    // Tests run in parallel, and a response may wait for all of them.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw TestFailure(text: "the server cannot be reached: \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestFailure(text: "the server has closed the connection") }
      rest = rest.dropFirst(count)
    }
  }

  func request(_ method: String, _ path: String, _ body: [UInt8]? = nil, headers: [String: String] = [:]) throws {
    var all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }
    if let body { all["Content-Length"] = "\(body.count)" }
    let head = "\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    try send(Array(head.utf8) + (body ?? []))
  }

  /// Reads until a string has arrived, and returns the preceding text.
  func read(until mark: String) throws -> String {
    let mark = Array(mark.utf8)
    while true {
      if let range = buffer.firstRange(of: mark) {
        let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<range.upperBound)
        return text
      }
      try more()
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while buffer.count < count { try more() }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  private func more() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { throw TestFailure(text: "the connection has ended: \(count) \(errno)") }
    buffer += bytes[..<count]
  }

  func answer(hasBody: Bool = true) throws -> TestAnswer {
    let head = try read(until: "\r\n\r\n")
    let lines = head.split(separator: "\r\n")
    guard let status = lines.first.flatMap({ $0.split(separator: " ").dropFirst().first }).flatMap({ Int($0) }) else {
      throw TestFailure(text: "is no answer: \(head)")
    }
    let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    let body = hasBody ? try read(count: length) : []
    return TestAnswer(status: status, head: head, body: String(decoding: body, as: UTF8.self))
  }

  /// Returns the next text of a WebSocket.
  func frame() throws -> String {
    let head = try read(count: 2)
    var count = Int(head[1] & 0x7F)
    if count == 126 {
      count = try read(count: 2).reduce(0) { $0 << 8 | Int($1) }
    } else if count == 127 {
      count = try read(count: 8).reduce(0) { $0 << 8 | Int($1) }
    }
    return String(decoding: try read(count: count), as: UTF8.self)
  }

  /// Returns the next line of server-sent events, as JSON.
  func event() throws -> [String: Any] {
    let line = try read(until: "\n\n")
    guard line.hasPrefix("data: "), let data = line.dropFirst(6).data(using: .utf8),
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { throw TestFailure(text: "is no event: \(line)") }
    return object
  }
}
