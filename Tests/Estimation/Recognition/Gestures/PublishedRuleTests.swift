import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Direction reversal")
struct DirectionReversalTests {
  private func at(_ samples: [(Double, Vector3)]) -> [Double] {
    detections(DirectionReversalRule(parameters: .init()), user: samples)
  }

  @Test("the opposite direction follows within 1.5 s, and both samples exceed 1.5 g")
  func windowAndThreshold() {
    for (first, second, interval, expected) in [
      (2, -2, 1.5, [1.5]), (2, -2, 1.51, []), (1.5, -2, 1, []), (2, -1.5, 1, []),
    ] as [(Double, Double, Double, [Double])] { #expect(at(alongX([first, second], every: interval)) == expected) }
  }

  @Test("120° is opposite and 119° is not")
  func angle() {
    func pair(_ degrees: Double) -> [(Double, Vector3)] {
      let radians = degrees * .pi / 180
      return [(0, Vector3(2, 0, 0)), (0.5, 2 * Vector3(cos(radians), 0, sin(radians)))]
    }
    #expect(at(pair(120)) == [0.5] && at(pair(119)).isEmpty)
  }

  @Test("any pair in the window counts, and after a detection the search starts with the next strong sample")
  func pairs() {
    let turning = [(0.0, Vector3(2, 0, 0)), (0.5, Vector3(0, 2, 0)), (1.0, Vector3(-2, 0, 0))]
    #expect(at(turning) == [1])
    #expect(at(alongX([2, -2, 2, -2, 2], every: 0.2)).map { ($0 * 10).rounded() } == [2, 6])
  }

  @Test("a pause separates a pair")
  func pause() {
    let (first, next) = (
      MotionSample(time: 0, userAcceleration: Vector3(2, 0, 0)),
      MotionSample(time: 0.5, userAcceleration: Vector3(-2, 0, 0))
    )
    #expect(isDetected(next, after: [first], by: DirectionReversalRule(parameters: .init())) == (true, false))
  }
}

@Suite("Displacement gate")
struct DisplacementGateTests {
  @Test("1.5 g moves by a t² / 2: 4.7 cm after 0.08 s, and 6 cm after 0.09 s, which is a shake")
  func constantAcceleration() {
    let strong = alongX(Array(repeating: 1.5, count: 40), every: 0.01)
    var parameters = with(DisplacementGateRule.Parameters()) { $0.timeConstant = 1e9 }
    let found = detections(DisplacementGateRule(parameters: parameters), user: strong)
    #expect(found.map { ($0 * 100).rounded() } == [9])
    parameters.minimumInterval = 0.1
    let again = detections(DisplacementGateRule(parameters: parameters), user: strong)
    #expect(again.map { ($0 * 100).rounded() } == [9, 19, 29, 39])
  }

  @Test("a strong knock is not a shake, but two seconds of shaking are")
  func knock() {
    let quiet = Array(repeating: 0.0, count: 100)
    let knock = alongX(quiet + [8, 8] + quiet, every: 0.01)
    #expect(detections(DisplacementGateRule(parameters: .init()), user: knock).isEmpty)
    let shake = SyntheticMotion(frequency: 3, amplitude: 2).samples(rate: 100)
    #expect(!detections(DisplacementGateRule(parameters: .init()), shake).isEmpty)
  }

  @Test("a motion at the threshold does not begin, and a motion starts over after a pause")
  func beginnings() {
    let rule = DisplacementGateRule(parameters: .init())
    #expect(detections(rule, user: alongX(Array(repeating: 1, count: 99), every: 0.01)).isEmpty)
    let strong = (0..<10).map { MotionSample(time: Double($0) / 100, userAcceleration: Vector3(1.5, 0, 0)) }
    #expect(isDetected(strong[9], after: Array(strong[..<9]), by: rule) == (true, false))
  }
}

@Suite("square/seismic")
struct StrongFractionTests {
  /// The threshold of 13 m/s² in g.
  private let threshold = 13 / 9.80665

  private func at(_ strong: [Bool]) -> [Double] {
    let values = strong.map { $0 ? 1.4 : 1 }
    return detections(StrongFractionRule(parameters: .init()), raw: alongX(values, every: 0.02)).map {
      ($0 * 100).rounded()
    }
  }

  @Test("strong samples alone are a shake when they span 0.25 s, and the queue is then empty")
  func span() {
    #expect(at(Array(repeating: true, count: 40)) == [26, 54])
    #expect(
      detections(StrongFractionRule(parameters: .init()), raw: alongX([1.4, 1.4, 1.4, 1.4], every: 0.125)) == [0.25])
  }

  @Test("7 + 3 of 14 samples must be strong")
  func fraction() {
    #expect(at(Array(repeating: false, count: 4) + Array(repeating: true, count: 10)) == [26])
    #expect(at(Array(repeating: false, count: 5) + Array(repeating: true, count: 9)).isEmpty)
    #expect(at(Array(repeating: false, count: 5) + Array(repeating: true, count: 10)) == [28])
  }

  @Test("the threshold itself is not strong")
  func strength() {
    let weak = alongX(Array(repeating: threshold - 1e-9, count: 40), every: 0.02)
    #expect(detections(StrongFractionRule(parameters: .init()), raw: weak).isEmpty)
    let enough = alongX(Array(repeating: threshold + 1e-9, count: 20), every: 0.02)
    #expect(detections(StrongFractionRule(parameters: .init()), raw: enough).count == 1)
  }

