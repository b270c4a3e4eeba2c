internal import InertialFigures
internal import InertialJobs
internal import InertialLogs

/// The page at the server's address: one document, made for the name by which it was asked.
struct LivePageMaker {
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
    // Older browsers do not count a WebSocket to the page's own origin; the name was checked when the request came.
    let host = request.header("host") ?? ""
    let page = LivePage.html(facts: facts, connections: ["'self'", "ws://\(host)", "wss://\(host)"])
    return WebResponse(200, type: "text/html; charset=utf-8", body: Array(page.utf8))
  }
}
