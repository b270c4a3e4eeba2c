internal import InertialSystem

// The system's calls for sockets of connections and of datagrams.

/// An error of the network.
package struct WebError: Error, Sendable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}

/// Opens a socket that listens for connections.
///
/// - Returns: The socket and its port.
package func openListener(host: String, port: UInt16) throws(WebError) -> (descriptor: Int32, port: UInt16) {
  var hints = addressHints(isDatagram: false)
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
  var found: UnsafeMutablePointer<addrinfo>?
  guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
    throw WebError(
      description: "\(host): is not a numeric address; give one of this machine, or 0.0.0.0 or :: for all of them")
  }
  defer { freeaddrinfo(address) }
  let info = address.pointee
  guard let descriptor = openSocket(info) else { throw bindFailure(host, port, errno) }
  // A restarted server need not wait for the remaining connections of the previous one.
  setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
  // One socket per IP version, on the same port.
  if info.ai_family == AF_INET6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
  guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1024) == 0 else {
    let number = errno
    close(descriptor)
    throw bindFailure(host, port, number)
  }
  setNonBlocking(descriptor)
  return (descriptor, boundPort(descriptor) ?? port)
}

/// Connects to another machine; each read and write then takes at most `timeout` seconds.
package func openConnection(host: String, port: UInt16, timeout: Double) throws(WebError) -> Int32 {
  var hints = addressHints(isDatagram: false)
  var found: UnsafeMutablePointer<addrinfo>?
  let status = getaddrinfo(host, String(port), &hints, &found)
  guard status == 0, let first = found else {
    throw WebError(description: "\(host): the host is unknown: \(String(cString: gai_strerror(status)))")
  }
  defer { freeaddrinfo(first) }
  var number: Int32 = 0
  for info in sequence(first: first.pointee, next: { $0.ai_next?.pointee }) {
    guard let descriptor = openSocket(info) else { continue }
    var limit = timeval(tv_sec: Int(timeout), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
      setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
    number = errno
    close(descriptor)
  }
  let reason = number == EINPROGRESS ? "it does not answer" : String(cString: strerror(number))
  throw WebError(
    description:
      "\(host):\(port): cannot be reached: \(reason); check the address, and that the phone's app is running")
}

/// Lets reads and writes of a socket or a pipe return at once instead of waiting.
func setNonBlocking(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

/// Accepts a pending connection, or returns `nil` if no connection is pending.
func takeConnection(_ descriptor: Int32) -> (descriptor: Int32, peer: [UInt8])? {
  var storage = sockaddr_storage()
  let taken = withAddress(&storage) { accept(descriptor, $0, $1) }
  guard taken >= 0 else { return nil }
  _ = fcntl(taken, F_SETFD, FD_CLOEXEC)
  setNonBlocking(taken)
  // Small messages are sent immediately.
  setOption(taken, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  #if canImport(Darwin)
    setOption(taken, SOL_SOCKET, SO_NOSIGPIPE, 1)
  #endif
  return (taken, StreamSender(storage)?.host ?? [])
}

/// Sends bytes and returns their number, or -1 with the reason in `errno`. A closed connection causes no signal.
func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}

private func bindFailure(_ host: String, _ port: UInt16, _ number: Int32) -> WebError {
  let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  let reason = String(cString: strerror(number))
  return WebError(
    description: "\(place): cannot be bound: \(reason); give an address of this machine and a free port"
  )
}

/// Returns the hints for addresses of connections or of datagrams.
func addressHints(isDatagram: Bool) -> addrinfo {
  var hints = addrinfo()
  #if canImport(Glibc)
    hints.ai_socktype = Int32((isDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue)
  #else
    hints.ai_socktype = isDatagram ? SOCK_DGRAM : SOCK_STREAM
  #endif
  return hints
}

/// Opens a socket for an address, or returns `nil` with the reason in `errno`.
func openSocket(_ info: addrinfo) -> Int32? {
  let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
  guard descriptor >= 0 else { return nil }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
  var value = value
  setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}

/// Calls a function that stores an address and its length.
func withAddress<Result>(
  _ storage: inout sockaddr_storage,
  _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
) -> Result {
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  return withUnsafeMutablePointer(to: &storage) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
  }
}

/// Returns the port of a bound socket, or `nil` if it is unknown.
func boundPort(_ descriptor: Int32) -> UInt16? {
  var address = sockaddr_storage()
  return withAddress(&address) { getsockname(descriptor, $0, $1) } == 0 ? StreamSender(address)?.port : nil
}
