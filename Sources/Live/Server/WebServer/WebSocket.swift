/// WebSocket frames (RFC 6455), as far as a server that mostly sends needs them.
enum WebSocket {
  /// Returns the handshake response to a client's key.
  static func accept(key: String) -> String {
    base64(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  /// Returns whether a key consists of 16 bytes in Base64, as clients send it.
  static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==")
      && text.dropLast(2).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      word <<= UInt32(8 * (3 - part.count))
      for index in 0..<4 {
        text.append(index <= part.count ? letters[Int(word >> UInt32(18 - 6 * index) & 63)] : "=")
      }
    }
    return text
  }

  enum Code: UInt8 { case text = 1, binary = 2, close = 8, ping = 9, pong = 10 }

  /// Returns a complete server frame, which is not masked.
  static func frame(_ code: Code, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x80 | code.rawValue]
    bytes.reserveCapacity(payload.count + 10)
    switch payload.count {
    case ..<126: bytes.append(UInt8(payload.count))
    case ..<65_536: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
      bytes.append(127)
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 255)) }
    }
    return bytes + payload
  }

  /// Parses the frames of a client.
  struct Parser {
    enum Outcome: Equatable {
      case more
      case frame(code: UInt8, payload: [UInt8])
      /// The client has violated the protocol; the code is for the close frame.
      case failure(UInt16)
    }

    /// The maximum size of a client's message, in bytes.
    static let maximumMessageSize = 4096
    private var buffer: [UInt8] = []

    mutating func add(_ bytes: UnsafeRawBufferPointer) { buffer += bytes }

    mutating func next() -> Outcome {
      guard buffer.count >= 2 else { return .more }
      let (first, second) = (buffer[0], buffer[1])
      // Complete, masked frames without extensions.
      guard first & 0x70 == 0, second & 0x80 != 0 else { return .failure(1002) }
      guard first & 0x80 != 0, first & 15 != 0 else { return .failure(1003) }
      let short = Int(second & 0x7F)
      if first & 8 != 0, short > 125 { return .failure(1002) }
      guard short != 127 else { return .failure(1009) }
      let head = short == 126 ? 4 : 2
      guard buffer.count >= head else { return .more }
      let count = short == 126 ? Int(buffer[2]) << 8 | Int(buffer[3]) : short
      guard count <= Self.maximumMessageSize else { return .failure(1009) }
      guard buffer.count >= head + 4 + count else { return .more }
      let mask = Array(buffer[head..<head + 4])
      let payload = buffer[(head + 4)..<(head + 4 + count)].enumerated().map { $1 ^ mask[$0 & 3] }
      buffer.removeSubrange(..<(head + 4 + count))
      return .frame(code: first & 15, payload: payload)
    }
  }
}
