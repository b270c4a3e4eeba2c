internal import CInertialCompression

/// A stream of bytes that zlib compresses or decompresses piece by piece.
package final class ZlibStream {
  /// The frame of the compressed bytes.
  package enum Format {
    /// A header and a checksum (RFC 1950), as in PNG, PDF, MAT and HDF5.
    case zlib
    /// Deflate without a frame (RFC 1951), as in zip and for a browser's `DecompressionStream("deflate-raw")`.
    case raw

    /// The largest window; zlib omits the frame if the number is negative.
    fileprivate var windowBits: Int32 { self == .zlib ? MAX_WBITS : -MAX_WBITS }
  }

  /// zlib's default; the maximum takes three times as long for 2 % less.
  private static let defaultLevel: Int32 = 6

  /// Allocated separately, as zlib's state contains a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  /// The level of compression, or `nil` if the stream decompresses.
  private var level: Int32?

  /// Creates a stream that compresses at a level of 0 (stores) to 9.
  init(deflating format: Format, level: Int32) {
    self.level = level
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    check(
      deflateInit2_(
        stream, level, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)))
  }

  /// Creates a stream that decompresses.
  package init(inflating format: Format) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    check(inflateInit2_(stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
  }

  deinit {
    _ = level == nil ? inflateEnd(stream) : deflateEnd(stream)
    stream.deallocate()
  }

  /// The bytes that are not processed yet. They must remain valid until they are.
  package var input: UnsafeRawBufferPointer {
    get { UnsafeRawBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in)) }
    set {
      precondition(newValue.count <= UInt32.max, "\(newValue.count) bytes are more than zlib accepts at a time")
      // zlib declares its input as mutable, but does not change it.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: newValue.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(newValue.count)
    }
  }

  private func setOutput(_ buffer: UnsafeMutableRawBufferPointer) {
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
  }

  // MARK: Compression

  /// Returns the maximum size of `count` bytes after compression at one level.
  func bound(_ count: Int) -> Int { Int(deflateBound(stream, UInt(count))) }

  /// Restarts the stream, into a buffer with room for all of its compressed bytes.
  func begin(into buffer: UnsafeMutableRawBufferPointer) {
    check(deflateReset(stream))
    setOutput(buffer)
  }

  /// Appends bytes at a level of 0 (stores) to 9.
  func add(_ bytes: UnsafeRawBufferPointer, level: Int32) {
    if level != self.level {
      check(deflateParams(stream, level, Z_DEFAULT_STRATEGY))
      self.level = level
    }
    input = bytes
    check(deflate(stream, Z_NO_FLUSH))
  }

  /// Ends the stream with its input and returns its compressed size, in bytes.
  func finish() -> Int {
    check(deflate(stream, Z_FINISH), expected: Z_STREAM_END)
    return Int(stream.pointee.total_out)
  }

  /// Returns compressed bytes.
  package static func deflated(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
    let stream = ZlibStream(deflating: format, level: defaultLevel)
    return [UInt8](unsafeUninitializedCapacity: stream.bound(bytes.count)) { output, count in
      bytes.withUnsafeBytes { bytes in
        stream.begin(into: UnsafeMutableRawBufferPointer(output))
        stream.input = bytes
        count = stream.finish()
      }
    }
  }

  /// Checks a status. As the output has room for all bytes, only a lack of memory or a misuse of the library fails.
  private func check(_ status: Int32, expected: Int32 = Z_OK) {
    precondition(status == expected, "zlib ended with \(status)")
  }

  // MARK: Decompression

  /// Whether the end of the compressed bytes is reached.
  package private(set) var isAtEnd = false

  /// Decompresses input into a buffer until one of them is used up or the stream ends.
  ///
  /// - Returns: The number of decompressed bytes, or `nil` if the input is damaged.
  package func inflate(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    setOutput(buffer)
    let room = stream.pointee.avail_out
    switch CInertialCompression.inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isAtEnd = true
    default: return nil
    }
    return Int(room - stream.pointee.avail_out)
  }

  /// Returns the first decompressed bytes, `limit` at most, or `nil` if the bytes are damaged. Bytes that are cut off
  /// yield fewer.
  static func inflated(_ bytes: ArraySlice<UInt8>, _ format: Format, upTo limit: Int) -> [UInt8]? {
    let stream = ZlibStream(inflating: format)
    var count: Int?
    let output = [UInt8](unsafeUninitializedCapacity: limit) { output, written in
      count = bytes.withUnsafeBytes { bytes in
        stream.input = bytes
        return stream.inflate(into: UnsafeMutableRawBufferPointer(output))
      }
      written = count ?? 0
    }
    return count == nil ? nil : output
  }
}
