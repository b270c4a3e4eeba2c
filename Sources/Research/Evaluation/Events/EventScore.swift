internal import InertialNumerics
internal import InertialSystem

/// A stretch of a recording that somebody has labelled.
package struct LabelledStretch: Sendable, Equatable, Codable {
  /// Seconds on the recording's clock.
  package var start: Double
  package var end: Double
  package var label: String

  package init(start: Double, end: Double, label: String) {
    self.start = start
    self.end = end
    self.label = label
  }
}

/// An event that a detector reported.
package struct DetectedEvent: Sendable, Equatable {
  /// First and last moment of the event itself, seconds.
  package var start: Double
  package var end: Double
  /// When the detector told of it, seconds.
  package var told: Double

  package init(start: Double, end: Double, told: Double) {
    self.start = start
    self.end = end
    self.told = told
  }

  fileprivate func overlaps(_ start: Double, _ end: Double) -> Bool { self.start <= end && self.end >= start }
}

/// How a detector's events fit labels, over any number of recordings: what was found, how late, and what was wrong.
///
/// A labelled stretch of the event is found where an event overlaps it. An event that overlaps none of them, give or take
/// `tolerance`, is a false alarm; false alarms are counted per hour of the time outside of these stretches, labelled or
/// not. Windows of each label, cut one after the other, count how many are touched by an event. Beside it, stretches and
/// events are matched one to one.
package struct EventScore: Sendable {
  /// How many windows of one label have events in them.
  package struct Windows: Sendable, Equatable, Codable {
    package var count = 0
    /// Windows that an event touches.
    package var touched = 0
  }

  /// The label of the event.
  package let event: String
  /// Seconds.
  package let window: Double
  package let tolerance: Double

  package private(set) var stretches = 0
  package private(set) var found = 0
  /// Of each stretch found, seconds from its start to when the first event was told of, at least 0.
  package private(set) var delays: [Double] = []
  package private(set) var falseAlarms = 0
  /// Seconds outside of the event's stretches.
  package private(set) var otherTime = 0.0
  package private(set) var windows: [String: Windows] = [:]
  /// One event for each stretch, within `tolerance`.
  package private(set) var matches: EventMatches

  package init(event: String, window: Double = 3, tolerance: Double = 1) {
    self.event = event
    self.window = window
    self.tolerance = tolerance
    matches = EventMatches(tolerance: tolerance)
  }

  /// Adds a recording from `start` to `end` with its labels, which may be none, and a detector's events.
  ///
  /// - `touches`: whether the window from one time to another is touched; nil: one is where an event is in it.
  package mutating func add(
    labels: [LabelledStretch], events: [DetectedEvent], from start: Double, to end: Double,
    touches: ((Double, Double) -> Bool)? = nil
  ) {
    let wanted = labels.filter { $0.label == event }
    matches.add(labels: wanted.map { $0.start...$0.end }, events: events.map { $0.start...$0.end })
    for stretch in wanted {
      stretches += 1
      guard let first = events.filter({ $0.overlaps(stretch.start, stretch.end) }).map(\.told).min() else { continue }
      found += 1
      delays.append(max(0, first - stretch.start))
    }
    falseAlarms += events.count { event in
      !wanted.contains { event.overlaps($0.start - tolerance, $0.end + tolerance) }
    }
    otherTime += max(0, end - start - wanted.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) })
    for stretch in labels {
      var place = stretch.start
      // Half a microsecond: sums of thirds must not lose the last window.
      while place + window <= stretch.end + 5e-7 {
        let next = place + window
        windows[stretch.label, default: Windows()].count += 1
        // An event that ends where the window begins belongs to the one before.
        let isTouched = touches?(place, next) ?? events.contains { $0.start < next && $0.end > place }
        if isTouched { windows[stretch.label]!.touched += 1 }
        place = next
      }
    }
  }

  /// Share of the stretches that were found; nil where there were none.
  package var detectionRate: Double? { stretches > 0 ? Double(found) / Double(stretches) : nil }

  /// The interval of `detectionRate` at 95 %.
  package var detectionInterval: ClosedRange<Double>? {
    stretches > 0 ? Self.binomialInterval(found, of: stretches) : nil
  }

  /// Seconds; nil where nothing was found.
  package var medianDelay: Double? { delays.isEmpty ? nil : Statistics.percentile(50, of: delays) }
  package var lateDelay: Double? { delays.isEmpty ? nil : Statistics.percentile(90, of: delays) }

  package var falseAlarmsPerHour: Double? { otherTime > 0 ? Double(falseAlarms) * 3600 / otherTime : nil }

  /// What the false alarms per hour stay below with a probability of 95 %.
  package var falseAlarmBound: Double? {
    otherTime > 0 ? Self.poissonBound(falseAlarms) * 3600 / otherTime : nil
  }

  /// The interval of a share at 95 % (Wilson, "Probable inference, the law of succession, and statistical inference",
  /// 1927): right for small numbers and shares near 0 and 1.
  package static func binomialInterval(_ count: Int, of total: Int) -> ClosedRange<Double> {
    let z = 1.959964
    let (n, share) = (Double(total), Double(count) / Double(total))
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - half)...min(1, middle + half)
  }

  /// The mean of a Poisson distribution that gives so few events, or fewer, with a probability of 5 % (Garwood 1936):
  /// 3.0 for none.
  package static func poissonBound(_ count: Int) -> Double {
    var (low, high) = (0.0, Double(count) + 10 + 5 * Double(count).squareRoot())
    for _ in 0..<60 {
      let mean = (low + high) / 2
      if poissonShare(atMost: count, mean: mean) > 0.05 { low = mean } else { high = mean }
    }
    return (low + high) / 2
  }

  private static func poissonShare(atMost count: Int, mean: Double) -> Double {
    // By logarithms: e to the minus mean is 0 for large ones.
    var (logTerm, sum) = (-mean, 0.0)
    for index in 0...count {
      if index > 0 { logTerm += log(mean / Double(index)) }
      sum += exp(logTerm)
    }
    return sum
  }
}
