internal import InertialSystem

/// Receives the bytes of a stream, with a timeout. Another thread can interrupt the wait.
final class StreamInput: @unchecked Sendable {
  /// The number of received bytes, and the reason why none can be received now, or `nil`.
  typealias Received = (count: Int, stop: SampleStream.Outcome?)

  /// The name of the stream in messages.
  let name: String
  /// Whether lines end with their datagram: no line continues in the next datagram.
  let isDatagram: Bool
  /// The port that receives datagrams or a connection, or `nil` for other inputs.
  let port: UInt16?
  /// The sender of the last datagram.
  private(set) var sender: StreamSender?
  /// The number of datagrams that the system dropped because they were not read in time, or `nil` if unknown.
  var lostCount: Int? { isDatagram ? lostDatagramCount(descriptor) : nil }
  private var descriptor: Int32
  /// Whether the connection is still pending.
  private var isListening = false
  private let ownsDescriptor: Bool
  /// A pipe; a byte in it ends a wait.
  private let wake: (reader: Int32, writer: Int32)

  convenience init(_ address: StreamAddress) throws(LogError) {
    switch address {
    case .standardInput:
      try self.init(descriptor: STDIN_FILENO, name: address.description, ownsDescriptor: false)
    case .udp(let host, let port):
      let opened = try openDatagrams(host: host, port: port)
      try self.init(
        descriptor: opened.descriptor,
        name: StreamAddress.udp(host: host.isEmpty ? "127.0.0.1" : host, port: opened.port).description,
        isDatagram: true, port: opened.port)
    case .tcp(let host, let port):
      let host = host.isEmpty ? "127.0.0.1" : host
      let opened: (descriptor: Int32, port: UInt16)
      do throws(WebError) {
        opened = try openListener(host: host == "*" ? "0.0.0.0" : host, port: port)
      } catch {
        throw LogError(
          path: address.description, problem: "cannot be bound: \(error)",
          remedy: "an empty host is 127.0.0.1, * every address")
      }
      try self.init(
        descriptor: opened.descriptor, name: StreamAddress.tcp(host: host, port: opened.port).description,
        port: opened.port)
      isListening = true
    case .server(let host, let port, let path):
      let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = parts[0].hasSuffix("/") ? parts[0] : parts[0] + "/"
      let descriptor: Int32
      do throws(WebError) {
        descriptor = try OutgoingConnection.lines(
          host: host, port: port, path: folder + "samples" + (parts.count > 1 ? "?" + parts[1] : ""))
      } catch {
        throw LogError(
          path: address.description, problem: "provides no samples: \(error)",
          remedy: "give the page's address as inertial serve prints it")
      }
      try self.init(descriptor: descriptor, name: address.description)
    }
  }

  init(
    descriptor: Int32, name: String, ownsDescriptor: Bool = true, isDatagram: Bool = false, port: UInt16? = nil
  ) throws(LogError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      let number = errno
      if ownsDescriptor { close(descriptor) }
      throw LogError(
        path: name, problem: "cannot be waited for: \(systemMessage(number))", remedy: "close other files and try again"
      )
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // Neither end may ever block.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wake = (ends[0], ends[1])
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    self.name = name
    self.isDatagram = isDatagram
    self.port = port
  }

  deinit {
    close(wake.reader)
    close(wake.writer)
    if ownsDescriptor { close(descriptor) }
  }

  /// Ends the current or next wait of the reading thread. Callable from any thread.
  func interrupt() {
    var byte: UInt8 = 0
    // A full pipe also ends the wait.
    _ = write(wake.writer, &byte, 1)
  }

  /// Waits at most `timeout` seconds (infinite: indefinitely) and returns the available bytes; an empty datagram is the
  /// end.
  func read(into buffer: UnsafeMutableRawBufferPointer, timeout: Double) throws(LogError) -> Received {
    let interest = Int16(POLLIN)
    var watched = [
      pollfd(fd: wake.reader, events: interest, revents: 0), pollfd(fd: descriptor, events: interest, revents: 0),
    ]
    // In range: below 10⁹ ms.
    let milliseconds = timeout < 1e6 ? Int32(max(0, (timeout * 1000).rounded(.up))) : -1
    let count = poll(&watched, 2, milliseconds)
    if count < 0 {
      // A signal does not end the stream; the caller waits again.
      if errno == EINTR { return (0, nil) }
      throw failure(errno)
    }
    if watched[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 16)
      while systemRead(wake.reader, &bytes, bytes.count) > 0 {}
      return (0, .interrupted)
    }
    guard watched[1].revents != 0 else { return (0, .silence) }
    if isListening {
      accept()
      return (0, nil)
    }
    let size: Int
    if isDatagram {
      (size, sender) = receiveDatagram(descriptor, into: buffer)
    } else {
      size = systemRead(descriptor, buffer.baseAddress, buffer.count)
    }
    if size < 0 {
      if errno == EINTR || errno == EAGAIN { return (0, nil) }
      throw failure(errno)
    }
    return (size, size == 0 ? .end : nil)
  }

  /// Accepts the pending connection. The stream consists of its lines and ends with it; further connections are
  /// refused.
  private func accept() {
    guard let taken = takeConnection(descriptor) else { return }
    close(descriptor)
    (descriptor, isListening) = (taken.descriptor, false)
  }

  private func failure(_ number: Int32) -> LogError {
    LogError(path: name, problem: "cannot be read: \(systemMessage(number))", remedy: "check its sender and try again")
  }
}
