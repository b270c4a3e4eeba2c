import InertialNumerics
import InertialSensors
import Testing

@testable import InertialLogs

@Suite struct NDEFTests {
  /// Returns a record with a short payload: header, lengths, type, payload.
  private func record(_ type: String, _ payload: [UInt8], flags: UInt8 = 0xD1) -> [UInt8] {
    [flags, UInt8(type.utf8.count), UInt8(payload.count)] + Array(type.utf8) + payload
  }

  /// Returns a text record: status, language, text.
  private func text(_ status: UInt8, _ language: String, _ bytes: [UInt8], flags: UInt8 = 0xD1) -> [UInt8] {
    record("T", [status] + Array(language.utf8) + bytes, flags: flags)
  }

  private func uri(_ code: UInt8, _ rest: String, flags: UInt8 = 0xD1) -> [UInt8] {
    record("U", [code] + Array(rest.utf8), flags: flags)
  }

  private func content(_ bytes: [UInt8]) throws -> [NDEFRecord.Content] {
    try [NDEFRecord](message: bytes).map(\.content)
  }

  @Test("a text record contains its text and language, in UTF-8 and in both byte orders of UTF-16")
  func text() throws {
    #expect(try content(text(2, "en", Array("hello".utf8))) == [.text("hello", language: "en")])
    #expect(try content(text(2, "en", [0x21])) == [.text("!", language: "en")])
    #expect(try content(text(0, "", [0x21])) == [.text("!", language: "")])
    #expect(try content(text(2, "en", [])) == [.text("", language: "en")])
    let japanese = [NDEFRecord.Content.text("あ", language: "ja")]
    for bytes in [[0x30, 0x42], [0xFE, 0xFF, 0x30, 0x42], [0xFF, 0xFE, 0x42, 0x30]] as [[UInt8]] {
      #expect(try content(text(0x82, "ja", bytes)) == japanese)
    }
  }

