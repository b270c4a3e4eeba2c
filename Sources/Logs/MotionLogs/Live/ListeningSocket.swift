internal import InertialSystem

/// An error of the network.
package struct WebError: Error, Sendable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}

/// Opens listening sockets and connections.
package enum ListeningSocket {
  /// Opens a listening socket.
  ///
  /// - Returns: The socket and its port.
  package static func open(host: String, port: UInt16) throws(WebError) -> (descriptor: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_socktype = kind
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw WebError(
        description: "\(host): is not a numeric address; give one of this machine, or 0.0.0.0 or :: for all of them")
    }
    defer { freeaddrinfo(address) }
    let info = address.pointee
    let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard descriptor >= 0 else { throw failure(host, port, errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // A restarted server need not wait for the remaining connections of the previous one.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    // One socket per IP version, on the same port.
    if info.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 128) == 0 else {
      let number = errno
      close(descriptor)
      throw failure(host, port, number)
    }
    setNonBlocking(descriptor)
    return (descriptor, boundPort(descriptor) ?? port)
  }

  /// Connects to another machine; each read and write then takes at most `timeout` seconds.
  package static func connect(host: String, port: UInt16, timeout: Double) throws(WebError) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = kind
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &found)
    guard status == 0, let first = found else {
      throw WebError(description: "\(host): the host is unknown: \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(first) }
    var number: Int32 = 0
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let info = candidate?.pointee {
      candidate = info.ai_next
      let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var limit = timeval(tv_sec: Int(timeout), tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      #if canImport(Darwin)
        set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
      #endif
      if systemConnect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
      number = errno
      close(descriptor)
    }
    let reason = number == EINPROGRESS ? "it does not answer" : String(cString: strerror(number))
    throw WebError(
      description:
        "\(host):\(port): cannot be reached: \(reason); check the address, and that the phone's app is running")
  }

  package static func setNonBlocking(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

  /// Accepts a pending connection, or returns `nil` if no connection is pending.
  package static func accept(_ descriptor: Int32) -> (descriptor: Int32, peer: [UInt8])? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let taken = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemAccept(descriptor, $0, &length) }
    }
    guard taken >= 0 else { return nil }
    _ = fcntl(taken, F_SETFD, FD_CLOEXEC)
    setNonBlocking(taken)
    // Small messages are sent immediately.
    set(taken, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    #if canImport(Darwin)
      set(taken, SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    let bytes = withUnsafeBytes(of: storage) { Array($0.prefix(24)) }
    return (taken, Int32(storage.ss_family) == AF_INET ? Array(bytes[4..<8]) : Array(bytes[8..<24]))
  }

  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      systemSend(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
      systemSend(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static var kind: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { return nil }
    return withUnsafeBytes(of: address) { bytes in UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
  }

  private static func failure(_ host: String, _ port: UInt16, _ number: Int32) -> WebError {
    let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let reason = String(cString: strerror(number))
    return WebError(
      description: "\(place): cannot be bound: \(reason); give an address of this machine and a free port"
    )
  }
}

// Outside the type, whose own functions have the same names.
private func systemAccept(_ d: Int32, _ a: UnsafeMutablePointer<sockaddr>?, _ n: UnsafeMutablePointer<socklen_t>?)
  -> Int32
{
  accept(d, a, n)
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}

private func systemSend(_ d: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(d, bytes, count, flags)
}
