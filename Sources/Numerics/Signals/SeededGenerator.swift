internal import InertialSystem

/// A random number generator with a seed: the same seed gives the same numbers on every machine.
///
/// xoshiro256** seeded through SplitMix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", 2021). Not for cryptography.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var s0, s1, s2, s3: UInt64
  private var spareNormal: Double?

  /// Creates a generator with a seed.
  public init(seed: UInt64) {
    var state = seed
    func splitMix() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    (s0, s1, s2, s3) = (splitMix(), splitMix(), splitMix(), splitMix())
  }

  public mutating func next() -> UInt64 {
    func rotateLeft(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
    let result = rotateLeft(s1 &* 5, 7) &* 9
    let t = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = rotateLeft(s3, 45)
    return result
  }

  /// Returns a uniform number in [0, 1), with 53 random bits.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a normal number with mean 0 and standard deviation 1 (Marsaglia's polar method).
  public mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    while true {
      let u = 2 * uniform() - 1
      let v = 2 * uniform() - 1
      let s = u * u + v * v
      guard s > 0, s < 1 else { continue }
      let scale = (-2 * log(s) / s).squareRoot()
      spareNormal = v * scale
      return u * scale
    }
  }
}
