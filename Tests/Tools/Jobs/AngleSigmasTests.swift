import Testing

@testable import InertialFigures
@testable import InertialJobs

@Suite("Standard deviations of roll, pitch and yaw") struct AngleSigmasTests {
  @Test("the deviations of a level device are those about the rotation axes of roll, pitch and yaw")
  func level() {
    let ahead = AngleSigmas(pitch: 0, yaw: 0, x: 1e-3, y: 2e-3, z: 3e-3)
    #expect(abs(ahead.pitch - 1e-3) < 1e-12 && abs(ahead.roll - 2e-3) < 1e-12 && abs(ahead.yaw - 3e-3) < 1e-12)
    let turned = AngleSigmas(pitch: 0, yaw: .pi / 2, x: 1e-3, y: 2e-3, z: 3e-3)
    #expect(abs(turned.pitch - 2e-3) < 1e-12 && abs(turned.roll - 1e-3) < 1e-12)
  }

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
      let angles = EulerAngles(
        roll: .random(in: -3.1...3.1, using: &random), pitch: .random(in: -1.4...1.4, using: &random),
        yaw: .random(in: -3.1...3.1, using: &random))
      let size = Vector3(
        .random(in: 0.001...0.01, using: &random), .random(in: 0.001...0.01, using: &random),
        .random(in: 0.001...0.01, using: &random))
      let expected = turned(Quaternion(eulerAngles: angles), size)
      let sigmas = AngleSigmas(pitch: angles.pitch, yaw: angles.yaw, x: size.x, y: size.y, z: size.z)
      #expect(abs(sigmas.roll - expected.roll) < 1e-6 && abs(sigmas.pitch - expected.pitch) < 1e-6)
      #expect(abs(sigmas.yaw - expected.yaw) < 1e-6, "\(angles)")
    }
  }

  /// Computes the angle deviations by finite differences instead of derivatives.
  private func turned(_ q: Quaternion, _ sigma: Vector3) -> (roll: Double, pitch: Double, yaw: Double) {
    let small = 1e-6
    let here = EulerAngles(q)
    var squares = (0.0, 0.0, 0.0)
    for (axis, size) in [
      (Vector3(1, 0, 0), sigma.x), (Vector3(0, 1, 0), sigma.y), (Vector3(0, 0, 1), sigma.z),
    ] {
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
