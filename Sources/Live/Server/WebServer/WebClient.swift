internal import InertialLogs
internal import InertialSystem

/// A connection: requests and responses, optionally followed by an endless stream of messages.
///
/// Used only by the server's thread.
package final class WebClient {
  enum State {
    /// Requests are read.
    case requests
    /// A response is being prepared; no further request is read.
    case pending
    case webSocket
    case events
    /// An endless stream of plain lines.
    case lines
    /// Pending bytes are sent, then no more; the connection ends when the peer has ended it, or after a short time.
    case closing
  }

  let descriptor: Int32
  let peer: [UInt8]
  private(set) var state = State.requests
  /// The number of messages that were dropped because the reader was too slow.
  package private(set) var leftOutCount = 0
  /// Whether messages can be sent to the client.
  package var isStream: Bool { state == .webSocket || state == .events || state == .lines }

  private let limits: WebLimits
  private var parser: RequestParser
  private var frames = WebSocket.Parser()
  /// The TLS session, or `nil` without encryption.
  private let encryption: TLSSession?
  /// The pending output, and the number of bytes of its first element that have been sent.
  private var pending: [[UInt8]] = []
  private var sentOfFirst = 0
  private var pendingBytes = 0
  private var isLastRequest = false
  private var isHead = false
  /// The start of the current request, the time of the last input, and the time of the last output.
  private var began: Double?
  private var heard: Double
  private var taken: Double
  private var pinged = 0.0
  private(set) var isGone = false
  /// Whether the end of the output has been announced to the peer.
  private var hasEndedOutput = false

  init(descriptor: Int32, peer: [UInt8], limits: WebLimits, encryption: TLSSession? = nil, now: Double) {
    (self.descriptor, self.peer, self.limits, self.encryption) = (descriptor, peer, limits, encryption)
    parser = RequestParser(maximumBodySize: limits.maximumBodySize)
    (heard, taken) = (now, now)
  }

  deinit { close(descriptor) }

  /// The time that the peer has to end a closing connection, in seconds.
  private static let closingTime = 2.0

  var wantsToWrite: Bool { !pending.isEmpty }
  var wantsToRead: Bool { state != .pending || parser.pendingCount < RequestParser.maximumHeadSize }

  // MARK: Input

  /// Reads the available bytes.
  ///
  /// - Returns: `false` if the peer has disconnected.
  func read(_ buffer: UnsafeMutableRawBufferPointer, now: Double) -> Bool {
    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    guard count > 0 else { return false }
    heard = now
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    guard let encryption else {
      take(bytes, now)
      return true
    }
    var plain: [UInt8] = []
    let goesOn = encryption.receive(bytes, into: &plain)
    // The response to a handshake message.
    putEncrypted(encryption.takeOutgoing())
    plain.withUnsafeBytes { take($0, now) }
    return goesOn
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ now: Double) {
    switch state {
    case .requests, .pending:
      if began == nil { began = now }
      parser.add(bytes)
    case .webSocket: frames.add(bytes)
    // Input of a reader of events or lines is ignored.
    case .events, .lines, .closing: break
    }
  }

  /// Returns the next complete request.
  func nextRequest(now: Double) -> WebRequest? {
    while state == .requests {
      switch parser.next() {
      case .more:
        // A handshake has the same time limit as a request.
        if !parser.isWithin, encryption?.isEstablished != false { began = nil }
        return nil
      case .expectsContinue: put(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      case .failure(let response):
        isLastRequest = true
        finish(response)
      case .request(let request, let isLast):
        (isLastRequest, isHead) = (isLast, request.method == "HEAD")
        began = parser.isWithin ? now : nil
        state = .pending
        return request
      }
    }
    return nil
  }

  /// Processes WebSocket frames: answers pings, closes on request, and ignores text.
  func handleFrames() {
    while state == .webSocket {
      switch frames.next() {
      case .more: return
      case .failure(let code): endSocket(code)
      case .frame(let code, let payload):
        switch WebSocket.Code(rawValue: code) {
        case .ping: put(WebSocket.frame(.pong, payload))
        case .close: endSocket(1000)
        case .text, .binary, .pong: break
        case nil: endSocket(1002)
        }
      }
    }
  }

  private func endSocket(_ code: UInt16) {
    put(WebSocket.frame(.close, [UInt8(code >> 8), UInt8(code & 255)]))
    endOutput()
  }

  /// Ends the output and starts closing the connection.
  private func endOutput() {
    state = .closing
    if let encryption { putEncrypted(encryption.close()) }
    write()
  }

  // MARK: Output

  /// Responds to the pending request.
  package func finish(_ response: WebResponse) {
    guard !isGone, state == .pending || state == .requests else { return }
    put(response.bytes(isLast: isLastRequest, hasBody: !isHead))
    if isLastRequest { endOutput() } else { state = .requests }
  }

  func beginWebSocket(accept: String) {
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(accept)",
    ]
    put(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    state = .webSocket
  }

  func beginEvents() {
    put(WebResponse.streamHead(type: "text/event-stream"))
    state = .events
  }

  func beginLines(type: String) {
    put(WebResponse.streamHead(type: type))
    state = .lines
  }

  /// Sends a message to a reader, or drops it if too much output is pending: late messages of a live stream are
  /// useless.
  package func send(_ message: WebMessage) {
    guard isStream, !isGone else { return }
    let bytes =
      switch state {
      case .webSocket: message.frame
      case .events: message.event
      default: message.text
      }
    guard pendingBytes + bytes.count <= limits.pending else {
      leftOutCount += 1
      return
    }
    put(bytes)
  }

  private func put(_ bytes: [UInt8]) { putEncrypted(encryption?.encrypt(bytes) ?? bytes) }

  /// Sends bytes unchanged.
  private func putEncrypted(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if pending.isEmpty { taken = MonotonicTime.now }
    pending.append(bytes)
    pendingBytes += bytes.count
    _ = write()
  }

  /// Sends the pending output, as far as the peer accepts it.
  ///
  /// - Returns: `false` if the connection has ended.
  @discardableResult
  func write() -> Bool {
    while let first = pending.first, !isGone {
      let count = first.withUnsafeBytes {
        NetworkSocket.sendBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[sentOfFirst...]))
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { isGone = true }
        break
      }
      taken = MonotonicTime.now
      sentOfFirst += count
      pendingBytes -= count
      if sentOfFirst == first.count {
        pending.removeFirst()
        sentOfFirst = 0
      }
    }
    if state == .closing, pending.isEmpty, !hasEndedOutput {
      // Closing immediately would discard data that the peer has not read yet, if it is still sending.
      hasEndedOutput = true
      shutdown(descriptor, Int32(SHUT_WR))
      taken = MonotonicTime.now
    }
    return !isGone
  }

  func end() { isGone = true }

  /// Checks the time limits, and disconnects or notifies slow clients.
  func tick(now: Double) {
    if wantsToWrite, now - taken > limits.stallTime { return end() }
    switch state {
    case .requests:
      if let began, now - began > limits.requestTime {
        isLastRequest = true
        finish(WebResponse(408, "the request took longer than \(Int(limits.requestTime)) s"))
      } else if began == nil, now - heard > limits.idleTime {
        end()
      }
    case .webSocket:
      if now - heard > 60 { return end() }
      if now - max(heard, pinged) > 20 {
        pinged = now
        put(WebSocket.frame(.ping, []))
      }
    case .pending, .events, .lines: break
    case .closing: if hasEndedOutput, now - taken > Self.closingTime { end() }
    }
  }
}

/// A message to all readers, whose encodings are created only once.
package final class WebMessage {
  let text: [UInt8]
  private(set) lazy var frame = WebSocket.frame(.text, text)
  private(set) lazy var event = Array("data: ".utf8) + text + Array("\n\n".utf8)

  /// Creates a message.
  ///
  /// - Parameter text: JSON in a single line; for readers of lines, complete lines.
  package init(_ text: String) { self.text = Array(text.utf8) }
}

/// A monotonic clock, in seconds.
enum MonotonicTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
