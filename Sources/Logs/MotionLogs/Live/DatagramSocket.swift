internal import InertialSystem

/// Opens the socket that receives datagrams of samples.
enum DatagramSocket {
  /// The size of the largest UDP datagram, in bytes.
  static let maximumDatagramSize = 65_536
  /// The requested size of the system's receive buffer, in bytes: some ten thousand rows.
  private static let systemBuffer: Int32 = 1 << 20

  /// - Returns: The socket and its port.
  static func open(host: String, port: UInt16) throws(LogError) -> (descriptor: Int32, port: UInt16) {
    let name = StreamAddress.udp(host: host, port: port).description
    let host = host.isEmpty ? "127.0.0.1" : host
    var hints = addrinfo()
    hints.ai_socktype = kind
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host == "*" ? nil : host, String(port), &hints, &found)
    guard status == 0, let first = found else {
      throw LogError(
        path: name, problem: "the host is unknown: \(String(cString: gai_strerror(status)))",
        remedy: "give a name or address of this machine, or udp://*:\(port) for all of them")
    }
    defer { freeaddrinfo(first) }
    var number: Int32 = 0
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let address = candidate?.pointee {
      candidate = address.ai_next
      let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
      guard descriptor >= 0 else {
        number = errno
        continue
      }
      if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
        prepare(descriptor)
        return (descriptor, boundPort(descriptor) ?? port)
      }
      number = errno
      close(descriptor)
    }
    throw LogError(
      path: name, problem: "cannot be bound: \(systemMessage(number))",
      remedy: "give an address of this machine and a free port from 1024 up")
  }

  /// Receives a datagram. The result is below 0 on failure, with the reason in `errno`.
  static func receive(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, sender: StreamSender?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
      }
    }
    return (count, StreamSender(storage))
  }

  /// Returns the number of datagrams that the system has dropped since the socket was opened because its buffer was
  /// full, or `nil` if the system does not report it.
  static func lostCount(_ descriptor: Int32) -> Int? {
    #if os(Linux)
      // SO_MEMINFO and SK_MEMINFO_DROPS of linux/sock_diag.h.
      let (option, drops): (Int32, Int) = (55, 8)
      var values = [UInt32](repeating: 0, count: drops + 1)
      var size = socklen_t(values.count * MemoryLayout<UInt32>.stride)
      guard getsockopt(descriptor, SOL_SOCKET, option, &values, &size) == 0, Int(size) >= values.count * 4 else {
        return nil
      }
      return Int(values[drops])
    #else
      return nil
    #endif
  }

  private static var kind: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_DGRAM.rawValue)
    #else
      SOCK_DGRAM
    #endif
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // A smaller buffer than requested is not a failure.
    var size = systemBuffer
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { return nil }
    // IPv4 and IPv6 addresses have the port at the same offset, in big-endian order.
    return withUnsafeBytes(of: address) { bytes in UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
  }
}
