package import InertialLogs
internal import InertialSystem

/// A client for the WebSocket of a phone's own server.
package final class WebSocketClient {
  private let connection: OutgoingConnection

  /// Opens a WebSocket.
  ///
  /// - Parameter timeout: The time without a message after which the connection counts as broken, in seconds.
  /// - Throws: `WebError` if the handshake fails.
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
      throw WebError(description: "\(host):\(port)\(path): is not a WebSocket (status \(status)); check the address")
    }
  }

  /// Waits for the next text message; returns `nil` if the peer has ended the connection.
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
      guard head[1] & 0x80 == 0, text.count + count <= OutgoingConnection.maximumMessageSize else {
        throw WebError(description: "a message is not from a WebSocket server, or is too long")
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

  /// Sends a frame, masked as required for a client.
  private func send(_ code: WebSocket.Code, _ payload: [UInt8]) throws(WebError) {
    var system = SystemRandomNumberGenerator()
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &system) }
    let short = payload.prefix(125)
    let masked = short.enumerated().map { $1 ^ mask[$0 & 3] }
    try connection.send([0x80 | code.rawValue, 0x80 | UInt8(short.count)] + mask + masked)
  }
}
