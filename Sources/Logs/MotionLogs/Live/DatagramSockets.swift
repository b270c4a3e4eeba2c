internal import InertialSystem

/// The size of the largest UDP datagram, in bytes.
let maximumDatagramSize = 65_536
/// The requested size of the system's receive buffer, in bytes: some ten thousand rows.
private let systemBuffer: Int32 = 1 << 20

/// Opens the socket that receives datagrams of samples.
///
/// - Returns: The socket and its port.
func openDatagrams(host: String, port: UInt16) throws(LogError) -> (descriptor: Int32, port: UInt16) {
  let name = StreamAddress.udp(host: host, port: port).description
  let host = host.isEmpty ? "127.0.0.1" : host
  var hints = addressHints(isDatagram: true)
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
  for address in sequence(first: first.pointee, next: { $0.ai_next?.pointee }) {
    guard let descriptor = openSocket(address) else {
      number = errno
      continue
    }
    if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
      // A smaller buffer than requested is not a failure.
      setOption(descriptor, SOL_SOCKET, SO_RCVBUF, systemBuffer)
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
func receiveDatagram(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) -> (count: Int, sender: StreamSender?) {
  var storage = sockaddr_storage()
  let count = withAddress(&storage) { recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, $1) }
  return (count, StreamSender(storage))
}

/// Returns the number of datagrams that the system has dropped since the socket was opened because its buffer was
/// full, or `nil` if the system does not report it.
func lostDatagramCount(_ descriptor: Int32) -> Int? {
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
