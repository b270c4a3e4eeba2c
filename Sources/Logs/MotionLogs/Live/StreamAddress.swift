/// The address of a real-time source of samples.
public enum StreamAddress: Sendable, Hashable {
  /// "-"
  case standardInput
  /// "udp://host:port": the address of this machine that receives datagrams. An empty host is 127.0.0.1, which only
  /// this machine reaches; "*" is every address; port 0 is any free port.
  case udp(host: String, port: UInt16)
  /// "tcp://host:port": the numeric address of this machine that accepts one connection. Host and port as for `udp`.
  case tcp(host: String, port: UInt16)
  /// "http://host:port/path": the page of `inertial serve`, whose samples are read. The path contains the server's
  /// token if it has one. The query "?device=NAME" selects a device; the default is the first device that sends.
  case server(host: String, port: UInt16, path: String)

  /// Whether a string is a stream's address rather than the path of a log.
  public static func isStream(_ text: String) -> Bool {
    text == "-" || ["udp://", "tcp://", "http://", "https://"].contains(where: text.hasPrefix)
  }

  /// Parses an address. Throws ``LogError`` if the string is not a valid address.
  public init(_ text: String) throws(LogError) {
    if text == "-" {
      self = .standardInput
      return
    }
    if text.hasPrefix("https://") {
      throw LogError(
        path: text, problem: "is encrypted, which is not supported",
        remedy: "read it with curl: curl -sN \(text.hasSuffix("/") ? text : text + "/")samples, with - for its output")
    }
    let isServer = text.hasPrefix("http://")
    let scheme = isServer ? "http://" : text.hasPrefix("tcp://") ? "tcp://" : "udp://"
    var (place, path) = (text.dropFirst(text.hasPrefix(scheme) ? scheme.count : 0), "/")
    if isServer, let slash = place.firstIndex(where: { $0 == "/" || $0 == "?" }) {
      (place, path) = (place[..<slash], String(place[slash...]))
      if path.first == "?" { path = "/" + path }
    }
    guard text.hasPrefix(scheme), let (host, port) = Self.hostAndPort(place, port: isServer ? 80 : nil),
      !isServer || !host.isEmpty && Self.isPlain(path)
    else {
      throw LogError(
        path: text, problem: "is not the address of a stream",
        remedy:
          "give - for standard input, udp://host:port, tcp://host:port, or the page of inertial serve, http://host:port/"
      )
    }
    self =
      isServer
      ? .server(host: host, port: port, path: path)
      : scheme == "tcp://" ? .tcp(host: host, port: port) : .udp(host: host, port: port)
  }

  private static func hostAndPort(_ text: Substring, port: UInt16?) -> (host: String, port: UInt16)? {
    var (host, number) = (text, port)
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      (host, number) = (text[..<colon], UInt16(text[text.index(after: colon)...]))
    }
    guard let number else { return nil }
    // An IPv6 address itself contains colons.
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return (String(host), number)
  }

  /// Whether a path needs no escaping in a request's first line.
  private static func isPlain(_ path: String) -> Bool { path.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

extension StreamAddress: CustomStringConvertible {
  public var description: String {
    func place(_ host: String, _ port: UInt16) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    return switch self {
    case .standardInput: "standard input"
    case .udp(let host, let port): "udp://" + place(host, port)
    case .tcp(let host, let port): "tcp://" + place(host, port)
    case .server(let host, let port, let path): "http://" + place(host, port) + path
    }
  }
}
