internal import InertialSystem

/// The addresses of a live server, and the rules for requests to it.
struct LiveAddresses: Sendable {
  /// The requested address, port and encryption.
  struct Plan: Sendable {
    /// The numeric address to listen on; `nil` for this machine only, 127.0.0.1 and ::1.
    var address: String?
    var port: UInt16
    /// The origin at which a proxy makes the server reachable, such as `https://phone.example.org`, or `nil` without a
    /// proxy.
    var publicOrigin: String?
    /// The certificate for encryption, or `nil` for an unencrypted server.
    var certificate: WebCertificate?

    init(
      address: String? = nil, port: UInt16, publicOrigin: String? = nil, certificate: WebCertificate? = nil
    ) {
      (self.address, self.port, self.publicOrigin) = (address, port, publicOrigin)
      self.certificate = certificate
    }

    var scheme: String { certificate == nil ? "http" : "https" }

    var listened: [String] { address.map { [$0] } ?? ["127.0.0.1", "::1"] }
    /// Whether the server is reachable from other machines.
    var isOpen: Bool { publicOrigin != nil || !listened.allSatisfy(Self.isLoopback) }

    private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }
  }

  let port: UInt16
  /// The access token, or `nil` if only this machine can reach the server.
  let token: String?
  private let plan: Plan

  init(_ plan: Plan, port: UInt16) {
    (self.plan, self.port) = (plan, port)
    token = plan.isOpen ? WebAdmission.makeToken() : nil
  }

  /// The URL of the page.
  var page: String { origin + path + "/" }
  /// The URL to enter in the app.
  var push: String { origin + path + "/push" }

  private var path: String { token.map { "/" + $0 } ?? "" }

  private var origin: String {
    if let given = plan.publicOrigin { return given }
    let host = plan.address.map { Self.isAny($0) ? Self.ownAddress(like: $0) ?? $0 : $0 } ?? "127.0.0.1"
    return "\(plan.scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  var admission: WebAdmission {
    let names = plan.listened.map { $0.contains(":") ? "[\($0)]" : $0 } + ["localhost", "127.0.0.1", "[::1]"]
    var hosts = Set(names.map { "\($0):\(port)" })
    // A default port is omitted from the host name.
    if port == (plan.certificate == nil ? 80 : 443) { hosts.formUnion(names) }
    var admission = WebAdmission(hosts: hosts, port: port, token: token)
    admission.takesAnyAddress = plan.listened.contains(where: Self.isAny)
    admission.publicOrigin = plan.publicOrigin
    admission.scheme = plan.scheme
    return admission
  }

  private static func isAny(_ address: String) -> Bool { address == "0.0.0.0" || address == "::" }

  /// Returns an address of this machine that other machines can reach, of the same IP version as the given address.
  private static func ownAddress(like address: String) -> String? {
    let family = address.contains(":") ? AF_INET6 : AF_INET
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == family else { continue }
      var host = [CChar](repeating: 0, count: 1025)
      let size = socklen_t(family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // Skip loopback and link-local addresses.
      if !text.hasPrefix("127."), text != "::1", !text.hasPrefix("fe80:"), !text.hasPrefix("169.254.") { return text }
    }
    return nil
  }
}
