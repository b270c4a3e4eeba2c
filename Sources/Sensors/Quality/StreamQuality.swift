internal import InertialNumerics

/// The quality of one channel's recording: its clock, its gaps, and signs of a sensor at its limits.
///
/// It needs one pass and bounded memory. Samples are added as read, valid or not, in the order of the file (`look`),
/// and again after conditioning, sorted by time (`add`).
package struct StreamQuality: Sendable, Equatable {
  /// A gap in the channel.
  package struct Gap: Sendable, Equatable, Codable {
    /// The time of the last sample before the gap, in seconds.
    package var time: Double
    /// The time to the next sample, in seconds.
    package var duration: Double
    /// The line of the sample after the gap; 0 if it has no line.
    package var line: UInt32
  }

  /// A run of exactly equal values.
  package struct Run: Sendable, Equatable, Codable {
    package var count = 0
    /// The time of the first sample of the run.
    package var time = Double.nan
    package var line: UInt32 = 0
  }

  /// A run of values that were held while the device rotated: a drop-out filled with the last value.
  package struct Hold: Sendable, Equatable {
    package var run: Run
    /// The time from the first sample of the run to the first sample with other values, in seconds.
    package var duration: Double
    /// Whether the gyroscope's rotation in the meantime is so large that the values must have changed.
    package var isTurned: Bool
  }

  /// The statistics of one axis (x, y, z, w in this order).
  package struct Axis: Sendable, Equatable {
    package var smallest: Double { -lowEnd.limit }
    package var largest: Double { highEnd.limit }
    /// The numbers of samples with exactly the smallest and the largest value; repetitions of a whole sample not
    /// counted.
    package var atSmallest: Int { lowEnd.count }
    package var atLargest: Int { highEnd.count }
    /// Whether values accumulate at the smallest, or at the largest: see `ClippingStatistics`.
    package var isPiledAtSmallest: Bool { lowEnd.isPiledUp }
    package var isPiledAtLargest: Bool { highEnd.isPiledUp }
    /// The range end of the negated values.
    fileprivate var lowEnd = ClippingStatistics()
    fileprivate var highEnd = ClippingStatistics()
    fileprivate var resolution = ResolutionEstimator()
    /// The step of which the values are whole multiples, in the channel's unit, or `nil` if none is found.
    package var step: Double? { resolution.step }
    /// The longest run of samples in which this axis is constant while another changes.
    package fileprivate(set) var longestStuckRun = Run()

    /// The value that marks missing data, and its count, or `nil`. Such a value is frequent and far outside all others:
    /// at least half farther out than the next, and in at least five samples.
    package var mark: (value: Double, count: Int)? {
      if highEnd.count >= 5, highEnd.limit > 1.5 * max(highEnd.second, -lowEnd.limit * 0.5) {
        return (highEnd.limit, highEnd.count)
      }
      if lowEnd.count >= 5, lowEnd.limit > 1.5 * max(lowEnd.second, -highEnd.limit * 0.5) {
        return (-lowEnd.limit, lowEnd.count)
      }
      return nil
    }

    /// The largest number of consecutive samples at the smallest, and at the largest value.
    package var runAtSmallest: Int { lowEnd.maximumRunLength }
    package var runAtLargest: Int { highEnd.maximumRunLength }

    fileprivate mutating func addEnds(_ value: Double, at index: Int) {
      lowEnd.add(-value, at: index)
      highEnd.add(value, at: index)
    }
    /// The range within which values do not affect the range ends.
    fileprivate var inner: (low: Double, high: Double) { (-lowEnd.floor, highEnd.floor) }
  }

  /// The longest interval that is not a gap, in seconds.
  package let gapLength: Double
  /// Whether all statistics are computed; otherwise only those of the values themselves, which are quick: marks, runs
  /// and zeros.
  package let isDetailed: Bool
  /// The maximum number of gaps that are reported with their time.
  package static let shownGaps = 5

  // Statistics of the samples as read, in the order of the file.
  /// Whether the channel had a sample, finite or not.
  package private(set) var hasSamples = false
  /// The number of finite samples.
  package private(set) var count = 0
  /// The number of finite samples that differ from the previous one. `Axis.atSmallest` counts only these.
  package private(set) var changeCount = 0
  /// The norms of the finite samples, in the channel's unit, including impossible values.
  package private(set) var norms = LogarithmicHistogram()
  package private(set) var axes = [Axis](repeating: Axis(), count: 4)
  /// The number of the channel's axes, or 0 without finite samples.
  private var axisCount = 0
  /// The channel's axes by their names; empty without finite samples, which have no range.
  package var namedAxes: [(name: String, axis: Axis)] {
    zip(["x", "y", "z", "w"], axes.prefix(axisCount)).map { ($0, $1) }
  }
  /// The number of samples whose values are all exactly zero.
  package private(set) var zeroCount = 0
  /// The longest run of exactly zero samples, and of exactly equal ones.
  package private(set) var longestZeroRun = Run()
  package private(set) var longestConstantRun = Run()
  /// The longest run of consecutive samples with the same time.
  package private(set) var longestBurst = Run()
  /// The number of samples with the time of the previous sample.
  package private(set) var sameTimeCount = 0

  // Statistics of the samples sorted by time.
  /// The intervals between adjacent samples, in seconds.
  package private(set) var intervals = LogarithmicHistogram()
  package private(set) var gapCount = 0
  /// The first gaps.
  package private(set) var gaps: [Gap] = []
  package private(set) var longestGap: Gap?
  /// The total duration of the gaps, in seconds.
  package private(set) var gapTime = 0.0

  private var holds = HoldFinder()
  private var constantRun = Run()
  private var zeroRun = Run()
  private var burst = Run()
  private var lastReadTime = Double.nan
  private var lastTime = Double.nan
  // All axes at once: the last values, the length and start of each axis's constant run while another axis changes, the
  // longest of these runs, and the range within which a value is not among the largest.
  private var lastValues = SIMD4(repeating: Double.nan)
  private var stuckCounts = SIMD4<Int64>(repeating: 1)
  private var stuckTimes = SIMD4(repeating: Double.nan)
  private var maximumStuckCounts = SIMD4<Int64>(repeating: 1)
  /// The axes that the channel has.
  private var usedAxes = SIMDMask<SIMD4<Int64>>(repeating: true)
  private var innerLow = SIMD4(repeating: Double.infinity)
  private var innerHigh = SIMD4(repeating: -Double.infinity)
  private var blocks = BlockFinder()

  package init(gapLength: Double = 0.5, isDetailed: Bool = true) {
    self.gapLength = gapLength
    self.isDetailed = isDetailed
  }

  /// The median interval between adjacent samples, in seconds, or 0 without intervals.
  package var medianInterval: Double { intervals.median }

  /// The width of the central 90 % of the intervals as a fraction of the median: 0 for a regular clock.
  ///
  /// A single late sample does not change it, but bursts do.
  package var intervalSpread: Double {
    medianInterval > 0 ? (intervals.quantile(0.95) - intervals.quantile(0.05)) / medianInterval : 0
  }

  /// The interval of which the others are whole multiples, in seconds, and the fraction of samples that are missing
  /// outside gaps, or `nil` if the intervals have another pattern.
  package var lostSamples: (interval: Double, fraction: Double)? {
    let interval = intervals.quantile(0.05)
    guard intervals.count > 20, interval > 0 else { return nil }
    let (fraction, present, sum) = intervals.multiples(of: interval, upTo: gapLength)
    return fraction > 0.98 ? (interval, 1 - Double(present) / sum) : nil
  }

  /// The usual number of samples that were timestamped together, as evenly spaced blocks with a jump between them, or
  /// `nil` if the clock has no such pattern.
  package var blockLength: Int? { blocks.length }

  /// The runs of equal values that are far longer than the usual ones, and in which the device rotated.
  package var heldRuns: [Hold] { equalRuns.filter(\.isTurned) }
  /// The runs of equal values that are far longer than the usual ones.
  package var equalRuns: [Hold] { holds.found(count: count, open: constantRun) }

  /// Adds samples as they were read to the qualities of their channels.
  ///
  /// - Parameters:
  ///   - last: The last channel that is added.
  ///   - qualities: The qualities of all channels, by their raw values.
  ///   - turned: The total rotation measured by the gyroscope since the log's start, in radians, and its last time.
  package static func add(
    raw samples: [SensorSample], through last: SensorChannel, to qualities: inout [StreamQuality],
    turned: inout (angle: Double, time: Double)
  ) {
    // One call for a block: a sample that is passed to another module is written in parts and read at once.
    qualities.withUnsafeMutableBufferPointer { qualities in
      for sample in samples where sample.channel.rawValue <= last.rawValue {
        qualities[Int(sample.channel.rawValue)].add(raw: sample, turned: turned.angle)
        guard sample.channel == .gyroscope else { continue }
        // A rate holds until the next sample, so held values also contribute.
        let step = sample.time - turned.time
        let norm = sample.vector.norm
        if step > 0, step < 0.5, norm < 100 { turned.angle += norm * step }
        turned.time = sample.time
      }
    }
  }

  /// Adds a sample as it was read.
  ///
  /// - Parameter turned: The total rotation measured by the gyroscope since the log's start, in radians.
  @inline(__always)
  mutating func add(raw sample: SensorSample, turned: Double = 0) {
    // This is called for every sample of every log: it processes all axes at once, and rare cases separately.
    hasSamples = true
    let components = sample.channel.componentCount
    let values = SIMD4(
      sample.x, components > 1 ? sample.y : 0, components > 1 ? sample.z : 0, components > 3 ? sample.w : 0)
    guard sample.time.isFinite, all((values - values) .== 0) else { return }
    count += 1
    if count == 1 { forgetAxes(from: components) }
    // The strength of a field reveals its unit, including impossible values; a fraction of its samples is enough.
    let isField = sample.channel == .magnetometer || sample.channel == .calibratedMagneticField
    if isDetailed || (isField && count % 8 == 1) {
      norms.add(components == 3 ? sample.vector.norm : abs(sample.x))
    }
    let same = values .== lastValues
    let isSame = all(same)
    holds.advance(to: sample.time, turned: turned)
    if isSame {
      constantRun.count += 1
    } else {
      if constantRun.count > 1 { holds.close(constantRun, of: lastValues, before: sample, turned: turned) }
      holds.begin(sample.channel, turned: turned)
      constantRun = Run(count: 1, time: sample.time, line: sample.line)
      changeCount += 1
      lookAtAxes(values, same, sample)
    }
    if constantRun.count > longestConstantRun.count { longestConstantRun = constantRun }
    lookForZeros(values, sample)
    lastValues = values
    guard isDetailed else { return }
    for position in 0..<components { axes[position].resolution.add(values[position]) }
    let isTogether = lastReadTime == sample.time
    if isTogether { sameTimeCount += 1 }
    burst.extend(if: isTogether, by: sample)
    if burst.count > longestBurst.count { longestBurst = burst }
    lastReadTime = sample.time
  }

  @inline(__always)
  private mutating func lookAtAxes(_ values: SIMD4<Double>, _ same: SIMDMask<SIMD4<Int64>>, _ sample: SensorSample) {
    if any(same .& usedAxes) {
      lookForStuckAxes(same, sample)
    } else {
      (stuckCounts, stuckTimes) = (SIMD4(repeating: 1), SIMD4(repeating: sample.time))
    }
    if any(values .>= innerHigh) || any(values .<= innerLow) {
      for position in 0..<sample.channel.componentCount {
        axes[position].addEnds(values[position], at: count)
        (innerLow[position], innerHigh[position]) = axes[position].inner
      }
    }
  }

  private mutating func lookForStuckAxes(_ same: SIMDMask<SIMD4<Int64>>, _ sample: SensorSample) {
    stuckCounts = (stuckCounts &+ 1).replacing(with: 1, where: .!same)
    stuckTimes = stuckTimes.replacing(with: sample.time, where: .!same)
    if any(stuckCounts .> maximumStuckCounts) {
      for position in axes.indices where stuckCounts[position] > maximumStuckCounts[position] {
        maximumStuckCounts[position] = stuckCounts[position]
        axes[position].longestStuckRun = Run(count: Int(stuckCounts[position]), time: stuckTimes[position])
      }
    }
  }

  /// Excludes the axes that the channel does not have, which are always constant.
  private mutating func forgetAxes(from components: Int) {
    axisCount = components
    for position in components..<4 {
      maximumStuckCounts[position] = .max
      usedAxes[position] = false
      (innerLow[position], innerHigh[position]) = (-.infinity, .infinity)
    }
  }

  @inline(__always)
  private mutating func lookForZeros(_ values: SIMD4<Double>, _ sample: SensorSample) {
    guard all(values .== 0) else {
      zeroRun.count = 0
      return
    }
    zeroCount += 1
    zeroRun.extend(if: zeroRun.count > 0, by: sample)
    if zeroRun.count > longestZeroRun.count { longestZeroRun = zeroRun }
  }

  /// Adds a valid sample, sorted by time.
  package mutating func add(_ sample: SensorSample) {
    guard isDetailed else { return }
    defer { lastTime = sample.time }
    let interval = sample.time - lastTime
    guard interval > 0 else { return }
    intervals.add(interval)
    blocks.add(interval)
    guard interval > gapLength else { return }
    let gap = Gap(time: lastTime, duration: interval, line: sample.line)
    gapCount += 1
    gapTime += interval
    if gaps.count < Self.shownGaps { gaps.append(gap) }
    if interval > longestGap?.duration ?? 0 { longestGap = gap }
  }
}

