internal import InertialLive
internal import InertialLogs
internal import InertialSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket

/// An HTTP and WebSocket server on one thread, for a user's own devices.
///
/// It adds to SwiftNIO what protects the server from its clients: limits of connections, requests, sizes and times, and
/// the admission of requests. It encrypts if a certificate is given.
final class WebServer: @unchecked Sendable {
  /// The port in use, assigned by the system if 0 was requested.
  let port: UInt16
  let limits: WebLimits
  private let encryption: NIOSSLContext?
  private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

  // Used by the server's thread.
  private var listeners: [Int32]
  private var channels: [any Channel] = []
  private var service: (any WebService)?
  private var admission: WebAdmission?
  private var ended: @Sendable () -> Void = {}
  private var clients: [ObjectIdentifier: WebClient] = [:]
  /// The requests and streams that each address may begin now, and the times of these numbers.
  private var buckets: [String: (tokens: Double, time: Double)] = [:]
  private var streamBuckets: [String: (tokens: Double, time: Double)] = [:]
  /// The requests that have not been answered, at most one of each client.
  private var requests = CircularBuffer<(request: WebRequest, client: WebClient)>()
  private var nextTurn: (task: Scheduled<Void>, time: NIODeadline)?
  /// The maximum time in which requests are answered without reading others, in seconds.
  private static let turnTime = 0.005
  /// The minimum time between two turns: the event loop processes all tasks that are due before it reads again.
  private static let turnPause = TimeAmount.microseconds(50)
  private var ticking: RepeatedTask?
  /// The number of bytes of the long bodies that are being received or processed.
  private var reservedBytes = 0

  /// Opens the listening sockets.
  ///
  /// - Parameters:
  ///   - addresses: The numeric addresses, all with the same port.
  ///   - certificate: The certificate for encryption, or `nil` for an unencrypted server.
  /// - Throws: `WebError` if the first address cannot be listened on, or the certificate cannot be used. Further
  ///   addresses that the system does not have are skipped.
  init(
    addresses: [String], port: UInt16, limits: WebLimits = WebLimits(), certificate: WebCertificate? = nil
  ) throws(WebError) {
    var limits = limits
    // Recordings, reports and libraries need the other half of the descriptors.
    limits.connections = min(limits.connections, max(4, (sysconf(Int32(_SC_OPEN_MAX)) - 32) / 2))
    self.limits = limits
    encryption = try certificate.map { (files) throws(WebError) in try files.context }
    var (opened, found): ([Int32], UInt16) = ([], port)
    for (index, address) in addresses.enumerated() {
      do throws(WebError) {
        let socket = try openListener(host: address, port: found)
        opened.append(socket.descriptor)
        found = socket.port
      } catch {
        if index == 0 { throw error }
      }
    }
    (listeners, self.port) = (opened, found)
  }

  deinit { for listener in listeners { close(listener) } }

  /// Runs a closure on the server's thread, unless the server has ended. Can be called from any thread.
  func post(_ work: @escaping @Sendable () -> Void) {
    loop.execute { [self] in
      guard service != nil else { return }
      work()
      queueSend()
    }
  }

  /// Serves until `stop`. Can be called from any thread.
  ///
  /// - Parameter ended: A closure that is called at the end by the server's thread.
  func start(
    _ service: any WebService, admission: WebAdmission, ended: @escaping @Sendable () -> Void = {}
  ) {
    let service = Unchecked(service)
    loop.execute { [self] in
      (self.service, self.admission, self.ended) = (service.value, admission, ended)
      for listener in listeners { listen(listener) }
      listeners = []
      let pause = TimeAmount.milliseconds(500)
      ticking = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { [self] _ in tick() }
      queueSend()
    }
  }

