internal import InertialLogs
internal import InertialSystem

/// A connection: requests in, answers out, or from some moment on messages that go on for ever.
///
/// Used by the server's thread alone.
package final class WebClient {
  enum State {
    /// Requests are read.
    case requests
    /// An answer is being made; nothing more is read.
    case waiting
    case webSocket
    case events
    /// Plain lines without an end.
    case lines
    /// What waits is sent, then nothing more; the connection ends when the other side has ended it, or soon.
    case closing
  }

  let descriptor: Int32
  let peer: [UInt8]
  private(set) var state = State.requests
  /// Messages that were left out, as this reader did not take those before.
  package private(set) var leftOutCount = 0
  /// Whether messages can be sent to it.
  package var isStream: Bool { state == .webSocket || state == .events || state == .lines }

  private let limits: WebLimits
  private var parser: RequestParser
  private var frames = WebSocket.Parser()
  /// nil where nothing is encrypted.
  private let encryption: TLSSession?
  /// What waits to be sent; of the first so many bytes are gone.
  private var waiting: [[UInt8]] = []
  private var sentOfFirst = 0
  private var waitingBytes = 0
  private var isLastRequest = false
  private var isHead = false
  /// When the request at hand began, when anything came last, when the reader took something last.
  private var began: Double?
  private var heard: Double
  private var taken: Double
  private var pinged = 0.0
  private(set) var isGone = false
  /// Whether the other side was told that nothing more comes.
  private var hasEndedOutput = false

  init(descriptor: Int32, peer: [UInt8], limits: WebLimits, encryption: TLSSession? = nil, now: Double) {
    (self.descriptor, self.peer, self.limits, self.encryption) = (descriptor, peer, limits, encryption)
    parser = RequestParser(longestBody: limits.longestBody)
    (heard, taken) = (now, now)
  }

  deinit { close(descriptor) }

  /// Seconds for the other side to end what is at its end.
  private static let closingTime = 2.0

  var wantsToWrite: Bool { !waiting.isEmpty }
  var wantsToRead: Bool { state != .waiting || parser.waitingCount < RequestParser.longestHead }

  // MARK: In

  /// Reads what is there.
  ///
  /// - Returns: false where the other side has gone.
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
    // What a greeting is answered with.
    putEncrypted(encryption.takeOutgoing())
    plain.withUnsafeBytes { take($0, now) }
    return goesOn
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ now: Double) {
    switch state {
    case .requests, .waiting:
      if began == nil { began = now }
      parser.add(bytes)
    case .webSocket: frames.add(bytes)
    // What a reader of events or lines says is not heard.
    case .events, .lines, .closing: break
    }
  }

  /// The next request that is whole.
  func nextRequest(now: Double) -> WebRequest? {
    while state == .requests {
      switch parser.next() {
      case .more:
        // A greeting has the time of a request.
        if !parser.isWithin, encryption?.isEstablished != false { began = nil }
        return nil
      case .expectsContinue: put(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      case .failure(let response):
        isLastRequest = true
        finish(response)
      case .request(let request, let isLast):
        (isLastRequest, isHead) = (isLast, request.method == "HEAD")
        began = parser.isWithin ? now : nil
        state = .waiting
        return request
      }
    }
    return nil
  }

  /// Reads the frames of a WebSocket: a ping is answered, a close ends it, texts are not heard.
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

  /// Nothing more is said.
  private func endOutput() {
    state = .closing
    if let encryption { putEncrypted(encryption.close()) }
    write()
  }

  // MARK: Out

  /// Answers the request that waits.
  package func finish(_ response: WebResponse) {
    guard !isGone, state == .waiting || state == .requests else { return }
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

  /// Sends a message to a reader, unless too much waits for it already: what is live is of no use late.
  package func send(_ message: WebMessage) {
    guard isStream, !isGone else { return }
    let bytes =
      switch state {
      case .webSocket: message.frame
      case .events: message.event
      default: message.text
      }
    guard waitingBytes + bytes.count <= limits.waiting else {
      leftOutCount += 1
      return
    }
    put(bytes)
  }

  private func put(_ bytes: [UInt8]) { putEncrypted(encryption?.encrypt(bytes) ?? bytes) }

  /// Sends bytes as they are.
  private func putEncrypted(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if waiting.isEmpty { taken = MonotonicTime.now }
    waiting.append(bytes)
    waitingBytes += bytes.count
    _ = write()
  }

  /// Sends what waits, as far as the other side takes it.
  ///
  /// - Returns: false where the connection is at its end.
  @discardableResult
  func write() -> Bool {
    while let first = waiting.first, !isGone {
      let count = first.withUnsafeBytes {
        ListeningSocket.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sentOfFirst...]))
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { isGone = true }
        break
      }
      taken = MonotonicTime.now
      sentOfFirst += count
      waitingBytes -= count
      if sentOfFirst == first.count {
        waiting.removeFirst()
        sentOfFirst = 0
      }
    }
    if state == .closing, waiting.isEmpty, !hasEndedOutput {
      // To close at once would take from the other side what it has not read yet, if it is still sending.
      hasEndedOutput = true
      shutdown(descriptor, Int32(SHUT_WR))
      taken = MonotonicTime.now
    }
    return !isGone
  }

  func end() { isGone = true }

  /// Looks at the clock: who is too slow is told or given up.
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
    case .waiting, .events, .lines: break
    case .closing: if hasEndedOutput, now - taken > Self.closingTime { end() }
    }
  }
}

/// A message to all readers: made once, whatever the number of them.
package final class WebMessage {
  let text: [UInt8]
  private(set) lazy var frame = WebSocket.frame(.text, text)
  private(set) lazy var event = Array("data: ".utf8) + text + Array("\n\n".utf8)

  /// - Parameter text: JSON in one line; of readers of lines, lines with their ends.
  package init(_ text: String) { self.text = Array(text.utf8) }
}

/// Seconds on a clock that only goes forward.
enum MonotonicTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
