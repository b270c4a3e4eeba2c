/// Where samples come from while they are made.
public enum StreamAddress: Sendable, Hashable {
  /// "-"
  case standardInput
  /// "udp://host:port": the address of this machine at which datagrams are awaited. An empty host is 127.0.0.1, which only
  /// this machine reaches; "*" is every address; port 0 is one that is free.
  case udp(host: String, port: UInt16)

  /// Whether a text is written as a stream's address rather than as the path of a log.
  public static func isStream(_ text: String) -> Bool { text == "-" || text.hasPrefix(scheme) }

  /// The address of a text; an error for every text that is none.
  public init(_ text: String) throws(LogError) {
    if text == "-" {
      self = .standardInput
      return
    }
    guard text.hasPrefix(Self.scheme), let colon = text.lastIndex(of: ":"),
      colon >= text.index(text.startIndex, offsetBy: Self.scheme.count),
      let port = UInt16(text[text.index(after: colon)...])
    else {
      throw LogError(
        path: text, problem: "is no address of a stream", remedy: "give - for standard input, or udp://host:port")
    }
    var host = text[text.index(text.startIndex, offsetBy: Self.scheme.count)..<colon]
    // An address of version 6 has colons of its own.
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self = .udp(host: String(host), port: port)
  }

  private static let scheme = "udp://"
}

extension StreamAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .standardInput: "standard input"
    case .udp(let host, let port): "udp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
  }
}
