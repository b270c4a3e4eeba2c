internal import InertialFigures
internal import InertialJobs
internal import InertialLogs

/// Renders the page at the server's address: a single document, for the host name in the request.
struct LivePageRenderer {
  private let addresses: LiveAddresses

  init(_ addresses: LiveAddresses) { self.addresses = addresses }

  func response(for request: WebRequest) -> WebResponse {
    let code = QRCode(addresses.push)
    let rows = code.map { code in
      (0..<code.size).map { row in
        LiveJSON.text(String((0..<code.size).map { code.modules[row * code.size + $0] ? "1" : "0" }))
      }
    }
    let facts = LiveJSON.object([
      ("version", LiveJSON.text(ToolVersion.current)), ("push", LiveJSON.text(addresses.push)),
      ("code", rows.map { "[\($0.joined(separator: ","))]" } ?? "null"),
    ])
    // Older browsers do not include WebSockets in the page's own origin; the host name was checked with the request.
    let host = request.header("host") ?? ""
    let page = LivePage.html(facts: facts, connections: ["'self'", "ws://\(host)", "wss://\(host)"])
    return WebResponse(200, type: "text/html; charset=utf-8", body: Array(page.utf8))
  }
}