  @Test(
    "a text record that violates the format is not a text",
    arguments: [
      [], [2], [2, 0x65], [0x3F, 0x65], [0x42, 0x65, 0x6E, 0x61], [2, 0xFF, 0xFE, 0x61], [2, 0x65, 0x6E, 0xFF],
      [0x82, 0x65, 0x6E, 0x30], [0x82, 0x65, 0x6E, 0xD8, 0x00],
    ] as [[UInt8]])
  func badText(payload: [UInt8]) throws { #expect(try content(record("T", payload)) == [.other]) }

  @Test(
    "a URI record has the prefix of its number; a reserved number has no prefix",
    arguments: [
      (0, ""), (1, "http://www."), (2, "https://www."), (4, "https://"), (5, "tel:"), (6, "mailto:"), (0x0D, "ftp://"),
      (0x13, "urn:"), (0x1D, "file://"), (0x23, "urn:nfc:"), (0x24, ""), (0xFF, ""),
    ] as [(UInt8, String)])
  func uri(code: UInt8, prefix: String) throws {
    #expect(try content(self.uri(code, "a.org")) == [.uri(prefix + "a.org")])
  }

  @Test("an absolute URI, a smart poster, an empty record and a media type are recognized")
  func others() throws {
    #expect(try content([0xD3, 5, 0] + Array("a:b/c".utf8)) == [.uri("a:b/c")])
    let poster = uri(3, "a", flags: 0x91) + text(2, "en", [0x62], flags: 0x51)
    let message = try [NDEFRecord](message: record("Sp", poster))
    guard case .smartPoster(let parts) = message[0].content else {
      Issue.record("no smart poster")
      return
    }
    #expect(parts.map(\.content) == [.uri("http://a"), .text("b", language: "en")])
    #expect(message.samples(at: 3).map { $0[text: "nfcContent"] } == ["http://a", "b"])
    let empty = try [NDEFRecord](message: [0xD0, 0, 0])
    #expect(empty[0].content == .other && empty.samples(at: 0)[0][text: "nfcType"] == "empty")
    let media = try [NDEFRecord](message: record("text/x", [0x0A, 0xFF], flags: 0xD2)).samples(at: 1)[0]
    #expect(media[text: "nfcType"] == "text/x" && media[text: "nfcContent"] == "0aff" && media.time == 1)
    let text = try [NDEFRecord](message: text(2, "en", Array("hi".utf8))).samples(at: 0)[0]
    #expect(text.texts == ["text", "hi", "en", "nfcWellKnown", ""])
  }

  @Test("several records, identifiers, long lengths and chunks are read, and bytes after the end are ignored")
  func structure() throws {
    let next: [UInt8] = [0x49, 1, 0, 0, 0, 2, 3, 0x55, 0x69, 0x64, 0x31, 0, 0x62]
    let message = try [NDEFRecord](message: uri(0, "a", flags: 0x91) + next + [0xFE, 0, 0])
    #expect(message.map(\.content) == [.uri("a"), .uri("b")])
    #expect(message[1].identifier == Array("id1".utf8))
    // A payload in three chunks.
    let chunked: [UInt8] = [0xB1, 1, 2, 0x55, 0, 0x61, 0x36, 0, 1, 0x62, 0x56, 0, 1, 0x63]
    #expect(try content(chunked) == [.uri("abc")])
    #expect(try [NDEFRecord](message: []).isEmpty)
  }

  @Test("damage is an error with the record's number")
  func damage() {
    #expect(throws: NDEFError.truncated(record: 1)) { try [NDEFRecord](message: [0xD1]) }
    #expect(throws: NDEFError.truncated(record: 1)) { try [NDEFRecord](message: [0xD1, 1, 200, 0x55]) }
    let long: [UInt8] = [0xC1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x55]
    #expect(throws: NDEFError.truncated(record: 1)) { try [NDEFRecord](message: long) }
    #expect(throws: NDEFError.truncated(record: 2)) { try [NDEFRecord](message: uri(0, "", flags: 0x91) + [0x51]) }
    #expect(throws: NDEFError.truncated(record: 1)) { try [NDEFRecord](message: [0xB1, 1, 1, 0x55, 0]) }
    for bytes in [[0xD6, 0, 0], [0xD7, 0, 0], [0xB1, 1, 1, 0x55, 0, 0x51, 1, 1, 0x55, 0]] as [[UInt8]] {
      #expect(throws: NDEFError.self) { try [NDEFRecord](message: bytes) }
    }
  }

  @Test("hexadecimal text with common separators is parsed to bytes")
  func hexadecimal() throws {
    let message = try [NDEFRecord](hexadecimalMessage: "D1 01:05-55 03612e6f72".uppercased())
    #expect(message.map(\.content) == [.uri("http://a.or")])
    for text in ["D", "D1 0", "zz", "D 1", "D１"] {
      #expect(throws: NDEFError.notHexadecimal) { try [NDEFRecord](hexadecimalMessage: text) }
    }
  }

  @Test("any bytes are read or refused, and the records are no larger than the bytes")
  func fuzz() {
    var generator = SeededGenerator(seed: 11)
    let poster = uri(3, "a", flags: 0x91) + text(2, "en", [0x62], flags: 0x51)
    let seed = record("Sp", poster, flags: 0x91) + [0xB1, 1, 2, 0x55, 0, 0x61, 0x56, 0, 1, 0x63]
    var read = 0
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: if bytes.count > 1 { bytes.remove(at: index) }
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
      }
      guard let message = try? [NDEFRecord](message: bytes) else { continue }
      read += 1
      let payload = message.reduce(0) { $0 + $1.payload.count + $1.type.count }
      #expect(payload <= bytes.count && message.samples(at: 0).count <= bytes.count)
    }
    #expect((1000..<19_000).contains(read), "\(read) read")
    // Deeply nested posters do not use the stack.
    var nested: [UInt8] = []
    for _ in 0..<20_000 {
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: nested.count >> $0) }
      nested = [0xC1, 2] + length + [0x53, 0x70] + nested
      if nested.count > 40_000 { break }
    }
    #expect(throws: Never.self) { try [NDEFRecord](message: nested).samples(at: 0) }
  }
}