extension StreamQuality.Run {
  fileprivate mutating func extend(if isGoingOn: Bool, by sample: SensorSample) {
    if isGoingOn {
      count += 1
    } else {
      self = StreamQuality.Run(count: 1, time: sample.time, line: sample.line)
    }
  }
}

/// A detector of timestamps made for blocks of samples: runs of equal intervals of one length, each ended by a jump.
private struct BlockFinder: Sendable, Equatable {
  private static let maximumRunLength = 512
  /// The number of runs of equal intervals by their number of samples.
  private var lengths = [Int](repeating: 0, count: maximumRunLength + 1)
  private var runCount = 0
  private var last = 0.0
  private var run = 1

  mutating func add(_ interval: Double) {
    defer { last = interval }
    // Timestamps with few decimals are never exactly even.
    if last > 0, abs(interval - last) <= 0.02 * last + 2e-6 {
      run += 1
      return
    }
    guard last > 0 else { return }
    // A single interval separates two blocks, so it ends one run without starting another. A change in a timestamp's
    // last digit is not a jump.
    if run > 1, abs(interval - last) > 0.5 * last {
      lengths[min(run + 1, Self.maximumRunLength)] += 1
      runCount += 1
    }
    run = 1
  }

  var length: Int? {
    guard runCount >= 10, let maximum = lengths.indices.max(by: { lengths[$0] < lengths[$1] }), maximum >= 3,
      maximum < Self.maximumRunLength, 5 * lengths[maximum] >= 4 * runCount
    else { return nil }
    return maximum
  }
}

