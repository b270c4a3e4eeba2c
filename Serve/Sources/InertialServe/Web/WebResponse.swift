internal import NIOHTTP1

/// A response to a request; thrown if it refuses the request.
struct WebResponse: Error {
  var status: Int
  var type: String
  var body: [UInt8]
  /// The file that is sent instead of `body`.
  var file: WebFile?
  /// The headers in addition to the common ones.
  var headers: [(name: String, value: String)] = []

  init(_ status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// Creates a response with the contents of a file.
  init(_ file: WebFile, type: String) {
    self.init(200, type: type, body: [])
    self.file = file
  }

  /// Creates a response with a sentence for the sender of the request.
  init(_ status: Int, _ text: String) { self.init(status, body: Array((text + "\n").utf8)) }

  static func json(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status, type: "application/json", body: Array(text.utf8))
  }

  /// Creates the response to a head that cannot be parsed.
  init(_ error: HTTPParserError) {
    switch error {
    case .headerOverflow:
      self.init(
        431,
        "the request's head exceeds \(WebRequest.maximumHeadSize) bytes or \(WebRequest.maximumHeaderCount) headers")
    case .invalidVersion: self.init(505, "this server supports HTTP/1.1")
    case .invalidContentLength, .unexpectedContentLength:
      self.init(400, "the request must have one Content-Length, an integer")
    case .invalidHeaderToken: self.init(400, "a header must be NAME: VALUE")
    default: self.init(400, "the request must begin with METHOD PATH HTTP/1.1, followed by headers")
    }
  }

  /// The common headers: no caching, no content sniffing, no framing or reading by other sites.
  private static let always = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Returns the head of the response.
  ///
  /// - Parameter isLast: Whether the connection ends after the response.
  func head(isLast: Bool) -> HTTPResponseHead {
    var fields = [("Content-Type", type), ("Content-Length", "\(file?.size ?? body.count)")] + Self.always
    fields += headers.map { ($0.name, $0.value) }
    if isLast { fields.append(("Connection", "close")) }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: HTTPHeaders(fields))
  }

  /// Returns the head of an endless response with lines of the given type.
  static func streamHead(type: String) -> HTTPResponseHead {
    let fields = [("Content-Type", "\(type); charset=utf-8"), ("Connection", "close")] + always
    return HTTPResponseHead(version: .http1_1, status: .ok, headers: HTTPHeaders(fields))
  }
}
