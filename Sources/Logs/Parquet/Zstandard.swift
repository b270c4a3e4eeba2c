internal import CInertialCompression

/// Compression by Zstandard (RFC 8878), using its own library.
package final class Zstandard {
  private let context = ZSTD_createCCtx()
  private let level: Int32

  /// - Parameter level: The compression level, from 1 (fast) to 22.
  package init(level: Int32) { self.level = level }

  deinit { ZSTD_freeCCtx(context) }

  /// Appends the compressed bytes.
  package func compress(_ bytes: [UInt8], into output: inout [UInt8]) {
    let start = output.count
    let bound = ZSTD_compressBound(bytes.count)
    output.append(contentsOf: repeatElement(0, count: bound))
    let count = output.withUnsafeMutableBytes { output in
      bytes.withUnsafeBytes { bytes in
        ZSTD_compressCCtx(context, output.baseAddress! + start, bound, bytes.baseAddress, bytes.count, level)
      }
    }
    precondition(ZSTD_isError(count) == 0, "compression fails only without memory")
    output.removeLast(output.count - start - count)
  }

  /// Returns decompressed bytes of a known count.
  static func decompress(_ bytes: ArraySlice<UInt8>, count: Int) throws(ParquetError) -> [UInt8] {
    guard let output = expand(bytes, count: count) else { throw .damaged("a page that cannot be decompressed") }
    return output
  }

  /// Returns decompressed bytes, or `nil` if their number is not `count`.
  package static func expand(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var found = 0
    // An array of capacity 0 would set the count of the memory that all empty arrays share.
    let output = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { output, written in
      found = bytes.withUnsafeBytes { bytes in
        ZSTD_decompress(output.baseAddress, count, bytes.baseAddress, bytes.count)
      }
      written = ZSTD_isError(found) == 0 ? found : 0
    }
    return ZSTD_isError(found) == 0 && output.count == count ? output : nil
  }
}
