import Synchronization
import Testing

@testable import InertialServe

/// A phone's own server: phyphox's remote interface, or SensorServer's WebSocket.
private final class FakePhone: WebService, @unchecked Sendable {
  let server: WebServer
  /// The number of measured samples, in m/s² of specific force and rad/s.
  private let count = Mutex(0)
  private let session = Mutex("first")
  private let asked = Mutex<[String]>([])
  let socketPath = "/sensors/connect"

  init() throws {
    server = try WebServer(addresses: ["127.0.0.1"], port: 0)
    let port = server.port
    server.start(self, admission: WebAdmission(hosts: ["127.0.0.1:\(port)"], port: port, token: nil))
  }

  var paths: [String] { asked.withLock { $0 } }

  func restart() {
    session.withLock { $0 = "second" }
    count.withLock { $0 = 0 }
  }

  func answer(_ request: WebRequest, path: String, client: WebClient) -> WebAnswer {
    asked.withLock { $0.append(path + "?" + request.query) }
    switch path {
    case "/config":
      let outputs = { (stem: String) in
        #"[{"x":"\#(stem)X"},{"y":"\#(stem)Y"},{"z":"\#(stem)Z"},{"t":"\#(stem)_time"}]"#
      }
      return .response(
        .json(
          #"{"title":"a","inputs":[{"source":"accelerometer","outputs":\#(outputs("acc"))},{"source":"bluetooth"},"#
            + #"{"source":"gyroscope","outputs":\#(outputs("gyr"))}]}"#))
    case "/get": return .response(.json(buffers(request.query)))
    default: return .response(WebResponse(404, "nothing"))
    }
  }

  /// Returns ten more samples per request; only those after the requested time.
  private func buffers(_ query: String) -> String {
    let total = count.withLock { count in
      count += 10
      return count
    }
    let asked =
      query.split(separator: "&").first { $0.hasPrefix("acc_time=") }.flatMap { Double($0.dropFirst(9)) } ?? -1
    let places = (0..<total).filter { Double($0) / 100 > asked }
    func list(_ value: (Int) -> String) -> String {
      #"{"size":0,"buffer":[\#(places.map(value).joined(separator: ","))]}"#
    }
    let times = list { "\(Double($0) / 100)" }
    // A value that is not a number is null.
    let (z, zero) = (list { $0 == 3 ? "null" : "9.80665" }, list { _ in "0" })
    let name = session.withLock { $0 }
    return #"{"buffer":{"acc_time":\#(times),"accX":\#(zero),"accY":\#(zero),"accZ":\#(z),"gyr_time":\#(times),"#
      + #""gyrX":\#(zero),"gyrY":\#(zero),"gyrZ":\#(zero)},"status":{"session":"\#(name)","measuring":true}}"#
  }

  func didConnect(_ client: WebClient) {
    for index in 0..<300 {
      let time = 3_925_657_519_043_709 + Int64(index) * 10_000_000
      for (name, z) in [("accelerometer", "9.80665"), ("gyroscope", "0.5"), ("light", "3")] {
        client.send(
          WebMessage(#"{"accuracy":2,"timestamp":\#(time),"values":[0,0,\#(z)],"type":"android.sensor.\#(name)"}"#))
      }
    }
  }

  func didDisconnect(_ client: WebClient) {}
  func sendDueMessages() -> Double { 0.1 }
}

@Suite("Phones with their own servers") struct PhoneSourceTests {
  private func samples(_ server: TestServer, _ index: Int = 0) -> [SensorSample] {
    let names = server.recordings
    return index < names.count ? (try? server.samples(names[index])) ?? [] : []
  }

  private func source(_ scheme: String, _ phone: FakePhone) throws -> LiveSource {
    let kind = try #require(LiveSource.Kind(phone: "\(scheme)://127.0.0.1:\(phone.server.port)/"))
    return LiveSource(kind, options: LogOptions())
  }

  @Test("phyphox is polled for new data, and a cleared experiment is a new session")
  func phyphox() throws {
    let (server, phone) = (try TestServer(), try FakePhone())
    defer { phone.server.stop() }
    try source("phyphox", phone).start(server.server) { _ in }
    #expect(eventually { samples(server).count > 100 })
    let first = samples(server)
    let down = first.filter { $0.channel == .accelerometer }
    #expect(down.allSatisfy { abs($0.z + 1) < 1e-9 } && zip(down, down.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(!down.contains { abs($0.time - 0.03) < 1e-6 }, "what is null is no sample")
    #expect(phone.paths.contains { $0.contains("accX=0.") && $0.contains("%7Cacc_time") })
    phone.restart()
    #expect(eventually { server.recordings.count == 2 })
  }

  @Test("SensorServer's specific force is inverted, and other sensors are skipped")
  func sensorServer() throws {
    let (server, phone) = (try TestServer(), try FakePhone())
    defer { phone.server.stop() }
    try source("ws", phone).start(server.server) { _ in }
    #expect(eventually { samples(server).count >= 560 })
    let found = samples(server)
    #expect(found.filter { $0.channel == .accelerometer }.allSatisfy { abs($0.z + 1) < 1e-9 })
    #expect(found.filter { $0.channel == .gyroscope }.allSatisfy { $0.z == 0.5 })
    #expect(SensorServerMessage.path.contains("%22android.sensor.gyroscope%22"))
  }

  @Test("a phone that never responds is an error with its address, and invalid addresses are rejected")
  func noReceiver() throws {
    let server = try TestServer()
    let reported = Mutex<[String?]>([])
    let kind = try #require(LiveSource.Kind(phone: "phyphox://127.0.0.1:1"))
    LiveSource(kind, options: LogOptions()).start(server.server) { failure in reported.withLock { $0.append(failure) } }
    #expect(eventually { !reported.withLock { $0.isEmpty } })
    #expect(
      reported.withLock { $0.first??.contains("127.0.0.1:1: cannot be reached") == true }, "\(reported.withLock { $0 })"
    )
    for text in ["phyphox://", "ws://a:x", "ws://a/b", "http://a", "walk.csv"] {
      #expect(LiveSource.Kind(phone: text) == nil, "\(text)")
    }
  }
}