/// A detector of runs of equal values far longer than a log's usual ones, and of the device's rotation in them.
private struct HoldFinder: Sendable, Equatable {
  /// The maximum number of stored runs, and their minimum duration in seconds and in samples.
  private static let (capacity, minimumDuration, minimumCount) = (1024, 0.15, 4)
  /// The number of runs of equal values by their length in samples, from two on; the last one counts all longer runs.
  private var lengths = [Int](repeating: 0, count: 64)
  private var candidates: [StreamQuality.Hold] = []
  /// The rotation at the start of the current run, in radians, and its channel.
  private var start = 0.0
  private var channel = SensorChannel.gyroscope
  /// The time of the newest sample, and the rotation until then, in radians.
  private var (newestTime, newestTurned) = (Double.nan, 0.0)

  mutating func begin(_ channel: SensorChannel, turned: Double) { (self.channel, start) = (channel, turned) }

  @inline(__always)
  mutating func advance(to time: Double, turned: Double) { (newestTime, newestTurned) = (time, turned) }

  mutating func close(_ run: StreamQuality.Run, of held: SIMD4<Double>, before next: SensorSample, turned: Double) {
    lengths[min(run.count, lengths.count - 1)] += 1
    guard run.count >= Self.minimumCount, candidates.count < Self.capacity else { return }
    // A rate that jumps by 1 rad/s in one sample has changed during the run.
    let jump = (next.vector - Vector3(held.x, held.y, held.z)).norm
    let hasRisen = channel == .gyroscope && jump > 1
    if let hold = hold(run, until: next.time, turned: turned, hasRisen: hasRisen) { candidates.append(hold) }
  }

