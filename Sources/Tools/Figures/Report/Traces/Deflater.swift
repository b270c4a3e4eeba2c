internal import CInertialCompression

/// Packs bytes as a raw deflate stream (RFC 1951), which a browser's `DecompressionStream("deflate-raw")` reads.
enum Deflater {
  /// zlib's own default; the highest takes three times as long for 2 % less.
  private static let level: Int32 = 6
  /// No header and no checksum around the stream; the widest window.
  private static let rawWindowBits: Int32 = -15

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count < Int(UInt32.max), "\(bytes.count) bytes are more than zlib takes at a time")
    // In memory of its own: zlib's state points back to it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    check(
      deflateInit2_(
        stream, level, Z_DEFLATED, rawWindowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)))
    defer { deflateEnd(stream) }
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    // zlib takes its input as mutable and leaves it as it is.
    var input = bytes
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        check(deflate(stream, Z_FINISH))
      }
      count = Int(stream.pointee.total_out)
    }
  }

  /// There is always room for the output, so nothing but a misuse of the library ends otherwise.
  private static func check(_ status: Int32) {
    precondition(status == Z_OK || status == Z_STREAM_END, "zlib ended with \(status)")
  }
}
