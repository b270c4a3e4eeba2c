internal import InertialNumerics
internal import InertialSystem

/// Detected events matched one to one with labelled ones, over any number of recordings.
///
/// An event may be matched with a label if they are at most `tolerance` apart; an instant is a segment of zero
/// duration. Of all matchings, the one with the most pairs is used, and of those the one with the smallest sum of
/// absolute timing errors. A second event for one label is a false positive, and a second label for one event a miss,
/// as in event-level precision and recall (Mesaros, Heittola and Virtanen, "Metrics for polyphonic sound event
/// detection", Applied Sciences 6 (2016): 162; for steps, `categorize_ic_list` of mobgap).
package struct EventMatches: Sendable {
  /// The largest distance between a matched event and label, in seconds.
  package let tolerance: Double
  package private(set) var labelled = 0
  package private(set) var detected = 0
  /// The start of the event minus the start of the label for each pair, in seconds.
  package private(set) var errors: [Double] = []

  package init(tolerance: Double) { self.tolerance = tolerance }

  /// Adds a recording. Labels must not overlap each other, nor must events; their order does not matter.
  package mutating func add(labels: [ClosedRange<Double>], events: [ClosedRange<Double>]) {
    let labels = labels.sorted { $0.lowerBound < $1.lowerBound }
    let events = events.sorted { $0.lowerBound < $1.lowerBound }
    labelled += labels.count
    detected += events.count
    errors += pairs(labels, events).map { events[$0.event].lowerBound - labels[$0.label].lowerBound }
  }

  package var matched: Int { errors.count }

  /// The fraction of events that are matched, or `nil` without events.
  package var precision: Double? { detected > 0 ? Double(matched) / Double(detected) : nil }

  /// The fraction of labels that are matched, or `nil` without labels.
  package var recall: Double? { labelled > 0 ? Double(matched) / Double(labelled) : nil }

  /// The harmonic mean of precision and recall, 0 if nothing is matched, or `nil` without labels and events.
  package var f1: Double? {
    labelled + detected > 0 ? 2 * Double(matched) / Double(labelled + detected) : nil
  }

  /// The mean timing error, in seconds, positive if events are later than their labels, or `nil` without pairs.
  package var meanError: Double? { Statistics.mean(errors) }
  /// The mean absolute timing error, in seconds.
  package var meanAbsoluteError: Double? { Statistics.mean(errors.map(abs)) }
  /// The 90th percentile of the absolute timing error, in seconds.
  package var lateError: Double? { Statistics.percentile(90, of: errors.map(abs)) }

  /// The quality of a matching: more pairs first, then a smaller error.
  private struct MatchingScore {
    var pairs = 0
    var error = 0.0

    func isBetter(than other: MatchingScore) -> Bool {
      pairs != other.pairs ? pairs > other.pairs : error < other.error
    }
  }

  private enum Choice: UInt8 {
    case label, event, pair
  }

  /// The best matchings of all labels up to one, with the first `minimum`, `minimum` + 1, … events. With more events than
  /// the row covers, the best is its last.
  private struct Row {
    var minimum: Int
    var worths: [MatchingScore]
    var choices: [Choice]

    var maximum: Int { minimum + worths.count - 1 }
    subscript(count: Int) -> MatchingScore { worths[min(count, maximum) - minimum] }
  }

  /// Matches by dynamic programming over labels and the events within reach of each. As neither overlap each other,
  /// crossing pairs are never better than the same pairs uncrossed.
  private func pairs(
    _ labels: [ClosedRange<Double>], _ events: [ClosedRange<Double>]
  ) -> [(label: Int, event: Int)] {
    var rows: [Row] = []
    var (low, high) = (0, 0)
    for (index, label) in labels.enumerated() {
      while low < events.count, events[low].upperBound < label.lowerBound - tolerance { low += 1 }
      high = max(high, low)
      while high < events.count, events[high].lowerBound <= label.upperBound + tolerance { high += 1 }
      var row = Row(minimum: low, worths: [], choices: [])
      for count in low...high {
        var (worth, choice) = (index > 0 ? rows[index - 1][count] : MatchingScore(), Choice.label)
        if count > low {
          if let before = row.worths.last, before.isBetter(than: worth) { (worth, choice) = (before, .event) }
          var paired = index > 0 ? rows[index - 1][count - 1] : MatchingScore()
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
      count = min(count, rows[index].maximum)
      while rows[index].choices[count - rows[index].minimum] == .event { count -= 1 }
      guard rows[index].choices[count - rows[index].minimum] == .pair else { continue }
      count -= 1
      found.append((index, count))
    }
    return found.reversed()
  }
}

extension EventMatches: Encodable {
  /// Encodes the counts and the derived figures, with Wilson's intervals at 95 %.
  package func encode(to encoder: any Encoder) throws {
    func interval(_ total: Int) -> [Double]? {
      guard total > 0 else { return nil }
      let interval = EventScore.binomialInterval(matched, of: total)
      return [interval.lowerBound, interval.upperBound]
    }
    try EncodedObject([
      "tolerance": tolerance, "labelled": labelled, "detected": detected, "matched": matched, "precision": precision,
      "precisionInterval": interval(detected), "recall": recall, "recallInterval": interval(labelled), "f1": f1,
      "meanError": meanError, "meanAbsoluteError": meanAbsoluteError, "absoluteError90": lateError,
    ]).encode(to: encoder)
  }
}
