internal import InertialNumerics

/// The statistics of one channel of a log: its samples, and how they were conditioned.
public struct ChannelReport: Sendable, Equatable, Codable {
  /// The number of samples read, valid or not.
  public internal(set) var count = 0
  /// The number of NaN samples, which count as missing.
  public internal(set) var missing = 0
  /// The number of samples skipped because they are infinite, physically impossible, or without a time.
  public internal(set) var invalid = 0
  /// The number of samples older than their predecessor in the file.
  public internal(set) var outOfOrder = 0
  /// The number of samples that came too late to be sorted.
  public internal(set) var late = 0
  /// The number of dropped repetitions of a sample with the same time and values.
  public internal(set) var collapsed = 0
  /// The number of samples that were retimed because another sample has the same time and other values.
  package internal(set) var retimedCount = 0
  /// The time of the first valid sample, in seconds on the log's clock, or NaN if no sample is valid.
  package internal(set) var firstTime = Double.nan
  package internal(set) var lastTime = Double.nan
  /// The longest time between two valid samples, in seconds.
  public internal(set) var maximumInterval = 0.0
  /// The shortest time between two valid samples of different times, in seconds.
  package internal(set) var minimumInterval = Double.infinity
  /// The number of intervals longer than half a second.
  public internal(set) var gaps = 0

  /// The line of the first missing sample; 0 if none, or if it has no line.
  package internal(set) var firstMissingLine: UInt32 = 0
  /// The line of the first invalid sample; 0 if none, or if it has no line.
  package internal(set) var firstInvalidLine: UInt32 = 0
  /// The line of the first sample that is out of order; 0 if none, or if it has no line.
  package internal(set) var firstOutOfOrderLine: UInt32 = 0
  /// The line of the first sample.
  package internal(set) var firstLine: UInt32 = 0

  /// The number of intervals, and the statistics of those that are not gaps, in seconds.
  private var intervalCount = 0
  private var regularIntervals = RunningStatistics()
  /// The count at the first and at the last sample that was neither missing nor invalid.
  private var firstKept = 0
  private var lastKept = 0
  /// The histogram of the counts between consecutive such samples: 2 to 3, 4 to 7 and so on, and the number of counts
  /// of 1.
  private var steps = [Int](repeating: 0, count: Int.bitWidth - 1)
  private var singleSteps = 0

  package init() {}

  /// The number of samples that were used.
  public var used: Int { count - missing - invalid - late - collapsed }

  /// The mean rate over the whole channel, in Hz, or 0 for fewer than two samples.
  ///
  /// Pauses are left out if the channel has gaps and at most half of the intervals are gaps.
  public var meanRate: Double {
    let duration = lastTime - firstTime
    guard duration > 0 else { return 0 }
    guard gaps > 0, 2 * gaps <= intervalCount else { return Double(intervalCount) / duration }
    return 1 / regularIntervals.mean
  }

  /// The standard deviation of the intervals that are not gaps, in seconds.
  package var jitter: Double { regularIntervals.standardDeviation }

  /// The fraction of samples that are infinite or impossible, 0...1.
  public var invalidFraction: Double { count > 0 ? Double(invalid) / Double(count) : 0 }

  /// Whether most of the channel is NaN, and not because a slower sensor is written into a faster sensor's rows.
  package var isMostlyMissing: Bool { count > 1 && 2 * missing > count && !isSlowerSensor }

  /// Whether the samples are regularly spaced throughout: nine in ten of the steps differ by less than a factor of
  /// four, and the samples span most of the channel. If more than half of the values are missing at random, at most 7/8
  /// of the steps do.
  private var isSlowerSensor: Bool {
    let steps = [singleSteps] + steps
    let total = steps.reduce(0, +)
    let regular = zip(steps, steps.dropFirst()).map(+).max() ?? 0
    return 10 * regular >= 9 * total && 2 * (lastKept - firstKept) > count
  }

  @inline(__always)
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

  /// Counts the samples as in order, for a log that has its newest row first.
  package mutating func forgetOrder() { (outOfOrder, firstOutOfOrderLine) = (0, 0) }

  @inline(__always)
  private mutating func noteKept() {
    if firstKept == 0 {
      firstKept = count
    } else if count == lastKept + 1 {
      singleSteps += 1
    } else {
      steps[Int.bitWidth - 2 - (count - lastKept).leadingZeroBitCount] += 1
    }
    lastKept = count
  }

  @inline(__always)
  mutating func note(interval: Double) {
    guard interval >= 0 else { return }
    maximumInterval = max(maximumInterval, interval)
    if interval > 0 { minimumInterval = min(minimumInterval, interval) }
    intervalCount += 1
    if interval > 0.5 { gaps += 1 } else { regularIntervals.add(interval) }
  }
}
