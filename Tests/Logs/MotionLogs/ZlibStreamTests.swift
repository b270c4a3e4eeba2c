import InertialNumerics
import Testing

@testable import InertialLogs

@Suite("Streams of zlib") struct ZlibStreamTests {
  @Test("compressed bytes are decompressed to the same bytes", arguments: [ZlibStream.Format.zlib, .raw])
  func roundTrip(format: ZlibStream.Format) throws {
    var random = SeededGenerator(seed: 9)
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let squares = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let cases: [[UInt8]] = [
      [], [0], [1, 2], Array("abcabcabcabc".utf8), Array(repeating: 0, count: 100_000), noise, noise + noise, squares,
      Array(repeating: [0, 0, 255], count: 20_000).flatMap { $0 },
    ]
    for bytes in cases {
      let packed = ZlibStream.deflated(bytes, format)
      #expect(ZlibStream.inflated(packed[...], format, upTo: bytes.count + 1) == bytes)
      #expect(ZlibStream.inflated(packed[...], format, upTo: 100) == Array(bytes.prefix(100)))
    }
    #expect(ZlibStream.deflated(squares, format).count < squares.count)
    #expect(ZlibStream.deflated(Array(repeating: 255, count: 1_000_000), format).count < 10_000)
  }

  @Test("the zlib format has a header and an Adler-32, and raw data have neither")
  func frame() {
    #expect(ZlibStream.deflated([], .zlib) == [0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01])
    #expect(ZlibStream.deflated([], .raw) == [0x03, 0x00])
    // RFC 1950: the sum of the bytes and of the sums, each from 1 and 0, modulo 65521.
    #expect(ZlibStream.deflated(Array("Wikipedia".utf8), .zlib).suffix(4) == [0x11, 0xE6, 0x03, 0x98])
  }

  @Test("truncated data yield their first bytes, and damaged data yield none")
  func damage() throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let packed = ZlibStream.deflated(bytes, .zlib)
    let half = try #require(ZlibStream.inflated(packed[..<(packed.count / 2)], .zlib, upTo: bytes.count))
    #expect(!half.isEmpty && half.count < bytes.count && bytes.starts(with: half))
    var damaged = packed
    damaged[packed.count - 1] ^= 1
    #expect(ZlibStream.inflated(damaged[...], .zlib, upTo: bytes.count + 1) == nil)
    #expect(ZlibStream.inflated(packed[...], .raw, upTo: bytes.count) == nil)
  }
}
