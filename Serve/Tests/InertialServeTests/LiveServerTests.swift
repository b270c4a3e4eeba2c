import Synchronization
import Testing

@testable import InertialServe

@Suite("The live server over HTTP") struct LiveServerTests {
  /// Reads events until the given number of rows has arrived.
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

  @Test("a phone's samples are all recorded and fused, and the recording fuses to the same rows as live")
  func walk() throws {
    let server = try TestServer()
    let events = try listen(server)
    let hello = try events.event()
    #expect(hello["schema"] as? String == "inertial-live" && hello["version"] as? Int == 1)
    let names = (hello["columns"] as? [[String: String]])?.compactMap { $0["name"] }
    #expect(names == LiveColumns.names)
    let messages = TestServer.messages(duration: 10)
    try server.push(messages)
    let name = try #require(server.recordings.first)
    let samples = try server.samples(name)
    let sent = try messages.reduce(0) { $0 + (try PushMessage(body: $1, name: "").readings.count) }
    #expect(samples.count == sent && sent > 2000)

    var configuration = DeviceMotionEstimator.Configuration()
    configuration.frame = .commandDefault
    var estimator = try DeviceMotionEstimator(filter: try FilterKind.all.known("kalman"), configuration: configuration)
    let motions = estimator.motions(of: samples)
    // The last rows are still pending.
    let rows = try rows(events, count: motions.count - 4)
    for (row, motion) in zip(rows, motions) {
      #expect(abs(row[0] - motion.time) < 1e-9)
      let q = motion.attitude.quaternion
      let dot = row[1] * q.x + row[2] * q.y + row[3] * q.z + row[4] * q.w
      #expect(abs(abs(dot) - 1) < 1e-6, "at \(motion.time) s")
    }
  }

