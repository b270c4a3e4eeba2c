import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

struct PostureEstimatorTests {
  /// Returns a direction that is tilted from upright by an angle in degrees.
  private func tilted(_ degrees: Double) -> Vector3 {
    let angle = degrees * .pi / 180
    return Vector3(0, -cos(angle), -sin(angle))
  }

  private func segments(
    _ motion: SimulatedFall, _ placement: PosturePlacement = .thigh, without gap: ClosedRange<Double>? = nil
  ) -> [PostureSegment] {
    var estimator = PostureEstimator(placement: placement)
    var found = motion.samples.filter { !(gap?.contains($0.time) ?? false) }.compactMap { estimator.update($0) }
    if let last = estimator.finish() { found.append(last) }
    return found
  }

  /// Returns a walk of 12 s that starts at 4 s, followed by a rest of 6 s at an angle.
  private func walkThenRest(_ degrees: Double, rate: Double = 100) -> SimulatedFall {
    var motion = SimulatedFall(rate: rate)
    motion.go(until: 4)
    motion.walk(until: 16)
    motion.go(until: 17, to: tilted(degrees))
    motion.go(until: 23)
    return motion
  }

  @Test("the posture is unknown until a walk, and then follows from the thigh", arguments: [15.0, 25, 50, 100, 400])
  func thigh(rate: Double) throws {
    let found = segments(walkThenRest(75, rate: rate))
    // While the thigh rotates, the posture is unknown.
    #expect(found.map(\.posture) == [.unknown, .standing, .unknown, .sittingOrLying])
    #expect(found[0].start == 0 && found[0].end < 10 && abs(found[1].end - 16.5) < 1)
    #expect(abs(found[3].start - 17) < 1 && abs(found[3].end - 23) < 0.2)
    let angle: Double = try #require(found[3].angle)
    #expect(abs(angle * 180 / .pi - 75) < 2.8)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.end == $1.start })
  }

  @Test(
    "both placements have their angles, and between two postures the posture is unknown",
    arguments: [
      (PosturePlacement.trunk, 0.0, Posture.upright), (.trunk, 25, .upright), (.trunk, 45, .unknown),
      (.trunk, 65, .lying), (.trunk, 140, .lying), (.thigh, 20, .standing), (.thigh, 35, .unknown),
      (.thigh, 50, .sittingOrLying), (.thigh, 110, .sittingOrLying),
    ])
  func angles(placement: PosturePlacement, degrees: Double, posture: Posture) {
    #expect(segments(walkThenRest(degrees), placement).last?.posture == posture)
  }

  @Test("a device upside down was moved, so that the posture is unknown until the next walk")
  func moved() {
    var motion = walkThenRest(170)
    motion.go(until: 30, to: tilted(80))
    motion.go(until: 36)
    #expect(segments(motion, .trunk).map(\.posture) == [.unknown, .upright, .unknown])
    motion.walk(until: 48)
    motion.go(until: 52)
    // The current orientation of the device now counts as upright.
    #expect(segments(motion, .trunk).last?.posture == .upright)
  }

  @Test("a short motion changes nothing, a long one makes the posture unknown")
  func motion() {
    var motion = walkThenRest(75)
    motion.go(until: 24.5, noise: 0.3)
    motion.go(until: 30)
    let postures: [Posture] = [.unknown, .standing, .unknown, .sittingOrLying]
    #expect(segments(motion).map(\.posture) == postures)
    motion.go(until: 36, noise: 0.3)
    motion.go(until: 42)
    #expect(segments(motion).map(\.posture) == postures + [.unknown, .sittingOrLying])
  }

  @Test("a walk remains valid after a gap of a few seconds, but not after a long one")
  func gaps() {
    var motion = walkThenRest(75)
    motion.go(until: 40)
    #expect(segments(motion, without: 24...27).last?.posture == .sittingOrLying)
    #expect(segments(motion, without: 24...32).last?.posture == .unknown)
  }

  @Test("NaN, infinite and late samples are counted and change nothing; an empty log has no segment")
  func badSamples() {
    let samples = walkThenRest(75).samples
    var estimator = PostureEstimator(placement: .thigh)
    var found: [PostureSegment] = []
    for sample in samples {
      _ = estimator.update(MotionSample(time: sample.time, acceleration: Vector3(0, .nan, 0)))
      _ = estimator.update(MotionSample(time: sample.time, userAcceleration: .zero))
      if let segment = estimator.update(sample) { found.append(segment) }
      _ = estimator.update(MotionSample(time: sample.time - 2, acceleration: Vector3(0, 0, 3)))
      _ = estimator.update(MotionSample(time: .infinity, acceleration: Vector3(0, 0, 3)))
    }
    if let last = estimator.finish() { found.append(last) }
    #expect(found == segments(walkThenRest(75)))
    #expect(estimator.rejectedCount == 3 * samples.count)
    var empty = PostureEstimator(placement: .trunk)
    #expect(empty.finish() == nil && empty.posture == .unknown)
  }

  @Test("a restored state continues with the same results")
  func state() throws {
    let samples = walkThenRest(75).samples
    for cut in [1, 333, 1250, 1801] {
      var first = PostureEstimator(placement: .thigh)
      var found = samples[..<cut].compactMap { first.update($0) }
      var second = PostureEstimator(placement: .thigh, state: try savedAndRestored(first.state))
      found += samples[cut...].compactMap { second.update($0) }
      if let last = second.finish() { found.append(last) }
      #expect(found == segments(walkThenRest(75)))
    }
  }

  @Test("steps are periodic and strong, unlike rest, noise and a single jolt")
  func rhythm() {
    func hasSteps(_ norm: (Double) -> Double) -> Bool {
      var rhythm = GaitRhythm()
      for index in 0..<128 { rhythm.append(norm(0.02 * Double(index))) }
      return rhythm.hasSteps
    }
    #expect(hasSteps { 1 + 0.3 * sin(12 * $0) } && !hasSteps { 1 + 0.05 * sin(12 * $0) })
    #expect(!hasSteps { _ in 1 } && !hasSteps { $0 > 1 && $0 < 1.1 ? 4 : 1 } && !GaitRhythm().hasSteps)
  }
}
