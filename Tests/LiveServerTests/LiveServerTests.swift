import Foundation
import Inertial
import MotionLogs
import Sensors
import Signals
import TestSupport
import Testing
import WebServer

@testable import LiveServer

@Suite("The live server, over HTTP")
struct LiveServerTests {
  private func push(_ server: TestServer, _ messages: [[UInt8]]) throws {
    let connection = try server.connect()
    for message in messages {
      try connection.request("POST", server.token + "/push", message, headers: ["Content-Type": "application/json"])
      let answer = try connection.answer()
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  /// Reads events until all rows of a count have come.
  private func rows(_ events: TestConnection, count: Int) throws -> [[Double]] {
    var rows: [[Double]] = []
    while rows.count < count {
      let event = try events.event()
      guard event["type"] as? String == "rows" else { continue }
      for row in event["rows"] as? [[Any]] ?? [] { rows.append(row.map { ($0 as? NSNumber)?.doubleValue ?? .nan }) }
    }
    return rows
  }

  private func listen(_ server: TestServer) throws -> TestConnection {
    let events = try server.connect()
    try events.request("GET", server.token + "/events")
    _ = try events.read(until: "\r\n\r\n")
    return events
  }

  @Test("a phone's samples are all recorded and fused, and the recording fuses to the rows that were told live")
  func walk() throws {
    let server = try TestServer()
    let events = try listen(server)
    let hello = try events.event()
    #expect(hello["schema"] as? String == "inertial-live" && hello["version"] as? Int == 1)
    let names = (hello["columns"] as? [[String: String]])?.compactMap { $0["name"] }
    #expect(names == LiveColumns.names)
    let messages = TestServer.messages(duration: 10)
    try push(server, messages)
    let name = try #require(try server.recordings().first)
    let samples = try server.samples(name)
    let sent = try messages.reduce(0) { $0 + (try PushMessage(body: $1, name: "").readings.count) }
    #expect(samples.count == sent && sent > 2000)

    var configuration = DeviceMotionEstimator.Configuration()
    configuration.frame = DefaultFrame.frame
    var estimator = try DeviceMotionEstimator(filter: try FilterKind.known("kalman"), configuration: configuration)
    let motions = estimator.motions(of: samples)
    // The last rows wait for what does not come.
    let rows = try rows(events, count: motions.count - 4)
    for (row, motion) in zip(rows, motions) {
      #expect(abs(row[0] - motion.time) < 1e-9)
      let q = motion.attitude.quaternion
      let dot = row[1] * q.x + row[2] * q.y + row[3] * q.z + row[4] * q.w
      #expect(abs(abs(dot) - 1) < 1e-6, "at \(motion.time) s")
    }
  }

  @Test("messages out of order give the same rows as in order, and one that comes again is acknowledged and kept once")
  func disorder() throws {
    let messages = TestServer.messages(duration: 4)
    var mixed = messages
    for place in stride(from: 4, to: mixed.count - 4, by: 7) { mixed.swapAt(place, place + 2) }
    mixed.insert(mixed[9], at: 30)
    mixed.append(mixed[2])
    var results: [[[Double]]] = []
    for order in [messages, mixed] {
      let server = try TestServer()
      let events = try listen(server)
      try push(server, order)
      results.append(try rows(events, count: 380))
      let name = try #require(try server.recordings().first)
      let text = try String(contentsOf: server.folder.appendingPathComponent(name), encoding: .utf8)
      let lineCount = text.split(separator: "\n").count
      #expect(lineCount == messages.count + 1)
    }
    for (a, b) in zip(results[0].prefix(380), results[1].prefix(380)) {
      let (first, second) = (Array(a.prefix(5)), Array(b.prefix(5)))
      #expect(first == second)
    }
  }

  @Test("a WebSocket and server-sent lines tell the same")
  func streams() throws {
    let server = try TestServer()
    let socket = try server.connect()
    try socket.request(
      "GET", "/stream",
      headers: [
        "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ])
    let head = try socket.read(until: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 101") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    let hello = try socket.frame()
    #expect(hello.hasPrefix(#"{"type":"hello","schema":"inertial-live","version":1"#))
    try push(server, TestServer.messages(duration: 3))
    var kinds: Set<String> = []
    while !kinds.isSuperset(of: ["status", "rows"]) {
      let text = try socket.frame()
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      kinds.insert(try #require(object["type"] as? String))
    }
    #expect(try server.ask("/stream").status == 426)
    let wrong = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "8"]
    #expect(try server.ask("/stream", headers: wrong).status == 400)
  }

  @Test("a named recording begins and ends files, and has the marks")
  func recording() throws {
    let server = try TestServer()
    let json = ["Content-Type": "application/json"]
    let messages = TestServer.messages(duration: 8)
    #expect(try server.ask("/recording", #"{"action":"mark","text":"early"}"#, headers: json).status == 409)
    try push(server, Array(messages[..<40]))
    let start = #"{"action":"start","name":"../../<b>walk 1</b>","label":"pocket"}"#
    #expect(try server.ask("/recording", start, headers: json).status == 200)
    #expect(try server.ask("/recording", start, headers: json).status == 409)
    try push(server, Array(messages[40..<120]))
    #expect(
      try server.ask("/recording", #"{"action":"mark","text":"door \"A\"\n</script>"}"#, headers: json).status == 200)
    #expect(try server.ask("/recording", #"{"action":"stop"}"#, headers: json).status == 200)
    #expect(try server.ask("/recording", #"{"action":"stop"}"#, headers: json).status == 409)
    try push(server, Array(messages[120...]))
    let names = try server.recordings()
    #expect(names.count == 3)
    let named = try #require(names.first { $0.contains("walk-1") })
    #expect(!named.contains("/") && !named.contains("..") && !named.contains("<"))
    let text = try String(contentsOf: server.folder.appendingPathComponent(named), encoding: .utf8)
    #expect(
      text.split(separator: "\n").count == 82 && text.contains(#""label":"pocket""#) && !text.contains("</script>"))
    var options = LogOptions()
    options.auxiliary = [.annotation]
    let loaded = try LogFeed(path: server.folder.appendingPathComponent(named).path, options: options).load()
    #expect(loaded.auxiliary.map { $0[text: "annotation"] } == [#"door "A" </script>"#])

    let list = try server.ask("/recordings").body
    #expect(names.allSatisfy(list.contains))
    #expect(try server.ask("/recordings/\(named)").body == text)
  }

  @Test("no path leaves the folder of recordings, and nothing but recordings is given out of it")
  func paths() throws {
    let server = try TestServer()
    try Data("secret".utf8).write(to: server.folder.appendingPathComponent("secret.txt"))
    try Data("secret".utf8).write(
      to: server.folder.deletingLastPathComponent().appendingPathComponent("beside.push.jsonl"))
    try FileManager.default.createSymbolicLink(
      atPath: server.folder.appendingPathComponent("link.push.jsonl").path, withDestinationPath: "/etc/passwd")
    for path in [
      "secret.txt", "../beside.push.jsonl", "..%2fbeside.push.jsonl", "%2e%2e/beside.push.jsonl", "link.push.jsonl",
      "/etc/passwd", "....//x.push.jsonl", ".push.jsonl", "",
    ] {
      for end in ["", "/report"] {
        let answer = try server.ask("/recordings/" + path + end)
        #expect(
          [404, 405].contains(answer.status) && !answer.body.contains("secret") && !answer.body.contains("root:"),
          "\(path)")
      }
    }
  }

  @Test("what is malformed, too large, elsewhere or by another method gets its status, and the server goes on")
  func refusals() throws {
    let server = try TestServer { $0.limits.longestBody = 10_000 }
    #expect(try server.ask("/push", "{").status == 400)
    #expect(try server.ask("/push", "{}").body.contains("the object has no payload"))
    #expect(try server.ask("/push", String(repeating: "x", count: 10_001)).status == 413)
    #expect(try server.ask("/nothing").status == 404)
    #expect(try server.ask("/push").status == 405)
    #expect(try server.ask("/", "x").status == 405)
    #expect(try server.ask("/recording", #"{"action":"stop"}"#).status == 415)
    #expect(try server.ask("/recording", "{", headers: ["Content-Type": "application/json"]).status == 400)
    #expect(try server.ask("/push", "{}", headers: ["Host": "evil.example"]).status == 421)
    #expect(try server.ask("/push", "{}", headers: ["Origin": "http://evil.example"]).status == 403)
    let upgrade = [
      "Origin": "http://evil.example", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    #expect(try server.ask("/stream", headers: upgrade).status == 403)
    let page = try server.ask("/")
    #expect(page.status == 200 && !page.head.lowercased().contains("access-control"))
    #expect(page.body.contains("connect-src 'self'") && page.head.contains("X-Frame-Options: DENY"))
    #expect(try server.recordings().isEmpty)
  }

  @Test("where others reach it nothing is without the token, not even a 404 or the page")
  func token() throws {
    let server = try TestServer(isOpen: true)
    #expect(server.token.count == 27)
    for path in ["/", "/push", "/nothing", "/recordings", "/events", "/00000000000000000000000000/"] {
      #expect(try server.ask(path).status == 403, "\(path)")
      #expect(try server.ask(path, "{}").status == 403, "\(path)")
    }
    let page = try server.ask(server.token + "/")
    #expect(page.status == 200 && page.body.contains("https://phone.example.org\(server.token)/push"))
    #expect(try server.ask(server.token).head.contains("Location: \(server.token)/"))
    try push(server, TestServer.messages(duration: 1))
    #expect(try server.recordings().count == 1)
  }

  @Test("a sender that is slow is told, and holds nobody up")
  func slow() throws {
    let server = try TestServer { $0.limits.requestTime = 0.2 }
    let slow = try server.connect()
    try slow.send(Array("POST /push HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 100\r\n\r\n{".utf8))
    try push(server, TestServer.messages(duration: 1))
    #expect(try slow.answer().status == 408)
    #expect(throws: TestFailure.self) { try slow.read(count: 1) }
  }

  @Test("an answer behind which a connection ends is whole, and followed by its end, though the sender goes on")
  func ends() throws {
    let server = try TestServer { $0.limits.stallTime = 3600 }
    let connection = try server.connect()
    try connection.request("GET", "/", headers: ["Connection": "close"])
    try? connection.send(Array(repeating: 0x20, count: 100_000))
    #expect(try connection.answer().body.count > 50_000)
    #expect(throws: TestFailure.self) { try connection.read(count: 1) }
  }

  @Test("an address that asks for too much is told to ask for less; random bytes are no request")
  func floods() throws {
    let server = try TestServer { $0.limits.requestsPerSecond = 50 }
    let connection = try server.connect()
    var statuses: [Int: Int] = [:]
    for _ in 0..<300 {
      try connection.request("GET", "/recordings")
      statuses[try connection.answer().status, default: 0] += 1
    }
    #expect((statuses[200] ?? 0) >= 100 && (statuses[429] ?? 0) > 0 && statuses.count == 2, "\(statuses)")
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let wild = try server.connect()
      let bytes = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      try? wild.send(bytes + Array("\r\n\r\n".utf8))
      if let status = try? wild.answer().status { #expect((400..<506).contains(status)) }
    }
  }
}
