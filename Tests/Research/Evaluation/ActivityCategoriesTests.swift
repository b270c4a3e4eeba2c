import Testing

@testable import InertialEvaluation

/// Sequences whose categories follow from the definitions of Ward, Lukowicz and Gellersen (2011).
@Suite("Activities by kind of error") struct ActivityCategoriesTests {
  private func categories(
    _ labelled: [ClosedRange<Double>], _ reported: [ClosedRange<Double>], to end: Double = 20
  ) -> ActivityCategories {
    var categories = ActivityCategories()
    categories.add(labelled: labelled, reported: reported, from: 0, to: end)
    return categories
  }

  @Test("an event predicted too early and ending too early is correct, with overfill and underfill")
  func correct() {
    let found = categories([5...10], [4...9])
    #expect(found.events == .init(correct: 1, underfilled: 1) && found.returns == .init(correct: 1, overfilled: 1))
    #expect(found.times == .init(truePositive: 4, endUnderfill: 1, trueNegative: 14, startOverfill: 1))
    let exact = categories([5...10], [5...10])
    #expect(exact.events == .init(correct: 1) && exact.returns == .init(correct: 1))
  }

  @Test("an event without overlap is deleted, and a return without overlap is inserted, even if they are adjacent")
  func deletionAndInsertion() {
    let found = categories([5...10], [10...12, 15...16])
    #expect(found.events == .init(deleted: 1) && found.returns == .init(inserted: 2))
    #expect(found.times == .init(deletion: 5, trueNegative: 12, insertion: 3))
  }

  @Test("an event predicted in pieces is fragmented, and the time between the pieces is fragmenting")
  func fragments() {
    let found = categories([2...12], [3...5, 6...8, 11...13])
    #expect(found.events == .init(fragmented: 1, underfilled: 1))
    #expect(found.returns == .init(fragmenting: 3, overfilled: 1))
    #expect(found.times == .init(truePositive: 5, fragmenting: 4, startUnderfill: 1, trueNegative: 9, endOverfill: 1))
  }

  @Test("events predicted as one are merged, and the time between them is a merge")
  func merges() {
    let found = categories([2...4, 6...8, 9...11], [2...11])
    #expect(found.events == .init(merged: 3) && found.returns == .init(merging: 1))
    #expect(found.times == .init(truePositive: 6, trueNegative: 11, merge: 3))
  }

  @Test("an event can be both fragmented and merged, and so can its return")
  func both() {
    // The second return continues over the second event.
    let found = categories([2...8, 10...12], [2...4, 5...11])
    #expect(found.events == .init(merged: 1, fragmentedAndMerged: 1, underfilled: 1))
    #expect(found.returns == .init(fragmenting: 1, fragmentingAndMerging: 1))
    #expect(found.times == .init(truePositive: 6, fragmenting: 1, endUnderfill: 1, trueNegative: 10, merge: 2))
  }

  @Test("all categories in one sequence add up, also over several recordings")
  func sequence() {
    let labelled = [2.0...6.0, 8.0...10.0, 11.0...13.0, 15.0...18.0]
    let reported = [1.0...3.0, 4.0...7.0, 8.5...12.0, 19.0...20.0]
    var found = categories(labelled, reported)
    #expect(found.events == .init(deleted: 1, fragmented: 1, merged: 2, underfilled: 2))
    #expect(found.returns == .init(inserted: 1, fragmenting: 2, merging: 1, overfilled: 2))
    let times = ActivityCategories.Times(
      truePositive: 5.5, deletion: 3, fragmenting: 1, startUnderfill: 0.5, endUnderfill: 1, trueNegative: 5,
      insertion: 1, merge: 1, startOverfill: 1, endOverfill: 1)
    #expect(found.times == times && times.positive == 11 && times.negative == 9)
    #expect(isNear(times.fractions.deletion, 3.0 / 11, within: 1e-12))
    #expect(isNear(times.fractions.merge, 1.0 / 9, within: 1e-12))
    found.add(labelled: labelled, reported: reported, from: 0, to: 20)
    #expect(found.events.count == 8 && found.returns.count == 8 && found.times.positive == 22)
    // The fractions do not change if a recording is added twice, and are 0 without any time.
    #expect(isNear(found.times.fractions.deletion, times.fractions.deletion, within: 1e-12))
    #expect(categories([0...20], [0...20]).times.fractions == .init(truePositive: 1))
  }

  @Test("adjacent segments are joined, and parts beyond the ends are cut off")
  func union() {
    let found = categories([-5...3, 3.0005...6, 18...30], [1...6, 6...7, 19...40])
    #expect(found.events == .init(correct: 2, underfilled: 2) && found.returns == .init(correct: 2, overfilled: 1))
    #expect(found.times.positive == 8 && found.times.negative == 12)
  }

  @Test("random sequences yield the same times when evaluated frame by frame")
  func frames() {
    var random = SeededGenerator(seed: 2011)
    for _ in 0..<200 {
      let (truth, reported) = (Self.random(&random), Self.random(&random))
      let found = categories(Self.stretches(truth), Self.stretches(reported), to: Double(truth.count)).times
      #expect(found == Self.byFrames(truth, reported))
    }
  }

  private static func random(_ random: inout SeededGenerator) -> [Bool] {
    var value = Bool.random(using: &random)
    return (0..<40).map { _ in
      if Int.random(in: 0..<4, using: &random) == 0 { value.toggle() }
      return value
    }
  }

  private static func stretches(_ frames: [Bool]) -> [ClosedRange<Double>] {
    frames.indices.filter { frames[$0] }.map { Double($0)...Double($0 + 1) }
  }

  /// Classifies each frame by the nearest frames before and after it that are of another kind.
  private static func byFrames(_ truth: [Bool], _ reported: [Bool]) -> ActivityCategories.Times {
    let kinds = zip(truth, reported).map { ($0 ? 2 : 0) + ($1 ? 1 : 0) }
    var times = ActivityCategories.Times()
    for (index, kind) in kinds.enumerated() {
      let (before, after) = (kinds[..<index].last { $0 != kind } == 3, kinds[index...].first { $0 != kind } == 3)
      switch (kind, before, after) {
      case (3, _, _): times.truePositive += 1
      case (0, _, _): times.trueNegative += 1
      case (2, true, true): times.fragmenting += 1
      case (2, false, true): times.startUnderfill += 1
      case (2, true, false): times.endUnderfill += 1
      case (2, false, false): times.deletion += 1
      case (_, true, true): times.merge += 1
      case (_, false, true): times.startOverfill += 1
      case (_, true, false): times.endOverfill += 1
      case (_, false, false): times.insertion += 1
      }
    }
    return times
  }
}
