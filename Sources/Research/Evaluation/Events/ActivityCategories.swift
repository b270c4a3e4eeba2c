internal import InertialSystem

/// The agreement of detected activity segments with labelled ones, by the kind of error: the categories of Ward,
/// Lukowicz and Gellersen, "Performance metrics for activity recognition", ACM Transactions on Intelligent Systems and
/// Technology 2 (2011): 6, over any number of recordings.
///
/// In their terms, a labelled segment is an event and a detected one a return. Time is cut at all beginnings and ends,
/// so that every part is a true or false positive or negative. The category of a false part follows from the adjacent
/// parts.
package struct ActivityCategories: Sendable, Equatable {
  /// The numbers of labelled segments in each category. Each segment is in one of the first five.
  package struct Events: Sendable, Equatable, Codable {
    /// Events matched by one return that matches no other event. The return may start or end too early or too late.
    package var correct = 0
    /// Events that no return overlaps.
    package var deleted = 0
    /// Events that several returns overlap.
    package var fragmented = 0
    /// Events overlapped by a return that overlaps other events, too.
    package var merged = 0
    package var fragmentedAndMerged = 0
    /// Events that are not deleted, but detected too late at the beginning or only up to an earlier end.
    package var underfilled = 0

    package var count: Int { correct + deleted + fragmented + merged + fragmentedAndMerged }
  }

  /// The numbers of detected segments in each category. Each segment is in one of the first five.
  package struct Returns: Sendable, Equatable, Codable {
    /// Returns that match one event only; as many as correct events.
    package var correct = 0
    /// Returns that overlap no event.
    package var inserted = 0
    /// Returns that overlap an event that other returns overlap, too.
    package var fragmenting = 0
    /// Returns that overlap several events.
    package var merging = 0
    package var fragmentingAndMerging = 0
    /// Returns that are not inserted, but begin before the event or continue after its end.
    package var overfilled = 0

    package var count: Int { correct + inserted + fragmenting + merging + fragmentingAndMerging }
  }

  /// The time in each category, in seconds.
  package struct Times: Sendable, Equatable, Codable {
    package var truePositive = 0.0
    /// Missed time of an event without a detected part before or after.
    package var deletion = 0.0
    /// Missed time between two detected parts of an event.
    package var fragmenting = 0.0
    /// Missed time at an event's beginning or end.
    package var startUnderfill = 0.0
    package var endUnderfill = 0.0
    package var trueNegative = 0.0
    /// Detected time without an event before or after.
    package var insertion = 0.0
    /// Detected time between two events.
    package var merge = 0.0
    /// Detected time before an event's beginning or after its end.
    package var startOverfill = 0.0
    package var endOverfill = 0.0

    /// The total time of the labelled segments.
    package var positive: Double { truePositive + deletion + fragmenting + startUnderfill + endUnderfill }
    /// The total time outside the labelled segments.
    package var negative: Double { trueNegative + insertion + merge + startOverfill + endOverfill }

    /// The times as fractions: of the labelled time for `positives`, of the other time for `negatives`; 0 if there is
    /// no such time.
    package var fractions: Times {
      var (fractions, positive, negative) = (self, positive, negative)
      if positive == 0 { positive = 1 }
      if negative == 0 { negative = 1 }
      for path in Self.positives { fractions[keyPath: path] /= positive }
      for path in Self.negatives { fractions[keyPath: path] /= negative }
      return fractions
    }

    private static var positives: [WritableKeyPath<Times, Double>] {
      [\.truePositive, \.deletion, \.fragmenting, \.startUnderfill, \.endUnderfill]
    }
    private static var negatives: [WritableKeyPath<Times, Double>] {
      [\.trueNegative, \.insertion, \.merge, \.startOverfill, \.endOverfill]
    }
  }

  package private(set) var events = Events()
  package private(set) var returns = Returns()
  package private(set) var times = Times()

  package init() {}

  /// Adds a recording, or a part of it that is labelled without gaps, from one time to another. Segments of one kind
  /// that touch or overlap are merged; nothing is labelled or detected beyond the ends.
  package mutating func add(
    labelled: [ClosedRange<Double>], reported: [ClosedRange<Double>], from start: Double, to end: Double
  ) {
    guard end > start else { return }
    let labelled = Self.united(labelled, from: start, to: end)
    let reported = Self.united(reported, from: start, to: end)
    let parts = Self.parts(labelled, reported, from: start, to: end)
    var late = Set<Int>()
    var beyond = Set<Int>()
    for (index, part) in parts.enumerated() {
      let before = index > 0 && parts[index - 1].isTruePositive
      let after = index + 1 < parts.count && parts[index + 1].isTruePositive
      let seconds = part.end - part.start
      switch (part.event, part.return) {
      case (nil, nil): times.trueNegative += seconds
      case (_?, _?): times.truePositive += seconds
      case (let event?, nil):
        if before, after {
          times.fragmenting += seconds
        } else if after {
          times.startUnderfill += seconds
        } else if before {
          times.endUnderfill += seconds
        } else {
          times.deletion += seconds
        }
        if before != after { late.insert(event) }
      case (nil, let reported?):
        if before, after {
          times.merge += seconds
        } else if after {
          times.startOverfill += seconds
        } else if before {
          times.endOverfill += seconds
        } else {
          times.insertion += seconds
        }
        if before != after { beyond.insert(reported) }
      }
    }
    events.underfilled += late.count
    returns.overfilled += beyond.count
    count(parts, events: labelled.count, returns: reported.count)
  }

  /// Counts the categories of events and returns, depending on which of them overlap.
  private mutating func count(_ parts: [Part], events eventCount: Int, returns returnCount: Int) {
    var returnsOf = Array(repeating: Set<Int>(), count: eventCount)
    var eventsOf = Array(repeating: Set<Int>(), count: returnCount)
    for part in parts {
      guard let event = part.event, let reported = part.return else { continue }
      returnsOf[event].insert(reported)
      eventsOf[reported].insert(event)
    }
    for returns in returnsOf {
      switch (returns.count, returns.contains { eventsOf[$0].count > 1 }) {
      case (0, _): events.deleted += 1
      case (1, false): events.correct += 1
      case (1, true): events.merged += 1
      case (_, false): events.fragmented += 1
      case (_, true): events.fragmentedAndMerged += 1
      }
    }
    for events in eventsOf {
      switch (events.count, events.contains { returnsOf[$0].count > 1 }) {
      case (0, _): returns.inserted += 1
      case (1, false): returns.correct += 1
      case (1, true): returns.fragmenting += 1
      case (_, false): returns.merging += 1
      case (_, true): returns.fragmentingAndMerging += 1
      }
    }
  }

  /// A part of time with the event and the return that fill it.
  private struct Part {
    var start: Double
    var end: Double
    var event: Int?
    var `return`: Int?

    var isTruePositive: Bool { event != nil && `return` != nil }
  }

  private static func parts(
    _ labelled: [ClosedRange<Double>], _ reported: [ClosedRange<Double>], from start: Double, to end: Double
  ) -> [Part] {
    let bounds = ((labelled + reported).flatMap { [$0.lowerBound, $0.upperBound] } + [start, end]).sorted()
    var parts: [Part] = []
    var (event, returned) = (0, 0)
    for (from, to) in zip(bounds, bounds.dropFirst()) where to - from > rounding {
      while event < labelled.count, labelled[event].upperBound <= from { event += 1 }
      while returned < reported.count, reported[returned].upperBound <= from { returned += 1 }
      let isEvent = event < labelled.count && labelled[event].lowerBound <= from
      let isReported = returned < reported.count && reported[returned].lowerBound <= from
      parts.append(Part(start: from, end: to, event: isEvent ? event : nil, return: isReported ? returned : nil))
    }
    return parts
  }

  /// The longest duration, in seconds, that does not count as a segment or a gap, as labels have three decimals.
  package static let rounding = 1.5e-3

  private static func united(
    _ stretches: [ClosedRange<Double>], from start: Double, to end: Double
  ) -> [ClosedRange<Double>] {
    var found: [ClosedRange<Double>] = []
    for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let (low, high) = (max(stretch.lowerBound, start), min(stretch.upperBound, end))
      guard high - low > rounding else { continue }
      if let last = found.last, low - last.upperBound <= rounding {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, high)
      } else {
        found.append(low...high)
      }
    }
    return found
  }
}

extension ActivityCategories: Encodable {
  /// Encodes the counts and times, and the times as fractions.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject(["events": events, "returns": returns, "times": times, "shares": times.fractions])
      .encode(to: encoder)
  }
}
