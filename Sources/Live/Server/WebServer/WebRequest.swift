internal import InertialLogs

/// A request as it came, whole.
package struct WebRequest: Sendable, Equatable {
  package var method: String
  /// The path without the query, its escapes as they came.
  package var path: String
  /// What stands behind the question mark; empty without one.
  package var query: String
  /// Names in small letters, in the order in which they came.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// The one value of a header; nil where it is not there, or more than once.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// The first value that the query gives a name, with its percent escapes undone; nil where it gives none.
  package func queryValue(of name: String) -> String? {
    let field = query.split(separator: "&").first { $0.hasPrefix(name + "=") }
    guard let text = field?.utf8.dropFirst(name.utf8.count + 1) else { return nil }
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = HTTPNumber.parse(Substring(digits), radix: 16, most: 255)
      {
        bytes.append(UInt8(value))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a header is there at least once.
  package func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

  /// Whether a header that is a list has a word, whatever its letters' size.
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

/// What is answered to a request.
package struct WebResponse: Sendable {
  package var status: Int
  package var type: String
  package var body: [UInt8]
  /// Beside those that every answer has.
  package var headers: [(name: String, value: String)] = []

  package init(_ status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A sentence for whoever sent the request.
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

  /// What no answer lacks: nothing is kept, nothing is guessed, nobody else frames or reads it.
  private static let always = [
    "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
    "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
  ]

  /// - Parameters:
  ///   - isLast: whether the connection ends behind it.
  ///   - hasBody: false in answer to HEAD.
  func bytes(isLast: Bool, hasBody: Bool = true) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")", "Content-Type: \(type)"]
    lines.append("Content-Length: \(body.count)")
    lines += Self.always + headers.map { "\($0.name): \($0.value)" }
    if isLast { lines.append("Connection: close") }
    let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
    return Array(head.utf8) + (hasBody ? body : [])
  }

  /// The head of an answer without an end: lines of a type.
  static func streamHead(type: String) -> [UInt8] {
    let lines = ["HTTP/1.1 200 OK", "Content-Type: \(type); charset=utf-8", "Connection: close"] + always
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
