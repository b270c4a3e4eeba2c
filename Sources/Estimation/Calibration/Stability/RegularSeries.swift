internal import InertialNumerics
internal import InertialSystem

/// The values of one axis on a regular time grid, with its missing samples.
///
/// Deviations such as Allan's are differences of means over equal spans, so they require a regular grid. Jittering
/// timestamps are assigned to the grid in their order; a gap leaves as many grid positions empty as samples are
/// missing.
public struct RegularSeries: Sendable {
  /// The interval between grid positions, in seconds.
  public let period: Double
  /// The values at all grid positions. Missing values are interpolated linearly between the means of as many values
  /// before and after them.
  public let values: [Double]
  /// The runs of grid positions without a sample, in order.
  public let missing: [Range<Int>]

  /// Creates a series without gaps.
  ///
  /// - Parameters:
  ///   - values: The series, in any unit.
  ///   - period: The interval between two values, in seconds, more than 0.
  public init(_ values: [Double], period: Double) {
    precondition(period > 0, "a period of \(period) s")
    (self.values, self.period, missing) = (values, period, [])
  }

  /// Resamples a series to a grid.
  ///
  /// - Parameters:
  ///   - values: The values, one per timestamp of the grid.
  ///   - grid: The grid positions of the values.
  public init(_ values: [Double], on grid: SampleGrid) {
    precondition(values.count == grid.places.count, "\(values.count) values for \(grid.places.count) places")
    period = grid.period
    guard grid.count > values.count else {
      (self.values, missing) = (values, [])
      return
    }
    var filled = [Double](repeating: 0, count: grid.count)
    for (value, place) in zip(values, grid.places) { filled[place] = value }
    var runs: [Range<Int>] = []
    for index in 1..<max(1, values.count) where grid.places[index] > grid.places[index - 1] + 1 {
      let run = (grid.places[index - 1] + 1)..<grid.places[index]
      runs.append(run)
      let before = Statistics.mean(values[max(0, index - run.count)..<index]) ?? 0
      let after = Statistics.mean(values[index..<min(values.count, index + run.count)]) ?? 0
      for place in run {
        filled[place] = before + (after - before) * Double(place - run.lowerBound + 1) / Double(run.count + 1)
      }
    }
    (self.values, missing) = (filled, runs)
  }

  /// The time from the first grid position to the end of the last, in seconds.
  public var duration: Double { Double(values.count) * period }
  /// The fraction of grid positions with a sample, 0...1.
  public var coverage: Double {
    values.isEmpty ? 0 : 1 - Double(missing.reduce(0) { $0 + $1.count }) / Double(values.count)
  }
}

extension RegularSeries {
  /// The longest run of missing positions that is not a pause.
  private static let pauseThreshold = 10

  /// The fraction of grid positions with a sample outside pauses, 0...1.
  var coverageBetweenPauses: Double {
    let pauses = missing.reduce(0) { $0 + ($1.count > Self.pauseThreshold ? $1.count : 0) }
    let lost = missing.reduce(0) { $0 + ($1.count > Self.pauseThreshold ? 0 : $1.count) }
    return values.count > pauses ? 1 - Double(lost) / Double(values.count - pauses) : 1
  }

  /// The increase of a sum's variance per missing sample, in variances of a sample. Linear interpolation over a run of
  /// missing positions adds half a weight to each of as many samples before and after it: Σ (1 + k/2)² over samples
  /// adjacent to k runs, minus the positions.
  var excessPerMissing: Double {
    var added: [Int: Int] = [:]
    var lost = 0
    let isMissing = Set(missing.filter { $0.count <= Self.pauseThreshold }.joined())
    for run in missing where run.count <= Self.pauseThreshold {
      lost += run.count
      for direction in [-1, 1] {
        var place = direction < 0 ? run.lowerBound - 1 : run.upperBound
        var left = run.count
        while left > 0, values.indices.contains(place) {
          if !isMissing.contains(place) {
            added[place, default: 0] += 1
            left -= 1
          }
          place += direction
        }
      }
    }
    // A single gap has two weights for each missing sample.
    guard lost > 0 else { return 1.5 }
    return 1 + added.values.reduce(0) { $0 + Double($1 * $1) } / 4 / Double(lost)
  }
}

