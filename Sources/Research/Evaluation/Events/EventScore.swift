internal import InertialNumerics
internal import InertialSystem

/// A labelled segment of a recording.
package struct LabelledSegment: Sendable, Equatable, Codable {
  /// The start, in seconds on the recording's clock.
  package var start: Double
  package var end: Double
  package var label: String

  package init(start: Double, end: Double, label: String) {
    self.start = start
    self.end = end
    self.label = label
  }
}

/// An event reported by a detector.
package struct DetectedEvent: Sendable, Equatable {
  /// The start of the event itself, in seconds.
  package var start: Double
  package var end: Double
  /// The time at which the detector reported the event, in seconds.
  package var reportTime: Double

  package init(start: Double, end: Double, reportTime: Double) {
    self.start = start
    self.end = end
    self.reportTime = reportTime
  }

  fileprivate func overlaps(_ start: Double, _ end: Double) -> Bool { self.start <= end && self.end >= start }
}

/// The agreement of a detector's events with labels, over any number of recordings: detections, delays and false
/// alarms.
///
/// A labelled segment of the event is found if an event overlaps it. An event that overlaps no segment within
/// `tolerance` is a false alarm; false alarms are counted per hour of the time outside the segments, labelled or not.
/// Consecutive windows of each label are counted, and those touched by an event. In addition, segments and events are
/// matched one to one.
package struct EventScore: Sendable {
  /// The number of windows with one label, and of those with events.
  package struct Windows: Sendable, Equatable, Codable {
    package var count = 0
    /// The number of windows that an event touches.
    package var touched = 0
  }

  /// The label of the event.
  package let event: String
  /// The duration of a window, in seconds.
  package let window: Double
  package let tolerance: Double

  package private(set) var stretches = 0
  package private(set) var found = 0
  /// The time from the start of each segment found to the first report of an event, in seconds, at least 0.
  package private(set) var delays: [Double] = []
  package private(set) var falseAlarms = 0
  /// The time outside the event's segments, in seconds.
  package private(set) var otherTime = 0.0
  package private(set) var windows: [String: Windows] = [:]
  /// The one-to-one matches of segments and events, within `tolerance`.
  package private(set) var matches: EventMatches

  package init(event: String, window: Double = 3, tolerance: Double = 1) {
    self.event = event
    self.window = window
    self.tolerance = tolerance
    matches = EventMatches(tolerance: tolerance)
  }

  /// Adds a recording from `start` to `end` with its labels, which may be empty, and a detector's events.
  ///
  /// - Parameters:
  ///   - labels: The labelled segments.
  ///   - events: The detected events.
  ///   - start: The start of the recording, in seconds.
  ///   - end: The end of the recording, in seconds.
  ///   - touches: Returns whether the window from one time to another is touched; if `nil`, it is touched if it
  ///     contains part of an event.
  package mutating func add(
    labels: [LabelledSegment], events: [DetectedEvent], from start: Double, to end: Double,
    touches: ((Double, Double) -> Bool)? = nil
  ) {
    let wanted = labels.filter { $0.label == event }
    matches.add(labels: wanted.map { $0.start...$0.end }, events: events.map { $0.start...$0.end })
    for stretch in wanted {
      stretches += 1
      guard let first = events.filter({ $0.overlaps(stretch.start, stretch.end) }).map(\.reportTime).min() else {
        continue
      }
      found += 1
      delays.append(max(0, first - stretch.start))
    }
    falseAlarms += events.count { event in
      !wanted.contains { event.overlaps($0.start - tolerance, $0.end + tolerance) }
    }
    otherTime += max(0, end - start - wanted.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) })
    for stretch in labels {
      var position = stretch.start
      // The tolerance of half a microsecond keeps the last window if window durations such as thirds are summed.
      while position + window <= stretch.end + 5e-7 {
        let next = position + window
        windows[stretch.label, default: Windows()].count += 1
        // An event that ends at the beginning of the window belongs to the previous window.
        let isTouched = touches?(position, next) ?? events.contains { $0.start < next && $0.end > position }
        if isTouched { windows[stretch.label]!.touched += 1 }
        position = next
      }
    }
  }

  /// The fraction of segments that were found, or `nil` without segments.
  package var detectionRate: Double? { stretches > 0 ? Double(found) / Double(stretches) : nil }

  /// The 95 % confidence interval of `detectionRate`.
  package var detectionInterval: ClosedRange<Double>? {
    stretches > 0 ? Self.binomialInterval(found, of: stretches) : nil
  }

  /// The median delay, in seconds, or `nil` without detections.
  package var medianDelay: Double? { delays.isEmpty ? nil : Statistics.percentile(50, of: delays) }
  package var lateDelay: Double? { delays.isEmpty ? nil : Statistics.percentile(90, of: delays) }

  package var falseAlarmsPerHour: Double? { otherTime > 0 ? Double(falseAlarms) * 3600 / otherTime : nil }

  /// The upper 95 % confidence bound of the false alarms per hour.
  package var falseAlarmBound: Double? {
    otherTime > 0 ? Self.poissonBound(falseAlarms) * 3600 / otherTime : nil
  }

  /// Returns the 95 % confidence interval of a fraction (Wilson, "Probable inference, the law of succession, and
  /// statistical inference", 1927), which is accurate for small numbers and for fractions near 0 and 1.
  package static func binomialInterval(_ count: Int, of total: Int) -> ClosedRange<Double> {
    let z = 1.959964
    let (n, fraction) = (Double(total), Double(count) / Double(total))
    let middle = (fraction + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (fraction * (1 - fraction) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - half)...min(1, middle + half)
  }

  /// Returns the mean of a Poisson distribution in which the given number of events, or fewer, has a probability of 5 %
  /// (Garwood 1936): 3.0 for 0 events.
  package static func poissonBound(_ count: Int) -> Double {
    var (low, high) = (0.0, Double(count) + 10 + 5 * Double(count).squareRoot())
    for _ in 0..<60 {
      let mean = (low + high) / 2
      if poissonProbability(atMost: count, mean: mean) > 0.05 { low = mean } else { high = mean }
    }
    return (low + high) / 2
  }

  private static func poissonProbability(atMost count: Int, mean: Double) -> Double {
    // Computed with logarithms, as exp(−mean) underflows to 0 for large means.
    var (logTerm, sum) = (-mean, 0.0)
    for index in 0...count {
      if index > 0 { logTerm += log(mean / Double(index)) }
      sum += exp(logTerm)
    }
    return sum
  }
}
