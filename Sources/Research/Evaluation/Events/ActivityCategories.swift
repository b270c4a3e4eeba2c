/// How the stretches in which an activity was told fit those that are labelled with it, by the kind of error: the categories
/// of Ward, Lukowicz and Gellersen, "Performance metrics for activity recognition", ACM Transactions on Intelligent Systems
/// and Technology 2 (2011): 6, over any number of recordings.
///
/// They call a labelled stretch an event and a told one a return. Time is cut where either begins or ends, so that every
/// part is a true or false positive or negative. What a false part is follows from the parts beside it.
package struct ActivityCategories: Sendable, Equatable {
  /// Labelled stretches, each in one of the first five categories.
  package struct Events: Sendable, Equatable, Codable {
    /// Matched by one return that matches no other event. It may be told too early or too late.
    package var correct = 0
    /// Overlapped by no return.
    package var deleted = 0
    /// Overlapped by several returns.
    package var fragmented = 0
    /// Overlapped by a return that overlaps other events too.
    package var merged = 0
    package var fragmentedAndMerged = 0
    /// Of those that are not deleted: told too late at the beginning, or ended too early.
    package var underfilled = 0

    package var count: Int { correct + deleted + fragmented + merged + fragmentedAndMerged }
  }

  /// Told stretches, each in one of the first five categories.
  package struct Returns: Sendable, Equatable, Codable {
    /// As many as correct events.
    package var correct = 0
    /// Overlap no event.
    package var inserted = 0
    /// Overlap an event that other returns overlap too.
    package var fragmenting = 0
    /// Overlap several events.
    package var merging = 0
    package var fragmentingAndMerging = 0
    /// Of those that are not inserted: told before the event begins, or on after it has ended.
    package var overfilled = 0

    package var count: Int { correct + inserted + fragmenting + merging + fragmentingAndMerging }
  }

  /// Seconds in each category.
  package struct Times: Sendable, Equatable, Codable {
    package var truePositive = 0.0
    /// Missed, with nothing told of the event before or after.
    package var deletion = 0.0
    /// Missed between two parts of an event that were told.
    package var fragmenting = 0.0
    /// Missed at an event's beginning or end.
    package var startUnderfill = 0.0
    package var endUnderfill = 0.0
    package var trueNegative = 0.0
    /// Told with no event before or after.
    package var insertion = 0.0
    /// Told between two events.
    package var merge = 0.0
    /// Told before an event's beginning or after its end.
    package var startOverfill = 0.0
    package var endOverfill = 0.0

    /// Of the labelled stretches.
    package var positive: Double { truePositive + deletion + fragmenting + startUnderfill + endUnderfill }
    /// Of the rest.
    package var negative: Double { trueNegative + insertion + merge + startOverfill + endOverfill }

    /// Every category as a share: of the labelled time what was missed, of the other time what was told falsely; 0 where
    /// there is no such time.
    package var shares: Times {
      var (shares, positive, negative) = (self, positive, negative)
      if positive == 0 { positive = 1 }
      if negative == 0 { negative = 1 }
      for path in Self.positives { shares[keyPath: path] /= positive }
      for path in Self.negatives { shares[keyPath: path] /= negative }
      return shares
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

  /// Adds a recording, or a part of it that is labelled without a gap, from one time to another. Stretches of one kind that
  /// touch or overlap are one; beyond the ends nothing is labelled and nothing told.
  package mutating func add(
    labelled: [ClosedRange<Double>], told: [ClosedRange<Double>], from start: Double, to end: Double
  ) {
    guard end > start else { return }
    let labelled = Self.united(labelled, from: start, to: end)
    let told = Self.united(told, from: start, to: end)
    let parts = Self.parts(labelled, told, from: start, to: end)
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
      case (nil, let told?):
        if before, after {
          times.merge += seconds
        } else if after {
          times.startOverfill += seconds
        } else if before {
          times.endOverfill += seconds
        } else {
          times.insertion += seconds
        }
        if before != after { beyond.insert(told) }
      }
    }
    events.underfilled += late.count
    returns.overfilled += beyond.count
    count(parts, events: labelled.count, returns: told.count)
  }

  /// Puts events and returns into their categories, by which of them share time.
  private mutating func count(_ parts: [Part], events eventCount: Int, returns returnCount: Int) {
    var returnsOf = Array(repeating: Set<Int>(), count: eventCount)
    var eventsOf = Array(repeating: Set<Int>(), count: returnCount)
    for part in parts {
      guard let event = part.event, let told = part.return else { continue }
      returnsOf[event].insert(told)
      eventsOf[told].insert(event)
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
    _ labelled: [ClosedRange<Double>], _ told: [ClosedRange<Double>], from start: Double, to end: Double
  ) -> [Part] {
    let bounds = ((labelled + told).flatMap { [$0.lowerBound, $0.upperBound] } + [start, end]).sorted()
    var parts: [Part] = []
    var (event, returned) = (0, 0)
    for (from, to) in zip(bounds, bounds.dropFirst()) where to - from > rounding {
      while event < labelled.count, labelled[event].upperBound <= from { event += 1 }
      while returned < told.count, told[returned].upperBound <= from { returned += 1 }
      let isEvent = event < labelled.count && labelled[event].lowerBound <= from
      let isTold = returned < told.count && told[returned].lowerBound <= from
      parts.append(Part(start: from, end: to, event: isEvent ? event : nil, return: isTold ? returned : nil))
    }
    return parts
  }

  /// Seconds: nothing shorter is a stretch or a gap, as labels are written with three decimals.
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
