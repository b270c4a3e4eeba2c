import CInertialCompression

/// Decompresses the streams of a figure with zlib.
enum Inflate {
  struct Failure: Error { var status: Int32 }

  static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    var (status, size) = (Z_BUF_ERROR, 1 << 16)
    while status == Z_BUF_ERROR, size < 1 << 28 {
      size *= 4
      let result = [UInt8](unsafeUninitializedCapacity: size) { output, written in
        var count = uLongf(size)
        status = uncompress(output.baseAddress!, &count, bytes, uLong(bytes.count))
        written = status == Z_OK ? Int(count) : 0
      }
      if status == Z_OK { return result }
    }
    throw Failure(status: status)
  }
}