  private func listen(_ descriptor: Int32) {
    ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // Without descriptors for new connections, the system reports the waiting ones endlessly.
          let pause = AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in .milliseconds(50) }
          try channel.pipeline.syncOperations.addHandler(pause)
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel) }
      }
      .withBoundSocket(descriptor)
      .whenSuccess { [self] channel in channels.append(channel) }
  }

  private func prepare(_ channel: any Channel) throws {
    let client = WebClient(channel, server: self, isEncrypted: encryption != nil)
    let pipeline = channel.pipeline.syncOperations
    if let encryption { try pipeline.addHandler(NIOSSLServerHandler(context: encryption)) }
    try pipeline.addHandler(WebInput(client))
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: WebClient.maximumMessageSize, automaticErrorHandling: false,
      shouldUpgrade: { [self] channel, head in
        channel.eventLoop.makeSucceededFuture(opensSocket(head, client) ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { [self] channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try client.beginWebSocket()
          service?.didConnect(client)
          queueSend()
        }
      })
    var (encoding, decoding) = (HTTPResponseEncoder.Configuration(), NIOHTTPDecoderLimitConfiguration())
    // An endless response has neither a length nor chunks.
    encoding.automaticallySetFramingHeaders = false
    (decoding.maxHeaderFieldSize, decoding.maxHeaderListSize) = (WebRequest.maximumHeadSize, WebRequest.maximumHeadSize)
    decoding.maxHeaderFieldCount = WebRequest.maximumHeaderCount
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { $0.pipeline.syncOperations.removeHandler(client, promise: nil) }
      ),
      withErrorHandling: false, withEncoderConfiguration: encoding, withDecoderLimitConfiguration: decoding)
    try pipeline.addHandler(client)
    channel.closeFuture.whenComplete { [self] _ in remove(client) }
  }

  /// Ends the server. Can be called from any thread.
  func stop() {
    loop.execute { [self] in
      guard let service else { return }
      service.end()
      self.service = nil
      for channel in channels { channel.close(promise: nil) }
      finish(before: MonotonicClock.now + 1)
    }
  }

  /// Waits until the pending output is sent, as far as clients accept it before a time, and disconnects them.
  private func finish(before time: Double) {
    for client in clients.values where client.pendingBytes == 0 || MonotonicClock.now > time { client.end() }
    if clients.isEmpty || MonotonicClock.now > time {
      ticking?.cancel()
      ended()
    } else {
      loop.scheduleTask(in: .milliseconds(10)) { [self] in finish(before: time) }
    }
  }

  // MARK: Connections

  /// Notes a new connection, if the limits permit it. An unused one makes place for it.
  func admit(_ client: WebClient) {
    guard service != nil, makePlace(for: client.peer) else {
      return client.refuseConnection(WebResponse(503, "too many connections; try again"))
    }
    clients[ObjectIdentifier(client)] = client
  }

  /// Ends a connection if a new one of an address would exceed the limits: one of the address itself, or one of the
  /// address with the most connections.
  ///
  /// - Returns: Whether the new connection is within the limits.
  private func makePlace(for peer: String) -> Bool {
    let own = clients.values.filter { $0.peer == peer }
    let isCrowd = own.count >= limits.connectionsPerAddress
    guard isCrowd || clients.count >= limits.connections else { return true }
    var crowd = own
    if !isCrowd {
      let groups = Dictionary(grouping: clients.values, by: \.peer)
      crowd = groups.values.max { $0.count < $1.count } ?? []
    }
    let now = MonotonicClock.now
    let candidates = crowd.compactMap { client in client.dispensability(now: now).map { (client, $0) } }
    guard let next = candidates.min(by: { $0.1 < $1.1 })?.0 else { return false }
    remove(next)
    return true
  }

  /// Returns whether an address may open another stream: streams stay open, so half of the connections are for others,
  /// and each begins with many messages.
  private func admitsStream(of peer: String) -> Bool {
    guard clients.values.count(where: { $0.isStream && $0.peer == peer }) < limits.connectionsPerAddress / 2 else {
      return false
    }
    let maximum = Double(limits.connectionsPerAddress)
    return takeToken(
      from: &streamBuckets[peer, default: (maximum, MonotonicClock.now)], rate: limits.streamsPerSecond,
      maximum: maximum)
  }

  /// Reserves memory for a long body, or returns `false` if too much is reserved.
  func reserve(_ count: Int) -> Bool {
    guard reservedBytes + count <= max(limits.bodies, limits.maximumBodySize) else { return false }
    reservedBytes += count
    return true
  }

  func release(_ count: Int) { reservedBytes -= count }

  private func remove(_ client: WebClient) {
    client.end()
    guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
    service?.didDisconnect(client)
    queueSend()
  }

  private func tick() {
    let now = MonotonicClock.now
    for client in clients.values { client.tick(now: now) }
    if buckets.count > 256 { buckets = buckets.filter { now - $0.value.time < 10 } }
    if streamBuckets.count > 256 { streamBuckets = streamBuckets.filter { now - $0.value.time < 60 } }
  }

  /// Lets the service send the messages that are due after the requests that arrived together, and again later.
  private func queueSend() { queueTurn(in: Self.turnPause) }

  private func queueTurn(in pause: TimeAmount) {
    let time = NIODeadline.now() + pause
    if let nextTurn, nextTurn.time <= time { return }
    nextTurn?.task.cancel()
    nextTurn = (loop.scheduleTask(deadline: time) { [self] in turn() }, time)
  }

  /// Answers waiting requests, and lets the service send messages.
  private func turn() {
    nextTurn = nil
    let end = MonotonicClock.now + Self.turnTime
    // Clients that send many requests together have one of them answered in each turn.
    for _ in 0..<requests.count where MonotonicClock.now < end {
      let (request, client) = requests.removeFirst()
      if !client.isGone { answer(request, client) }
    }
    guard let service else { return }
    let wait = TimeAmount.nanoseconds(Int64(min(0.5, max(0, service.sendDueMessages())) * 1e9))
    // What has been queued meanwhile is due after the next input.
    let isBusy = !requests.isEmpty || nextTurn != nil
    nextTurn?.task.cancel()
    nextTurn = nil
    queueTurn(in: isBusy ? Self.turnPause : max(Self.turnPause, wait))
  }

  // MARK: Requests

  /// Answers a request after those that arrived before it.
  func queue(_ request: WebRequest, of client: WebClient) {
    requests.append((request, client))
    queueSend()
  }

  private func answer(_ request: WebRequest, _ client: WebClient) {
    guard let service, let admission else { return client.end() }
    guard admitsRequest(of: client) else {
      return client.finish(WebResponse(429, "too many requests; send larger batches"))
    }
    switch admission.verdict(on: request) {
    case .refused(let response): client.finish(response)
    case .admitted(let path):
      if path == service.socketPath, request.method == "GET" { return client.finish(Self.refusalOfSocket(request)) }
      do throws(WebResponse) {
        switch try service.answer(request, path: path, client: client) {
        case .events where !admitsStream(of: client.peer), .lines where !admitsStream(of: client.peer):
          service.didDisconnect(client)
          client.finish(Self.tooManyStreams)
        case .response(let response): client.finish(response)
        case .later: break
        case .events:
          client.beginLines(type: "text/event-stream")
          service.didConnect(client)
        case .lines(let type, let first):
          client.beginLines(type: type)
          client.send(first)
        }
      } catch {
        client.finish(error)
      }
    }
  }

  /// Returns whether a request is admitted and opens a WebSocket. Any other request is answered like one without a
  /// WebSocket.
  private func opensSocket(_ head: HTTPRequestHead, _ client: WebClient) -> Bool {
    let request = WebRequest(head)
    guard let service, let admission, head.method == .GET, request.lists("upgrade", in: "connection"),
      request.refusal(head.version, maximumBodySize: limits.maximumBodySize) == nil,
      Self.isKey(request.header("sec-websocket-key") ?? "")
    else { return false }
    guard case .admitted(service.socketPath) = admission.verdict(on: request) else { return false }
    return admitsRequest(of: client) && admitsStream(of: client.peer)
  }

  private static let tooManyStreams = WebResponse(503, "too many streams; end one and try again")

  /// Returns the response to a request that does not open a WebSocket, at the address of one.
  private static func refusalOfSocket(_ request: WebRequest) -> WebResponse {
    if request.lists("websocket", in: "upgrade"), request.lists("upgrade", in: "connection") {
      let isValid = request.header("sec-websocket-version") == "13" && isKey(request.header("sec-websocket-key") ?? "")
      return isValid ? tooManyStreams : WebResponse(400, "the handshake is not WebSocket version 13")
    }
    var response = WebResponse(426, "this address needs a WebSocket; event lines are at events")
    response.headers = [("Upgrade", "websocket")]
    return response
  }

  /// Returns whether a key consists of 16 bytes in Base64, as clients send it.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==")
      && text.dropLast(2).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
  }

  /// Returns whether a request is within the rate limit of its address, or of its connection: a connection with few
  /// requests is served even if others of its address send too many.
  private func admitsRequest(of client: WebClient) -> Bool {
    let maximum = 2 * limits.requestsPerSecond
    // Both count every request.
    let isOfConnection = takeToken(from: &client.allowance, rate: limits.requestsPerConnection, maximum: 20)
    let isOfAddress = takeToken(
      from: &buckets[client.peer, default: (maximum, MonotonicClock.now)], rate: limits.requestsPerSecond,
      maximum: maximum)
    return isOfAddress || isOfConnection
  }
}

/// Takes one of the tokens that accumulate at a rate, or returns `false` without one.
func takeToken(from bucket: inout (tokens: Double, time: Double), rate: Double, maximum: Double) -> Bool {
  let now = MonotonicClock.now
  bucket = (min(maximum, bucket.tokens + (now - bucket.time) * rate), now)
  guard bucket.tokens >= 1 else { return false }
  bucket.tokens -= 1
  return true
}
