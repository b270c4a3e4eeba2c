/// Packs bytes as zlib's form has it (RFC 1950 and 1951): repeats are told as such, and all is written in the fixed code.
///
/// Figures are mostly white and their text repeats itself, so that this simple way does nearly as well as any other; and it
/// gives the same bytes everywhere, which a library does not from version to version.
struct Deflate {
  private static let longest = 258
  private static let farthest = 32768
  /// The least length of each code of lengths, 257 and up, and its extra bits; then the same of distances.
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
    // Where three bytes were last seen, by a number made of them, and where each of these was before.
    var heads = [Int32](repeating: -1, count: 1 << 15)
    var before = [Int32](repeating: -1, count: Self.farthest)
    func key(_ place: Int) -> Int {
      let three = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      return Int((three &* 2_654_435_761) >> 17)
    }
    func note(_ place: Int) {
      guard place + 2 < bytes.count else { return }
      before[place & (Self.farthest - 1)] = heads[key(place)]
      heads[key(place)] = Int32(place)
    }
    var place = 0
    while place < bytes.count {
      var (best, distance) = (0, 0)
      if place + 2 < bytes.count {
        var candidate = Int(heads[key(place)])
        let most = min(Self.longest, bytes.count - place)
        var tries = 16
        while candidate >= 0, place - candidate <= Self.farthest, tries > 0 {
          var length = 0
          while length < most, bytes[candidate + length] == bytes[place + length] { length += 1 }
          if length > best { (best, distance) = (length, place - candidate) }
          if best == most { break }
          let next = Int(before[candidate & (Self.farthest - 1)])
          if next >= candidate { break }
          candidate = next
          tries -= 1
        }
      }
      if best >= 3 {
        putRepeat(length: best, distance: distance)
        // Within a long repeat a few places are enough to find the next one.
        for offset in 0..<min(best, 32) { note(place + offset) }
        place += best
      } else {
        putLiteral(Int(bytes[place]))
        note(place)
        place += 1
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

  /// RFC 1951, 3.2.6.
  private mutating func putLiteral(_ value: Int) {
    switch value {
    case ..<144: putCode(0x30 + value, 8)
    case ..<256: putCode(0x190 + value - 144, 9)
    case ..<280: putCode(value - 256, 7)
    default: putCode(0xC0 + value - 280, 8)
    }
  }

  /// Codes begin with their highest bit.
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
