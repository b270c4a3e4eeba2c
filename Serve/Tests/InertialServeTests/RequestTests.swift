import Testing

@testable import InertialLogs
@testable import InertialServe

/// A service that answers with the request, after a server on a free port of this machine has read it.
private final class Echo: WebService, @unchecked Sendable {
  let server: WebServer
  let socketPath = "/socket"

  init(_ change: (inout WebLimits) -> Void = { _ in }) throws {
    var limits = WebLimits()
    limits.maximumBodySize = 1000
    change(&limits)
    server = try WebServer(addresses: ["127.0.0.1"], port: 0, limits: limits)
    var admission = WebAdmission(hosts: ["x"], port: server.port, token: nil)
    admission.takesAnyAddress = true
    server.start(self, admission: admission)
  }

  func answer(_ request: WebRequest, path: String, client: WebClient) -> WebAnswer {
    if path == "/lines" { return .lines(type: "text/plain", first: WebMessage("first\n")) }
    let length = Int(request.queryValue(of: "length") ?? "") ?? 0
    let text = "\(request.method) \(path) \(request.query) \(request.header("x-a") ?? "-") "
    return .response(
      WebResponse(200, body: Array(text.utf8) + request.body + [UInt8](repeating: 0x2E, count: length)))
  }

  func didConnect(_ client: WebClient) { client.send(WebMessage(String(repeating: "a", count: 70_000))) }
  func didDisconnect(_ client: WebClient) {}
  func sendDueMessages() -> Double { 0.5 }

  func connect() throws -> TestConnection { try TestConnection(port: server.port) }

  /// Returns the answer to bytes on a separate connection.
  func answer(_ text: String) throws -> TestAnswer {
    let connection = try connect()
    try connection.send(Array(text.utf8))
    return try connection.answer()
  }
}

@Suite("Requests") struct RequestTests {
  @Test("a request has a method, a path, a query, headers and a body; another may follow immediately")
  func whole() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let connection = try echo.connect()
    let text =
      "POST /push?a=b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nX-A:  b \r\n\r\nabcGET / HTTP/1.1\r\nHost: x\r\n\r\n"
    try connection.send(Array(text.utf8))
    #expect(try connection.answer().body == "POST /push a=b b abc")
    #expect(try connection.answer().body == "GET /  - ")
  }

  @Test("a query value is the first one of its name, with valid escapes decoded")
  func query() {
    let request = WebRequest(method: "GET", path: "/", query: "a=1&device=%C3%A4%2&device=b&c", headers: [], body: [])
    #expect(request.queryValue(of: "device") == "ä%2" && request.queryValue(of: "a") == "1")
    #expect(request.queryValue(of: "c") == nil && request.queryValue(of: "dev") == nil)
  }

  @Test("a number consists of digits only, and does not exceed its maximum")
  func numbers() {
    for text in ["", "+5", "-5", " 5", "5 ", "0x5", "５", "1_0", "7FFFFFFFFFFFFFFF", "99999999999999999999"] {
      #expect(Int(httpDigits: text, maximum: 1 << 40) == nil, "\(text)")
      #expect(Int(httpDigits: text, radix: 16, maximum: 8) == nil, "\(text)")
    }
    #expect(
      Int(httpDigits: "ff", radix: 16, maximum: 255) == 255 && Int(httpDigits: "100", radix: 16, maximum: 255) == nil)
    #expect(Int(httpDigits: "007", maximum: 7) == 7 && Int(httpDigits: "8", maximum: 7) == nil)
    #expect(Int(httpDigits: "5", maximum: 0) == nil && Int(httpDigits: "0", maximum: 0) == 0)
    let request = WebRequest(method: "GET", path: "/", query: "a=%+5%-1", headers: [], body: [])
    #expect(request.queryValue(of: "a") == "%+5%-1")
  }

  @Test("a request may arrive byte by byte, and 100 Continue is sent on request")
  func slow() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let connection = try echo.connect()
    for byte in "\r\nPOST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab".utf8 { try connection.send([byte]) }
    #expect(try connection.answer().body == "POST /p  - ab")
    let head = "POST /p HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    try connection.send(Array(head.utf8))
    #expect(try connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
    try connection.send([0x61, 0x62])
    #expect(try connection.answer().body == "POST /p  - ab")
  }

  @Test("a request for another protocol, such as HTTP/2, is answered by HTTP/1.1 and the connection ends")
  func upgrades() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let connection = try echo.connect()
    let head = "POST /p HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n"
    try connection.send(Array((head + "ab").utf8))
    let answer = try connection.answer()
    #expect(answer.body == "POST /p  - ab" && answer.head.contains("Connection: close"))
    #expect(throws: TestFailure.self) { try connection.read(count: 1) }
  }

  @Test("thousands of requests that arrive together are answered in their order, with HEAD without its body")
  func pipelined() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let connection = try echo.connect()
    let requests = (0..<4000).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
    try connection.send(Array((requests.joined() + "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").utf8))
    for number in 0..<4000 { #expect(try connection.answer().body == "GET /\(number)  - ") }
    #expect(try connection.answer(hasBody: false).head.contains("Content-Length: 10"))
    #expect(try echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
  }

  @Test(
    "an invalid, oversized or ambiguous request is rejected",
    arguments: [
      ("nonsense\r\n\r\n", 400), ("GET /\r\n\r\n", 505), ("get / HTTP/1.1\r\n\r\n", 400),
      ("GET x HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA: \u{E9}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\nB: c\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\n\r\n", 411), ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 400),
      ("CONNECT a:1 HTTP/1.1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nContent-Length: 999999999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\n\r\n", 415),
      ("GET /" + String(repeating: "a", count: 20_000), 431),
      ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 65) + "\r\n", 431),
    ])
  func refused(text: String, status: Int) throws {
    let echo = try Echo { $0.requestTime = 1 }
    defer { echo.server.stop() }
    let connection = try echo.connect()
    try connection.send(Array(text.utf8))
    #expect(try connection.answer().status == status, "\(text.prefix(60))")
    #expect(throws: TestFailure.self) { try connection.read(count: 1) }
  }
}