  @Test("unsorted messages yield the same rows as sorted ones, and a repeated message is recorded once")
  func disorder() throws {
    let messages = TestServer.messages(duration: 4)
    var mixed = messages
    for index in stride(from: 4, to: mixed.count - 4, by: 7) { mixed.swapAt(index, index + 2) }
    mixed.insert(mixed[9], at: 30)
    mixed.append(mixed[2])
    var results: [[[Double]]] = []
    for order in [messages, mixed] {
      let server = try TestServer()
      let events = try listen(server)
      try server.push(order)
      results.append(try rows(events, count: 380))
      let text = server.folder.text(try #require(server.recordings.first))
      #expect(text.split(separator: "\n").count == messages.count + 1)
    }
    for (a, b) in zip(results[0].prefix(380), results[1].prefix(380)) {
      let (first, second) = (Array(a.prefix(5)), Array(b.prefix(5)))
      #expect(first == second)
    }
  }

  @Test("a WebSocket and server-sent events deliver the same data")
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
    try server.push(TestServer.messages(duration: 3))
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

  @Test("a named recording starts and ends files, and contains the marks")
  func recording() throws {
    let server = try TestServer()
    let json = ["Content-Type": "application/json"]
    let messages = TestServer.messages(duration: 8)
    #expect(try server.ask("/recording", #"{"action":"mark","text":"early"}"#, headers: json).status == 409)
    try server.push(Array(messages[..<40]))
    let start = #"{"action":"start","name":"../../<b>walk 1</b>","label":"pocket"}"#
    #expect(try server.ask("/recording", start, headers: json).status == 200)
    #expect(try server.ask("/recording", start, headers: json).status == 409)
    try server.push(Array(messages[40..<120]))
    #expect(
      try server.ask("/recording", #"{"action":"mark","text":"door \"A\"\n</script>"}"#, headers: json).status == 200)
    #expect(try server.ask("/recording", #"{"action":"stop"}"#, headers: json).status == 200)
    #expect(try server.ask("/recording", #"{"action":"stop"}"#, headers: json).status == 409)
    try server.push(Array(messages[120...]))
    let names = server.recordings
    #expect(names.count == 3)
    let named = try #require(names.first { $0.contains("walk-1") })
    #expect(!named.contains("/") && !named.contains("..") && !named.contains("<"))
    let text = server.folder.text(named)
    #expect(
      text.split(separator: "\n").count == 82 && text.contains(#""label":"pocket""#) && !text.contains("</script>"))
    var options = LogOptions()
    options.auxiliary = [.annotation]
    let loaded = try LogFeed(path: server.folder.path(named), options: options).load()
    #expect(loaded.auxiliary.map { $0[text: "annotation"] } == [#"door "A" </script>"#])

    let list = try server.ask("/recordings").body
    #expect(names.allSatisfy(list.contains))
    #expect(try server.ask("/recordings/\(named)").body == text)
  }

  @Test(
    "a time that is not a UNIX time in nanoseconds gets status 400 and the reason, and the server continues",
    arguments: [
      "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e300", "0", "-1", "1700000000",
      "1700000000.25", "1700000000123", "1700000000123456", "4200000000000000000", "999999999999999999",
    ])
  func times(_ time: String) throws {
    let server = try TestServer()
    func message(_ number: Int, _ time: String) -> String {
      let readings = ["accelerometeruncalibrated", "gyroscopeuncalibrated"].map {
        #"{"name":"\#($0)","time":\#(time),"values":{"x":0,"y":0,"z":-1}}"#
      }
      return #"{"messageId":\#(number),"sessionId":"s","deviceId":"d","payload":[\#(readings.joined(separator: ","))]}"#
    }
    let good = (0..<30).map { message($0, "1700000000\(10 + $0)0000000") }
    for body in good.prefix(25) { #expect(try server.ask("/push", body).status == 200) }
    let refused = try server.ask("/push", message(100, time))
    #expect(refused.status == 400 && refused.body.contains("nanoseconds"), "\(refused.body)")
    if time == "1700000000123" { #expect(refused.body.contains("is in milliseconds"), "\(refused.body)") }
    let mark = try server.ask(
      "/recording", #"{"action":"mark","text":"a"}"#, headers: ["Content-Type": "application/json"])
    #expect(mark.status == 200)
    for body in good.suffix(5) { #expect(try server.ask("/push", body).status == 200) }
    let text = server.folder.text(try #require(server.recordings.first))
    #expect(text.split(separator: "\n").count == 32 && !text.contains(#""messageId":100"#))
  }

  @Test("any times of a source become timestamps of the present years")
  func farSources() throws {
    for times in [[0, 1e300, -1e300, 1], [9.3e18, 5], [.nan, .infinity, 3], [1.7e9, 1.7e9 + 1, -1e13, 1e13]] {
      for epoch in [nil, 1_700_000_000, 1e300, -4e9] as [Double?] {
        var messages = SampleMessages(device: "d", session: "s", epoch: epoch)
        let samples = times.map { SensorSample(time: $0, channel: .gyroscope, x: 0, y: 0, z: 1) }
        let bodies = messages.add(samples).map(\.body) + [messages.finish()].compactMap(\.self)
        let read = try bodies.map { try PushMessage(body: $0, name: "") }
        #expect(read.allSatisfy { $0.timeProblem == nil })
        #expect(read.reduce(0) { $0 + $1.readings.count } == times.filter(\.isFinite).count)
      }
    }
  }

  @Test(
    "an acknowledged message is in a recording, even if a file is deleted, truncated or replaced meanwhile",
    arguments: ["delete", "truncate", "halve", "replace", "rename", "link"])
  func lostRecording(_ way: String) throws {
    let server = try TestServer()
    let messages = TestServer.messages(duration: 1).map { String(decoding: $0, as: UTF8.self) }
    #expect(try server.ask("/push", messages[0]).status == 200)
    let path = server.folder.path(try #require(server.recordings.first))
    let other = server.folder.path("precious")
    server.folder.write("precious\n", to: "precious")
    switch way {
    case "delete": unlink(path)
    case "truncate": truncate(path, 0)
    case "halve": truncate(path, 100)
    case "replace": rename(other, path)
    case "rename": rename(path, path + ".away")
    default:
      unlink(path)
      symlink(other, path)
    }
    var statuses: [Int] = []
    for message in messages[1..<6] {
      var status = try server.ask("/push", message).status
      statuses.append(status)
      // A phone resends a message that was not acknowledged.
      while status == 500 { status = try server.ask("/push", message).status }
      #expect(status == 200)
    }
    #expect(statuses == [500, 200, 200, 200, 200])
    let kept = server.recordings.map { server.folder.text($0) }
    for message in messages[1..<6] { #expect(kept.count { $0.contains(message) } >= 1) }
    if way == "link" { #expect(server.folder.text("precious") == "precious\n") }
  }

  @Test("a message that is sent again is recorded once, with its number as a number, as text, or without one")
  func repeated() throws {
    let server = try TestServer()
    let texts = TestServer.messages(duration: 1).prefix(6).map { String(decoding: $0, as: UTF8.self) }
    for (index, text) in texts.enumerated() {
      let number = "\"messageId\":\(index + 1),"
      #expect(text.contains(number))
      let body = text.replacing(number, with: [number, "\"messageId\":\"\(index + 1)\",", ""][index % 3])
      for _ in 0..<3 { #expect(try server.ask("/push", body).status == 200) }
    }
    let recorded = server.folder.text(try #require(server.recordings.first))
    #expect(recorded.split(separator: "\n").count == texts.count + 1)
  }

  @Test("sessions under one device name have a recording each, even if their messages alternate")
  func contested() throws {
    let server = try TestServer()
    let sessions = ["one", "two", "three"].map { TestServer.messages(duration: 1, session: $0) }
    for index in sessions[0].indices { for messages in sessions { try server.push([messages[index]]) } }
    #expect(server.recordings.count == 3)
    let counts = server.recordings.map { server.folder.text($0).split(separator: "\n").count }
    #expect(counts.allSatisfy { $0 == sessions[0].count + 1 })
    // The next session replaces those that have not continued since.
    try server.push(TestServer.messages(duration: 1, session: "four"))
    let devices = try server.ask("/devices").body
    #expect(devices.contains("four") && devices.ranges(of: #""name":"phone""#).count <= 4)
  }

  @Test("an address begins a limited number of sessions")
  func manySessions() throws {
    let server = try TestServer()
    let text = String(decoding: TestServer.messages(duration: 0.05)[0], as: UTF8.self)
    var statuses: [Int: Int] = [:]
    for number in 0..<100 {
      let body = text.replacing("\"one\"", with: "\"\(number)\"")
      statuses[try server.ask("/push", body).status, default: 0] += 1
    }
    #expect((statuses[200] ?? 0) >= 64 && (statuses[429] ?? 0) > 10 && statuses.count == 2, "\(statuses)")
    #expect(server.recordings.count == statuses[200])
    // A session that has begun continues.
    let body = text.replacing("\"one\"", with: "\"0\"").replacing("\"messageId\":1,", with: "\"messageId\":2,")
    #expect(try server.ask("/push", body).status == 200 && server.recordings.count == statuses[200])
  }

  @Test("sixteen devices of a client that have sent little leave a place for another device")
  func manyDevices() throws {
    let server = try TestServer()
    for number in 0..<16 { try server.push(Array(TestServer.messages(duration: 0.2, device: "other \(number)"))) }
    try server.push(TestServer.messages(duration: 0.2))
    let devices = try server.ask("/devices").body
    #expect(devices.contains(#""name":"phone""#) && devices.ranges(of: #""name":"other"#).count == 15)
  }

  @Test("a second server in the same folder of recordings is refused until the first one ends")
  func secondServer() throws {
    let first = try TestServer()
    let path = first.folder.path
    do throws(FusionError) {
      _ = try LiveServer(first.options, at: .init(port: 0))
      Issue.record("two servers record in one folder")
    } catch {
      #expect(error.description.hasPrefix("\(path): another server"), "\(error.description)")
    }
    first.server.stop()
    #expect(eventually { (try? LiveServer(first.options, at: .init(port: 0))) != nil })
  }

  @Test("a named recording keeps its name after a restart, until it is stopped")
  func continuedName() throws {
    let folder = TemporaryFolder()
    let title = RecordingStore.Title(name: "walk \"3\"", label: "pocket", begun: 1_700_000_000)
    for isEnding in [false, false, true] {
      var store = try RecordingStore(folder: folder.path)
      if store.title == nil { store.begin(title) }
      #expect(store.title == title)
      if isEnding { store.end() }
      store.unlock()
    }
    #expect(try RecordingStore(folder: folder.path).title == nil)
    try "{}".write(toFile: folder.path(".inertial-recording.json"), atomically: true, encoding: .utf8)
    #expect(try RecordingStore(folder: folder.path).title == nil)
  }

  @Test("readers see the number of refused messages and the reason for the last one")
  func refusedMessages() throws {
    let server = try TestServer()
    let events = try listen(server)
    for body in ["no JSON", #"{"messageId": 0, "payload": 3}"#] { #expect(try server.ask("/push", body).status == 400) }
    var event = try events.event()
    while event["type"] as? String != "refused" || event["count"] as? Int != 2 { event = try events.event() }
    #expect((event["text"] as? String)?.isEmpty == false)
    let late = try listen(server)
    while event["type"] as? String != "hello" { event = try late.event() }
    #expect(try late.event()["type"] as? String == "refused")
  }

  @Test("a recording gets its report while it grows")
  func growingReport() async throws {
    let server = try TestServer()
    let messages = TestServer.messages(duration: 60)
    try server.push(Array(messages[..<300]))
    let name = try #require(server.recordings.first)
    let report = try server.connect()
    try report.request("GET", "/recordings/\(name)/report")
    let sender = Unchecked(server)
    let isEnding = Mutex(false)
    let thread = Thread {
      for message in messages[300...] where !isEnding.withLock({ $0 }) { try? sender.value.push([message]) }
    }
    thread.start()
    // The report runs in the same pool of threads as the tests, which must not be blocked by waiting for it.
    let connection = Unchecked(report)
    let answer = try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try connection.value.answer() }) }.start()
    }
    isEnding.withLock { $0 = true }
    #expect(answer.status == 200 && answer.body.hasPrefix("<!DOCTYPE"), "\(answer.body.prefix(200))")
    #expect(server.folder.contents.contains(name + ".report.html"))
  }

  @Test("a download is read from its file piece by piece, and ends early if the file becomes shorter")
  func download() throws {
    let server = try TestServer()
    let count = 60_000_000
    let path = server.folder.write([UInt8](repeating: 0x61, count: count), to: "long.push.jsonl")
    let connection = try server.connect()
    try connection.request("GET", "/recordings/long.push.jsonl")
    #expect(try connection.read(until: "\r\n\r\n").contains("Content-Length: \(count)\r\n"))
    #expect(try connection.read(count: 1_000_000).allSatisfy { $0 == 0x61 })
    let head = try server.connect()
    try head.request("HEAD", "/recordings/long.push.jsonl")
    #expect(try head.answer(hasBody: false).status == 200)
    truncate(path, 0)
    #expect(throws: TestFailure.self) { try connection.read(count: count - 1_000_000) }
  }

  @Test("a message of thousands of samples is fused like the same samples in short messages")
  func longMessage() throws {
    let short = TestServer.messages(duration: 30)
    let parts = short.map { String(decoding: $0, as: UTF8.self).components(separatedBy: "\"payload\":[") }
    let long = parts[0][0] + "\"payload\":[" + parts.map { String($0[1].dropLast(2)) }.joined(separator: ",") + "]}"
    #expect(try PushMessage(body: Array(long.utf8), name: "").readings.count > 5000)
    var results: [[[Double]]] = []
    for messages in [[Array(long.utf8)], short] {
      let server = try TestServer()
      let events = try listen(server)
      try server.push(messages)
      results.append(try rows(events, count: 2900))
    }
    for (a, b) in zip(results[0].prefix(2900), results[1].prefix(2900)) {
      let (first, second) = (Array(a.prefix(5)), Array(b.prefix(5)))
      #expect(first == second)
    }
  }

  @Test("a played log is rotated, and its units are converted, once")
  func playedOnce() throws {
    let lines = (0..<300).map { "\(Double($0) / 100),\(0.6 * 9.80665),0,\(-0.8 * 9.80665),54,0,-72\n" }
    let folder = TemporaryFolder()
    let log = folder.write("time (s),ax,ay,az,gx,gy,gz\n" + lines.joined(), to: "log.csv")
    var options = LogOptions()
    (options.accelerationUnit, options.accelerationSign) = (.metersPerSecondSquared, .gravity)
    (options.rotationUnit, options.axes) = (.degreesPerSecond, [try #require(SensorAxes("-y,x,z"))])
    let server = try TestServer { $0.fusion.log = options }
    let events = try listen(server)
    let ended = Mutex(false)
    LiveSource(.recording(path: log, speed: .infinity), options: options).start(server.server) { _ in
      ended.withLock { $0 = true }
    }
    let first = try rows(events, count: 200)
    func mean(_ name: String) throws -> Double {
      let index = try #require(LiveColumns.names.firstIndex(of: name))
      return first.map { $0[index] }.reduce(0, +) / Double(first.count)
    }
    // The log's x is the device's y; about the vertical, a bias looks like a rotation.
    let (x, y, z) = (try mean("rotationRateX"), try mean("rotationRateY"), try mean("rotationRateZ"))
    #expect(y > 0.8 && abs(x) < 0.1 && z < -1)
    #expect(eventually { ended.withLock { $0 } })
    let recorded = try server.samples(try #require(server.recordings.first))
    // It is recorded in Core Motion's units, before the rotation.
    #expect(recorded.first { $0.channel == .accelerometer }.map { abs($0.x - 0.6) < 1e-9 } == true)
  }

  @Test("no path leads out of the folder of recordings, and only recordings can be downloaded")
  func paths() throws {
    let server = try TestServer()
    server.folder.write("secret", to: "secret.txt")
    server.folder.write("secret", to: "../beside.push.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: server.folder.path("link.push.jsonl"), withDestinationPath: "/etc/passwd")
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

  @Test("malformed, oversized and misdirected requests get their status, and the server continues")
  func refusals() throws {
    let server = try TestServer { $0.limits.maximumBodySize = 10_000 }
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
    #expect(server.recordings.isEmpty)
  }

  @Test("a server that is open to other machines refuses everything without the token, even the page")
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
    try server.push(TestServer.messages(duration: 1))
    #expect(server.recordings.count == 1)
  }

  @Test("a slow sender gets status 408, and blocks no other client")
  func slow() throws {
    let server = try TestServer { $0.limits.requestTime = 0.2 }
    let slow = try server.connect()
    try slow.send(Array("POST /push HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 100\r\n\r\n{".utf8))
    try server.push(TestServer.messages(duration: 1))
    #expect(try slow.answer().status == 408)
    #expect(throws: TestFailure.self) { try slow.read(count: 1) }
  }

  @Test("the last response of a connection is complete, even if the sender continues to send")
  func ends() throws {
    let server = try TestServer { $0.limits.stallTime = 3600 }
    let connection = try server.connect()
    try connection.request("GET", "/", headers: ["Connection": "close"])
    try? connection.send(Array(repeating: 0x20, count: 100_000))
    #expect(try connection.answer().body.count > 50_000)
    #expect(throws: TestFailure.self) { try connection.read(count: 1) }
  }

  @Test("an address with too many requests is rate-limited, and random bytes are rejected")
  func floods() throws {
    let server = try TestServer { $0.limits.requestsPerSecond = 50 }
    let connection = try server.connect()
    var statuses: [Int: Int] = [:]
    for _ in 0..<300 {
      try connection.request("GET", "/recordings")
      statuses[try connection.answer().status, default: 0] += 1
    }
    #expect((statuses[200] ?? 0) >= 100 && (statuses[429] ?? 0) > 0 && statuses.count == 2, "\(statuses)")
    // A client with few requests is served, even if it has the same address.
    #expect(try server.ask("/devices").status == 200)
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
