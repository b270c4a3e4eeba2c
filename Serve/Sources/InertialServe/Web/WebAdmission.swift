internal import InertialSystem

/// Decides which requests are admitted, by the address in the request, the origin of the page, and the token.
///
/// A page of another site can reach a server at home through its own name that resolves to this machine (DNS
/// rebinding), or by submitting a form. `Host` reveals the former, and `Origin` the latter; neither site can read
/// responses, as no response has a header that permits it.
struct WebAdmission: Sendable {
  /// The names and addresses, with ports, at which the server accepts requests.
  var hosts: Set<String>
  /// Whether any numeric address at `port` is accepted; a server that listens on all addresses cannot list them.
  var takesAnyAddress = false
  var port: UInt16
  /// The scheme of the server's own addresses: `http`, or `https` if the server encrypts.
  var scheme = "http"
  /// A further origin of pages, such as a proxy's `https://phone.example.org`, or `nil` without a proxy.
  var publicOrigin: String?
  /// The prefix that the path must have, or `nil` if only this machine can reach the server.
  let token: String?

  init(hosts: Set<String>, port: UInt16, token: String?) {
    (self.hosts, self.port, self.token) = (hosts, port, token)
  }

  /// The decision on a request.
  enum Verdict {
    /// The request is admitted; the path follows the token.
    case admitted(path: String)
    case refused(WebResponse)
  }

  /// Decides on a request.
  func verdict(on request: WebRequest) -> Verdict {
    guard let host = request.header("host")?.lowercased(), isServed(host) else {
      return .refused(
        WebResponse(421, "this address is unknown to the server; start the server with --public ADDRESS"))
    }
    if request.has("origin"), !isOwn(request.header("origin"), host: host) {
      return .refused(WebResponse(403, "requests from pages of other addresses are rejected"))
    }
    if let site = request.header("sec-fetch-site"), site == "cross-site", request.method != "GET" {
      return .refused(WebResponse(403, "requests from pages of other addresses are rejected"))
    }
    guard let token else { return .admitted(path: request.path) }
    let rest = request.path.dropFirst()
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard Self.areEqual(Array(rest[..<end].utf8), Array(token.utf8)) else {
      return .refused(WebResponse(403, "the address lacks the token that the server printed at its start"))
    }
    return .admitted(path: end == rest.endIndex ? "" : String(rest[end...]))
  }

  private func isServed(_ host: String) -> Bool {
    if hosts.contains(host) { return true }
    if let publicOrigin, let name = publicOrigin.split(separator: "/").last, host == name.lowercased() { return true }
    guard takesAnyAddress, host.hasSuffix(":\(port)") else { return false }
    return Self.isAddress(String(host.dropLast(":\(port)".count)))
  }

  /// Returns whether an origin is the server's own: the same name and port.
  private func isOwn(_ origin: String?, host: String) -> Bool {
    guard let origin = origin?.lowercased() else { return false }
    return origin == scheme + "://" + host || publicOrigin.map { origin == $0.lowercased() } ?? false
  }

  /// Returns whether a host is a numeric address, which needs no name server.
  static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      var address = in6_addr()
      return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
    }
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1
  }

  /// Compares in constant time; only different lengths return early.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return difference == 0
  }

  /// Returns 130 random bits of the system, in letters and digits that cannot be confused.
  static func makeToken() -> String {
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var system = SystemRandomNumberGenerator()
    return String((0..<26).map { _ in letters[Int.random(in: 0..<32, using: &system)] })
  }
}