@Suite("WebSockets") struct WebSocketTests {
  private func open(_ echo: Echo, after: String = "") throws -> TestConnection {
    let connection = try echo.connect()
    let lines = [
      "GET /socket HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n" + after + "\r\n").utf8))
    // The example of RFC 6455.
    #expect(try connection.read(until: "\r\n\r\n").contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(try connection.frame().count == 70_000)
    return connection
  }

  @Test(
    "a client's frames are masked, complete and short; other frames end the connection with their code",
    arguments: [
      ([0x81, 0x02, 0x61, 0x62], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x01, 0x80, 0, 0, 0, 0], 1003),
      ([0x80, 0x80, 0, 0, 0, 0], 1003), ([0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 1009),
      ([0x81, 0xFF, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], 1009),
      ([0x81, 0xFE, 0x20, 0, 0, 0, 0, 0], 1009), ([0x89, 0xFE, 0, 126, 0, 0, 0, 0], 1002),
      ([0x88, 0x80, 0, 0, 0, 0], 1000), ([0x83, 0x80, 0, 0, 0, 0], 1002),
    ] as [([UInt8], Int)])
  func refused(bytes: [UInt8], code: Int) throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let connection = try open(echo)
    // Text is ignored, and a ping is answered.
    try connection.send([0x81, 0x82, 1, 2, 3, 4, 0x61 ^ 1, 0x62 ^ 2, 0x89, 0x81, 0, 0, 0, 0, 7])
    #expect(try connection.read(count: 3) == [0x8A, 1, 7])
    try connection.send(bytes)
    #expect(try connection.read(count: 4) == [0x88, 2, UInt8(code >> 8), UInt8(code & 255)])
    #expect(throws: TestFailure.self) { try connection.read(count: 1) }
  }

  @Test("a handshake with a wrong key, another path, a body of any length or a wrong host opens nothing")
  func handshakes() throws {
    let echo = try Echo { $0.requestTime = 1 }
    defer { echo.server.stop() }
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    func status(_ path: String, _ more: String, host: String = "x") throws -> Int {
      try echo.answer("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(upgrade)\(more)\r\n").status
    }
    #expect(try status("/socket", "Sec-WebSocket-Key: short\r\n") == 400)
    #expect(try status("/socket", "") == 400 && status("/socket", key + key) == 400)
    #expect(try status("/other", key) == 200)
    #expect(try status("/socket", key, host: "evil.example") == 421)
    #expect(try status("/socket", key + "Origin: http://evil.example\r\n") == 403)
    #expect(try status("/socket", key + "Content-Length: 1001\r\n") == 413)
    #expect(try status("/socket", key + "Content-Length: 1000\r\n") == 408)
    let plain = "GET /socket HTTP/1.1\r\nHost: x\r\n"
    #expect(try echo.answer(plain + "\r\n").status == 426)
    let withoutConnection = upgrade.replacing("Connection: Upgrade\r\n", with: "")
    #expect(try echo.answer(plain + withoutConnection + key + "\r\n").status == 426)
  }
}

