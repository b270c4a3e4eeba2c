internal import CInertialCompression

/// Compresses bytes to a raw deflate stream (RFC 1951), which a browser's `DecompressionStream("deflate-raw")` reads.
enum Deflater {
  /// zlib's default; the maximum takes three times as long for 2 % less.
  private static let level: Int32 = 6
  /// A stream without header and checksum, with the largest window.
  private static let rawWindowBits: Int32 = -15

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count < Int(UInt32.max), "\(bytes.count) bytes are more than zlib takes at a time")
    // Allocated separately, as zlib's state points back to it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    check(
      deflateInit2_(
        stream, level, Z_DEFLATED, rawWindowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)))
    defer { deflateEnd(stream) }
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    // zlib declares its input as mutable, but does not change it.
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

  /// Checks the status. The output always fits, so an error can only result from a misuse of the library.
  private static func check(_ status: Int32) {
    precondition(status == Z_OK || status == Z_STREAM_END, "zlib ended with \(status)")
  }
}
