internal import InertialLogs

/// A complete request.
package struct WebRequest: Sendable, Equatable {
  package var method: String
  /// The path without the query, with its percent escapes.
  package var path: String
  /// The query after the question mark, or an empty string.
  package var query: String
  /// The header fields, with lowercase names, in the order of the request.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// Returns the value of a header, or `nil` if it is missing or repeated.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Returns the first query value of a name without percent escapes, or `nil` if it is missing.
  package func queryValue(of name: String) -> String? {
    let field = query.split(separator: "&").first { $0.hasPrefix(name + "=") }
    guard let text = field?.utf8.dropFirst(name.utf8.count + 1) else { return nil }
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = Int(httpDigits: Substring(digits), radix: 16, maximum: 255)
      {
        bytes.append(UInt8(value))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a header occurs at least once.
  package func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

  /// Returns whether a list header contains a word, ignoring case.
  func lists(_ word: String, in name: String) -> Bool {
    headers.contains { header in
      header.name == name
        && header.value.split(separator: ",").contains { part in
          part.lowercased().filter { $0 != " " && $0 != "\t" } == word
        }
    }
  }

  package static func == (a: WebRequest, b: WebRequest) -> Bool {
    a.method == b.method && a.path == b.path && a.query == b.query && a.body == b.body
      && a.headers.elementsEqual(b.headers, by: ==)
  }
}

/// A response to a request.
package struct WebResponse: Sendable {
  package var status: Int
  package var type: String
  package var body: [UInt8]
  /// The headers in addition to the common ones.
  package var headers: [(name: String, value: String)] = []

  package init(_ status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// Creates a response with a sentence for the sender of the request.
  package init(_ status: Int, _ text: String) { self.init(status, body: Array((text + "\n").utf8)) }

  package static func json(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status, type: "application/json", body: Array(text.utf8))
  }

  static let reasons: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 202: "Accepted", 303: "See Other", 400: "Bad Request",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
    411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
    422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    507: "Insufficient Storage",
  ]

  /// The common headers: no caching, no content sniffing, no framing or reading by other sites.
  private static let always = [
    "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
    "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
  ]

  /// Returns the bytes of the response.
  ///
  /// - Parameters:
  ///   - isLast: Whether the connection ends after the response.
  ///   - hasBody: Whether to send the body; `false` in response to HEAD.
  func bytes(isLast: Bool, hasBody: Bool = true) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")", "Content-Type: \(type)"]
    lines.append("Content-Length: \(body.count)")
    lines += Self.always + headers.map { "\($0.name): \($0.value)" }
    if isLast { lines.append("Connection: close") }
    let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
    return Array(head.utf8) + (hasBody ? body : [])
  }

  /// Returns the head of an endless response with lines of the given type.
  static func streamHead(type: String) -> [UInt8] {
    let lines = ["HTTP/1.1 200 OK", "Content-Type: \(type); charset=utf-8", "Connection: close"] + always
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
