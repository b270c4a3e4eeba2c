internal import InertialLogs

/// Takes requests out of the bytes of a connection (RFC 9112).
///
/// It is strict where leniency is a way in: one length, no length beside chunks, no folded lines, no blanks before a colon,
/// no byte in a head that is no visible ASCII.
struct RequestParser {
  enum Outcome {
    /// More bytes are needed.
    case more
    /// The head is there and the sender waits to be asked for the body.
    case expectsContinue
    case request(WebRequest, isLast: Bool)
    /// The connection cannot go on.
    case failure(WebResponse)
  }

  /// Bytes of a request's first line and headers.
  static let longestHead = 16_384
  static let mostHeaders = 64

  /// Bytes of a body.
  let longestBody: Int
  private var buffer: [UInt8] = []
  /// What of the buffer has been handed out.
  private var start = 0
  /// How far the end of the head has been looked for.
  private var searched = 0
  private var head: (request: WebRequest, length: Int, isLast: Bool, expects: Bool)?

  init(longestBody: Int) { self.longestBody = longestBody }

  /// Whether a request has begun and not ended.
  var isWithin: Bool { head != nil || start < buffer.count }
  /// Bytes that wait.
  var waitingCount: Int { buffer.count - start }

  mutating func add(_ bytes: UnsafeRawBufferPointer) { buffer += bytes }

  mutating func next() -> Outcome {
    if head == nil {
      // A client may send an empty line before a request.
      while start + 1 < buffer.count, buffer[start] == 0x0D, buffer[start + 1] == 0x0A { start += 2 }
      searched = max(searched, start)
      guard let end = endOfHead() else {
        guard buffer.count - start <= Self.longestHead else {
          return .failure(WebResponse(431, "the head of a request has at most \(Self.longestHead) bytes"))
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

  /// Where the empty line begins that ends a head.
  private mutating func endOfHead() -> Int? {
    var place = max(start, searched - 3)
    while place + 3 < buffer.count {
      if buffer[place] == 0x0D, buffer[place + 1] == 0x0A, buffer[place + 2] == 0x0D, buffer[place + 3] == 0x0A {
        return place - start <= Self.longestHead ? place : nil
      }
      place += 1
    }
    searched = buffer.count
    return nil
  }

  /// - Returns: what is wrong with it; nil where it is kept in `head`.
  private mutating func readHead(_ bytes: ArraySlice<UInt8>) -> WebResponse? {
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else {
      return WebResponse(400, "the head of a request is ASCII text")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
      return WebResponse(400, "a request begins with METHOD PATH HTTP/1.1")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      return words[2].hasPrefix("HTTP/")
        ? WebResponse(505, "this server speaks HTTP/1.1")
        : WebResponse(400, "a request begins with METHOD PATH HTTP/1.1")
    }
    guard words[1].first == "/" else { return WebResponse(400, "a request's path begins with /") }
    guard lines.count <= Self.mostHeaders else {
      return WebResponse(431, "a request has at most \(Self.mostHeaders) headers")
    }
    var headers: [(name: String, value: String)] = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].allSatisfy(Self.isTokenCharacter), !line.contains(where: { $0 == "\r" || $0 == "\n" })
      else { return WebResponse(400, "a header is NAME: VALUE") }
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
    if request.has("transfer-encoding") { return WebResponse(411, "send the body's length and no chunks") }
    if request.has("content-encoding"), request.header("content-encoding") != "identity" {
      return WebResponse(415, "send the body as it is, not compressed")
    }
    var length = 0
    if request.has("content-length") {
      guard let text = request.header("content-length"), let number = HTTPNumber.parse(text, most: 999_999_999_999_999)
      else { return WebResponse(400, "a request has one Content-Length, a whole number") }
      length = number
    } else if request.method == "POST" {
      return WebResponse(411, "a POST says its Content-Length")
    }
    guard length <= longestBody else {
      return WebResponse(413, "a body has at most \(longestBody) bytes; send smaller batches")
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
