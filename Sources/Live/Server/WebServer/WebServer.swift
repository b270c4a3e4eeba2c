package import InertialLogs
internal import InertialSystem
internal import Synchronization

/// A handler of a server's requests. All functions are called by the server's thread.
package protocol WebService: AnyObject {
  /// Responds to a request.
  ///
  /// - Parameter path: The path, after the token if there is one.
  func answer(_ request: WebRequest, path: String, client: WebClient) -> WebAnswer
  /// Called when a reader of messages has connected.
  func welcome(_ client: WebClient)
  /// Called when a reader has disconnected.
  func hasGone(_ client: WebClient)
  /// Called after each batch of requests. Returns the time until the next call, in seconds.
  func settle() -> Double
  /// Called when the server ends, to send the last messages.
  func end()
}

extension WebService {
  package func end() {}
}

package enum WebAnswer {
  case response(WebResponse)
  /// `WebClient.finish` will be called later.
  case later
  /// An endless stream of messages, over a WebSocket or as server-sent events.
  case webSocket, events
  /// An endless stream of lines of a type, after the first ones; `welcome` is not called for their reader.
  case lines(type: String, first: WebMessage)
}

/// A small HTTP and WebSocket server on one thread, for a user's own devices.
///
/// It waits with `poll`, so that a connection costs only a descriptor and its buffers, and one slow or hostile client
/// does not delay the others. It encrypts if a certificate is given.
package final class WebServer: @unchecked Sendable {
  /// The port in use, assigned by the system if 0 was requested.
  package let port: UInt16
  private let listeners: [Int32]
  private let limits: WebLimits
  private let encryption: TLSContext?
  private let wake: (reader: Int32, writer: Int32)
  private let posted = Mutex<[@Sendable () -> Void]>([])
  private let hasStopped = Mutex(false)

  // Used by the server's thread.
  private var clients: [Int32: WebClient] = [:]
  private var buckets: [[UInt8]: (tokens: Double, time: Double)] = [:]
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  /// The maximum number of connections per address.
  private static let maximumConnectionsPerAddress = 128

  /// Opens the listening sockets.
  ///
  /// - Parameters:
  ///   - addresses: The numeric addresses, all with the same port.
  ///   - certificate: The certificate for encryption, or `nil` for an unencrypted server.
  /// - Throws: `WebError` if the first address cannot be listened on, or the certificate cannot be used. Further
  ///   addresses that the system does not have are skipped.
  package init(
    addresses: [String], port: UInt16, limits: WebLimits = WebLimits(), certificate: WebCertificate? = nil
  ) throws(WebError) {
    self.limits = limits
    encryption = try certificate.map { (files) throws(WebError) in try TLSContext(files) }
    var (opened, found): ([Int32], UInt16) = ([], port)
    for (index, address) in addresses.enumerated() {
      do throws(WebError) {
        let socket = try NetworkSocket.openListener(host: address, port: found)
        opened.append(socket.descriptor)
        found = socket.port
      } catch {
        if index == 0 { throw error }
      }
    }
    (listeners, self.port) = (opened, found)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WebError(description: "no more files can be opened; close other files") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      NetworkSocket.setNonBlocking(end)
    }
    wake = (ends[0], ends[1])
  }

  deinit {
    for listener in listeners { close(listener) }
    close(wake.reader)
    close(wake.writer)
    buffer.deallocate()
  }

  /// Runs a closure on the server's thread. Can be called from any thread.
  package func post(_ work: @escaping @Sendable () -> Void) {
    posted.withLock { $0.append(work) }
    var byte: UInt8 = 0
    _ = systemWrite(wake.writer, &byte, 1)
  }

  /// Ends `run`. Can be called from any thread.
  package func stop() {
    hasStopped.withLock { $0 = true }
    post {}
  }

  /// Serves until `stop`.
  package func run(_ service: any WebService, admission: WebAdmission) {
    var wait = 1.0
    var lastTick = MonotonicTime.now
    while !hasStopped.withLock({ $0 }) {
      let ready = poll(wait)
      for descriptor in ready { serve(descriptor, service, admission) }
      let work = posted.withLock { posted in
        defer { posted = [] }
        return posted
      }
      for item in work { item() }
      let now = MonotonicTime.now
      if now - lastTick >= 0.5 {
        lastTick = now
        for client in clients.values { client.tick(now: now) }
        forgetBuckets(now)
      }
      // Clients that were answered by posted work, or were too slow.
      for client in Array(clients.values) {
        handle(client, service, admission)
        if client.isGone { remove(client, service) }
      }
      wait = min(0.5, max(0, service.settle()))
    }
    service.end()
    finishWriting()
    for client in Array(clients.values) { remove(client, service) }
  }

  /// Sends the pending output, as far as clients accept it within a second.
  private func finishWriting() {
    let end = MonotonicTime.now + 1
    while MonotonicTime.now < end {
      var watched = clients.values.filter { $0.wantsToWrite && !$0.isGone }
        .map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
      guard !watched.isEmpty else { return }
      // In range: the server waits for a second at most.
      _ = systemPoll(&watched, Int32((end - MonotonicTime.now) * 1000) + 1)
      for item in watched where item.revents != 0 { clients[item.fd]?.write() }
    }
  }

  /// Waits for events, and returns the descriptors that are ready.
  private func poll(_ seconds: Double) -> [Int32] {
    var watched = [pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0)]
    for listener in listeners { watched.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0)) }
    for client in clients.values {
      let events = (client.wantsToRead ? Int16(POLLIN) : 0) | (client.wantsToWrite ? Int16(POLLOUT) : 0)
      watched.append(pollfd(fd: client.descriptor, events: events, revents: 0))
    }
    // In range: services request half a second at most.
    guard systemPoll(&watched, Int32((seconds * 1000).rounded(.up))) > 0 else { return [] }
    if watched[0].revents != 0 {
      while systemRead(wake.reader, buffer.baseAddress, buffer.count) > 0 {}
    }
    return watched.dropFirst().filter { $0.revents != 0 }.map(\.fd)
  }

  private func serve(_ descriptor: Int32, _ service: any WebService, _ admission: WebAdmission) {
    let now = MonotonicTime.now
    if listeners.contains(descriptor) {
      while let taken = NetworkSocket.takeConnection(descriptor) { begin(taken.descriptor, taken.peer, now) }
      return
    }
    guard let client = clients[descriptor] else { return }
    if client.wantsToWrite { client.write() }
    if !client.read(buffer, now: now) { client.end() }
    handle(client, service, admission)
    if client.isGone { remove(client, service) }
  }

  private func begin(_ descriptor: Int32, _ peer: [UInt8], _ now: Double) {
    let client = WebClient(
      descriptor: descriptor, peer: peer, limits: limits, encryption: encryption?.session(), now: now)
    let ofPeer = clients.values.reduce(0) { $0 + ($1.peer == peer ? 1 : 0) }
    guard clients.count < limits.connections, ofPeer < Self.maximumConnectionsPerAddress else {
      client.finish(WebResponse(503, "too many connections; try again"))
      return
    }
    clients[descriptor] = client
  }

  private func handle(_ client: WebClient, _ service: any WebService, _ admission: WebAdmission) {
    client.handleFrames()
    while !client.isGone, let request = client.nextRequest(now: MonotonicTime.now) {
      switch answer(request, client, service, admission) {
      case .response(let response): client.finish(response)
      case .later: break
      case .events:
        client.beginEvents()
        service.welcome(client)
      case .lines(let type, let first):
        client.beginLines(type: type)
        client.send(first)
      case .webSocket:
        guard let response = upgrade(client, request) else {
          service.welcome(client)
          break
        }
        client.finish(response)
      }
    }
  }

  private func answer(
    _ request: WebRequest, _ client: WebClient, _ service: any WebService, _ admission: WebAdmission
  ) -> WebAnswer {
    guard takesRequest(of: client.peer) else {
      return .response(WebResponse(429, "too many requests; send larger batches"))
    }
    switch admission.judge(request) {
    case .refused(let response): return .response(response)
    case .admitted(let path): return service.answer(request, path: path, client: client)
    }
  }

  /// Opens a WebSocket.
  ///
  /// - Returns: An error response, or `nil` if the WebSocket is open.
  private func upgrade(_ client: WebClient, _ request: WebRequest) -> WebResponse? {
    guard request.method == "GET", request.lists("websocket", in: "upgrade"), request.lists("upgrade", in: "connection")
    else {
      var response = WebResponse(426, "this address needs a WebSocket; event lines are at events")
      response.headers = [("Upgrade", "websocket")]
      return response
    }
    guard request.header("sec-websocket-version") == "13", let key = request.header("sec-websocket-key"),
      WebSocket.isKey(key)
    else { return WebResponse(400, "the handshake is not WebSocket version 13") }
    client.beginWebSocket(accept: WebSocket.accept(key: key))
    return nil
  }

  private func remove(_ client: WebClient, _ service: any WebService) {
    clients[client.descriptor] = nil
    client.end()
    service.hasGone(client)
  }

  /// Returns whether a request is within the rate limit of its address (a token bucket per address).
  private func takesRequest(of peer: [UInt8]) -> Bool {
    let now = MonotonicTime.now
    let maximum = 2 * limits.requestsPerSecond
    var bucket = buckets[peer] ?? (maximum, now)
    bucket = (min(maximum, bucket.tokens + (now - bucket.time) * limits.requestsPerSecond), now)
    defer { buckets[peer] = bucket }
    guard bucket.tokens >= 1 else { return false }
    bucket.tokens -= 1
    return true
  }

  private func forgetBuckets(_ now: Double) {
    guard buckets.count > 256 else { return }
    buckets = buckets.filter { now - $0.value.time < 10 }
  }
}

private func systemPoll(_ watched: inout [pollfd], _ milliseconds: Int32) -> Int32 {
  poll(&watched, nfds_t(watched.count), milliseconds)
}
