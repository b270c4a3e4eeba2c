import Testing

@testable import InertialLogs
@testable import InertialServer

@Suite("Requests") struct RequestParserTests {
  private func parse(_ text: String, maximumBodySize: Int = 1000) -> (requests: [WebRequest], failure: Int?) {
    var parser = RequestParser(maximumBodySize: maximumBodySize)
    Array(text.utf8).withUnsafeBytes { parser.add($0) }
    var requests: [WebRequest] = []
    while true {
      switch parser.next() {
      case .more, .expectsContinue: return (requests, nil)
      case .request(let request, _): requests.append(request)
      case .failure(let response): return (requests, response.status)
      }
    }
  }

  @Test("a request has a method, a path, a query, headers and a body; another may follow immediately")
  func whole() throws {
    let (requests, failure) = parse(
      "POST /push?a=b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nX-A:  b \r\n\r\nabcGET / HTTP/1.1\r\nHost: y\r\n\r\n")
    #expect(failure == nil && requests.count == 2)
    #expect(requests[0].method == "POST" && requests[0].path == "/push" && requests[0].query == "a=b")
    #expect(requests[0].header("x-a") == "b" && requests[0].body == Array("abc".utf8))
    #expect(requests[1].path == "/" && requests[1].header("host") == "y")
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

  @Test("a request may arrive byte by byte")
  func slow() {
    var parser = RequestParser(maximumBodySize: 100)
    let text = Array("\r\nPOST /p HTTP/1.1\r\nContent-Length: 2\r\n\r\nab".utf8)
    for (index, byte) in text.enumerated() {
      [byte].withUnsafeBytes { parser.add($0) }
      if case .request(let request, _) = parser.next() {
        #expect(index == text.count - 1 && request.body == [0x61, 0x62])
        return
      }
    }
    Issue.record("no request came of it")
  }

  @Test(
    "an invalid, oversized or ambiguous request is rejected",
    arguments: [
      ("nonsense\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("get / HTTP/1.1\r\n\r\n", 400),
      ("GET x HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA: \u{E9}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\nB: c\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\n\r\n", 411), ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nContent-Length: 999999999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\n\r\n", 415),
      ("GET /" + String(repeating: "a", count: 20_000), 431),
      ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 65) + "\r\n", 431),
    ])
  func refused(text: String, status: Int) {
    let (requests, failure) = parse(text)
    #expect(requests.isEmpty && failure == status, "\(text.prefix(60)): \(String(describing: failure))")
  }
}

@Suite("WebSocket frames") struct WebSocketTests {
  @Test("the handshake response matches the example of RFC 6455")
  func accept() {
    #expect(WebSocket.accept(key: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(WebSocket.isKey("dGhlIHNhbXBsZSBub25jZQ==") && !WebSocket.isKey("short") && !WebSocket.isKey(""))
  }

  @Test("SHA-1 matches FIPS 180-4, and Base64 matches RFC 4648")
  func hash() {
    func hex(_ text: String) -> String {
      SHA1.hash(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(
      ["", "f", "fo", "foo", "foob"].map { WebSocket.base64(Array($0.utf8)) } == [
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==",
      ])
  }

  private func parse(_ bytes: [UInt8]) -> WebSocket.Parser.Outcome {
    var parser = WebSocket.Parser()
    bytes.withUnsafeBytes { parser.add($0) }
    return parser.next()
  }

  @Test("a client's frames are masked, complete and short; other frames end the connection")
  func frames() {
    #expect(parse([0x81, 0x82, 1, 2, 3, 4, 0x61 ^ 1, 0x62 ^ 2]) == .frame(code: 1, payload: [0x61, 0x62]))
    #expect(parse([0x81]) == .more && parse([0x81, 0x82, 1, 2, 3]) == .more)
    #expect(parse([0x81, 0x02, 0x61, 0x62]) == .failure(1002), "not masked")
    #expect(parse([0xC1, 0x80, 0, 0, 0, 0]) == .failure(1002), "an extension")
    #expect(parse([0x01, 0x80, 0, 0, 0, 0]) == .failure(1003), "in pieces")
    #expect(parse([0x81, 0xFF, 0, 0, 0, 0]) == .failure(1009), "too long")
    #expect(parse([0x81, 0xFE, 0x20, 0]) == .failure(1009), "too long")
    #expect(parse([0x89, 0xFE, 0, 126]) == .failure(1002), "a long ping")
  }

  @Test("the server's frames encode their length in 7, 16 or 64 bits")
  func lengths() {
    #expect(WebSocket.frame(.text, [1]).prefix(2) == [0x81, 1])
    #expect(WebSocket.frame(.text, Array(repeating: 0, count: 300)).prefix(4) == [0x81, 126, 1, 44])
    #expect(
      WebSocket.frame(.text, Array(repeating: 0, count: 70_000)).prefix(10) == [0x81, 127, 0, 0, 0, 0, 0, 1, 17, 112])
  }
}

@Suite("Admission of requests") struct WebAdmissionTests {
  private func request(_ path: String, _ headers: [(String, String)], method: String = "GET") -> WebRequest {
    WebRequest(method: method, path: path, query: "", headers: headers, body: [])
  }

  /// Returns the path after the token, or the status of the refusal.
  private func outcome(_ admission: WebAdmission, _ request: WebRequest) -> String {
    switch admission.judge(request) {
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
