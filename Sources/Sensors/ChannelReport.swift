/// What was found in one channel of a log, and what was done about it.
public struct ChannelReport: Sendable, Equatable {
  /// Samples read, good or not.
  public internal(set) var count = 0
  /// NaN: no sample.
  public internal(set) var missing = 0
  /// Skipped: infinite, physically impossible, or without a time.
  public internal(set) var invalid = 0
  /// Samples older than their predecessor in the file.
  public internal(set) var outOfOrder = 0
  /// Samples that came too late to be put in order.
  public internal(set) var late = 0
  /// Repetitions of a sample with the same time and values, dropped.
  public internal(set) var collapsed = 0
  /// Samples at the time of another with other values, set apart.
  package internal(set) var setApart = 0
  /// Seconds on the log's clock; NaN where no sample was good.
  package internal(set) var firstTime = Double.nan
  package internal(set) var lastTime = Double.nan
  /// The longest time between two good samples, seconds.
  public internal(set) var longestInterval = 0.0
  /// The shortest time between two good samples of different times, seconds.
  package internal(set) var shortestInterval = Double.infinity
  /// Intervals longer than half a second.
  public internal(set) var gaps = 0

  /// Line of the first sample that was missing, skipped or out of order; 0 where there is none or no line.
  package internal(set) var firstMissingLine: UInt32 = 0
  package internal(set) var firstInvalidLine: UInt32 = 0
  package internal(set) var firstOutOfOrderLine: UInt32 = 0
  /// Line of the first sample.
  package internal(set) var firstLine: UInt32 = 0

  private var intervals = IntervalStatistics()
  /// Count at the first and at the last sample that was neither missing nor invalid.
  private var firstKept = 0
  private var lastKept = 0
  /// Counts from one such sample to the next: how many there were of 1, of 2 to 3, of 4 to 7 and so on.
  private var steps = [Int](repeating: 0, count: Int.bitWidth)

  package init() {}

  /// Samples that were used.
  public var used: Int { count - missing - invalid - late - collapsed }

  /// Mean rate in Hz over the whole channel, 0 for fewer than two samples. Pauses are left out: gaps, where most of the
  /// intervals are none.
  public var meanRate: Double {
    let duration = lastTime - firstTime
    guard duration > 0 else { return 0 }
    guard gaps > 0, 2 * gaps <= intervals.count else { return Double(intervals.count) / duration }
    return 1 / intervals.meanOfRegular
  }

  /// Standard deviation of the intervals that are no gaps, seconds.
  package var jitter: Double { intervals.standardDeviation }

  /// The share of samples that are infinite or impossible, 0 to 1.
  public var invalidShare: Double { count > 0 ? Double(invalid) / Double(count) : 0 }

  /// Whether most of the channel is NaN, and not because a slower sensor is written into a faster one's rows.
  package var isMostlyMissing: Bool { count > 1 && 2 * missing > count && !isSlowerSensor }

  /// Whether the samples stand at regular places throughout: nine in ten of the steps differ by less than a factor
  /// of four, and they span most of the channel. Of values missing at random, more than half, at most 7/8 do.
  private var isSlowerSensor: Bool {
    let total = steps.reduce(0, +)
    let regular = zip(steps, steps.dropFirst()).map(+).max() ?? 0
    return 10 * regular >= 9 * total && 2 * (lastKept - firstKept) > count
  }

  mutating func note(_ outcome: SampleConditioner.Outcome, line: UInt32) {
    count += 1
    if count == 1 { firstLine = line }
    switch outcome {
    case .kept: noteKept()
    case .late:
      noteKept()
      late += 1
    case .missing:
      missing += 1
      if missing == 1 { firstMissingLine = line }
    case .invalid:
      invalid += 1
      if invalid == 1 { firstInvalidLine = line }
    }
  }

  mutating func noteOutOfOrder(line: UInt32) {
    outOfOrder += 1
    if outOfOrder == 1 { firstOutOfOrderLine = line }
  }

  /// Takes the samples as in order: their log has its newest row first.
  package mutating func forgetOrder() { (outOfOrder, firstOutOfOrderLine) = (0, 0) }

  private mutating func noteKept() {
    if firstKept == 0 {
      firstKept = count
    } else {
      steps[Int.bitWidth - 1 - (count - lastKept).leadingZeroBitCount] += 1
    }
    lastKept = count
  }

  mutating func note(interval: Double) {
    guard interval > 0 else { return }
    longestInterval = max(longestInterval, interval)
    shortestInterval = min(shortestInterval, interval)
    if interval > 0.5 { gaps += 1 }
    intervals.add(interval)
  }
}

/// Running mean and variance of sample intervals (Welford), gaps left out of the variance.
private struct IntervalStatistics: Sendable, Equatable {
  var count = 0
  private var regular = 0
  private var mean = 0.0
  private var squares = 0.0

  /// Seconds, of the intervals that are no gaps.
  var meanOfRegular: Double { mean }

  mutating func add(_ interval: Double) {
    count += 1
    guard interval <= 0.5 else { return }
    regular += 1
    let delta = interval - mean
    mean += delta / Double(regular)
    squares += delta * (interval - mean)
  }

  var standardDeviation: Double { regular > 1 ? (squares / Double(regular - 1)).squareRoot() : 0 }
}
