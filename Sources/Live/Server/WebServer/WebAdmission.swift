internal import InertialSystem

/// Which requests are let in: by the address that they were sent to, the page that they come from, and the token.
///
/// A page of somebody else's reaches a server at home by a name of its own that leads here (DNS rebinding), or sends what
/// a form may send. The first is told by `Host`, the second by `Origin`; neither may be read by it, as no answer has a
/// header that allows that.
package struct WebAdmission: Sendable {
  /// The names and addresses, with ports, at which the server is meant to be asked.
  package var hosts: Set<String>
  /// Whether any address in digits is meant, at `port`; what is listened at everywhere does not know its addresses.
  package var takesAnyAddress = false
  package var port: UInt16
  /// What the server's own addresses begin with: http, or https where it encrypts.
  package var scheme = "http"
  /// Where pages come from beside these, `https://phone.example.org`: a proxy's; nil without one.
  package var publicOrigin: String?
  /// What the path has to begin with; nil where only this machine reaches the server.
  package let token: String?

  package init(hosts: Set<String>, port: UInt16, token: String?) {
    (self.hosts, self.port, self.token) = (hosts, port, token)
  }

  package enum Verdict {
    /// The path behind the token.
    case admitted(path: String)
    case refused(WebResponse)
  }

  package func judge(_ request: WebRequest) -> Verdict {
    guard let host = request.header("host")?.lowercased(), isMeant(host) else {
      return .refused(
        WebResponse(421, "this address is not one that the server was told; --public ADDRESS tells it another"))
    }
    if request.has("origin"), !isOwn(request.header("origin"), host: host) {
      return .refused(WebResponse(403, "pages of other addresses may not ask here"))
    }
    if let site = request.header("sec-fetch-site"), site == "cross-site", request.method != "GET" {
      return .refused(WebResponse(403, "pages of other addresses may not ask here"))
    }
    guard let token else { return .admitted(path: request.path) }
    let rest = request.path.dropFirst()
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard Self.areEqual(Array(rest[..<end].utf8), Array(token.utf8)) else {
      return .refused(WebResponse(403, "the address lacks the token that the server showed when it began"))
    }
    return .admitted(path: end == rest.endIndex ? "" : String(rest[end...]))
  }

  private func isMeant(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    if let publicOrigin, let name = publicOrigin.split(separator: "/").last, host == name.lowercased() { return true }
    guard takesAnyAddress, host.hasSuffix(":\(port)") else { return false }
    return Self.isAddress(String(host.dropLast(":\(port)".count)))
  }

  /// Whether a page of an origin is this server's own: it was loaded from the same name and port.
  private func isOwn(_ origin: String?, host: String) -> Bool {
    guard let origin = origin?.lowercased() else { return false }
    return origin == scheme + "://" + host || publicOrigin.map { origin == $0.lowercased() } ?? false
  }

  /// Whether a host is written in digits: no name server was asked for it.
  static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      var address = in6_addr()
      return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
    }
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1
  }

  /// Takes as long whatever is wrong, but for the length.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return difference == 0
  }

  /// 130 bits from the system, in letters and digits that nobody takes for each other.
  package static func makeToken() -> String {
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var system = SystemRandomNumberGenerator()
    return String((0..<26).map { _ in letters[Int.random(in: 0..<32, using: &system)] })
  }
}

/// How much an address may ask for, so that one sender does not take the server from the others.
package struct WebLimits: Sendable {
  /// Bytes of a body.
  package var longestBody = 4 << 20
  /// Connections at a time.
  package var connections = 256
  /// Requests a second of one address, in the long run; twice as many may come at once.
  package var requestsPerSecond = 2500.0
  /// Seconds from the first byte of a request to its last.
  package var requestTime = 10.0
  /// Seconds that a connection is kept without a request.
  package var idleTime = 75.0
  /// Bytes that wait to be taken by a reader before messages are left out for it.
  package var waiting = 1 << 20
  /// Seconds in which a reader takes nothing before it is given up.
  package var stallTime = 20.0

  package init() {}
}
