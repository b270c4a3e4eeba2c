internal import InertialSystem

/// A connection to a phone's own server, which blocks the calling thread.
package final class OutgoingConnection {
  private let descriptor: Int32
  private let name: String
  /// The received bytes, of which the first `start` are used.
  private var buffer: [UInt8] = []
  private var start = 0
  private let pieceSize: Int
  /// The time at which the whole answer has to be there, or `nil` for an endless one.
  private var deadline: Int64?

  /// The maximum number of lines and the maximum length of an answer's head.
  private static let maximumHeaderCount = 100
  private static let maximumHeadSize = 1 << 16
  /// The maximum length of an answer or a message, in bytes.
  static let maximumMessageSize = 8 << 20

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of each operation, in seconds.
  ///   - pieceSize: The number of bytes per read.
  init(host: String, port: UInt16, timeout: Double, pieceSize: Int = 1 << 16) throws(WebError) {
    name = "\(host):\(port)"
    self.pieceSize = pieceSize
    descriptor = try openConnection(host: host, port: port, timeout: timeout)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws(WebError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads more bytes into the buffer.
  ///
  /// - Returns: `false` if the peer has ended the connection.
  private func more() throws(WebError) -> Bool {
    guard buffer.count - start < Self.maximumMessageSize else {
      throw WebError(description: "\(name): sends too many bytes")
    }
    if let deadline, steadySeconds() > deadline {
      throw WebError(description: "\(name): takes too long for an answer; check the address")
    }
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    var bytes = [UInt8](repeating: 0, count: pieceSize)
    let count = systemRead(descriptor, &bytes, bytes.count)
    if count < 0 {
      if errno == EINTR { return true }
      throw failure
    }
    buffer += bytes[..<count]
    return count > 0
  }

  func read(count: Int) throws(WebError) -> [UInt8] {
    while buffer.count - start < count { guard try more() else { throw ended } }
    defer { start += count }
    return Array(buffer[start..<start + count])
  }

  /// Returns the next line of a head or a chunk.
  func readLine() throws(WebError) -> String {
    var searched = 0
    while true {
      if let end = buffer[(start + searched)...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return String(decoding: buffer[start..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      searched = buffer.count - start
      guard searched < Self.maximumHeadSize else { throw WebError(description: "\(name): sends an endless line") }
      guard try more() else { throw ended }
    }
  }

  /// Returns the status and the headers of a response.
  func readHead() throws(WebError) -> (status: Int, headers: [String: String]) {
    let words = try readLine().split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."),
      let status = Int(httpDigits: words[1], maximum: 999)
    else {
      throw WebError(description: "\(name): does not use HTTP; check the address")
    }
    var headers: [String: String] = [:]
    var size = 0
    for _ in 0...Self.maximumHeaderCount {
      let line = try readLine()
      guard let colon = line.firstIndex(of: ":") else { return (status, headers) }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
      size += line.utf8.count
      if size > Self.maximumHeadSize { break }
    }
    throw WebError(description: "\(name): sends an endless head; check the address")
  }

  private var ended: WebError { WebError(description: "\(name): has ended the connection") }
  private var failure: WebError {
    let number = errno
    let reason = number == EAGAIN ? "it does not answer" : String(cString: strerror(number))
    return WebError(description: "\(name): \(reason); check the address, and that the phone's app is running")
  }
}

extension OutgoingConnection {
  /// Returns the document at a path of a phone's own server.
  ///
  /// - Parameter path: The escaped path, with its query.
  /// - Throws: `WebError` if there is no response, or its status is not 200.
  package static func get(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> [UInt8] {
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout)
    connection.deadline = steadySeconds() + Int64(3 * timeout)
    try connection.request(path, host: "\(host):\(port)")
    let (status, headers) = try connection.readHead()
    guard status == 200 else { throw WebError(description: "\(host):\(port)\(path): answers with status \(status)") }
    if headers["transfer-encoding"]?.lowercased() == "chunked" { return try connection.readChunks() }
    guard let text = headers["content-length"] else { return try connection.readToEnd() }
    guard let length = Int(httpDigits: text, maximum: maximumMessageSize) else {
      throw WebError(description: "\(host):\(port): the answer's length \(text.prefix(40)) is invalid or too large")
    }
    return try connection.read(count: length)
  }

  /// Requests an endless response, and returns the socket to read it from; the caller closes the socket.
  static func lines(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> Int32 {
    // No byte after the head may be consumed.
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout, pieceSize: 1)
    connection.deadline = steadySeconds() + Int64(3 * timeout)
    try connection.request(path, host: "\(host.contains(":") ? "[\(host)]" : host):\(port)")
    let (status, headers) = try connection.readHead()
    guard status == 200, headers["transfer-encoding"] == nil else {
      let text = headers["content-length"].flatMap { Int(httpDigits: $0, maximum: 500) }
      let reason = try text.map { (count) throws(WebError) in
        String(decoding: try connection.read(count: count), as: UTF8.self)
      }
      throw WebError(
        description:
          "\(host):\(port): answers with status \(status): \(reason?.split(separator: "\n").first ?? "no lines")")
    }
    // The connection closes its own descriptor.
    let copy = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw connection.failure }
    return copy
  }

  private func request(_ path: String, host: String) throws(WebError) {
    let lines = ["GET \(path) HTTP/1.1", "Host: \(host)", "Connection: close", "Accept-Encoding: identity"]
    try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  private func readToEnd() throws(WebError) -> [UInt8] {
    while try more() {}
    return Array(buffer[start...])
  }

  private func readChunks() throws(WebError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try readLine().prefix { $0 != ";" && $0 != " " }
      let room = Self.maximumMessageSize - body.count
      guard let count = Int(httpDigits: digits, radix: 16, maximum: room) else {
        throw WebError(description: "an answer's chunk has no length, or is too long")
      }
      if count == 0 { return body }
      body += try read(count: count)
      _ = try readLine()
    }
  }
}

/// Returns the seconds of a clock that is never set.
private func steadySeconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec)
}

extension Int {
  /// Creates the whole number of a digit string in HTTP, or returns `nil` for any other character, such as a sign, and
  /// above `maximum`, which is at most 2⁵⁰.
  package init?(httpDigits text: some StringProtocol, radix: Int = 10, maximum: Int) {
    self = 0
    for character in text {
      guard character.isASCII, let digit = character.hexDigitValue, digit < radix else { return nil }
      self = self * radix + digit
      // Returns before the next product can overflow.
      guard self <= maximum else { return nil }
    }
    if text.isEmpty { return nil }
  }
}
