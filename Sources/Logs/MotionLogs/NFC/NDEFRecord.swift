internal import InertialSensors

/// A record of an NFC tag.
package struct NDEFRecord: Sendable, Equatable {
  /// The namespace of the type (NDEF 1.0, section 3.2.6).
  package enum Format: UInt8, Sendable {
    case empty = 0
    /// A type defined by the NFC Forum, such as "T" and "U".
    case wellKnown = 1
    /// A media type, such as "text/vcard".
    case media = 2
    /// A type that is itself a URI.
    case absoluteURI = 3
    case external = 4
    case unknown = 5

    /// The name, as in Core NFC (NFCTypeNameFormat).
    var name: String {
      switch self {
      case .empty: "empty"
      case .wellKnown: "nfcWellKnown"
      case .media: "media"
      case .absoluteURI: "absoluteURI"
      case .external: "nfcExternal"
      case .unknown: "unknown"
      }
    }
  }

  /// The decoded content of a record.
  package enum Content: Sendable, Equatable {
    case text(String, language: String)
    case uri(String)
    /// A URI with titles and other data as nested records.
    case smartPoster([NDEFRecord])
    /// Any other type, or a known type with an invalid payload.
    case other

    var isReadable: Bool { if case .other = self { false } else { true } }
  }

  package var format: Format
  package var type: [UInt8]
  package var identifier: [UInt8]
  package var payload: [UInt8]

  package init(format: Format, type: [UInt8], identifier: [UInt8] = [], payload: [UInt8]) {
    self.format = format
    self.type = type
    self.identifier = identifier
    self.payload = payload
  }

  package var content: Content {
    switch (format, type) {
    case (.wellKnown, [0x54]): text ?? .other
    case (.wellKnown, [0x55]): uri ?? .other
    // Nested records are decoded on access, so that nested posters use no stack.
    case (.wellKnown, [0x53, 0x70]): (try? [NDEFRecord](message: payload)).map { .smartPoster($0) } ?? .other
    case (.absoluteURI, _): String(validating: type, as: UTF8.self).map { .uri($0) } ?? .other
    default: .other
    }
  }

  /// Decodes a text record (NFC Forum RTD Text 1.0): a status byte, the language, the text as UTF-8 or UTF-16.
  private var text: Content? {
    guard let status = payload.first else { return nil }
    let languageLength = Int(status & 0x3F)
    // Bit 6 must be 0.
    guard status & 0x40 == 0, languageLength < payload.count,
      let language = String(validating: payload[1..<(1 + languageLength)], as: UTF8.self)
    else { return nil }
    let bytes = payload[(1 + languageLength)...]
    let text = status & 0x80 == 0 ? String(validating: bytes, as: UTF8.self) : Self.utf16(bytes)
    return text.map { .text($0, language: language) }
  }

  /// Decodes UTF-16, big-endian unless it begins with a byte order mark.
  private static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
    var bytes = Array(bytes)
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    if isLittle || bytes.starts(with: [0xFE, 0xFF]) { bytes.removeFirst(2) }
    let units = stride(from: 0, to: bytes.count, by: 2).map { index in
      let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? b << 8 | a : a << 8 | b
    }
    return String(validating: units, as: UTF16.self)
  }

  /// Decodes a URI record (NFC Forum RTD URI 1.0): the number of a prefix, and the rest of the URI as UTF-8.
  private var uri: Content? {
    guard let code = payload.first, let rest = String(validating: payload[1...], as: UTF8.self) else { return nil }
    // Numbers without a prefix are reserved and mean no prefix (section 3.2.2).
    return .uri((Int(code) < Self.prefixes.count ? Self.prefixes[Int(code)] : "") + rest)
  }

  /// The prefixes by number (RTD URI 1.0, table 3).
  private static let prefixes = [
    "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@",
    "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:",
    "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://",
    "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
  ]

  /// Returns the record as a sample of the channel `nfc`.
  func sample(at time: Double) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: .nfc)
    sample[text: "nfcTypeNameFormat"] = format.name
    sample[text: "nfcIdentifier"] = String(validating: identifier, as: UTF8.self) ?? ""
    switch content {
    case .text(let text, let language):
      sample[text: "nfcType"] = "text"
      sample[text: "nfcContent"] = text
      sample[text: "nfcLanguage"] = language
    case .uri(let uri):
      sample[text: "nfcType"] = "uri"
      sample[text: "nfcContent"] = uri
    case .smartPoster: sample[text: "nfcType"] = "smart poster"
    case .other:
      sample[text: "nfcType"] = format == .empty ? "empty" : String(decoding: type, as: UTF8.self)
      sample[text: "nfcContent"] = payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return sample
  }
}
