internal import LinearAlgebra

/// How well one channel was recorded: its clock, its holes, and the marks of a sensor at its limits.
///
/// In one pass and bounded memory. Samples are looked at as they were read, good or not, in the order of the file
/// (`look`), and once more when they have been judged and put in order of time (`add`).
public struct StreamQuality: Sendable, Equatable {
  /// A pause of the channel.
  public struct Gap: Sendable, Equatable, Codable {
    /// Time of the last sample before it, seconds.
    public var time: Double
    /// Seconds to the next sample.
    public var duration: Double
    /// Line of the sample behind it; 0 where there is none.
    public var line: UInt32
  }

  /// Values that stay exactly the same from sample to sample.
  public struct Run: Sendable, Equatable, Codable {
    public var count = 0
    /// Time of the first of them.
    public var time = Double.nan
    public var line: UInt32 = 0
  }

  /// One axis (x, y, z, w in this order).
  public struct Axis: Sendable, Equatable {
    public var smallest: Double { -lowEnd.limit }
    public var largest: Double { highEnd.limit }
    /// Samples that have exactly the smallest value, and exactly the largest; repetitions of a whole sample not counted.
    public var atSmallest: Int { lowEnd.count }
    public var atLargest: Int { highEnd.count }
    /// Whether values pile up at the smallest, or at the largest: see `RangeEnd`.
    public var isPiledAtSmallest: Bool { lowEnd.isPiledUp }
    public var isPiledAtLargest: Bool { highEnd.isPiledUp }
    /// Of the values with their sign turned.
    fileprivate var lowEnd = RangeEnd()
    fileprivate var highEnd = RangeEnd()
    fileprivate var resolution = ResolutionFinder()
    /// The step of which the values are whole multiples, in the channel's unit; nil where none is found.
    public var step: Double? { resolution.step }
    /// The longest run of samples of which this axis is the same while another changes, and where it begins.
    public private(set) var longestStuckRun = Run()
    private var stuckRun = Run()
    private var last = Double.nan

    /// The value that stands far outside all others and comes again and again, as one that stands for none does; and how
    /// often it came. It is a half farther out than the next, and at least five samples have it.
    public var mark: (value: Double, count: Int)? {
      if highEnd.count >= 5, highEnd.limit > 1.5 * max(highEnd.second, -lowEnd.limit * 0.5) {
        return (highEnd.limit, highEnd.count)
      }
      if lowEnd.count >= 5, lowEnd.limit > 1.5 * max(lowEnd.second, -highEnd.limit * 0.5) {
        return (-lowEnd.limit, lowEnd.count)
      }
      return nil
    }

    @inline(__always)
    fileprivate mutating func add(_ value: Double, isRepeated: Bool, isDetailed: Bool, sample: SensorSample) {
      if isDetailed { resolution.add(value) }
      guard !isRepeated else { return }
      lowEnd.add(-value)
      highEnd.add(value)
      if value == last {
        stuckRun.count += 1
        if stuckRun.count > longestStuckRun.count { longestStuckRun = stuckRun }
      } else {
        (last, stuckRun) = (value, Run(count: 1, time: sample.time, line: sample.line))
      }
    }
  }

  /// Intervals longer than this are gaps, seconds.
  public let gapLength: Double
  /// Whether all is found out; else only what values say of themselves, which is quick: marks, runs and zeros.
  public let isDetailed: Bool
  /// How many gaps are told with their place.
  public static let shownGaps = 5

  // As read, in the order of the file.
  /// Finite samples.
  public private(set) var count = 0
  /// Norms of the finite samples, in the channel's unit, impossible ones included.
  public private(set) var norms = LogarithmicHistogram()
  public private(set) var axes = [Axis](repeating: Axis(), count: 4)
  /// Samples whose values are all exactly zero.
  public private(set) var zeroCount = 0
  /// The longest run of exactly zero samples, and of exactly equal ones.
  public private(set) var longestZeroRun = Run()
  public private(set) var longestConstantRun = Run()
  /// The most samples in a row with the same time.
  public private(set) var longestBurst = Run()
  /// Samples whose time is that of the sample before.
  public private(set) var sameTimeCount = 0

  // In order of time.
  /// Times between neighbours, seconds.
  public private(set) var intervals = LogarithmicHistogram()
  public private(set) var gapCount = 0
  /// The first of the gaps.
  public private(set) var gaps: [Gap] = []
  public private(set) var longestGap: Gap?
  /// The sum of the gaps, seconds.
  public private(set) var gapTime = 0.0

  private var constantRun = Run()
  private var zeroRun = Run()
  private var burst = Run()
  private var lastRead: SensorSample?
  private var lastTime = Double.nan
  private var blocks = BlockFinder()

  public init(gapLength: Double = 0.5, isDetailed: Bool = true) {
    self.gapLength = gapLength
    self.isDetailed = isDetailed
  }

  /// The time between neighbours that as many exceed as fall short of, seconds. 0 where there is none.
  public var medianInterval: Double { intervals.median }

  /// The width of the middle nine tenths of the intervals, as a share of the median: 0 for an even clock.
  ///
  /// A single late sample does not change it; bursts do.
  public var intervalSpread: Double {
    medianInterval > 0 ? (intervals.quantile(0.95) - intervals.quantile(0.05)) / medianInterval : 0
  }

  /// Samples that were stamped together, as evenly spaced blocks with a jump between: their usual number; nil where the
  /// clock has no such pattern.
  public var blockLength: Int? { blocks.length }

  /// Takes a sample as it was read.
  public mutating func look(at sample: SensorSample) {
    // No arrays: every sample of every log comes here.
    let components = sample.channel.componentCount
    let w = components == 4 ? sample.w : 0
    guard sample.time.isFinite, sample.x.isFinite, sample.y.isFinite, sample.z.isFinite, w.isFinite else { return }
    count += 1
    // The unit of a field is told by its strength, impossible values included.
    if isDetailed || sample.channel == .magnetometer || sample.channel == .calibratedMagneticField {
      norms.add(components == 3 ? sample.vector.norm : abs(sample.x))
    }
    let isZero = sample.x == 0 && sample.y == 0 && sample.z == 0 && w == 0
    if isZero { zeroCount += 1 }
    let isSame =
      lastRead.map {
        $0.x == sample.x && $0.y == sample.y && $0.z == sample.z && (components < 4 || $0.w == sample.w)
      } ?? false
    axes[0].add(sample.x, isRepeated: isSame, isDetailed: isDetailed, sample: sample)
    if components > 1 {
      axes[1].add(sample.y, isRepeated: isSame, isDetailed: isDetailed, sample: sample)
      axes[2].add(sample.z, isRepeated: isSame, isDetailed: isDetailed, sample: sample)
    }
    if components > 3 { axes[3].add(sample.w, isRepeated: isSame, isDetailed: isDetailed, sample: sample) }
    constantRun.extend(if: isSame, by: sample)
    if constantRun.count > longestConstantRun.count { longestConstantRun = constantRun }
    if isZero {
      zeroRun.extend(if: zeroRun.count > 0, by: sample)
      if zeroRun.count > longestZeroRun.count { longestZeroRun = zeroRun }
    } else {
      zeroRun = Run()
    }
    let isTogether = lastRead?.time == sample.time
    if isTogether { sameTimeCount += 1 }
    burst.extend(if: isTogether, by: sample)
    if burst.count > longestBurst.count { longestBurst = burst }
    lastRead = sample
  }

  /// Takes a sample that was found good, in order of time.
  public mutating func add(_ sample: SensorSample) {
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
