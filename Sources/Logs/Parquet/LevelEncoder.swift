/// Writes levels as runs and packed bits (Parquet's `Encodings.md`, "RLE/Bit-Packing Hybrid").
struct LevelEncoder {
  private(set) var bytes: [UInt8] = []
  private let bitWidth: Int
  /// Groups of eight levels that wait to be written packed.
  private var packed: [UInt8] = []
  private var packedGroups = 0

  /// - Parameter bitWidth: bits of a level, at most 8.
  init(bitWidth: Int) { self.bitWidth = bitWidth }

  /// The levels as they stand in a data page of the first version: behind the count of their bytes.
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
      // A packed group must be full, unless nothing comes after it.
      if end - index >= 8 || end == levels.count {
        flush()
        bytes.append(varint: UInt64(end - index) << 1)
        bytes.append(levels[index])
        index = end
      } else {
        var bits: UInt64 = 0
        for place in 0..<8 where index + place < levels.count {
          bits |= UInt64(levels[index + place]) << UInt64(place * bitWidth)
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
