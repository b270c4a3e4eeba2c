internal import InertialLive
internal import InertialLogs
internal import InertialSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOTLS
internal import NIOWebSocket

/// A connection: requests and responses, optionally followed by an endless stream of messages.
///
/// Used only by the server's thread. It is the last handler of its channel, until a WebSocket begins.
final class WebClient: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

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

  /// The maximum size of a WebSocket message from a client, in bytes.
  static let maximumMessageSize = 4096
  /// The time that the peer has to end a closing connection, in seconds.
  private static let closingTime = 2.0
  /// The number of bytes that are handed to the system together, so that the progress of a long response is known.
  private static let pieceSize = 1 << 16

  let channel: any Channel
  /// The peer's address, without its port.
  let peer: String
  private(set) var state = State.requests
  /// The number of messages that were dropped because the reader was too slow.
  private(set) var leftOutCount = 0
  /// Whether messages can be sent to the client.
  var isStream: Bool { state == .webSocket || state == .events || state == .lines }
  /// The requests that the connection may send although its address has sent too many, and the time of that number.
  var allowance: (tokens: Double, time: Double)

  private let server: WebServer
  private var limits: WebLimits { server.limits }
  /// Whether the TLS handshake is complete, or the connection is not encrypted.
  private var isEstablished: Bool
  /// The request that is being read.
  private var request: WebRequest?
  /// The parts that arrived while a response was pending, and the error after them.
  private var parts = CircularBuffer<HTTPServerRequestPart>()
  private var failure: WebResponse?
  private var hasDelayedRead = false
  /// The number of bytes that have not been sent; a part without bytes counts as one.
  private(set) var pendingBytes = 0
  private var isLastRequest = false
  private var isHead = false
  /// Whether a byte has been received.
  private var hasSent = false
  /// The number of bytes that a reader of events or lines has sent, or that followed the last request.
  private var ignoredBytes = 0
  /// The frames that a client of a WebSocket may send now, and the time of that number.
  private lazy var frames = (tokens: 4 * limits.framesPerSecond, time: MonotonicClock.now)
  /// The number of bytes of the current body that count against the server's limit of long bodies.
  private var reservedBytes = 0
  /// The start of the current request or TLS handshake, or `nil` between requests, and the times of the last input,
  /// output and ping.
  private var requestStart: Double?
  private var lastInput = MonotonicClock.now
  private var lastOutput = MonotonicClock.now
  private var lastPing = 0.0
  private(set) var isGone = false
  /// Whether the end of the output has been announced to the peer.
  private var hasEndedOutput = false

  init(_ channel: any Channel, server: WebServer, isEncrypted: Bool) {
    (self.channel, self.server, isEstablished) = (channel, server, !isEncrypted)
    peer = channel.remoteAddress?.ipAddress ?? ""
    allowance = (1, MonotonicClock.now)
    // A handshake has the same time limit as a request.
    if isEncrypted { requestStart = MonotonicClock.now }
  }

  // MARK: Input

  /// Notes that bytes have arrived.
  func noteInput(_ count: Int) {
    (lastInput, hasSent) = (MonotonicClock.now, true)
    if requestStart == nil, state == .requests || state == .pending { requestStart = lastInput }
    guard state == .events || state == .lines || state == .closing else { return }
    ignoredBytes += count
    if ignoredBytes > limits.ignored { end() }
  }

  func channelActive(context: ChannelHandlerContext) {
    server.admit(self)
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { (isEstablished, requestStart) = (true, nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Input of a reader of events or lines is ignored.
    guard state == .requests || state == .pending else { return }
    parts.append(unwrapInboundIn(data))
    handleParts()
  }

  /// Whether more requests are read: not while one is pending, or if the client does not read its responses.
  private var mayRead: Bool { state != .pending && pendingBytes <= limits.unread }

  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { hasDelayedRead = true }
  }

  private func continueReading() {
    if mayRead, state == .requests, !parts.isEmpty || failure != nil { handleParts() }
    guard hasDelayedRead, mayRead else { return }
    hasDelayedRead = false
    channel.read()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What follows an error is not parsed, and each of its pieces is reported as another error.
    guard state != .closing, failure == nil else { return }
    switch error {
    case let error as HTTPParserError:
      failure = WebResponse(error)
      handleParts()
    // The request is answered by HTTP.
    case is NIOWebSocketUpgradeError: break
    default: end()
    }
  }

  private func handleParts() {
    while state == .requests, mayRead, let part = parts.popFirst() { handle(part) }
    if state == .requests, parts.isEmpty, let failure {
      self.failure = nil
      refuse(failure)
    }
  }

  private func handle(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head):
      let new = WebRequest(head)
      if let refusal = new.refusal(head.version, maximumBodySize: limits.maximumBodySize) { return refuse(refusal) }
      // The decoder does not continue after a request to upgrade.
      isLastRequest =
        new.lists("close", in: "connection") || new.lists("upgrade", in: "connection") || head.version == .http1_0
      isHead = head.method == .HEAD
      if let size = new.announcedSize, size > WebLimits.shortBody {
        guard server.reserve(size) else {
          return refuse(WebResponse(503, "too many long requests; send this one again, or smaller batches"))
        }
        reservedBytes = size
      }
      request = new
      if new.header("expect")?.lowercased() == "100-continue" {
        write(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .continue)), 0)
        channel.flush()
      }
    case .body(let bytes): request?.body += bytes.readableBytesView
    case .end:
      guard let whole = request else { return }
      (request, requestStart, state) = (nil, nil, .pending)
      // Later, as a client may have sent many requests together.
      server.queue(whole, of: self)
    }
  }

  private func refuse(_ response: WebResponse) {
    isLastRequest = true
    finish(response)
  }

  // MARK: WebSocket

  /// Processes a frame: answers pings, closes on request, and ignores text.
  fileprivate func handle(_ frame: WebSocketFrame) {
    guard state == .webSocket else { return }
    guard takeToken(from: &frames, rate: limits.framesPerSecond, maximum: 4 * limits.framesPerSecond) else {
      endSocket(.policyViolation)
      return end()
    }
    // Complete, masked frames without extensions.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return endSocket(.protocolError) }
    guard frame.fin, frame.opcode != .continuation else { return endSocket(.unacceptableData) }
    switch frame.opcode {
    case .ping: if pendingBytes <= limits.unread { put(.pong, frame.unmaskedData) }
    case .connectionClose: endSocket(.normalClosure)
    case .text, .binary, .pong: break
    default: endSocket(.protocolError)
    }
  }

  fileprivate func endSocket(_ code: WebSocketErrorCode) {
    guard state == .webSocket else { return }
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    put(.connectionClose, data)
    endOutput()
  }

  private func put(_ code: WebSocketOpcode, _ data: ByteBuffer) {
    write(WebSocketFrame(fin: true, opcode: code, data: data), data.readableBytes)
    channel.flush()
  }

  /// Begins a WebSocket, after its handshake.
  func beginWebSocket() throws {
    guard state == .requests else { throw ChannelError.ioOnClosedChannel }
    state = .webSocket
    try channel.pipeline.syncOperations.addHandler(SocketInput(self))
  }

  // MARK: Output

  /// Responds to the pending request.
  func finish(_ response: WebResponse) {
    guard !isGone, state == .pending || state == .requests else { return }
    releaseBody()
    // Nothing else is answered until the response has been handed over.
    state = .pending
    write(HTTPServerResponsePart.head(response.head(isLast: isLastRequest)), 0)
    if let file = response.file, !isHead {
      channel.flush()
      return send(file)
    }
    var rest = ByteBuffer(bytes: isHead ? [] : response.body)
    while let piece = rest.readSlice(length: min(Self.pieceSize, rest.readableBytes)), piece.readableBytes > 0 {
      write(HTTPServerResponsePart.body(.byteBuffer(piece)), piece.readableBytes)
    }
    endResponse()
  }

  /// Sends the rest of a file, each piece after the previous one has been sent. The pieces are read by another thread.
  private func send(_ file: WebFile) {
    NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) { file.next(Self.pieceSize) }
      .whenComplete { [self] result in
        guard !isGone else { return }
        // The length has been announced already.
        guard case .success(let piece?) = result else { return end() }
        guard !piece.isEmpty else { return endResponse() }
        write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: piece))), piece.count) { [self] in send(file) }
        channel.flush()
      }
  }

  private func endResponse() {
    write(HTTPServerResponsePart.end(nil), 0)
    channel.flush()
    if isLastRequest { return endOutput() }
    state = .requests
    handleParts()
    continueReading()
  }

  /// Lets other clients send long bodies in place of the current one.
  private func releaseBody() {
    server.release(reservedBytes)
    reservedBytes = 0
  }

  /// Begins an endless stream of lines of a type; server-sent events for `text/event-stream`.
  func beginLines(type: String) {
    write(HTTPServerResponsePart.head(WebResponse.streamHead(type: type)), 0)
    channel.flush()
    state = type == "text/event-stream" ? .events : .lines
    continueReading()
  }

  /// Sends a message to a reader, or drops it if too much output is pending: late messages of a live stream are
  /// useless.
  func send(_ message: WebMessage) {
    guard isStream, !isGone else { return }
    let bytes = state == .events ? message.event : message.text
    guard pendingBytes + bytes.readableBytes <= limits.pending else {
      leftOutCount += 1
      return
    }
    if state == .webSocket { return put(.text, bytes) }
    write(HTTPServerResponsePart.body(.byteBuffer(bytes)), bytes.readableBytes)
    channel.flush()
  }

  private func write(_ part: some Sendable, _ count: Int, then next: @escaping () -> Void = {}) {
    let count = max(1, count)
    if pendingBytes == 0 { lastOutput = MonotonicClock.now }
    pendingBytes += count
    let next = Unchecked(next)
    channel.write(part).whenComplete { [self] _ in
      pendingBytes -= count
      lastOutput = MonotonicClock.now
      if !isGone { next.value() }
      continueReading()
    }
  }

  /// Ends the output after the pending bytes. Closing immediately would discard data that the peer has not read yet, if
  /// it is still sending.
  private func endOutput() {
    state = .closing
    parts.removeAll()
    channel.close(mode: .output).whenComplete { [self] _ in
      hasEndedOutput = true
      lastOutput = MonotonicClock.now
    }
    continueReading()
  }

  /// Disconnects the client.
  func end() {
    guard !isGone else { return }
    isGone = true
    releaseBody()
    channel.close(promise: nil)
  }

  /// The order in which connections end if a new one needs their place, the lowest first, or `nil` if the connection
  /// stays: it is used, or it is a stream.
  func dispensability(now: Double) -> (order: Int, time: Double)? {
    switch state {
    case .requests where !hasSent: (0, lastInput)
    case .requests where now - lastInput > limits.unusedTime: (requestStart == nil ? 1 : 2, lastInput)
    case .closing where pendingBytes == 0 || now - lastOutput > limits.unusedTime: (0, lastOutput)
    case .pending where pendingBytes > 0 && now - lastOutput > limits.unusedTime: (3, lastOutput)
    default: nil
    }
  }

  /// Refuses the connection.
  func refuseConnection(_ response: WebResponse) {
    if isEstablished { refuse(response) }
    end()
  }

  /// Checks the time limits, and disconnects or notifies slow clients.
  func tick(now: Double) {
    if pendingBytes > 0, now - lastOutput > limits.stallTime { return end() }
    switch state {
    case .requests:
      if let requestStart, now - requestStart > limits.requestTime {
        guard isEstablished else { return end() }
        refuse(WebResponse(408, "the request took longer than \(Int(limits.requestTime)) s"))
      } else if requestStart == nil, now - lastInput > limits.idleTime {
        end()
      }
    case .webSocket:
      if now - lastInput > 60 { return end() }
      if now - max(lastInput, lastPing) > 20 {
        lastPing = now
        put(.ping, ByteBuffer())
      }
    case .pending, .events, .lines: break
    case .closing: if hasEndedOutput, now - lastOutput > Self.closingTime { end() }
    }
  }
}

/// Reports the bytes of a connection, before they are parsed, to its client.
final class WebInput: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let client: WebClient

  init(_ client: WebClient) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    client.noteInput(unwrapInboundIn(data).readableBytes)
    context.fireChannelRead(data)
  }
}

/// Hands the frames of a WebSocket to its client, and reads no more of them than the client permits.
private final class SocketInput: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  private let client: WebClient

  init(_ client: WebClient) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { client.handle(unwrapInboundIn(data)) }

  func read(context: ChannelHandlerContext) { client.read(context: context) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error as? NIOWebSocketError {
    case .invalidFrameLength: client.endSocket(.messageTooLarge)
    case nil: client.end()
    default: client.endSocket(.protocolError)
    }
  }
}