@Suite("Limits of connections") struct ConnectionLimitTests {
  @Test("a WebSocket whose client sends many frames ends, and so does a reader of lines that sends many bytes")
  func floods() throws {
    let echo = try Echo { ($0.framesPerSecond, $0.ignored) = (10, 100_000) }
    defer { echo.server.stop() }
    let lines = [
      "GET /socket HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
    ]
    let socket = try echo.connect()
    try socket.send(Array(lines.joined(separator: "\r\n").utf8))
    _ = try socket.read(until: "\r\n\r\n")
    #expect(try socket.frame().count == 70_000)
    let pings = Array(repeating: [0x89, 0x80, 0, 0, 0, 0] as [UInt8], count: 100_000).flatMap(\.self)
    #expect(throws: TestFailure.self) { for _ in 0..<1000 { try socket.send(pings) } }
    let reader = try echo.connect()
    try reader.request("GET", "/lines")
    _ = try reader.read(until: "first\n")
    #expect(throws: TestFailure.self) {
      for _ in 0..<1000 { try reader.send([UInt8](repeating: 0x20, count: 100_000)) }
    }
    #expect(try echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
  }

  @Test("an address begins a limited number of streams")
  func manyStreams() throws {
    let echo = try Echo { $0.streamsPerSecond = 0 }
    defer { echo.server.stop() }
    func status() throws -> String {
      let connection = try echo.connect()
      try connection.request("GET", "/lines")
      return String(try connection.read(until: "\r\n").split(separator: " ")[1])
    }
    for _ in 0..<128 {
      // One after another, each after the previous one has ended.
      #expect(eventually { (try? status()) == "200" })
    }
    #expect(try status() == "503")
  }

  @Test("an address has at most 128 connections in use; another one is refused until one ends")
  func connections() throws {
    let echo = try Echo { $0.unusedTime = 3600 }
    defer { echo.server.stop() }
    var open = try (0..<128).map { _ in try echo.connect() }
    for connection in open {
      try connection.request("GET", "/")
      #expect(try connection.answer().status == 200)
    }
    let refused = try echo.connect()
    #expect(try refused.answer().status == 503)
    #expect(throws: TestFailure.self) { try refused.read(count: 1) }
    open.removeLast()
    #expect(eventually { (try? echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status) == 200 })
  }

  @Test("connections that send nothing end if new ones need their places, and a connection in use stays")
  func unused() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let used = try echo.connect()
    for _ in 0..<3 {
      try used.request("GET", "/")
      #expect(try used.answer().status == 200)
    }
    let idle = try (0..<300).map { _ in try echo.connect() }
    #expect(try echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    try used.request("GET", "/")
    #expect(try used.answer().status == 200)
    #expect(throws: TestFailure.self) { try idle[0].read(count: 1) }
    withExtendedLifetime(idle) {}
  }

  @Test("an address has at most 64 streams, so that others of its connections are served")
  func streams() throws {
    let echo = try Echo()
    defer { echo.server.stop() }
    let open = try (0..<64).map { _ in
      let connection = try echo.connect()
      try connection.request("GET", "/lines")
      _ = try connection.read(until: "first\n")
      return connection
    }
    #expect(try echo.answer("GET /lines HTTP/1.1\r\nHost: x\r\n\r\n").status == 503)
    #expect(try echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    withExtendedLifetime(open) {}
  }

  @Test("long bodies have a limit together, and short ones are received meanwhile")
  func longBodies() throws {
    let echo = try Echo { ($0.maximumBodySize, $0.bodies) = (100_000, 150_000) }
    defer { echo.server.stop() }
    func post(_ count: Int) -> String { "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n" }
    var first: TestConnection? = try echo.connect()
    try first?.send(Array((post(100_000) + "begin").utf8))
    // The head has been read when the answer to the next request arrives.
    #expect(eventually { (try? echo.answer(post(100_000)).status) == 503 })
    #expect(try echo.answer(post(3) + "abc").body == "POST /  - abc")
    first = nil
    let long = post(100_000) + String(repeating: "a", count: 100_000)
    #expect(eventually { (try? echo.answer(long).status) == 200 })
  }

  @Test("all addresses together have a limit of connections")
  func allConnections() throws {
    let echo = try Echo { ($0.connections, $0.unusedTime) = (3, 3600) }
    defer { echo.server.stop() }
    let open = try (0..<3).map { _ in try echo.connect() }
    for connection in open {
      try connection.request("GET", "/")
      #expect(try connection.answer().status == 200)
    }
    #expect(try echo.connect().answer().status == 503)
    withExtendedLifetime(open) {}
  }

  @Test("a connection without a request ends after the idle time, and one with half a head after the time of a request")
  func idle() throws {
    let echo = try Echo { ($0.idleTime, $0.requestTime) = (0.6, 0.2) }
    defer { echo.server.stop() }
    let idle = try echo.connect()
    #expect(throws: TestFailure.self) { try idle.read(count: 1) }
    let slow = try echo.connect()
    try slow.send(Array("GET / HT".utf8))
    #expect(try slow.answer().status == 408)
    let answered = try echo.connect()
    try answered.request("GET", "/")
    #expect(try answered.answer().status == 200)
    #expect(throws: TestFailure.self) { try answered.read(count: 1) }
  }

  @Test("a client that sends requests and reads no answers is no longer read, and disconnected")
  func unread() throws {
    let echo = try Echo { ($0.stallTime, $0.requestsPerSecond, $0.pending) = (0.3, 1e9, 100_000) }
    defer { echo.server.stop() }
    let flood = try echo.connect()
    let requests = Array(String(repeating: "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", count: 10_000).utf8)
    // Much more than sockets hold.
    #expect(throws: TestFailure.self) { for _ in 0..<1000 { try flood.send(requests) } }
    #expect(try echo.answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
  }

  @Test("a client that does not read is disconnected, and one that reads slowly gets all of a long response")
  func stalls() throws {
    let echo = try Echo { $0.stallTime = 0.3 }
    defer { echo.server.stop() }
    let length = 30_000_000
    let deaf = try echo.connect()
    try deaf.request("GET", "/?length=\(length)")
    let slow = try echo.connect()
    try slow.request("GET", "/?length=\(length)")
    let head = try slow.read(until: "\r\n\r\n")
    #expect(head.contains("Content-Length: \(length + "GET / length=\(length) - ".utf8.count)"))
    for _ in 0..<30 {
      #expect(try slow.read(count: 1_000_000).count == 1_000_000)
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(throws: TestFailure.self) { try deaf.read(count: length) }
  }
}

