internal import CQRCode
internal import InertialFigures
internal import InertialJobs
internal import InertialLogs

/// Renders the page at the server's address: a single document, for the host name in the request.
struct LivePageRenderer {
  private let addresses: LiveAddresses

  init(_ addresses: LiveAddresses) { self.addresses = addresses }

  func response(for request: WebRequest) -> WebResponse {
    let rows = Self.code(addresses.push)?.map(LiveJSON.text)
    let facts = LiveJSON.object([
      ("version", LiveJSON.text(ToolVersion.current)), ("push", LiveJSON.text(addresses.push)),
      ("code", rows.map { "[\($0.joined(separator: ","))]" } ?? "null"),
    ])
    // Older browsers do not include WebSockets in the page's own origin; the host name was checked with the request.
    let host = request.header("host") ?? ""
    let page = LivePage.html(facts: facts, connections: ["'self'", "ws://\(host)", "wss://\(host)"])
    return WebResponse(200, type: "text/html; charset=utf-8", body: Array(page.utf8))
  }

  /// Returns the rows of a text's QR code, `1` for a dark module, without the quiet zone around them, or `nil` if the
  /// text is too long.
  static func code(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    return (0..<size).map { row in
      String((0..<size).map { code.pointee.data[row * size + $0] & 1 == 1 ? "1" : "0" })
    }
  }
}
