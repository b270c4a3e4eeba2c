import Testing

@testable import InertialServe

private let tools = Need("tls", "there is no openssl or no curl") {
  Need.program(["openssl"]) != nil && Need.program(["curl"]) != nil
}

@Suite("Encryption", .needs(tools)) struct EncryptionTests {
  private let folder = TemporaryFolder()

  /// Creates a certificate for 127.0.0.1 and its key.
  private func certificate(_ name: String = "a") throws -> WebCertificate {
    let files = WebCertificate(chain: folder.path("\(name).pem"), key: folder.path("\(name).key"))
    let made = try Program.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", files.chain, "-keyout", files.key,
      ], in: folder.url)
    #expect(made.status == 0)
    return files
  }

  private func ask(_ server: TestServer, _ path: String, _ more: [String] = []) throws -> (status: Int, body: [UInt8]) {
    let arguments = ["-s", "--cacert", "a.pem", "-w", "%{http_code}", "-o", "body", "-m", "60"] + more
    let result = try Program.run("curl", arguments + ["https://127.0.0.1:\(server.port)\(path)"], in: folder.url)
    let body = (try? Data(contentsOf: folder.url.appendingPathComponent("body"))).map { Array($0) } ?? []
    return (Int(result.output) ?? 0, body)
  }

  @Test("the page, pushes of any size and recordings are encrypted, and only pages of the server's origin are admitted")
  func everything() throws {
    let server = try TestServer(certificate: try certificate())
    #expect(server.server.addresses.page.hasPrefix("https://127.0.0.1:"))
    let page = try ask(server, "/")
    #expect(page.status == 200 && page.body.count > 50_000)
    #expect(String(decoding: page.body, as: UTF8.self).contains("https://127.0.0.1:\(server.port)/push"))
    var sent: [UInt8] = []
    for (number, message) in TestServer.messages(duration: 2).enumerated() {
      folder.write(message, to: "\(number)")
      sent += message + [0x0A]
    }
    for number in 0..<4 { #expect(try ask(server, "/push", ["--data-binary", "@\(number)"]).status == 200) }
    // More than a TLS record, and than a socket accepts in a single write.
    var long = PushMessageWriter()
    for index in 0..<20_000 {
      long.add("gyroscopeuncalibrated", time: 1_700_000_100_000_000_000 + Int64(index) * 1000, x: 0.1, y: 0.2, z: 0.3)
    }
    let body = long.message(number: 99, session: "two", device: "other")
    folder.write(body, to: "long")
    #expect(body.count > 1 << 20)
    #expect(try ask(server, "/push", ["--data-binary", "@long"]).status == 200)
    let name = try #require(server.recordings.first { $0.contains("other") })
    #expect(try ask(server, "/recordings/" + name).body.suffix(body.count + 1) == body + [0x0A])
    #expect(try ask(server, "/devices", ["-H", "Origin: https://127.0.0.1:\(server.port)"]).status == 200)
    #expect(try ask(server, "/devices", ["-H", "Origin: http://127.0.0.1:\(server.port)"]).status == 403)
  }

  @Test("a client without TLS, with an incomplete handshake or with garbage gets no response and blocks no other")
  func strangers() throws {
    let server = try TestServer(certificate: try certificate()) { $0.limits.requestTime = 0.2 }
    let plain = try server.connect()
    try plain.request("GET", "/")
    // The server sends an alert, followed by the end.
    #expect((try? plain.read(until: "HTTP")) == nil)
    let slow = try server.connect()
    try slow.send([0x16, 0x03, 0x01])
    #expect(throws: TestFailure.self) { try slow.read(count: 1) }
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      let wild = try server.connect()
      var bytes = (0..<Int.random(in: 1...600, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { bytes.replaceSubrange(0..<min(3, bytes.count), with: [0x16, 0x03, 0x01]) }
      try? wild.send(bytes)
    }
    #expect(try ask(server, "/devices").status == 200)
    #expect(try ask(server, "/devices", ["--tls-max", "1.1"]).status == 0)
  }

  @Test("an invalid certificate and a key of another one are reported in one line")
  func files() throws {
    let (mine, other) = (try certificate(), try certificate("b"))
    func problem(_ files: WebCertificate) -> String {
      do throws(WebError) {
        _ = try files.context
        return ""
      } catch { return error.description }
    }
    #expect(problem(mine).isEmpty)
    #expect(problem(.init(chain: mine.key, key: mine.key)).hasPrefix(mine.key + ": no certificate can be read"))
    #expect(problem(.init(chain: "/none", key: mine.key)).contains("No such file"))
    #expect(problem(.init(chain: mine.chain, key: other.key)).hasPrefix(other.key + ": is not the certificate's key"))
    #expect(problem(.init(chain: mine.chain, key: mine.chain)).hasPrefix(mine.chain + ": is not the certificate's key"))
    #expect(problem(.init(chain: mine.chain, key: "/none")).contains("No such file"))
    // An encrypted key is an error instead of a question for its password.
    for way in [["ec", "-aes256"], ["pkcs8", "-topk8"]] {
      let locked = folder.path("locked.key")
      let made = try Program.run(
        "openssl", way + ["-in", mine.key, "-out", locked, "-passout", "pass:secret"], in: folder.url)
      #expect(made.status == 0)
      #expect(problem(.init(chain: mine.chain, key: locked)).contains("use its unencrypted key in PEM"))
    }
  }
}