/// The assignment of a sensor's timestamps to a regular grid.
public struct SampleGrid: Sendable {
  /// The interval between grid positions, in seconds.
  public let period: Double
  /// The grid position of each timestamp, strictly ascending.
  public let places: [Int]
  /// The number of grid positions, including those without a timestamp.
  public var count: Int { (places.last ?? -1) + 1 }

  /// The maximum number of positions: 23 days at 100 Hz, 1.6 GB.
  private static let maximumCount = 200_000_000
  /// The number of intervals per span, which determines the mean interval regardless of the jitter within the span.
  private static let window = 16
  /// The fraction of a timestamp's deviation from the grid by which the grid follows it: the clock's rate may drift.
  private static let following = 0.1
  /// The largest gap in periods that is not a pause, if the intervals do not resolve whole periods.
  private static let pauseThreshold = 3

  /// Fits a regular grid to timestamps.
  ///
  /// - Parameter times: The timestamps in seconds, in order, at least two.
  /// - Returns: `nil` if there are fewer than two timestamps, one is not finite, all are equal, or a jump of the clock
  ///   leaves more than `maximumCount` positions.
  public init?(_ times: [Double]) {
    guard times.count > 1, times.allSatisfy(\.isFinite), let first = times.first, let last = times.last, last > first
    else { return nil }
    let width = min(Self.window, times.count - 1)
    let spans = stride(from: 0, to: times.count - width, by: width).map {
      (times[$0 + width] - times[$0]) / Double(width)
    }
    guard let mean = Statistics.median(spans), mean > 0 else { return nil }
    let beat = SamplePeriodEstimator.period(of: times, mean: mean)
    let minimumStep = beat == nil ? Self.pauseThreshold + 1 : 2
    // The second pass uses the period from all intervals within the log's runs.
    let refined = Self.place(times, period: beat ?? mean, minimumStep: minimumStep).period
    let result = Self.place(times, period: refined, minimumStep: minimumStep)
    guard result.places[times.count - 1] < Self.maximumCount else { return nil }
    (period, places) = (result.period, result.places)
  }

  /// - Parameter minimumStep: The minimum number of periods of a gap; smaller steps count as one period.
  private static func place(
    _ times: [Double], period: Double, minimumStep: Int
  ) -> (places: [Int], period: Double) {
    var places = [0]
    places.reserveCapacity(times.count)
    // The time of the last timestamp's grid position, in seconds.
    var reference = times[0]
    var slope = RunSlope(start: times[0])
    for index in 1..<times.count {
      let away = times[index] - reference
      let whole = Int(min((away / period).rounded(), 1e12))
      let step = whole < minimumStep ? 1 : whole
      places.append(places[index - 1] + step)
      reference += Double(step) * period
      reference += following * (times[index] - reference)
      // The step count of a longer pause may be off by one.
      if step > pauseThreshold { slope.endRun(next: times[index], place: places[index]) }
      slope.add(times[index], place: places[index])
    }
    slope.endRun(next: 0, place: 0)
    return (places, slope.value ?? period)
  }
}

/// The period of which the intervals between timestamps are whole multiples, if some samples are lost.
private enum SamplePeriodEstimator {
  /// The maximum number of intervals examined.
  private static let maximumIntervalCount = 4096
  /// The relative step between trial periods.
  private static let step = 0.002
  /// The minimum mean cosine. Timestamps that jitter back and forth by up to 0.3 periods have 0.25 and are resolved;
  /// with a deviation of 0.2 periods, which results in 0.2, one of a hundred is assigned to an adjacent position.
  private static let minimumMeanCosine = 0.2
  /// The relative difference between the mean interval and a beat that needs no lost samples as an explanation.
  private static let slight = 0.03