  private func hold(
    _ run: StreamQuality.Run, until end: Double, turned: Double, hasRisen: Bool = false
  ) -> StreamQuality.Hold? {
    let duration = end - run.time
    guard run.count >= Self.minimumCount, duration >= Self.minimumDuration, duration < 1e6 else { return nil }
    // Such a rotation changes the values: a gyroscope's immediately, those of gravity and the field by many steps.
    let minimum =
      switch channel {
      case .gyroscope: 0.2 * duration
      case .accelerometer: 0.3
      case .magnetometer, .calibratedMagneticField: 0.7
      default: Double.infinity
      }
    return StreamQuality.Hold(run: run, duration: duration, isTurned: hasRisen || turned - start >= minimum)
  }

  /// - Parameters:
  ///   - count: The number of all samples.
  ///   - open: The run at the end of the samples so far.
  func found(count: Int, open: StreamQuality.Run) -> [StreamQuality.Hold] {
    let last = hold(open, until: newestTime, turned: newestTurned)
    guard !candidates.isEmpty || last != nil else { return [] }
    // A slow sensor in a fast sensor's rows repeats each value; only 2 % of the runs are longer than the usual length.
    let repeated = lengths.enumerated().reduce(0) { $0 + $1.offset * $1.element }
    let singles = max(count - repeated - open.count, 0)
    let runs = lengths.reduce(singles, +)
    var (usual, longer) = (1, runs - singles)
    while usual < lengths.count - 1, 50 * longer > runs {
      usual += 1
      longer -= lengths[usual]
    }
    guard usual < lengths.count - 1 else { return [] }
    return (candidates + [last].compactMap { $0 }).filter { $0.run.count >= 4 * usual }
  }
}
