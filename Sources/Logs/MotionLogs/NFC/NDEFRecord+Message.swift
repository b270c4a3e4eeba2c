package import InertialSensors

/// The reason why bytes are not an NDEF message.
package enum NDEFError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes end within the record with this number, counted from 1.
  case truncated(record: Int)
  /// The record violates the format.
  case malformed(record: Int, String)
  /// The text does not consist of pairs of hexadecimal digits.
  case notHexadecimal

  package var description: String {
    switch self {
    case .truncated(let record): "the NDEF message ends inside record \(record)"
    case .malformed(let record, let what): "NDEF record \(record): \(what)"
    case .notHexadecimal: "not pairs of hexadecimal digits"
    }
  }
}

// The records of an NFC tag: a message of the NFC Data Exchange Format (NFC Forum, NDEF 1.0).
extension [NDEFRecord] {
  /// Parses a message and joins the chunks of each payload. Memory is bounded by the number of bytes.
  package init(message bytes: [UInt8]) throws(NDEFError) {
    self = []
    var rest = bytes[...]
    // The bytes after the end of the message are the tag's padding.
    while !rest.isEmpty, try takeRecord(&rest) {}
  }

  /// Appends the next record and returns whether more records follow (NDEF 1.0, section 3.2).
  private mutating func takeRecord(_ rest: inout ArraySlice<UInt8>) throws(NDEFError) -> Bool {
    let number = count + 1
    /// Takes the next bytes. Throws ``NDEFError`` if fewer are left, before allocating memory.
    func take(_ count: Int) throws(NDEFError) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw .truncated(record: number) }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    /// Takes the header of a record or chunk, and its payload.
    func chunk() throws(NDEFError) -> Chunk {
      let flags = try take(1).first!
      let typeLength = Int(try take(1).first!)
      var payloadLength = 0
      for byte in try take(flags & 0x10 != 0 ? 1 : 4) { payloadLength = payloadLength << 8 | Int(byte) }
      let identifierLength = flags & 0x08 != 0 ? Int(try take(1).first!) : 0
      return (flags, try take(typeLength), try take(identifierLength), try take(payloadLength))
    }
    // The bits of the flags.
    let (endBit, continuedBit, formatBits): (UInt8, UInt8, UInt8) = (0x40, 0x20, 0x07)
    let first = try chunk()
    guard let format = NDEFRecord.Format(rawValue: first.flags & formatBits) else {
      throw .malformed(
        record: number, "type name format \(first.flags & formatBits) is invalid, or its first chunk is missing")
    }
    var (payload, last) = ([UInt8](first.payload), first)
    while last.flags & continuedBit != 0 {
      last = try chunk()
      // Later chunks have the format "unchanged", no type and no identifier (section 2.3.3).
      guard last.flags & formatBits == 6, last.type.isEmpty, last.identifier.isEmpty else {
        throw .malformed(record: number, "a chunk is not followed by its continuation")
      }
      payload += last.payload
    }
    append(
      NDEFRecord(format: format, type: [UInt8](first.type), identifier: [UInt8](first.identifier), payload: payload))
    return last.flags & endBit == 0
  }

  private typealias Chunk = (
    flags: UInt8, type: ArraySlice<UInt8>, identifier: ArraySlice<UInt8>, payload: ArraySlice<UInt8>
  )

  /// Parses a message in pairs of hexadecimal digits, optionally separated by blanks, colons or hyphens.
  package init(hexadecimalMessage text: String) throws(NDEFError) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for scalar in text.unicodeScalars {
      if [" ", ":", "-"].contains(scalar), high == nil { continue }
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { throw .notHexadecimal }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    guard high == nil else { throw .notHexadecimal }
    try self.init(message: bytes)
  }

  /// Returns the records as samples of the channel `nfc`, all with the given time.
  package func samples(at time: Double) -> [AuxiliarySample] {
    flatMap { record in
      switch record.content {
      case .smartPoster(let parts): parts.filter { $0.content.isReadable }.map { $0.sample(at: time) }
      default: [record.sample(at: time)]
      }
    }
  }
}
