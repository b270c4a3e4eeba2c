/// Compresses bytes in the zlib format (RFC 1950 and 1951), with back references and the fixed Huffman code.
///
/// Figures are mostly white and their text is repetitive, so that this simple method compresses nearly as well as any
/// other. Unlike a library, whose output changes between versions, it produces the same bytes everywhere.
struct Deflate {
  private static let maximumLength = 258
  private static let maximumDistance = 32768
  /// The base length and the extra bits of each length code from 257 on; then the same for distances.
  private static let lengths: [(base: Int, bits: Int)] = {
    var table: [(Int, Int)] = []
    var base = 3
    for code in 0..<28 {
      let bits = code < 8 ? 0 : (code - 4) / 4
      table.append((base, bits))
      base += 1 << bits
    }
    return table + [(258, 0)]
  }()
  private static let distances: [(base: Int, bits: Int)] = {
    var table: [(Int, Int)] = []
    var base = 1
    for code in 0..<30 {
      let bits = code < 4 ? 0 : (code - 2) / 2
      table.append((base, bits))
      base += 1 << bits
    }
    return table
  }()

  private var packed: [UInt8] = [0x78, 0x9C]
  private var bits: UInt64 = 0
  private var bitCount = 0

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var packer = Deflate()
    packer.pack(bytes)
    return packer.packed
  }

  private mutating func pack(_ bytes: [UInt8]) {
    put(1, 1)  // the last block
    put(1, 2)  // in the fixed code
    // The last position of each hash of three bytes, and the previous position with the same hash.
    var heads = [Int32](repeating: -1, count: 1 << 15)
    var before = [Int32](repeating: -1, count: Self.maximumDistance)
    func key(_ position: Int) -> Int {
      let three = UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2]) << 16
      return Int((three &* 2_654_435_761) >> 17)
    }
    func note(_ position: Int) {
      guard position + 2 < bytes.count else { return }
      before[position & (Self.maximumDistance - 1)] = heads[key(position)]
      heads[key(position)] = Int32(position)
    }
    var position = 0
    while position < bytes.count {
      var (best, distance) = (0, 0)
      if position + 2 < bytes.count {
        var candidate = Int(heads[key(position)])
        let maximum = min(Self.maximumLength, bytes.count - position)
        var tries = 16
        while candidate >= 0, position - candidate <= Self.maximumDistance, tries > 0 {
          var length = 0
          while length < maximum, bytes[candidate + length] == bytes[position + length] { length += 1 }
          if length > best { (best, distance) = (length, position - candidate) }
          if best == maximum { break }
          let next = Int(before[candidate & (Self.maximumDistance - 1)])
          if next >= candidate { break }
          candidate = next
          tries -= 1
        }
      }
      if best >= 3 {
        putRepeat(length: best, distance: distance)
        // Within a long repeat, a few positions are sufficient to find the next one.
        for offset in 0..<min(best, 32) { note(position + offset) }
        position += best
      } else {
        putLiteral(Int(bytes[position]))
        note(position)
        position += 1
      }
    }
    putLiteral(256)
    if bitCount > 0 { put(0, 8 - bitCount) }
    // Adler-32
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let sum = b << 16 | a
    for shift in [24, 16, 8, 0] as [UInt32] { packed.append(UInt8(truncatingIfNeeded: sum >> shift)) }
  }

  private mutating func putRepeat(length: Int, distance: Int) {
    let code = Self.lengths.lastIndex { $0.base <= length }!
    putLiteral(257 + code)
    put(length - Self.lengths[code].base, Self.lengths[code].bits)
    let far = Self.distances.lastIndex { $0.base <= distance }!
    putCode(far, 5)
    put(distance - Self.distances[far].base, Self.distances[far].bits)
  }

  /// Writes a literal or length code (RFC 1951, 3.2.6).
  private mutating func putLiteral(_ value: Int) {
    switch value {
    case ..<144: putCode(0x30 + value, 8)
    case ..<256: putCode(0x190 + value - 144, 9)
    case ..<280: putCode(value - 256, 7)
    default: putCode(0xC0 + value - 280, 8)
    }
  }

  /// Writes a code, starting with its most significant bit.
  private mutating func putCode(_ code: Int, _ count: Int) {
    for bit in (0..<count).reversed() { put(code >> bit & 1, 1) }
  }

  private mutating func put(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << UInt64(bitCount)
    bitCount += count
    while bitCount >= 8 {
      packed.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }
}
