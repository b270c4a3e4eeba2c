internal import InertialSystem

/// A connection to a phone's own server, by whoever has a thread to wait on.
package final class OutgoingConnection {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private let pieceSize: Int

  /// The maximum number of headers of an answer.
  private static let maximumHeaderCount = 100
  /// The maximum length of an answer or a message, in bytes.
  package static let longest = 8 << 20

  /// - Parameters:
  ///   - timeout: seconds that anything may take.
  ///   - pieceSize: bytes that are read at a time.
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

  /// - Returns: false where the other side has ended.
  private func more() throws(WebError) -> Bool {
    guard buffer.count < Self.longest else { throw WebError(description: "\(name): sends more than it may") }
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

  /// The status and headers of an answer.
  package func readHead() throws(WebError) -> (status: Int, headers: [String: String]) {
    let words = try readLine().split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."),
      let status = HTTPNumber.parse(words[1], most: 999)
    else {
      throw WebError(description: "\(name): does not speak HTTP; check the address")
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

  /// The socket for somebody else to read on and to close.
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

/// Asks a phone's own server for a document.
package enum WebFetch {
  /// - Parameter path: with its query, escaped.
  /// - Throws: where there is no answer, or another than 200.
  package static func get(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> [UInt8] {
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout)
    let lines = ["GET \(path) HTTP/1.1", "Host: \(host):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200 else { throw WebError(description: "\(host):\(port)\(path): answers with status \(status)") }
    if headers["transfer-encoding"]?.lowercased() == "chunked" { return try chunks(connection) }
    guard let text = headers["content-length"] else { return try connection.readToEnd() }
    guard let length = HTTPNumber.parse(text, most: OutgoingConnection.longest) else {
      throw WebError(description: "\(host):\(port): its answer has the length \(text.prefix(40)), or is too long")
    }
    return try connection.read(count: length)
  }

  /// Asks for an answer without an end, and gives the socket from which it is read, by whoever closes it.
  package static func lines(host: String, port: UInt16, path: String, timeout: Double = 10) throws(WebError) -> Int32 {
    // No byte behind the head may be taken.
    let connection = try OutgoingConnection(host: host, port: port, timeout: timeout, pieceSize: 1)
    let name = host.contains(":") ? "[\(host)]" : host
    let lines = ["GET \(path) HTTP/1.1", "Host: \(name):\(port)", "Connection: close", "Accept-Encoding: identity"]
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (status, headers) = try connection.readHead()
    guard status == 200, headers["transfer-encoding"] == nil else {
      let text = headers["content-length"].flatMap { HTTPNumber.parse($0, most: 500) }
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
      let room = OutgoingConnection.longest - body.count
      guard let count = HTTPNumber.parse(digits, radix: 16, most: room) else {
        throw WebError(description: "an answer's chunk has no length, or is too long")
      }
      if count == 0 { return body }
      body += try connection.read(count: count)
      _ = try connection.readLine()
    }
  }
}

/// Whole numbers as HTTP writes them.
package enum HTTPNumber {
  /// The number of some digits; nil for any other character, such as a sign, and above `most`, which is at most 2⁵⁰.
  package static func parse(_ text: some StringProtocol, radix: Int = 10, most: Int) -> Int? {
    var number = 0
    for character in text {
      guard character.isASCII, let digit = character.hexDigitValue, digit < radix else { return nil }
      number = number * radix + digit
      // Ends before the next product can overflow.
      guard number <= most else { return nil }
    }
    return text.isEmpty ? nil : number
  }
}
