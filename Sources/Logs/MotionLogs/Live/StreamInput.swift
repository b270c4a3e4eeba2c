internal import InertialSystem

/// Bytes of a stream as they come. Waits no longer than it is told, and can be woken from another thread.
final class StreamInput: @unchecked Sendable {
  enum Outcome: Equatable {
    case bytes(Int)
    /// Nothing came in time.
    case nothing
    case interrupted
    case end
  }

  /// As messages name it.
  let name: String
  /// Whether each piece is whole: a line does not go on in the next one.
  let isDatagram: Bool
  /// The port that datagrams or a connection come to; nil of what is read without.
  let port: UInt16?
  /// Who sent the last datagram.
  private(set) var sender: StreamSender?
  /// Datagrams that the system has thrown away, as nobody read them in time; nil where it does not tell.
  var lostCount: Int? { isDatagram ? DatagramSocket.lostCount(descriptor) : nil }
  private var descriptor: Int32
  /// Whether a connection is still awaited.
  private var isListening = false
  private let ownsDescriptor: Bool
  /// A byte in this pipe ends a wait.
  private let wake: (reader: Int32, writer: Int32)

  convenience init(_ address: StreamAddress) throws(LogError) {
    switch address {
    case .standardInput:
      try self.init(
        descriptor: STDIN_FILENO, ownsDescriptor: false, name: address.description, isDatagram: false, port: nil)
    case .udp(let host, let port):
      let opened = try DatagramSocket.open(host: host, port: port)
      try self.init(
        descriptor: opened.descriptor, ownsDescriptor: true,
        name: StreamAddress.udp(host: host.isEmpty ? "127.0.0.1" : host, port: opened.port).description,
        isDatagram: true, port: opened.port)
    case .tcp(let host, let port):
      let host = host.isEmpty ? "127.0.0.1" : host
      let opened: (descriptor: Int32, port: UInt16)
      do throws(WebError) {
        opened = try ListeningSocket.open(host: host == "*" ? "0.0.0.0" : host, port: port)
      } catch {
        throw LogError(
          path: address.description, problem: "cannot be listened at: \(error)",
          remedy: "an empty host is 127.0.0.1, * every address")
      }
      try self.init(
        descriptor: opened.descriptor, ownsDescriptor: true,
        name: StreamAddress.tcp(host: host, port: opened.port).description, isDatagram: false, port: opened.port)
      isListening = true
    case .server(let host, let port, let path):
      let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = parts[0].hasSuffix("/") ? parts[0] : parts[0] + "/"
      let descriptor: Int32
      do throws(WebError) {
        descriptor = try WebFetch.lines(
          host: host, port: port, path: folder + "samples" + (parts.count > 1 ? "?" + parts[1] : ""))
      } catch {
        throw LogError(
          path: address.description, problem: "gives no samples: \(error)",
          remedy: "give the page's address as inertial serve prints it")
      }
      try self.init(
        descriptor: descriptor, ownsDescriptor: true, name: address.description, isDatagram: false, port: nil)
    }
  }

  init(descriptor: Int32, ownsDescriptor: Bool, name: String, isDatagram: Bool, port: UInt16?) throws(LogError) {
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
      // Neither end may ever hold anybody up.
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

  /// Ends the wait of the reading thread, or its next one. From any thread.
  func interrupt() {
    var byte: UInt8 = 0
    // A full pipe says the same.
    _ = write(wake.writer, &byte, 1)
  }

  /// Waits at most `timeout` seconds (infinite: for ever) and gives what is there; an empty datagram is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, timeout: Double) throws(LogError) -> Outcome {
    let interest = Int16(POLLIN)
    var watched = [
      pollfd(fd: wake.reader, events: interest, revents: 0), pollfd(fd: descriptor, events: interest, revents: 0),
    ]
    // In range: below 10⁹ ms.
    let milliseconds = timeout < 1e6 ? Int32(max(0, (timeout * 1000).rounded(.up))) : -1
    let count = poll(&watched, 2, milliseconds)
    if count < 0 {
      // A signal is no reason to give up; whoever waits begins anew.
      if errno == EINTR { return .bytes(0) }
      throw failure(errno)
    }
    if watched[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 16)
      while systemRead(wake.reader, &bytes, bytes.count) > 0 {}
      return .interrupted
    }
    guard watched[1].revents != 0 else { return .nothing }
    if isListening { return accept() }
    let size: Int
    if isDatagram {
      (size, sender) = DatagramSocket.receive(descriptor, into: buffer)
    } else {
      size = systemRead(descriptor, buffer.baseAddress, buffer.count)
    }
    if size < 0 {
      if errno == EINTR || errno == EAGAIN { return .bytes(0) }
      throw failure(errno)
    }
    return size == 0 ? .end : .bytes(size)
  }

  /// Takes the connection that is there: the stream is its lines, and ends with it. Others are refused.
  private func accept() -> Outcome {
    guard let taken = ListeningSocket.accept(descriptor) else { return .bytes(0) }
    close(descriptor)
    (descriptor, isListening) = (taken.descriptor, false)
    return .bytes(0)
  }

  private func failure(_ number: Int32) -> LogError {
    LogError(path: name, problem: "cannot be read: \(systemMessage(number))", remedy: "check its sender and try again")
  }
}
