import InertialRotations
import Testing

@Suite("Wrapped angles")
struct WrappedAngleTests {
  @Test("an angle between −π and π is unchanged, including the sign of zero", arguments: [-3.14, -0.0, 0, 1e-300, .pi])
  func inside(angle: Double) {
    #expect(wrapped(angle).bitPattern == angle.bitPattern)
  }

  @Test("whole turns are removed, and −π becomes π", arguments: [-7, -1, 1, 2, 100])
  func turns(count: Double) {
    for angle in stride(from: -3, through: 3, by: 0.5) {
      #expect(abs(wrapped(angle + 2 * .pi * count) - angle) < 1e-13 * abs(count))
    }
    #expect(wrapped(-.pi) == .pi && abs(wrapped((-1 + 2 * count) * .pi)) <= .pi)
  }

  @Test("results are in (−π, π] next to half turns")
  func halfTurns() {
    for start in [-3 * Double.pi, -.pi, .pi, 3 * .pi, 5 * .pi] {
      for angle in [start.nextDown, start, start.nextUp] {
        #expect(wrapped(angle) > -.pi && wrapped(angle) <= .pi, "\(angle)")
      }
    }
  }
}
