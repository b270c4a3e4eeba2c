import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Activity history")
struct ActivityHistoryTests {
  private func history(_ motion: SimulatedActivity) -> ActivityHistory {
    var pass = ActivityPass(detectsShakes: false)
    for sample in motion.samples { _ = pass.update(sample) }
    _ = pass.finish()
    return pass.history
  }

  private func mixed() -> SimulatedActivity {
    var motion = SimulatedActivity.of((.rest, 15), (.walking, 20))
    motion.pause(seconds: 5)
    motion.add(.running, seconds: 15)
    return motion
  }

  @Test("consecutive segments cover the samples except for gaps, and change near the changes of the motion")
  func segments() throws {
    let segments = history(mixed()).segments()
    #expect(segments.map(\.flags) == [.stationary, .walking, .running])
    #expect(segments[0].start == 0 && segments[0].end == segments[1].start && abs(segments[1].start - 15) < 2)
    #expect(abs(segments[1].end - 35) < 1.3 && abs(segments[2].start - 40) < 1e-6)
    // The last window ends up to 1.28 s before the last sample, which belongs to it.
    #expect(abs(segments[2].end - 55) < 0.02)
    #expect(segments.allSatisfy { $0.confidence == .high })
    for segment in segments {
      let sum = ActivityClass.allCases.reduce(0) { $0 + segment.probabilities[$1] }
      #expect(abs(sum - 1) < 1e-9)
    }
  }

  @Test("a query of an interval returns the segments within it")
  func query() {
    let history = history(mixed())
    let whole = history.segments()
    for (from, to) in [(-5.0, 3.0), (10, 20), (30, 50), (36, 39), (41, 41.5), (90, 99)] {
      let part = history.segments(from: from, to: to)
      let expected = whole.filter { $0.start < to && $0.end > from }
      #expect(part.map(\.flags) == expected.map(\.flags))
      #expect(part.map(\.start) == expected.map { max($0.start, from) })
      #expect(part.map(\.end) == expected.map { min($0.end, to) })
    }
    #expect(ActivityHistory().segments().isEmpty)
  }

  @Test("time in which the motion contradicts the activity has no probability in the confidence of its segment")
  func contradictions() throws {
    for (every, confidence) in [(Int.max, MotionActivity.Confidence.high), (16, .medium), (8, .low)] {
      var history = ActivityHistory()
      for index in 0..<100 {
        var likelihoods = ActivityLikelihoods()
        for state in ActivityState.allCases where state != .stationary { likelihoods[state] = 1e-6 }
        history.append(
          ActivityEvidence(
            start: 1.28 * Double(index), end: 1.28 * Double(index) + 2.56, isFirst: index == 0,
            likelihoods: likelihoods,
            excluded: index % every == every - 1 ? .stationary : []))
      }
      let segments = history.segments()
      #expect(segments.count == 1 && segments[0].confidence == confidence, "\(every)")
      #expect(segments[0].probabilities.stationary > 0.99)
    }
  }

  @Test("smoothed probabilities equal the sum over all state sequences")
  func smoothing() {
    var evidence: [ActivityEvidence] = []
    for index in 0..<4 {
      var likelihoods = ActivityLikelihoods()
      for state in ActivityState.allCases {
        likelihoods[state] = 0.1 + Double((7 * index + 3 * state.rawValue) % 5) / 5
      }
      evidence.append(
        ActivityEvidence(
          start: Double(index), end: Double(index) + 2, isFirst: index == 0, likelihoods: likelihoods))
    }
    let rows = ActivityTransitionModel.transitions
    // A step from a single state follows the weights of that state's row.
    let flat = ActivityEvidence(start: 1, end: 3, isFirst: false, likelihoods: ActivityLikelihoods())
    for (state, row) in rows.enumerated() {
      var before = SIMD8<Double>.zero
      before[state] = 1
      let after = ActivityTransitionModel.step(before, flat)
      for lane in 0..<8 { #expect(abs(after[lane] - row[lane] / row.sum()) < 1e-12) }
    }
    var sums = Array(repeating: SIMD8<Double>.zero, count: 4)
    func walk(_ states: [Int], _ weight: Double) {
      if states.count == 4 {
        for (index, state) in states.enumerated() { sums[index][state] += weight }
        return
      }
      let window = evidence[states.count]
      for state in ActivityState.allCases.indices {
        let seen = window.likelihoods[ActivityState(rawValue: state)!]
        let step = states.last.map { rows[$0][state] } ?? ActivityTransitionModel.prior[state]
        walk(states + [state], weight * step * seen)
      }
    }
    walk([], 1)
    for (found, sum) in zip(ActivityTransitionModel.smoothed(evidence), sums) {
      let expected = sum / sum.sum()
      for lane in 0..<8 { #expect(abs(found[lane] - expected[lane]) < 1e-12) }
    }
  }

  @Test("an activity encodes its flags as words and decodes to the same value")
  func codable() throws {
    let activity = MotionActivity(
      start: 1, end: 2, flags: [.automotive, .stationary], confidence: .medium, probabilities: .init())
    let text = String(decoding: try JSONEncoder().encode(activity), as: UTF8.self)
    #expect(text.contains("[\"stationary\",\"automotive\"]"))
    #expect(try savedAndRestored(activity) == activity)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ActivityFlags.self, from: Data("[\"x\"]".utf8)) }
  }
}
