import Inertial

extension ActivityCategories {
  private static let labelWidth = 15

  /// Prints the segments and durations of several activities.
  static func print(_ title: String, _ activities: [(String, ActivityCategories)]) {
    let found = activities.filter { $0.1.events.count + $0.1.returns.count > 0 }
    guard !found.isEmpty else { return }
    Page.standard.line("\n\(title): segments, labelled and detected")
    line(
      "activity",
      ["labelled", "correct", "deleted", "fragm.", "merged", "both", "underf."],
      ["detected", "inserted", "fragm.", "merging", "both", "overf."])
    for (word, categories) in found {
      let (events, returns) = (categories.events, categories.returns)
      line(
        word,
        [
          events.count, events.correct, events.deleted, events.fragmented, events.merged, events.fragmentedAndMerged,
          events.underfilled,
        ].map(String.init),
        [
          returns.count, returns.inserted, returns.fragmenting, returns.merging, returns.fragmentingAndMerging,
          returns.overfilled,
        ].map(String.init))
    }
    Page.standard.line("\n\(title): percentages of the labelled and of the remaining time")
    line(
      "activity", ["s", "correct", "deletion", "fragm.", "start u.", "end u."],
      ["s", "insert.", "merge", "start o.", "end o."])
    for (word, categories) in found {
      let (times, shares) = (categories.times, categories.times.fractions)
      line(
        word,
        [fixed(times.positive, 0)]
          + [
            shares.truePositive, shares.deletion, shares.fragmenting, shares.startUnderfill, shares.endUnderfill,
          ].map { fixed(100 * $0, 1) },
        [fixed(times.negative, 0)]
          + [shares.insertion, shares.merge, shares.startOverfill, shares.endOverfill].map { fixed(100 * $0, 1) })
    }
  }

  private static func line(_ word: String, _ labelled: [String], _ detected: [String]) {
    func cells(_ texts: [String]) -> String { texts.map { right($0, 8) }.joined(separator: " ") }
    Page.standard.line(padded(word, labelWidth), cells(labelled) + "  |" + cells(detected))
  }
}
