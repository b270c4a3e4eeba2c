import Testing

@testable import InertialFigures
@testable import InertialJobs

@Suite("Standard deviations of roll, pitch and yaw") struct AngleSigmasTests {

  @Test("roll and yaw of an upright device are indistinguishable, with deviations limited to half a turn")
  func upright() {
    let sigmas = AngleSigmas(pitch: .pi / 2, yaw: 1, x: 0.01, y: 0.01, z: 0.01)
    #expect(sigmas.roll == .pi && sigmas.yaw == .pi && abs(sigmas.pitch - 0.01) < 1e-12)
  }

  @Test("unknown attitude deviations result in unknown angle deviations")
  func unknown() {
    let sigmas = AngleSigmas(pitch: 0, yaw: 0, x: .nan, y: .nan, z: .nan)
    #expect(sigmas.roll.isNaN && sigmas.pitch.isNaN && sigmas.yaw.isNaN)
  }

  @Test("the deviations equal the angle changes by a small rotation about each axis, in any attitude")
  func differences() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
      let angles = EulerAngles(roll: number(-3.1...3.1), pitch: number(-1.4...1.4), yaw: number(-3.1...3.1))
      let size = Vector3(number(0.001...0.01), number(0.001...0.01), number(0.001...0.01))
      let expected = turned(Quaternion(eulerAngles: angles), size)
      let sigmas = AngleSigmas(pitch: angles.pitch, yaw: angles.yaw, x: size.x, y: size.y, z: size.z)
      #expect(abs(sigmas.roll - expected.roll) < 1e-6 && abs(sigmas.pitch - expected.pitch) < 1e-6)
      #expect(abs(sigmas.yaw - expected.yaw) < 1e-6, "\(angles)")
    }
  }

  /// Computes the angle deviations by finite differences instead of derivatives.
  private func turned(_ q: Quaternion, _ sigma: Vector3) -> (roll: Double, pitch: Double, yaw: Double) {
    let (small, here) = (1e-6, EulerAngles(q))
    var squares = (0.0, 0.0, 0.0)
    for (axis, size) in [(Vector3.unitX, sigma.x), (.unitY, sigma.y), (.unitZ, sigma.z)] {
      let there = EulerAngles(Quaternion(rotationVector: small * axis) * q)
      func change(_ a: Double, _ b: Double) -> Double {
        let rate = (b - a).remainder(dividingBy: 2 * .pi) / small * size
        return rate * rate
      }
      squares.0 += change(here.roll, there.roll)
      squares.1 += change(here.pitch, there.pitch)
      squares.2 += change(here.yaw, there.yaw)
    }
    return (squares.0.squareRoot(), squares.1.squareRoot(), squares.2.squareRoot())
  }
}