@Suite("Admission of requests") struct WebAdmissionTests {
  private func request(_ path: String, _ headers: [(String, String)], method: String = "GET") -> WebRequest {
    WebRequest(method: method, path: path, query: "", headers: headers, body: [])
  }

  /// Returns the path after the token, or the status of the refusal.
  private func outcome(_ admission: WebAdmission, _ request: WebRequest) -> String {
    switch admission.verdict(on: request) {
    case .admitted(let path): path
    case .refused(let response): "\(response.status)"
    }
  }

  @Test("the host in a request has to be the server's own name or address")
  func host() {
    let admission = WebAdmission(hosts: ["127.0.0.1:8000", "localhost:8000"], port: 8000, token: nil)
    #expect(outcome(admission, request("/", [("host", "LOCALHOST:8000")])) == "/")
    for host in ["evil.example:8000", "127.0.0.1:9000", "127.0.0.1", "", "192.168.1.2:8000"] {
      #expect(outcome(admission, request("/", [("host", host)])) == "421", "\(host)")
    }
    #expect(outcome(admission, request("/", [])) == "421")
    #expect(outcome(admission, request("/", [("host", "localhost:8000"), ("host", "evil")])) == "421")
    var all = WebAdmission(hosts: [], port: 8000, token: nil)
    all.takesAnyAddress = true
    #expect(outcome(all, request("/", [("host", "10.0.0.7:8000")])) == "/")
    #expect(outcome(all, request("/", [("host", "[2001:db8::1]:8000")])) == "/")
    #expect(outcome(all, request("/", [("host", "evil.example:8000")])) == "421")
  }

  @Test("a page of another origin is refused; programs, which send no origin, are admitted")
  func origin() {
    var admission = WebAdmission(hosts: ["localhost:8000"], port: 8000, token: nil)
    let host = ("host", "localhost:8000")
    #expect(outcome(admission, request("/push", [host])) == "/push")
    #expect(outcome(admission, request("/push", [host, ("origin", "http://localhost:8000")])) == "/push")
    for origin in ["http://evil.example", "null", "https://localhost:8000", "http://localhost:8001", ""] {
      #expect(outcome(admission, request("/push", [host, ("origin", origin)])) == "403", "\(origin)")
    }
    #expect(outcome(admission, request("/push", [host, ("sec-fetch-site", "cross-site")], method: "POST")) == "403")
    admission.publicOrigin = "https://phone.example.org"
    #expect(
      outcome(admission, request("/", [("host", "phone.example.org"), ("origin", "https://phone.example.org")])) == "/")
  }

  @Test("with a token, the path has to begin with exactly this token")
  func token() {
    let token = WebAdmission.makeToken()
    #expect(token.count == 26 && WebAdmission.makeToken() != token)
    let admission = WebAdmission(hosts: ["a:1"], port: 1, token: token)
    func path(_ path: String) -> String { outcome(admission, request(path, [("host", "a:1")])) }
    #expect(path("/\(token)/push") == "/push" && path("/\(token)/") == "/" && path("/\(token)") == "")
    for wrong in [
      "/", "/push", "/\(token.dropLast())/push", "/\(token)x/push", "//\(token)/push", "/\(token.uppercased())/",
    ] { #expect(path(wrong) == "403", "\(wrong)") }
  }
}
