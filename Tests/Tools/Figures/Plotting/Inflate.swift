/// Unpacks what `Deflate` packs: one block in the fixed code (RFC 1951, 3.2.6), between zlib's head and sum. Written from
/// the standard and not from the packer, so that the one checks the other.
struct Inflate {
  enum Failure: Error { case form(String) }

  private let bytes: [UInt8]
  private var position = 2
  private var bit = 0

  static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count > 6, bytes[0] == 0x78, (Int(bytes[0]) * 256 + Int(bytes[1])) % 31 == 0 else {
      throw Failure.form("head")
    }
    var reader = Inflate(bytes: bytes)
    return try reader.read()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func nextBit() throws -> Int {
    guard position < bytes.count else { throw Failure.form("end") }
    let value = Int(bytes[position] >> UInt8(bit)) & 1
    bit += 1
    if bit == 8 { (bit, position) = (0, position + 1) }
    return value
  }

  private mutating func number(_ count: Int) throws -> Int {
    var value = 0
    for index in 0..<count { value |= try nextBit() << index }
    return value
  }

  private mutating func code(_ count: Int, after start: Int = 0) throws -> Int {
    var value = start
    for _ in 0..<count { value = try value << 1 | nextBit() }
    return value
  }

  private mutating func symbol() throws -> Int {
    let seven = try code(7)
    if seven <= 0b0010111 { return 256 + seven }
    let eight = try code(1, after: seven)
    if (0b00110000...0b10111111).contains(eight) { return eight - 0b00110000 }
    if (0b11000000...0b11000111).contains(eight) { return 280 + eight - 0b11000000 }
    return try code(1, after: eight) - 0b110010000 + 144
  }

  private mutating func read() throws -> [UInt8] {
    let lengthBase = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    let distanceBase = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
      8193, 12289, 16385, 24577,
    ]
    let distanceBits = [
      0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    guard try number(1) == 1, try number(2) == 1 else { throw Failure.form("block") }
    var result: [UInt8] = []
    while true {
      let symbol = try symbol()
      if symbol < 256 {
        result.append(UInt8(symbol))
      } else if symbol == 256 {
        break
      } else {
        let length = try lengthBase[symbol - 257] + number(lengthBits[symbol - 257])
        let far = try code(5)
        let distance = try distanceBase[far] + number(distanceBits[far])
        guard distance <= result.count else { throw Failure.form("distance") }
        for _ in 0..<length { result.append(result[result.count - distance]) }
      }
    }
    if bit > 0 { position += 1 }
    var (a, b) = (1, 0)
    for byte in result {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    let sum = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    guard position + 4 == bytes.count, sum == b << 16 | a else { throw Failure.form("sum") }
    return result
  }
}
