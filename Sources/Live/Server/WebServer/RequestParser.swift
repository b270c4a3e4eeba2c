internal import InertialLogs

/// Parses requests from the bytes of a connection (RFC 9112).
///
/// It is strict to prevent request smuggling: one length, no length in addition to chunks, no folded lines, no blanks
/// before a colon, and only visible ASCII in a head.
struct RequestParser {
  enum Outcome {
    /// More bytes are needed.
    case more
    /// The head is complete and the sender waits for `100 Continue` before sending the body.
    case expectsContinue
    case request(WebRequest, isLast: Bool)
    /// The request is invalid, and the connection has to be closed.
    case failure(WebResponse)
  }

  /// The maximum size of a request's first line and headers, in bytes.
  static let maximumHeadSize = 16_384
  static let maximumHeaderCount = 64

  /// The maximum size of a body, in bytes.
  let maximumBodySize: Int
  private var buffer: [UInt8] = []
  /// The index of the first byte that has not been returned.
  private var start = 0
  /// The index up to which the end of the head has been searched for.
  private var searched = 0
  private var head: (request: WebRequest, length: Int, isLast: Bool, expects: Bool)?

  init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

  /// Whether a request has begun but is incomplete.
  var isWithin: Bool { head != nil || start < buffer.count }
  /// The number of buffered bytes.
  var pendingCount: Int { buffer.count - start }

  mutating func add(_ bytes: UnsafeRawBufferPointer) { buffer += bytes }

  mutating func next() -> Outcome {
    if head == nil {
      // A client may send an empty line before a request.
      while start + 1 < buffer.count, buffer[start] == 0x0D, buffer[start + 1] == 0x0A { start += 2 }
      searched = max(searched, start)
      guard let end = endOfHead() else {
        guard buffer.count - start <= Self.maximumHeadSize else {
          return .failure(WebResponse(431, "the head of the request exceeds \(Self.maximumHeadSize) bytes"))
        }
        return .more
      }
      if let failure = readHead(buffer[start..<end]) { return .failure(failure) }
      start = end + 4
    }
    guard let (request, length, isLast, expects) = head else { return .more }
    guard buffer.count - start >= length else {
      if expects {
        head?.expects = false
        return .expectsContinue
      }
      return .more
    }
    var whole = request
    whole.body = Array(buffer[start..<start + length])
    start += length
    head = nil
    compact()
    return .request(whole, isLast: isLast)
  }

  private mutating func compact() {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
    } else {
      buffer.removeSubrange(..<start)
    }
    (start, searched) = (0, 0)
  }

  /// Returns the index of the empty line that ends a head.
  private mutating func endOfHead() -> Int? {
    var position = max(start, searched - 3)
    while position + 3 < buffer.count {
      if buffer[position] == 0x0D, buffer[position + 1] == 0x0A, buffer[position + 2] == 0x0D,
        buffer[position + 3] == 0x0A
      {
        return position - start <= Self.maximumHeadSize ? position : nil
      }
      position += 1
    }
    searched = buffer.count
    return nil
  }

  /// Parses a head into `head`.
  ///
  /// - Returns: An error response, or `nil` if the head is valid.
  private mutating func readHead(_ bytes: ArraySlice<UInt8>) -> WebResponse? {
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else {
      return WebResponse(400, "the head of the request must be ASCII text")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
      return WebResponse(400, "the request must begin with METHOD PATH HTTP/1.1")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      return words[2].hasPrefix("HTTP/")
        ? WebResponse(505, "this server supports HTTP/1.1")
        : WebResponse(400, "the request must begin with METHOD PATH HTTP/1.1")
    }
    guard words[1].first == "/" else { return WebResponse(400, "the path of the request must begin with /") }
    guard lines.count <= Self.maximumHeaderCount else {
      return WebResponse(431, "the request exceeds \(Self.maximumHeaderCount) headers")
    }
    var headers: [(name: String, value: String)] = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].allSatisfy(Self.isTokenCharacter), !line.contains(where: { $0 == "\r" || $0 == "\n" })
      else { return WebResponse(400, "a header must be NAME: VALUE") }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((line[..<colon].lowercased(), Self.trimmed(value)))
    }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let request = WebRequest(
      method: String(words[0]), path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
      headers: headers, body: [])
    return judge(request, version: words[2])
  }

  private mutating func judge(_ request: WebRequest, version: Substring) -> WebResponse? {
    if request.has("transfer-encoding") { return WebResponse(411, "send the body with its length, not in chunks") }
    if request.has("content-encoding"), request.header("content-encoding") != "identity" {
      return WebResponse(415, "send the body uncompressed")
    }
    var length = 0
    if request.has("content-length") {
      guard let text = request.header("content-length"),
        let number = Int(httpDigits: text, maximum: 999_999_999_999_999)
      else { return WebResponse(400, "the request must have one Content-Length, an integer") }
      length = number
    } else if request.method == "POST" {
      return WebResponse(411, "a POST must have a Content-Length")
    }
    guard length <= maximumBodySize else {
      return WebResponse(413, "the body exceeds \(maximumBodySize) bytes; send smaller batches")
    }
    let isLast = request.lists("close", in: "connection") || version == "HTTP/1.0"
    head = (request, length, isLast, request.header("expect")?.lowercased() == "100-continue")
    return nil
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
