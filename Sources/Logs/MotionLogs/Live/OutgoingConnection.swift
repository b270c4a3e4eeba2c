internal import InertialSystem

/// A connection to a phone's own server, which blocks the calling thread.
package final class OutgoingConnection {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private let pieceSize: Int

  /// The maximum number of headers of an answer.
  private static let maximumHeaderCount = 100
  /// The maximum length of an answer or a message, in bytes.
  package static let maximumMessageSize = 8 << 20

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of each operation, in seconds.
  ///   - pieceSize: The number of bytes per read.
  package init(host: String, port: UInt16, timeout: Double, pieceSize: Int = 1 << 16) throws(WebError) {
    name = "\(host):\(port)"
    self.pieceSize = pieceSize
    descriptor = try ListeningSocket.connect(host: host, port: port, timeout: timeout)
  }

  deinit { close(descriptor) }

  package func send(_ bytes: [UInt8]) throws(WebError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { ListeningSocket.send(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads more bytes into the buffer.
  ///
  /// - Returns: `false` if the peer has ended the connection.
  private func more() throws(WebError) -> Bool {
    guard buffer.count < Self.maximumMessageSize else { throw WebError(description: "\(name): sends too many bytes") }
    var bytes = [UInt8](repeating: 0, count: pieceSize)
    let count = systemRead(descriptor, &bytes, bytes.count)
    if count < 0 {
      if errno == EINTR { return true }
      throw failure
    }
    buffer += bytes[..<count]
    return count > 0
  }

  package func read(count: Int) throws(WebError) -> [UInt8] {
    while buffer.count < count { guard try more() else { throw ended } }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  package func readLine() throws(WebError) -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard try more() else { throw ended }
    }
  }

  func readToEnd() throws(WebError) -> [UInt8] {
    while try more() {}
    defer { buffer = [] }
    return buffer
  }

  /// Returns the status and the headers of a response.
  package func readHead() throws(WebError) -> (status: Int, headers: [String: String]) {
    let words = try readLine().split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."),
      let status = HTTPNumber.parse(words[1], maximum: 999)
    else {
      throw WebError(description: "\(name): does not use HTTP; check the address")
    }
    var headers: [String: String] = [:]
    while headers.count < Self.maximumHeaderCount {
      let line = try readLine()
      guard let colon = line.firstIndex(of: ":") else { break }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    return (status, headers)
  }

  /// Returns a duplicate of the socket, which the caller reads and closes.
  func handedOn() throws(WebError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw failure }
    return copy
  }

  private var ended: WebError { WebError(description: "\(name): has ended the connection") }
  private var failure: WebError {
    let number = errno
    let reason = number == EAGAIN ? "it does not answer" : String(cString: strerror(number))
    return WebError(description: "\(name): \(reason); check the address, and that the phone's app is running")
  }
}

/// Fetches documents from a phone's own server.
package enum WebFetch {
  /// Returns the document at a path.
  ///
  /// - Parameter path: The escaped path, with its query.
  /// - Throws: `WebError` if there is no response, or its status is not 200.
  package static func get(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> [UInt8] {
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout)
    let lines = ["GET \(path) HTTP/1.1", "Host: \(host):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200 else { throw WebError(description: "\(host):\(port)\(path): answers with status \(status)") }
    if headers["transfer-encoding"]?.lowercased() == "chunked" { return try chunks(connection) }
    guard let text = headers["content-length"] else { return try connection.readToEnd() }
    guard let length = HTTPNumber.parse(text, maximum: OutgoingConnection.maximumMessageSize) else {
      throw WebError(description: "\(host):\(port): the answer's length \(text.prefix(40)) is invalid or too large")
    }
    return try connection.read(count: length)
  }

  /// Requests an endless response, and returns the socket to read it from; the caller closes the socket.
  package static func lines(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> Int32 {
    // No byte after the head may be consumed.
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout, pieceSize: 1)
    let name = host.contains(":") ? "[\(host)]" : host
    let lines = ["GET \(path) HTTP/1.1", "Host: \(name):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200, headers["transfer-encoding"] == nil else {
      let text = headers["content-length"].flatMap { HTTPNumber.parse($0, maximum: 500) }
      let reason = try text.map { (count) throws(WebError) in
        String(decoding: try connection.read(count: count), as: UTF8.self)
      }
      throw WebError(
        description:
          "\(host):\(port): answers with status \(status): \(reason?.split(separator: "\n").first ?? "no lines")")
    }
    return try connection.handedOn()
  }

  private static func chunks(_ connection: OutgoingConnection) throws(WebError) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try connection.readLine().prefix { $0 != ";" && $0 != " " }
      let room = OutgoingConnection.maximumMessageSize - body.count
      guard let count = HTTPNumber.parse(digits, radix: 16, maximum: room) else {
        throw WebError(description: "an answer's chunk has no length, or is too long")
      }
      if count == 0 { return body }
      body += try connection.read(count: count)
      _ = try connection.readLine()
    }
  }
}

/// A parser of whole numbers in HTTP.
package enum HTTPNumber {
  /// Returns the number of a digit string, or `nil` for any other character, such as a sign, and above `maximum`, which is
  /// at most 2⁵⁰.
  package static func parse(_ text: some StringProtocol, radix: Int = 10, maximum: Int) -> Int? {
    var number = 0
    for character in text {
      guard character.isASCII, let digit = character.hexDigitValue, digit < radix else { return nil }
      number = number * radix + digit
      // Returns before the next product can overflow.
      guard number <= maximum else { return nil }
    }
    return text.isEmpty ? nil : number
  }
}