  @Test("samples older than half a second are removed, but three samples of any age remain")
  func age() {
    // 25 weak samples are removed before the strong ones are three quarters of the queue.
    let found = at(Array(repeating: false, count: 50) + Array(repeating: true, count: 30))
    // Of the 26 samples in half a second, 13 + 6 must be strong: the 19th is at 1.36 s.
    #expect(found.first == 136)
    let sparse = alongX([1.4, 1.4, 1.4], every: 10)
    #expect(detections(StrongFractionRule(parameters: .init()), raw: sparse) == [10])
  }

  @Test("a pause empties the queue")
  func pause() {
    let strong = raw(Array(repeating: 2, count: 14), every: 0.02)
    let found = isDetected(strong[13], after: Array(strong[..<13]), by: StrongFractionRule(parameters: .init()))
    #expect(found == (true, false))
  }
}

@Suite("React Native")
struct AxisExcursionsTests {
  /// Returns samples of a device at rest face up, with Core Motion's sign and an excursion along x.
  private func samples(_ x: [Double], every interval: Double = 0.02, from start: Double = 0) -> [(Double, Vector3)] {
    x.enumerated().map { (start + Double($0.offset) * interval, Vector3($0.element, 0, -1)) }
  }

  private func at(_ all: [(Double, Vector3)]) -> [Double] {
    detections(AxisExcursionsRule(parameters: .init()), raw: all)
  }

  @Test("the eighth excursion to the other side is a shake; further ones to the same side do not count")
  func eight() {
    let alternating = (0..<16).map { $0.isMultiple(of: 2) ? 1.5 : -1.5 }
    #expect(at(samples(alternating)).map { ($0 * 100).rounded() } == [14, 30])
    #expect(at(samples(Array(repeating: 1.5, count: 20))).isEmpty)
    #expect(at(samples(alternating.map { $0 / 1.5 * 1.33 })).isEmpty)
  }

  @Test("9.80665 is subtracted from z: face down at rest reads 2 g and is an excursion")
  func gravity() {
    let alternating = (0..<8).map { (Double($0) * 0.02, Vector3(0, 0, $0.isMultiple(of: 2) ? 1.0 : -2.5)) }
    #expect(at(alternating).count == 1 && at((0..<50).map { (Double($0) * 0.02, Vector3(0, 0, -1)) }).isEmpty)
  }

  @Test("the count continues after three seconds without an excursion, and restarts after more")
  func window() {
    let seven = samples((0..<7).map { $0.isMultiple(of: 2) ? 1.5 : -1.5 })
    let eighth = (3.2, Vector3(-1.5, 0, -1))
    #expect(at(seven + [(3.12, Vector3(0, 0, -1)), eighth]) == [3.2])
    #expect(at(seven + [(3.13, Vector3(0, 0, -1)), eighth]).isEmpty)
  }

  @Test("a pause restarts the count")
  func pause() {
    let all = samples((0..<8).map { $0.isMultiple(of: 2) ? 1.5 : -1.5 }).map {
      MotionSample(time: $0.0, acceleration: $0.1)
    }
    #expect(isDetected(all[7], after: Array(all[..<7]), by: AxisExcursionsRule(parameters: .init())) == (true, false))
  }
}

@Suite("nisrulz/sensey")
struct MagnitudeChangeTests {
  @Test("0.2 g and 0.2 g more sum to 0.9 · 1.96 + 1.96 = 3.73 m/s²; the shake lasts until a second has passed")
  func trace() {
    let rule = MagnitudeChangeRule(parameters: .init())
    #expect(detections(rule, raw: alongX([1, 1.2, 1.4], every: 0.1)) == [0.2])
    #expect(detections(rule, raw: alongX([1, 1.2, 1.2], every: 0.1)).isEmpty)
    // The sum decreases with |a|, so 1 → 1.4 → 1 → 1.5 exceeds the threshold twice: one shake within a second, else
    // two.
    func twice(_ pause: Double) -> [Double] {
      let samples = [(0, 1.4), (0.1, 1), (pause, 1), (pause + 0.1, 1.5)]
      return detections(rule, raw: samples.map { ($0.0, Vector3($0.1, 0, 0)) })
    }
    #expect(twice(1.0) == [0] && twice(1.01).count == 2)
  }

  @Test("after a pause, the rule starts at 1 g and without a sum")
  func pause() {
    let pair = raw([1.25, 1.3], every: 0.1)
    #expect(!isDetected(pair[1], after: [pair[0]], by: MagnitudeChangeRule(parameters: .init())).afterPause)
  }
}

@Suite("The 2.7 g recipe")
struct ForceCountTests {
  @Test("the first sample above 2.7 g counts at once, and the next one after half a second")
  func slop() {
    let rule = ForceCountRule(parameters: .init())
    let strong = [0.0, 0.4, 0.5, 0.9, 1.0].map { ($0, Vector3(2.8, 0, 0)) }
    #expect(detections(rule, raw: strong) == [0, 0.5, 1.0])
    #expect(detections(rule, raw: [(0, Vector3(2.7, 0, 0))]).isEmpty)
  }

  @Test("a count of two is reached within three seconds, but not after more")
  func reset() {
    let rule = ForceCountRule(parameters: with(.init()) { $0.count = 2 })
    #expect(detections(rule, raw: alongX([3, 3], every: 3)) == [3])
    #expect(detections(rule, raw: alongX([3, 3], every: 3.1)).isEmpty)
    let pair = raw([3, 3], every: 1)
    #expect(isDetected(pair[1], after: [pair[0]], by: rule) == (true, false))
  }
}
