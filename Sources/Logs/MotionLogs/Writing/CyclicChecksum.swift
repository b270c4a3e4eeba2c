/// The CRC-32 of ISO 3309, as used by zip, gzip and PNG.
package struct CyclicChecksum {
  /// Eight tables, to process eight bytes at a time: table k is for a byte followed by k zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let shorter = tables[index - 256]
      tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
    }
    return tables
  }()

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of the bytes added so far.
  package var value: UInt32 { ~state }

  package init() {}

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var state = state
    Self.tables.withUnsafeBufferPointer { tables in
      var position = 0
      while position + 8 <= bytes.count {
        let eight = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(state)
        state = 0
        for index in 0..<8 {
          state ^= tables[256 * (7 - index) + Int(eight >> UInt64(8 * index) & 0xFF)]
        }
        position += 8
      }
      while position < bytes.count {
        state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[position])) & 0xFF)]
        position += 1
      }
    }
    self.state = state
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
