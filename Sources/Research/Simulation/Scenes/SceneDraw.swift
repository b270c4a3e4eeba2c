internal import InertialNumerics
internal import InertialRotations

/// The random draws for one scene and seed.
struct SceneDraw {
  private var generator: SeededGenerator

  init(scene: String, seed: UInt64) {
    // FNV-1a of the name: scenes with one seed share no draws.
    let hash = scene.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    generator = SeededGenerator(seed: hash ^ seed)
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * generator.uniform()
  }

  mutating func sign() -> Double { generator.uniform() < 0.5 ? -1 : 1 }

  mutating func seed() -> UInt64 { generator.next() }

  /// Returns the attitude of a device held in front of a person.
  mutating func mount() -> Quaternion {
    var chain = RotationChain()
    chain.rotate(
      pitch: .constant(uniform(-40...60) * .pi / 180), roll: .constant(uniform(-30...30) * .pi / 180))
    return chain.attitude
  }

  /// Returns a hand motion of some degrees per axis.
  mutating func hand(
    degrees: Double, metres: Double = 0, frequencies: ClosedRange<Double> = 0.05...0.4, start: Double? = 3
  ) -> HandMotion {
    HandMotion(
      angle: degrees * .pi / 180, displacement: metres, frequencies: frequencies, start: start, seed: seed())
  }

  mutating func path(length: Double, spacing: Double, bendDegrees: Double) -> LevelPath {
    LevelPath(length: length, spacing: spacing, bend: bendDegrees * .pi / 180, seed: seed())
  }
}
