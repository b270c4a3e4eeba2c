internal import InertialSystem

/// Who may send to a stream of datagrams.
public struct StreamAdmission: Sendable, Equatable {
  /// The only machine whose datagrams are taken, by its name or address; nil: any, one sender at a time.
  public var from: String?
  /// The first line of every datagram that is taken; nil: none is asked for. It is sent as it is: it keeps out who is there
  /// by mistake, and nobody who listens.
  public var secret: String?
  /// Seconds without a datagram of the one sender after which another may take over.
  public var patience = 2.0

  /// By default any sender, one at a time.
  public init(from: String? = nil, secret: String? = nil) {
    self.from = from
    self.secret = secret
  }
}

/// Lets one sender's datagrams in, and counts the others'.
///
/// A sender is an address and a port. The first whose line can be read is heard until it has been silent for a while: rows
/// of two senders in one stream would be nobody's motion.
struct StreamGate {
  enum Verdict: Equatable {
    /// Behind so many bytes; `isNew` where the datagram before was of another sender.
    case admitted(skipping: Int, isNew: Bool)
    case refused
  }

  private let hosts: Set<[UInt8]>?
  private let secret: [UInt8]?
  private let patience: Double
  private var current: StreamSender?
  private var isHeard = false
  private var lastTime = -Double.infinity
  /// Datagrams that were left out.
  private(set) var refusedCount = 0
  /// Whose the last of them was.
  private(set) var lastRefused: StreamSender?

  /// - Throws: where the name of the machine that may send is not known.
  init(_ admission: StreamAdmission) throws(LogError) {
    hosts = try admission.from.map { (name) throws(LogError) in Set(try StreamSender.hosts(of: name)) }
    secret = admission.secret.map { Array($0.utf8) }
    patience = admission.patience
  }

  /// Judges a datagram that came at a time, in seconds of a clock that only goes on.
  mutating func judge(_ bytes: UnsafeRawBufferPointer, of sender: StreamSender, at time: Double) -> Verdict {
    guard hosts?.contains(sender.host) != false, let skipped = skippedCount(bytes),
      sender == current || !isHeard || time - lastTime >= patience
    else {
      refusedCount += 1
      lastRefused = sender
      return .refused
    }
    let isNew = sender != current
    if isNew { (current, isHeard) = (sender, false) }
    lastTime = time
    return .admitted(skipping: skipped, isNew: isNew)
  }

  /// The sender of the last datagram that was let in has sent a line that can be read.
  mutating func hear() { isHeard = true }

  /// Bytes of the secret and its line's end; nil where it is not there.
  private func skippedCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let secret else { return 0 }
    guard bytes.count >= secret.count else { return nil }
    // Takes as long whatever is wrong.
    var difference: UInt8 = 0
    for (place, byte) in secret.enumerated() { difference |= byte ^ bytes[place] }
    var rest = secret.count
    if rest < bytes.count, bytes[rest] == 0x0D { rest += 1 }
    if rest < bytes.count {
      guard bytes[rest] == 0x0A else { return nil }
      rest += 1
    }
    return difference == 0 ? rest : nil
  }
}

/// Where a datagram came from.
struct StreamSender: Hashable, Sendable, CustomStringConvertible {
  /// The address, 4 or 16 bytes.
  let host: [UInt8]
  let port: UInt16

  init?(_ storage: sockaddr_storage) {
    let isShort = Int32(storage.ss_family) == AF_INET
    guard isShort || Int32(storage.ss_family) == AF_INET6 else { return nil }
    // Both kinds have the port at one place, the high byte first.
    let bytes = withUnsafeBytes(of: storage) { Array($0.prefix(24)) }
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    let address = Array(isShort ? bytes[4..<8] : bytes[8..<24])
    // An address of version 4 in one of version 6.
    host = address.starts(with: Self.mapped) ? Array(address.suffix(4)) : address
  }

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  /// The addresses of a machine.
  static func hosts(of name: String) throws(LogError) -> [[UInt8]] {
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, nil, nil, &found)
    guard status == 0, let first = found else {
      throw LogError(
        path: name, problem: "the host is not known: \(String(cString: gai_strerror(status)))",
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
