internal import CInertialCompression
internal import InertialSystem

/// The CRC-32 of ISO 3309, as used by zip, gzip and PNG, computed by zlib.
package struct CyclicChecksum {
  /// The checksum of the bytes added so far.
  package private(set) var value: UInt32 = 0

  package init(_ bytes: [UInt8] = []) { add(bytes) }

  /// The checksum as eight hexadecimal digits.
  var text: String { String(cFormat: "%08x", value) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    // zlib returns the initial value for a null pointer.
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(crc32_z(uLong(value), base, bytes.count))
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
