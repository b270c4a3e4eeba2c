import Foundation
import Testing

@testable import InertialRecognition

@Suite("Vertical motion")
struct VerticalMotionTests {
  /// Returns the speed and rise of a motion from rest with a = cos 2t, and the rise lagged by l' = (h − l) / τ.
  private func truth(_ time: Double, lag: Double) -> (speed: Double, rise: Double, lagged: Double) {
    var lagged = 0.0
    let step = time / 100_000
    for index in 0..<100_000 {
      let middle = (Double(index) + 0.5) * step
      lagged += step * ((1 - cos(2 * middle)) / 4 - lagged) / lag
    }
    return (sin(2 * time) / 2, (1 - cos(2 * time)) / 4, lagged)
  }

  @Test("the sums over samples equal the integrals over the motion", arguments: [25.0, 100, 400], [0.3, 3])
  func integrals(rate: Double, lag: Double) {
    var motion = VerticalMotion(time: 0, gap: 0.5, lag: lag)
    motion.note(1, at: 0)
    for index in 1...Int(2 * rate) {
      let time = Double(index) / rate
      let isTaken = motion.takesQuietly(cos(2 * time), at: time)
      #expect(isTaken)
    }
    let expected = truth(2, lag: lag)
    let tolerance = 2 / (rate * rate)
    #expect(abs(motion.duration - 2) < 1e-9 && motion.time == 2)
    #expect(abs(motion.speed - expected.speed) < tolerance && abs(motion.rise - expected.rise) < tolerance)
    #expect(abs(motion.laggedRise - expected.lagged) < 2 * tolerance, "\(motion.laggedRise), \(expected.lagged)")
    // ∫ cos² 2t from 0 to 2.
    #expect(abs(motion.square - (1 + sin(8) / 8)) < tolerance)
  }

  @Test("samples that are late, not finite or after a gap, and unknown motion, are left to the filter")
  func others() {
    var motion = VerticalMotion(time: 0, gap: 0.5, lag: 3)
    motion.note(1, at: 0)
    let before = motion
    for (value, time) in [(1, 0), (1, -1), (1, 0.6), (.nan, 0.1), (.infinity, 0.1)] {
      let isTaken = motion.takesQuietly(value, at: time)
      #expect(!isTaken && motion == before, "\(value) at \(time)")
    }
    motion.reset(isKnown: false)
    let isTaken = motion.takesQuietly(1, at: 0.1)
    #expect(!isTaken)
  }

  @Test("intermediate estimates and gaps do not change the result")
  func asked() throws {
    var (often, once) = (VerticalFilterBank(.init(), keeping: .none), VerticalFilterBank(.init(), keeping: .none))
    for index in 0..<2000 {
      let time = 0.01 * Double(index)
      let value = index % 700 < 60 ? Double.nan : 0.6 * sin(0.8 * time)
      // An interval of 0.6 s without samples, which is a gap, occurs twice.
      if value.isFinite {
        often.update(verticalAcceleration: value, at: time)
        once.update(verticalAcceleration: value, at: time)
        _ = often.estimate
      }
      guard index % 100 == 50 else { continue }
      let altitude = 0.75 * (time - sin(0.8 * time) / 0.8)
      often.update(barometricAltitude: altitude, at: time)
      once.update(barometricAltitude: altitude, at: time)
      let (before, after) = try (#require(often.possible), #require(once.possible))
      #expect(before == after)
      if let direct = before.direct { #expect(abs(direct.altitude - altitude) < 0.3) }
    }
  }
}
