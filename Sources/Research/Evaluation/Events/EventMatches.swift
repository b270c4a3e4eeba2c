internal import InertialNumerics

/// Detected events matched one to one with labelled ones, over any number of recordings.
///
/// An event may be matched with a label where no more than `tolerance` lies between the two; a moment is a stretch of no
/// length. Of all ways to match them, the one with the most pairs is taken, and of those the one with the least sum of
/// absolute timing errors. A second event for one label is a false one, and a second label for one event a miss: this is
/// what event-level precision and recall mean (Mesaros, Heittola and Virtanen, "Metrics for polyphonic sound event
/// detection", Applied Sciences 6 (2016): 162; for steps, `categorize_ic_list` of mobgap).
package struct EventMatches: Sendable {
  /// Seconds.
  package let tolerance: Double
  package private(set) var labelled = 0
  package private(set) var detected = 0
  /// Of each pair, the start of the event less that of the label, seconds.
  package private(set) var errors: [Double] = []

  package init(tolerance: Double) { self.tolerance = tolerance }

  /// Adds a recording. Labels do not overlap each other, and neither do events; the order does not matter.
  package mutating func add(labels: [ClosedRange<Double>], events: [ClosedRange<Double>]) {
    let labels = labels.sorted { $0.lowerBound < $1.lowerBound }
    let events = events.sorted { $0.lowerBound < $1.lowerBound }
    labelled += labels.count
    detected += events.count
    errors += pairs(labels, events).map { events[$0.event].lowerBound - labels[$0.label].lowerBound }
  }

  package var matched: Int { errors.count }

  /// Share of the events that are matched; nil where there are none.
  package var precision: Double? { detected > 0 ? Double(matched) / Double(detected) : nil }

  /// Share of the labels that are matched; nil where there are none.
  package var recall: Double? { labelled > 0 ? Double(matched) / Double(labelled) : nil }

  /// The harmonic mean of both, 0 where nothing is matched; nil where there are neither labels nor events.
  package var f1: Double? {
    labelled + detected > 0 ? 2 * Double(matched) / Double(labelled + detected) : nil
  }

  /// Seconds, positive where events come later than their labels; nil where nothing is matched.
  package var meanError: Double? { Statistics.mean(errors) }
  /// Seconds.
  package var meanAbsoluteError: Double? { Statistics.mean(errors.map(abs)) }
  /// Nine of ten pairs are no further apart, seconds.
  package var lateError: Double? { Statistics.percentile(90, of: errors.map(abs)) }

  /// How good a matching is: more pairs first, then less error.
  private struct Worth {
    var pairs = 0
    var error = 0.0

    func isBetter(than other: Worth) -> Bool {
      pairs != other.pairs ? pairs > other.pairs : error < other.error
    }
  }

  private enum Choice: UInt8 {
    case label, event, pair
  }

  /// What is known of the matchings of all labels up to one: the best with the first `least`, `least` + 1, … events.
  /// With more events than it knows of, the best is its last.
  private struct Row {
    var least: Int
    var worths: [Worth]
    var choices: [Choice]

    var most: Int { least + worths.count - 1 }
    subscript(count: Int) -> Worth { worths[min(count, most) - least] }
  }

  /// By dynamic programming over labels and the events within reach of each. As neither overlap each other, pairs that
  /// cross are never better than the same ones uncrossed.
  private func pairs(
    _ labels: [ClosedRange<Double>], _ events: [ClosedRange<Double>]
  ) -> [(label: Int, event: Int)] {
    var rows: [Row] = []
    var (low, high) = (0, 0)
    for (index, label) in labels.enumerated() {
      while low < events.count, events[low].upperBound < label.lowerBound - tolerance { low += 1 }
      high = max(high, low)
      while high < events.count, events[high].lowerBound <= label.upperBound + tolerance { high += 1 }
      var row = Row(least: low, worths: [], choices: [])
      for count in low...high {
        var (worth, choice) = (index > 0 ? rows[index - 1][count] : Worth(), Choice.label)
        if count > low {
          if let before = row.worths.last, before.isBetter(than: worth) { (worth, choice) = (before, .event) }
          var paired = index > 0 ? rows[index - 1][count - 1] : Worth()
          paired.pairs += 1
          paired.error += abs(events[count - 1].lowerBound - label.lowerBound)
          if paired.isBetter(than: worth) { (worth, choice) = (paired, .pair) }
        }
        row.worths.append(worth)
        row.choices.append(choice)
      }
      rows.append(row)
    }
    var found: [(label: Int, event: Int)] = []
    var count = events.count
    for index in rows.indices.reversed() {
      count = min(count, rows[index].most)
      while rows[index].choices[count - rows[index].least] == .event { count -= 1 }
      guard rows[index].choices[count - rows[index].least] == .pair else { continue }
      count -= 1
      found.append((index, count))
    }
    return found.reversed()
  }
}
