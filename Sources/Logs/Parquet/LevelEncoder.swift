/// Writes levels as runs and packed bits (Parquet's `Encodings.md`, "RLE/Bit-Packing Hybrid").
struct LevelEncoder {
  private(set) var bytes: [UInt8] = []
  private let bitWidth: Int
  /// The pending groups of eight levels, to be written packed.
  private var packed: [UInt8] = []
  private var packedGroups = 0

  /// - Parameter bitWidth: The number of bits of a level, at most 8.
  init(bitWidth: Int) { self.bitWidth = bitWidth }

  /// Returns the levels as in a data page of version 1, preceded by their length in bytes.
  static func page(_ levels: [UInt8], bitWidth: Int) -> [UInt8] {
    var encoder = LevelEncoder(bitWidth: bitWidth)
    encoder.append(levels)
    return withUnsafeBytes(of: UInt32(encoder.bytes.count).littleEndian, Array.init) + encoder.bytes
  }

  private mutating func append(_ levels: [UInt8]) {
    var index = 0
    while index < levels.count {
      var end = index + 1
      while end < levels.count, levels[end] == levels[index] { end += 1 }
      // A packed group must be full unless it is the last.
      if end - index >= 8 || end == levels.count {
        flush()
        bytes.append(varint: UInt64(end - index) << 1)
        bytes.append(levels[index])
        index = end
      } else {
        var bits: UInt64 = 0
        for position in 0..<8 where index + position < levels.count {
          bits |= UInt64(levels[index + position]) << UInt64(position * bitWidth)
        }
        for byte in 0..<bitWidth { packed.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))) }
        packedGroups += 1
        index = min(index + 8, levels.count)
      }
    }
    flush()
  }

  private mutating func flush() {
    guard packedGroups > 0 else { return }
    bytes.append(varint: UInt64(packedGroups) << 1 | 1)
    bytes += packed
    packed.removeAll(keepingCapacity: true)
    packedGroups = 0
  }
}
