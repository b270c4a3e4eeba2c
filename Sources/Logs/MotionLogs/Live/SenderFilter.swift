internal import InertialSystem

/// The conditions for accepting datagrams of a stream.
public struct SenderPolicy: Sendable, Equatable {
  /// The only machine whose datagrams are accepted, by its name or address; `nil`: any machine, one sender at a time.
  public var from: String?
  /// The first line of every accepted datagram; `nil`: not required. It is sent unencrypted: it excludes accidental
  /// senders, but does not protect against eavesdroppers.
  public var secret: String?
  /// The duration in seconds without a datagram of the current sender after which another sender may take over.
  public var patience = 2.0

  /// Creates the conditions. By default any sender is accepted, one at a time.
  public init(from: String? = nil, secret: String? = nil) {
    self.from = from
    self.secret = secret
  }
}

/// Accepts the datagrams of one sender, and counts those of others.
///
/// A sender is an address and a port. The first sender with a readable line is heard until it has been silent for a
/// while: a stream must not mix the rows of two senders.
struct SenderFilter {
  private let hosts: Set<[UInt8]>?
  private let secret: [UInt8]?
  private let patience: Double
  /// The sender of the last accepted datagram.
  private(set) var current: StreamSender?
  /// Whether a line of the current sender could be read.
  private(set) var isHeard = false
  private var lastTime = -Double.infinity
  /// The number of refused datagrams.
  private(set) var refusedCount = 0
  /// The sender of the last refused datagram.
  private(set) var lastRefused: StreamSender?

  /// - Throws: ``LogError`` if the name of the permitted machine is unknown.
  init(_ admission: SenderPolicy) throws(LogError) {
    hosts = try admission.from.map { (name) throws(LogError) in Set(try StreamSender.hosts(of: name)) }
    secret = admission.secret.map { Array($0.utf8) }
    patience = admission.patience
  }

  /// Accepts a datagram received at a time of a monotonic clock, in seconds, or refuses it and returns `nil`.
  ///
  /// - Returns: The number of bytes to skip, and whether the previous datagram had another sender.
  mutating func accept(
    _ bytes: UnsafeRawBufferPointer, of sender: StreamSender, at time: Double
  ) -> (skipping: Int, isNew: Bool)? {
    guard hosts?.contains(sender.host) != false, let skipped = skippedCount(bytes),
      sender == current || !isHeard || time - lastTime >= patience
    else {
      refusedCount += 1
      lastRefused = sender
      return nil
    }
    let isNew = sender != current
    if isNew { (current, isHeard) = (sender, false) }
    lastTime = time
    return (skipped, isNew)
  }

  /// Records that the current sender has sent a readable line.
  mutating func hear() { isHeard = true }

  /// Returns the number of bytes of the secret and its line end, or `nil` if the secret is missing.
  private func skippedCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let secret else { return 0 }
    guard bytes.count >= secret.count else { return nil }
    // Compares in constant time.
    var difference: UInt8 = 0
    for (index, byte) in secret.enumerated() { difference |= byte ^ bytes[index] }
    var rest = secret.count
    if rest < bytes.count, bytes[rest] == 0x0D { rest += 1 }
    if rest < bytes.count {
      guard bytes[rest] == 0x0A else { return nil }
      rest += 1
    }
    return difference == 0 ? rest : nil
  }
}

/// The sender of a datagram.
struct StreamSender: Hashable, Sendable, CustomStringConvertible {
  /// The address, 4 or 16 bytes.
  let host: [UInt8]
  let port: UInt16

  init?(_ storage: sockaddr_storage) {
    let isShort = Int32(storage.ss_family) == AF_INET
    guard isShort || Int32(storage.ss_family) == AF_INET6 else { return nil }
    // Both kinds of address have the port at the same offset, in big-endian order.
    let bytes = withUnsafeBytes(of: storage) { Array($0.prefix(24)) }
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    let address = Array(isShort ? bytes[4..<8] : bytes[8..<24])
    // An IPv4 address mapped to IPv6.
    host = address.starts(with: Self.mapped) ? Array(address.suffix(4)) : address
  }

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Returns the addresses of a machine.
  static func hosts(of name: String) throws(LogError) -> [[UInt8]] {
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, nil, nil, &found)
    guard status == 0, let first = found else {
      throw LogError(
        path: name, problem: "the host is unknown: \(String(cString: gai_strerror(status)))",
        remedy: "give the name or address of the machine that sends")
    }
    defer { freeaddrinfo(first) }
    var hosts: [[UInt8]] = []
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let info = candidate?.pointee {
      candidate = info.ai_next
      guard let address = info.ai_addr else { continue }
      var storage = sockaddr_storage()
      withUnsafeMutableBytes(of: &storage) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: min(Int(info.ai_addrlen), bytes.count)))
      }
      if let sender = StreamSender(storage) { hosts.append(sender.host) }
    }
    return hosts
  }

  var description: String {
    guard host.count == 16 else { return host.map(String.init).joined(separator: ".") + ":\(port)" }
    let groups = stride(from: 0, to: 16, by: 2).map { String(UInt16(host[$0]) << 8 | UInt16(host[$0 + 1]), radix: 16) }
    return "[\(groups.joined(separator: ":"))]:\(port)"
  }
}
