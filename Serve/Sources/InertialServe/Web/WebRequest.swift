internal import InertialLogs
internal import InertialSystem
internal import NIOHTTP1

/// A complete request.
struct WebRequest: Sendable, Equatable {
  var method: String
  /// The path without the query, with its percent escapes.
  var path: String
  /// The query after the question mark, or an empty string.
  var query: String
  /// The header fields, with lowercase names, in the order of the request.
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// Returns the value of a header, or `nil` if it is missing or repeated.
  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Returns the first query value of a name without percent escapes, or `nil` if it is missing.
  func queryValue(of name: String) -> String? {
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
  func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

  /// Returns whether a list header contains a word, ignoring case.
  func lists(_ word: String, in name: String) -> Bool {
    headers.contains { header in
      header.name == name
        && header.value.split(separator: ",").contains { part in
          part.lowercased().filter { $0 != " " && $0 != "\t" } == word
        }
    }
  }

  static func == (a: WebRequest, b: WebRequest) -> Bool {
    a.method == b.method && a.path == b.path && a.query == b.query && a.body == b.body
      && a.headers.elementsEqual(b.headers, by: ==)
  }
}

extension WebRequest {
  /// The maximum size of a request's first line and headers, in bytes.
  static let maximumHeadSize = 16_384
  static let maximumHeaderCount = 64

  /// Creates a request without its body.
  init(_ head: HTTPRequestHead) {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method: head.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
      headers: head.headers.map { ($0.name.lowercased(), $0.value.trimmed { $0 == " " || $0 == "\t" }) }, body: [])
  }

  /// The number of bytes in the body according to the head, or `nil` if that number is missing or invalid.
  var announcedSize: Int? {
    guard has("content-length") else { return method == "POST" ? nil : 0 }
    return header("content-length").flatMap { Int(httpDigits: $0, maximum: 999_999_999_999_999) }
  }

  /// Returns an error response, or `nil` if the head is acceptable.
  ///
  /// The parser rejects ambiguous heads; this is what this server requires in addition: a path, ASCII, and one length
  /// instead of chunks.
  func refusal(_ version: HTTPVersion, maximumBodySize: Int) -> WebResponse? {
    guard version == .http1_1 || version == .http1_0 else { return WebResponse(505, "this server supports HTTP/1.1") }
    guard path.first == "/" else { return WebResponse(400, "the path of the request must begin with /") }
    let texts = [path, query] + headers.map(\.value)
    guard texts.allSatisfy({ $0.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 } }) else {
      return WebResponse(400, "the head of the request must be ASCII text")
    }
    if has("transfer-encoding") { return WebResponse(411, "send the body with its length, not in chunks") }
    if has("content-encoding"), header("content-encoding") != "identity" {
      return WebResponse(415, "send the body uncompressed")
    }
    guard let size = announcedSize else {
      return has("content-length")
        ? WebResponse(400, "the request must have one Content-Length, an integer")
        : WebResponse(411, "a POST must have a Content-Length")
    }
    guard size <= maximumBodySize else {
      return WebResponse(413, "the body exceeds \(maximumBodySize) bytes; send smaller batches")
    }
    return nil
  }
}
