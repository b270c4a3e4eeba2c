internal import SystemLibrary

/// A connection to a phone's own server, by whoever has a thread to wait on.
final class OutgoingConnection {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private let pieceSize: Int

  /// Bytes of an answer or a message.
  static let longest = 8 << 20

  /// - Parameters:
  ///   - timeout: seconds that anything may take.
  ///   - pieceSize: bytes that are read at a time.
  init(host: String, port: UInt16, timeout: Double, pieceSize: Int = 1 << 16) throws(WebError) {
    name = "\(host):\(port)"
    self.pieceSize = pieceSize
    descriptor = try ListeningSocket.connect(host: host, port: port, timeout: timeout)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws(WebError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { ListeningSocket.send(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      rest = rest.dropFirst(count)
    }
  }

  /// - Returns: false where the other side has ended.
  private func more() throws(WebError) -> Bool {
    guard buffer.count < Self.longest else { throw WebError(description: "\(name): sends more than it may") }
    var bytes = [UInt8](repeating: 0, count: pieceSize)
    let count = systemRead(descriptor, &bytes, bytes.count)
    if count < 0 {
      if errno == EINTR { return true }
      throw failure
    }
    buffer += bytes[..<count]
    return count > 0
  }

  func read(count: Int) throws(WebError) -> [UInt8] {
    while buffer.count < count { guard try more() else { throw ended } }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  func readLine() throws(WebError) -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard try more() else { throw ended }
    }
  }

  func readToEnd() throws(WebError) -> [UInt8] {
    while try more() {}
    defer { buffer = [] }
    return buffer
  }

  /// The status and headers of an answer.
  func readHead() throws(WebError) -> (status: Int, headers: [String: String]) {
    let words = try readLine().split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."),
      let status = HTTPNumber.parse(words[1], most: 999)
    else {
      throw WebError(description: "\(name): does not speak HTTP; check the address")
    }
    var headers: [String: String] = [:]
    while headers.count < RequestParser.mostHeaders {
      let line = try readLine()
      guard let colon = line.firstIndex(of: ":") else { break }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    return (status, headers)
  }

  /// The socket for somebody else to read on and to close.
  func handedOn() throws(WebError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw failure }
    return copy
  }

  private var ended: WebError { WebError(description: "\(name): has ended the connection") }
  private var failure: WebError {
    let number = errno
    let reason = number == EAGAIN ? "it does not answer" : String(cString: strerror(number))
    return WebError(description: "\(name): \(reason); check the address, and that the phone's app is running")
  }
}

/// Asks a phone's own server for a document.
package enum WebFetch {
  /// - Parameter path: with its query, escaped.
  /// - Throws: where there is no answer, or another than 200.
  package static func get(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> [UInt8] {
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout)
    let lines = ["GET \(path) HTTP/1.1", "Host: \(host):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200 else { throw WebError(description: "\(host):\(port)\(path): answers with status \(status)") }
    if headers["transfer-encoding"]?.lowercased() == "chunked" { return try chunks(connection) }
    guard let text = headers["content-length"] else { return try connection.readToEnd() }
    guard let length = HTTPNumber.parse(text, most: OutgoingConnection.longest) else {
      throw WebError(description: "\(host):\(port): its answer has the length \(text.prefix(40)), or is too long")
    }
    return try connection.read(count: length)
  }

  /// Asks for an answer without an end, and gives the socket from which it is read, by whoever closes it.
  package static func lines(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> Int32 {
    // No byte behind the head may be taken.
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout, pieceSize: 1)
    let name = host.contains(":") ? "[\(host)]" : host
    let lines = ["GET \(path) HTTP/1.1", "Host: \(name):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200, headers["transfer-encoding"] == nil else {
      let text = headers["content-length"].flatMap { HTTPNumber.parse($0, most: 500) }
      let reason = try text.map { (count) throws(WebError) in
        String(decoding: try connection.read(count: count), as: UTF8.self)
      }
      throw WebError(
        description:
          "\(host):\(port): answers with status \(status): \(reason?.split(separator: "\n").first ?? "no lines")")
    }
    return try connection.handedOn()
  }

  private static func chunks(_ connection: OutgoingConnection) throws(WebError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try connection.readLine().prefix { $0 != ";" && $0 != " " }
      let room = OutgoingConnection.longest - body.count
      guard let count = HTTPNumber.parse(digits, radix: 16, most: room) else {
        throw WebError(description: "an answer's chunk has no length, or is too long")
      }
      if count == 0 { return body }
      body += try connection.read(count: count)
      _ = try connection.readLine()
    }
  }
}

/// Listens to the WebSocket of a phone's own server.
package final class WebSocketClient {
  private let connection: OutgoingConnection

  /// - Parameter timeout: seconds without a message after which the connection counts as broken.
  /// - Throws: where the greeting is not answered as it should be.
  package init(host: String, port: UInt16, path: String, timeout: Double = 30) throws(WebError) {
    connection = try OutgoingConnection(host: host, port: port, timeout: timeout)
    var system = SystemRandomNumberGenerator()
    let key = WebSocket.base64((0..<16).map { _ in UInt8.random(in: 0...255, using: &system) })
    let lines = [
      "GET \(path) HTTP/1.1", "Host: \(host):\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
    ]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 101, headers["sec-websocket-accept"] == WebSocket.accept(key: key) else {
      throw WebError(description: "\(host):\(port)\(path): is no WebSocket (status \(status)); check the address")
    }
  }

  /// Waits for the next text; nil where the other side has ended.
  package func next() throws(WebError) -> [UInt8]? {
    var text: [UInt8] = []
    while true {
      let head = try connection.read(count: 2)
      var count = Int(head[1] & 0x7F)
      if count == 126 {
        count = try connection.read(count: 2).reduce(0) { $0 << 8 | Int($1) }
      } else if count == 127 {
        let bytes = try connection.read(count: 8)
        guard bytes.prefix(4).allSatisfy({ $0 == 0 }) else { throw WebError(description: "a message is too long") }
        count = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
      }
      guard head[1] & 0x80 == 0, text.count + count <= OutgoingConnection.longest else {
        throw WebError(description: "a message is none of a WebSocket's server, or too long")
      }
      let payload = try connection.read(count: count)
      switch head[0] & 15 {
      case 8: return nil
      case 9: try send(.pong, payload)
      case 0, 1, 2:
        text += payload
        if head[0] & 0x80 != 0 { return text }
      default: break
      }
    }
  }

  /// A client's frames are masked.
  private func send(_ code: WebSocket.Code, _ payload: [UInt8]) throws(WebError) {
    var system = SystemRandomNumberGenerator()
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &system) }
    let short = payload.prefix(125)
    let masked = short.enumerated().map { $1 ^ mask[$0 & 3] }
    try connection.send([0x80 | code.rawValue, 0x80 | UInt8(short.count)] + mask + masked)
  }
}
