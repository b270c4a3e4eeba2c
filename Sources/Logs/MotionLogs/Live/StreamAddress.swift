/// Where samples come from while they are made.
public enum StreamAddress: Sendable, Hashable {
  /// "-"
  case standardInput
  /// "udp://host:port": the address of this machine at which datagrams are awaited. An empty host is 127.0.0.1, which only
  /// this machine reaches; "*" is every address; port 0 is one that is free.
  case udp(host: String, port: UInt16)
  /// "tcp://host:port": the address of this machine, in digits, at which one connection is awaited. Host and port as of
  /// `udp`.
  case tcp(host: String, port: UInt16)
  /// "http://host:port/path": the page of `inertial serve`, whose samples are read. The path holds the server's token where
  /// it has one; "?device=NAME" behind it says whose samples, else they are those of the first device that sends.
  case server(host: String, port: UInt16, path: String)

  /// Whether a text is written as a stream's address rather than as the path of a log.
  public static func isStream(_ text: String) -> Bool {
    text == "-" || ["udp://", "tcp://", "http://", "https://"].contains(where: text.hasPrefix)
  }

  /// The address of a text; an error for every text that is none.
  public init(_ text: String) throws(LogError) {
    if text == "-" {
      self = .standardInput
      return
    }
    if text.hasPrefix("https://") {
      throw LogError(
        path: text, problem: "is encrypted, which this reader does not speak",
        remedy: "have curl read it: curl -sN \(text.hasSuffix("/") ? text : text + "/")samples, with - for its output")
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
        path: text, problem: "is no address of a stream",
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
    // An address of version 6 has colons of its own.
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return (String(host), number)
  }

  /// Whether a path stands in a request's first line as it is.
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