  /// - Parameter mean: The mean interval between timestamps, in seconds; the period is not longer.
  /// - Returns: `nil` if the intervals jitter too much, or no samples are lost.
  static func period(of times: [Double], mean: Double) -> Double? {
    let stride = max(1, (times.count - 1) / maximumIntervalCount)
    let some = Swift.stride(from: 1, to: times.count, by: stride).map { times[$0] - times[$0 - 1] }
    // Losses of more than two of three samples cannot be distinguished from jitter.
    let count = Int(log(3.3) / step)
    let beats = (0...count).map { index -> (period: Double, strength: Double) in
      let period = 1.1 * mean * exp(-step * Double(index))
      return (period, strength(some, period))
    }
    guard let greatest = beats.map(\.strength).max(), greatest >= minimumMeanCosine else { return nil }
    // Half of a period fits as well, so the longest one is the period.
    guard let start = beats.firstIndex(where: { $0.strength >= 0.9 * greatest }) else { return nil }
    var best = start
    while best + 1 < beats.count, beats[best + 1].strength > beats[best].strength { best += 1 }
    let period = refined(some, beats[best].period)
    return abs(mean / period - 1) < slight || loses(times, period) ? period : nil
  }

  /// Returns whether equal numbers of timestamps take times that differ by periods, as with randomly lost samples.
  /// Rounded timestamps, for example to milliseconds, have the same intervals of one and two periods, but alternating.
  private static func loses(_ times: [Double], _ period: Double) -> Bool {
    let width = min(64, max(1, times.count / 8))
    let spans = Swift.stride(from: 0, to: times.count - width, by: width).map { times[$0 + width] - times[$0] }
    guard let low = Statistics.percentile(16, of: spans), let high = Statistics.percentile(84, of: spans) else {
      return false
    }
    return high - low > 1.5 * period
  }

  /// Returns the mean cosine of the intervals' phase; intervals below half a period count as −1.
  private static func strength(_ intervals: [Double], _ period: Double) -> Double {
    intervals.reduce(0) { sum, interval in
      let periods = interval / period
      return periods < 0.5 ? sum - 1 : sum + cos(2 * .pi * (periods - periods.rounded()))
    } / Double(intervals.count)
  }

  /// Refines the period by least squares over intervals of few periods.
  private static func refined(_ intervals: [Double], _ period: Double) -> Double {
    var (products, squares) = (0.0, 0.0)
    for interval in intervals {
      let periods = (interval / period).rounded()
      guard periods >= 1, periods <= 3 else { continue }
      products += periods * interval
      squares += periods * periods
    }
    return squares > 0 ? products / squares : period
  }
}

/// The slope of one line through the timestamps of every run: the interval between grid positions, in seconds.
private struct RunSlope {
  private var start: Double
  private var firstPlace = 0
  private var count = 1.0
  private var places = 0.0
  private var times = 0.0
  private var squares = 0.0
  private var products = 0.0
  private var numerator = 0.0
  private var denominator = 0.0

  init(start: Double) { self.start = start }

  /// The slope, or `nil` if no run has two timestamps.
  var value: Double? { denominator > 0 ? numerator / denominator : nil }

  mutating func add(_ time: Double, place: Int) {
    // Positions and times are relative to the run's beginning, so that squares stay exact.
    let (x, t) = (Double(place - firstPlace), time - start)
    guard x > 0 else { return }
    count += 1
    places += x
    times += t
    squares += x * x
    products += x * t
  }

  mutating func endRun(next time: Double, place: Int) {
    numerator += products - places * times / count
    denominator += squares - places * places / count
    (start, firstPlace) = (time, place)
    (count, places, times, squares, products) = (1, 0, 0, 0, 0)
  }
}
