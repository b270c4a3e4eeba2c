/// The hash by which a page's policy identifies the permitted script and style (FIPS 180-4).
enum SHA256 {
  /// The fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { fraction(of: $0, root: 3) }
  /// The fractional parts of the square roots of the first eight primes.
  private static let start: [UInt32] = primes(8).map { fraction(of: $0, root: 2) }

  /// Returns the hash, of 32 bytes.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    var state = start
    for block in stride(from: 0, to: bytes.count, by: 64) { add(bytes[block..<block + 64], to: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
    for index in 16..<64 {
      let (w15, w2) = (words[index - 15], words[index - 2])
      let low = turned(w15, 7) ^ turned(w15, 18) ^ w15 >> 3
      let high = turned(w2, 17) ^ turned(w2, 19) ^ w2 >> 10
      words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
    }
    var s = state
    for index in 0..<64 {
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      let first =
        s[7] &+ (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) &+ choice &+ constants[index] &+ words[index]
      let second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) &+ majority
      s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

  private static func primes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var number = 2
    while primes.count < count {
      if !primes.contains(where: { number % $0 == 0 }) { primes.append(number) }
      number += 1
    }
    return primes
  }

  /// Returns the first 32 bits of the fractional part of a prime's root, in integer arithmetic: the truncated root of
  /// prime · 2^(32 · root).
  private static func fraction(of prime: Int, root: Int) -> UInt32 {
    var (low, high): (UInt64, UInt64) = (0, 1 << 37)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isAtMost(middle, root: root, prime: UInt64(prime)) { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  /// Returns whether candidate^root <= prime · 2^(32 · root).
  private static func isAtMost(_ candidate: UInt64, root: Int, prime: UInt64) -> Bool {
    let candidate = UInt128(candidate)
    let power = root == 2 ? candidate * candidate : candidate * candidate * candidate
    return power <= UInt128(prime) << UInt128(32 * root)
  }
}
