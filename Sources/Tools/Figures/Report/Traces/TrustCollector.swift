internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// Determines for each second of a fusion whether its attitude is reliable, and the reasons if it is not.
struct TrustCollector {
  typealias Cause = AttitudeTrust.Cause

  /// Successive seconds with the same reasons.
  struct Span: Sendable {
    var start: Double
    var end: Double
    var trust: AttitudeTrust
    var duration: Double { end - start }
  }

  /// The fraction of a second's rows above which a reason applies to the second.
  private static let minimumFraction = 0.2
  /// The maximum number of spans; if there are more, the intervals are longer than a second.
  private static let maximumSpanCount = 4000
  /// The smallest end of a gyroscope's range, in rad/s: less is a rate at rest.
  private static let minimumClippedRate = 1.5

  private var first = 0.0
  private var last = 0.0
  /// The seconds since the start that have rows, with their reasons. A log may have gaps of years.
  private var seconds: [(index: Int, trust: AttitudeTrust)] = []
  private var counts = [Int](repeating: 0, count: Cause.allCases.count)
  private var rows = 0
  private var current = -1

  /// Adds a row.
  mutating func add(_ time: Double, _ trust: AttitudeTrust) {
    if current < 0 { first = time }
    let second = max(index(of: time), current)
    if second != current { finish(next: second) }
    (last, rows) = (time, rows + 1)
    if !trust.isEmpty { for cause in trust.causes { counts[cause.rawValue] += 1 } }
  }

  /// Returns the number of the second that contains a time.
  private func index(of time: Double) -> Int { Int(min(max(time - first, 0), 1e15)) }

  /// Ends the current second.
  private mutating func finish(next: Int) {
    if rows > 0 {
      var trust: AttitudeTrust = []
      for cause in Cause.allCases {
        let minimum = cause == .jumped ? 1 : Self.minimumFraction * Double(rows)
        if counts[cause.rawValue] > 0, Double(counts[cause.rawValue]) >= minimum { trust.insert(AttitudeTrust(cause)) }
        counts[cause.rawValue] = 0
      }
      seconds.append((current, trust))
    }
    (current, rows) = (next, 0)
  }

  /// Returns the reliability of all seconds.
  ///
  /// - Parameter known: Further intervals with their reasons.
  func spans(_ known: [(cause: Cause, from: Double, to: Double)]) -> [Span] {
    var complete = self
    complete.finish(next: max(current, 0))
    var seconds = complete.seconds
    for (cause, from, to) in known {
      let end = index(of: to)
      var place = seconds.partitioningIndex { $0.index >= index(of: from) }
      while place < seconds.count, seconds[place].index <= end {
        seconds[place].trust.insert(AttitudeTrust(cause))
        place += 1
      }
    }
    let gap = AttitudeTrust(.gap)
    let group = seconds.count / Self.maximumSpanCount + 1
    var spans: [Span] = []
    var next = 0
    func add(_ trust: AttitudeTrust, from start: Int, to end: Int) {
      let end = min(first + Double(end), max(last, first))
      if trust == spans.last?.trust {
        spans[spans.count - 1].end = end
      } else {
        spans.append(Span(start: first + Double(start), end: end, trust: trust))
      }
    }
    for start in stride(from: 0, to: seconds.count, by: group) {
      let part = seconds[start..<min(start + group, seconds.count)]
      let (from, through) = (part[start].index, part[part.endIndex - 1].index + 1)
      if from > next { add(gap, from: next, to: from) }
      let hasGap = through - from > part.count
      add(part.reduce(hasGap ? gap : []) { $0.union($1.trust) }, from: from, to: through)
      next = through
    }
    return spans
  }

  /// Returns the reliability of all seconds, with the intervals in which a sensor repeats its values or is at the end of
  /// its range.
  func spans(of log: LogSummary, _ table: TraceTable) -> [Span] {
    var known = log.heldIntervals.map { (cause: Cause.held, from: $0.lowerBound, to: $0.upperBound) }
    guard let gyroscope = log.quality[.gyroscope] else { return spans(known) }
    for (axis, name) in zip(gyroscope.axes, ["rotationRateX", "rotationRateY", "rotationRateZ"]) {
      guard let column = table.columns.firstIndex(where: { $0.name == name }) else { continue }
      for (limit, run, count) in [
        (axis.smallest, axis.runAtSmallest, axis.atSmallest), (axis.largest, axis.runAtLargest, axis.atLargest),
      ] where run >= 3 && count >= 5 && abs(limit) > Self.minimumClippedRate {
        // The rows have no bias, which is far below a fiftieth of the range.
        for (index, time) in table.times.enumerated() where table[column, index] / limit > 0.98 {
          known.append((.clipped, time, time))
        }
      }
    }
    return spans(known)
  }
}

extension [TrustCollector.Span] {
  /// Returns the total time with a reliability, in seconds.
  func duration(_ level: AttitudeTrust.Level) -> Double {
    reduce(0) { $0 + ($1.trust.level == level ? $1.duration : 0) }
  }
}
