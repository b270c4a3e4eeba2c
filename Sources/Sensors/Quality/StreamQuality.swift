internal import InertialNumerics

/// How well one channel was recorded: its clock, its holes, and the marks of a sensor at its limits.
///
/// In one pass and bounded memory. Samples are looked at as they were read, good or not, in the order of the file
/// (`look`), and once more when they have been judged and put in order of time (`add`).
package struct StreamQuality: Sendable, Equatable {
  /// A pause of the channel.
  package struct Gap: Sendable, Equatable, Codable {
    /// Time of the last sample before it, seconds.
    package var time: Double
    /// Seconds to the next sample.
    package var duration: Double
    /// Line of the sample behind it; 0 where there is none.
    package var line: UInt32
  }

  /// Values that stay exactly the same from sample to sample.
  package struct Run: Sendable, Equatable, Codable {
    package var count = 0
    /// Time of the first of them.
    package var time = Double.nan
    package var line: UInt32 = 0
  }

  /// Values that were held while the device turned: a drop-out filled with the last value.
  package struct Hold: Sendable, Equatable {
    package var run: Run
    /// Seconds from its first sample to the first with other values.
    package var duration: Double
    /// Whether the gyroscope turned the device meanwhile by so much that the values cannot have stayed.
    package var isTurned: Bool
  }

  /// One axis (x, y, z, w in this order).
  package struct Axis: Sendable, Equatable {
    package var smallest: Double { -lowEnd.limit }
    package var largest: Double { highEnd.limit }
    /// Samples that have exactly the smallest value, and exactly the largest; repetitions of a whole sample not counted.
    package var atSmallest: Int { lowEnd.count }
    package var atLargest: Int { highEnd.count }
    /// Whether values pile up at the smallest, or at the largest: see `RangeEnd`.
    package var isPiledAtSmallest: Bool { lowEnd.isPiledUp }
    package var isPiledAtLargest: Bool { highEnd.isPiledUp }
    /// Of the values with their sign turned.
    fileprivate var lowEnd = RangeEnd()
    fileprivate var highEnd = RangeEnd()
    fileprivate var resolution = ResolutionFinder()
    /// The step of which the values are whole multiples, in the channel's unit; nil where none is found.
    package var step: Double? { resolution.step }
    /// The longest run of samples of which this axis is the same while another changes, and where it begins.
    package fileprivate(set) var longestStuckRun = Run()

    /// The value that stands far outside all others and comes again and again, as one that stands for none does; and how
    /// often it came. It is a half farther out than the next, and at least five samples have it.
    package var mark: (value: Double, count: Int)? {
      if highEnd.count >= 5, highEnd.limit > 1.5 * max(highEnd.second, -lowEnd.limit * 0.5) {
        return (highEnd.limit, highEnd.count)
      }
      if lowEnd.count >= 5, lowEnd.limit > 1.5 * max(lowEnd.second, -highEnd.limit * 0.5) {
        return (-lowEnd.limit, lowEnd.count)
      }
      return nil
    }

    /// The most samples in a row at the smallest, and at the largest value.
    package var runAtSmallest: Int { lowEnd.longestRun }
    package var runAtLargest: Int { highEnd.longestRun }

    fileprivate mutating func addEnds(_ value: Double, at index: Int) {
      lowEnd.add(-value, at: index)
      highEnd.add(value, at: index)
    }
    /// Values within have no part in the ends.
    fileprivate var inner: (low: Double, high: Double) { (-lowEnd.floor, highEnd.floor) }
  }

  /// Intervals longer than this are gaps, seconds.
  package let gapLength: Double
  /// Whether all is found out; else only what values say of themselves, which is quick: marks, runs and zeros.
  package let isDetailed: Bool
  /// How many gaps are told with their place.
  package static let shownGaps = 5

  // As read, in the order of the file.
  /// Finite samples.
  package private(set) var count = 0
  /// Norms of the finite samples, in the channel's unit, impossible ones included.
  package private(set) var norms = LogarithmicHistogram()
  package private(set) var axes = [Axis](repeating: Axis(), count: 4)
  /// Samples whose values are all exactly zero.
  package private(set) var zeroCount = 0
  /// The longest run of exactly zero samples, and of exactly equal ones.
  package private(set) var longestZeroRun = Run()
  package private(set) var longestConstantRun = Run()
  /// The most samples in a row with the same time.
  package private(set) var longestBurst = Run()
  /// Samples whose time is that of the sample before.
  package private(set) var sameTimeCount = 0

  // In order of time.
  /// Times between neighbours, seconds.
  package private(set) var intervals = LogarithmicHistogram()
  package private(set) var gapCount = 0
  /// The first of the gaps.
  package private(set) var gaps: [Gap] = []
  package private(set) var longestGap: Gap?
  /// The sum of the gaps, seconds.
  package private(set) var gapTime = 0.0

  private var holds = HoldFinder()
  private var constantRun = Run()
  private var zeroRun = Run()
  private var burst = Run()
  private var lastReadTime = Double.nan
  private var lastTime = Double.nan
  // Of all axes at a time: the last values, how often each has been the same while another changed and since when, the most
  // of these counts, and the ends of the range within which a value is none of the largest.
  private var lastValues = SIMD4(repeating: Double.nan)
  private var stuckCounts = SIMD4<Int64>(repeating: 1)
  private var stuckTimes = SIMD4(repeating: Double.nan)
  private var longestStuckCounts = SIMD4<Int64>(repeating: 1)
  private var innerLow = SIMD4(repeating: Double.infinity)
  private var innerHigh = SIMD4(repeating: -Double.infinity)
  private var blocks = BlockFinder()

  package init(gapLength: Double = 0.5, isDetailed: Bool = true) {
    self.gapLength = gapLength
    self.isDetailed = isDetailed
  }

  /// The time between neighbours that as many exceed as fall short of, seconds. 0 where there is none.
  package var medianInterval: Double { intervals.median }

  /// The width of the middle nine tenths of the intervals, as a share of the median: 0 for an even clock.
  ///
  /// A single late sample does not change it; bursts do.
  package var intervalSpread: Double {
    medianInterval > 0 ? (intervals.quantile(0.95) - intervals.quantile(0.05)) / medianInterval : 0
  }

  /// Samples that were stamped together, as evenly spaced blocks with a jump between: their usual number; nil where the
  /// clock has no such pattern.
  package var blockLength: Int? { blocks.length }

  /// The runs of equal values that are far longer than the usual ones, and in which the device turned.
  package var heldRuns: [Hold] { equalRuns.filter(\.isTurned) }
  /// The runs of equal values that are far longer than the usual ones.
  package var equalRuns: [Hold] { holds.found(count: count, open: constantRun) }

  /// Takes a sample as it was read.
  ///
  /// - Parameter turned: radians that the gyroscope has turned by since the log's start.
  package mutating func look(at sample: SensorSample, turned: Double = 0) {
    // Every sample of every log comes here: all axes at a time, and what is rare apart.
    let components = sample.channel.componentCount
    let values = SIMD4(
      sample.x, components > 1 ? sample.y : 0, components > 1 ? sample.z : 0, components > 3 ? sample.w : 0)
    guard sample.time.isFinite, all((values - values) .== 0) else { return }
    count += 1
    if count == 1 { forgetAxes(from: components) }
    // The unit of a field is told by its strength, impossible values included; some of its samples are enough.
    let isField = sample.channel == .magnetometer || sample.channel == .calibratedMagneticField
    if isDetailed || (isField && count % 8 == 1) {
      norms.add(components == 3 ? sample.vector.norm : abs(sample.x))
    }
    let same = values .== lastValues
    let isSame = all(same)
    holds.look(at: sample.time, turned: turned)
    if isSame {
      constantRun.count += 1
    } else {
      if constantRun.count > 1 { holds.close(constantRun, of: lastValues, before: sample, turned: turned) }
      holds.begin(sample.channel, turned: turned)
      constantRun = Run(count: 1, time: sample.time, line: sample.line)
      lookAtAxes(values, same, sample)
    }
    if constantRun.count > longestConstantRun.count { longestConstantRun = constantRun }
    lookForZeros(values, sample)
    lastValues = values
    guard isDetailed else { return }
    for place in 0..<components { axes[place].resolution.add(values[place]) }
    let isTogether = lastReadTime == sample.time
    if isTogether { sameTimeCount += 1 }
    burst.extend(if: isTogether, by: sample)
    if burst.count > longestBurst.count { longestBurst = burst }
    lastReadTime = sample.time
  }

  @inline(__always)
  private mutating func lookAtAxes(_ values: SIMD4<Double>, _ same: SIMDMask<SIMD4<Int64>>, _ sample: SensorSample) {
    stuckCounts = (stuckCounts &+ 1).replacing(with: 1, where: .!same)
    stuckTimes = stuckTimes.replacing(with: sample.time, where: .!same)
    if any(stuckCounts .> longestStuckCounts) {
      for place in axes.indices where stuckCounts[place] > longestStuckCounts[place] {
        longestStuckCounts[place] = stuckCounts[place]
        axes[place].longestStuckRun = Run(count: Int(stuckCounts[place]), time: stuckTimes[place])
      }
    }
    if any(values .>= innerHigh) || any(values .<= innerLow) {
      for place in 0..<sample.channel.componentCount {
        axes[place].addEnds(values[place], at: count)
        (innerLow[place], innerHigh[place]) = axes[place].inner
      }
    }
  }
  /// Axes that the channel has not are always the same, and none looks at them.
  private mutating func forgetAxes(from components: Int) {
    for place in components..<4 {
      longestStuckCounts[place] = .max
      (innerLow[place], innerHigh[place]) = (-.infinity, .infinity)
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

  /// Takes a sample that was found good, in order of time.
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

/// Finds stamps that were made for blocks of samples: runs of equal intervals of one length, each ended by a jump.
private struct BlockFinder: Sendable, Equatable {
  private static let longest = 512
  /// How often a run of equal intervals had this many samples.
  private var lengths = [Int](repeating: 0, count: longest + 1)
  private var runCount = 0
  private var last = 0.0
  private var run = 1

  mutating func add(_ interval: Double) {
    defer { last = interval }
    // Stamps of few decimals are never quite even.
    if last > 0, abs(interval - last) <= 0.02 * last + 2e-6 {
      run += 1
      return
    }
    guard last > 0 else { return }
    // The interval between blocks stands alone, so that it ends one run and begins none. A stamp's last digit is no jump.
    if run > 1, abs(interval - last) > 0.5 * last {
      lengths[min(run + 1, Self.longest)] += 1
      runCount += 1
    }
    run = 1
  }

  var length: Int? {
    guard runCount >= 10, let most = lengths.indices.max(by: { lengths[$0] < lengths[$1] }), most >= 3,
      most < Self.longest, 5 * lengths[most] >= 4 * runCount
    else { return nil }
    return most
  }
}

/// Finds runs of equal values that are far longer than a log's usual ones, and whether the device turned in them.
private struct HoldFinder: Sendable, Equatable {
  /// Runs that are kept, seconds and samples that they have at least.
  private static let (capacity, leastDuration, leastCount) = (1024, 0.15, 4)
  /// The number of runs of equal values by their length in samples, from two on; the last one counts all longer runs.
  private var lengths = [Int](repeating: 0, count: 64)
  private var candidates: [StreamQuality.Hold] = []
  /// The run that lasts: radians turned when it began, and its channel.
  private var start = 0.0
  private var channel = SensorChannel.gyroscope
  /// Time of the newest sample, and radians turned until then.
  private var (newestTime, newestTurned) = (Double.nan, 0.0)

  mutating func begin(_ channel: SensorChannel, turned: Double) { (self.channel, start) = (channel, turned) }

  @inline(__always)
  mutating func look(at time: Double, turned: Double) { (newestTime, newestTurned) = (time, turned) }

  mutating func close(_ run: StreamQuality.Run, of held: SIMD4<Double>, before next: SensorSample, turned: Double) {
    lengths[min(run.count, lengths.count - 1)] += 1
    guard run.count >= Self.leastCount, candidates.count < Self.capacity else { return }
    // A rate that jumps by a radian a second in one sample has risen meanwhile.
    let jump = (next.vector - Vector3(held.x, held.y, held.z)).norm
    let hasRisen = channel == .gyroscope && jump > 1
    if let hold = hold(run, until: next.time, turned: turned, hasRisen: hasRisen) { candidates.append(hold) }
  }

  private func hold(
    _ run: StreamQuality.Run, until end: Double, turned: Double, hasRisen: Bool = false
  ) -> StreamQuality.Hold? {
    let duration = end - run.time
    guard run.count >= Self.leastCount, duration >= Self.leastDuration, duration < 1e6 else { return nil }
    // What turns by so much has other values: a gyroscope at once, gravity and the field by many of their steps.
    let least =
      switch channel {
      case .gyroscope: 0.2 * duration
      case .accelerometer: 0.3
      case .magnetometer, .calibratedMagneticField: 0.7
      default: Double.infinity
      }
    return StreamQuality.Hold(run: run, duration: duration, isTurned: hasRisen || turned - start >= least)
  }

  /// - Parameters:
  ///   - count: of all samples.
  ///   - open: the run at the end of the samples so far.
  func found(count: Int, open: StreamQuality.Run) -> [StreamQuality.Hold] {
    let last = hold(open, until: newestTime, turned: newestTurned)
    guard !candidates.isEmpty || last != nil else { return [] }
    // A slow sensor in the rows of a fast one repeats each value; all but a fiftieth of the runs are as long at most.
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
