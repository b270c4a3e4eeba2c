import Testing

@testable import InertialEvaluation

@Suite("One-to-one matching of events") struct EventMatchesTests {
  private func moments(_ times: Double...) -> [ClosedRange<Double>] { times.map { $0...$0 } }

  private func matches(
    _ labels: [ClosedRange<Double>], _ events: [ClosedRange<Double>], within tolerance: Double
  ) -> EventMatches {
    var matches = EventMatches(tolerance: tolerance)
    matches.add(labels: labels, events: events)
    return matches
  }

  @Test("an event is matched within the tolerance, and a second event for the same label is a false one")
  func moments() {
    let found = matches(moments(1, 2, 3, 5), moments(1.1, 1.15, 2.75, 5.2), within: 0.2)
    #expect((found.labelled, found.detected, found.matched) == (4, 4, 2))
    #expect(found.precision == 0.5 && found.recall == 0.5 && found.f1 == 0.5)
    // The closer of the two for the first label; the last is exactly at the tolerance, minus a rounding error.
    #expect(isNear(found.errors[0], 0.1, within: 1e-12) && isNear(found.errors[1], 0.2, within: 1e-12))
    #expect(isNear(found.meanError!, 0.15, within: 1e-12) && isNear(found.lateError!, 0.19, within: 1e-12))
  }

  @Test("a matching with more pairs is better, and among equal numbers the one with the smallest errors")
  func optimum() {
    // A greedy matching would pair 1 with 1.4 and leave 2 unmatched.
    let many = matches(moments(1, 2), moments(0.5, 1.4), within: 0.6)
    #expect(many.matched == 2 && many.errors.map { ($0 * 10).rounded() } == [-5, -6])
    #expect(matches(moments(0), moments(-0.5, 0.1, 0.3), within: 1).errors == [0.1])
    let early = matches(moments(0, 1), moments(0.45, 0.9, 1.3), within: 0.5)
    #expect(early.matched == 2 && early.errors.map { ($0 * 100).rounded() } == [45, -10])
  }

  @Test("segments match if they overlap or are within the tolerance; their error is the difference of their starts")
  func stretches() {
    let found = matches([10...20, 30...40], [11...12, 15...16, 40.5...41], within: 1)
    #expect(found.matched == 2 && found.detected == 3 && found.errors == [1, 10.5])
    #expect(isNear(found.precision!, 2.0 / 3, within: 1e-12) && found.recall == 1 && found.f1 == 0.8)
    #expect(matches([10...20], [21.5...22], within: 1).matched == 0)
  }

  @Test("recordings are matched separately, in any order, and without recordings there are no rates")
  func recordings() {
    var all = EventMatches(tolerance: 1)
    #expect(all.precision == nil && all.recall == nil && all.f1 == nil && all.meanError == nil)
    all.add(labels: moments(1), events: [])
    #expect(all.precision == nil && all.recall == 0 && all.f1 == 0)
    all.add(labels: [], events: moments(1))
    #expect(all.matched == 0 && all.precision == 0)
    all.add(labels: moments(9, 5), events: moments(5.5, 8.5))
    #expect(all.matched == 2 && all.errors == [0.5, -0.5] && all.meanError == 0 && all.meanAbsoluteError == 0.5)
  }

  @Test("the matching of random events is the best of all possible ones")
  func exhaustive() {
    var random = SeededGenerator(seed: 26)
    for _ in 0..<300 {
      let labels = (0..<Int.random(in: 0...5, using: &random)).map { _ in Double.random(in: 0...3, using: &random) }
      let events = (0..<Int.random(in: 0...5, using: &random)).map { _ in Double.random(in: 0...3, using: &random) }
      let found = matches(labels.map { $0...$0 }, events.map { $0...$0 }, within: 0.6)
      let (pairs, error) = Self.best(labels[...], events, within: 0.6)
      #expect(found.matched == pairs)
      #expect(isNear(found.errors.reduce(0) { $0 + abs($1) }, error, within: 1e-9), "\(labels) \(events)")
    }
  }

  /// Returns the best matching by exhaustive search: each label with each event, or with none.
  private static func best(
    _ labels: ArraySlice<Double>, _ events: [Double], within tolerance: Double
  ) -> (pairs: Int, error: Double) {
    guard let label = labels.first else { return (0, 0) }
    var best = best(labels.dropFirst(), events, within: tolerance)
    for (index, event) in events.enumerated() where abs(event - label) <= tolerance {
      var others = events
      others.remove(at: index)
      var rest = Self.best(labels.dropFirst(), others, within: tolerance)
      rest = (rest.pairs + 1, rest.error + abs(event - label))
      if (rest.pairs, -rest.error) > (best.pairs, -best.error) { best = rest }
    }
    return best
  }
}
