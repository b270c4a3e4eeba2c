internal import InertialNumerics
internal import InertialSystem

/// Values of one axis on a regular grid of times, with the places where none was recorded.
///
/// Deviations such as Allan's are differences of means over equal spans, so they need one. Stamps that jitter are put on
/// the grid in their order; a pause leaves as many places empty as samples are missing.
public struct RegularSeries: Sendable {
  /// Seconds between two places.
  public let period: Double
  /// One for each place. Those that are missing lie on a line between the means of as many values before and after them.
  public let values: [Double]
  /// The runs of places without a sample, in order.
  public let missing: [Range<Int>]

  /// A series without gaps.
  ///
  /// - Parameters:
  ///   - values: the series, in any unit.
  ///   - period: seconds between two values, more than 0.
  public init(_ values: [Double], period: Double) {
    precondition(period > 0, "a period of \(period) s")
    (self.values, self.period, missing) = (values, period, [])
  }

  /// - Parameters:
  ///   - values: one for each stamp that the grid was made of.
  ///   - grid: where they belong.
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

  /// Seconds from the first place to behind the last.
  public var duration: Double { Double(values.count) * period }
  /// The share of places with a sample, 0 to 1.
  public var coverage: Double {
    values.isEmpty ? 0 : 1 - Double(missing.reduce(0) { $0 + $1.count }) / Double(values.count)
  }
}

extension RegularSeries {
  /// Longer runs of missing places are a pause.
  private static let shortestPause = 10

  /// The share of places with a sample where nothing pauses, 0 to 1.
  var coverageBetweenPauses: Double {
    let pauses = missing.reduce(0) { $0 + ($1.count > Self.shortestPause ? $1.count : 0) }
    let lost = missing.reduce(0) { $0 + ($1.count > Self.shortestPause ? 0 : $1.count) }
    return values.count > pauses ? 1 - Double(lost) / Double(values.count - pauses) : 1
  }

  /// By how many variances of a sample a missing one adds to that of a sum. A line through a run of missing places gives
  /// half a weight more to each of as many samples before and behind it: Σ (1 + k/2)² over samples that k runs are next to,
  /// less the places.
  var excessPerMissing: Double {
    var added: [Int: Int] = [:]
    var lost = 0
    let isMissing = Set(missing.filter { $0.count <= Self.shortestPause }.joined())
    for run in missing where run.count <= Self.shortestPause {
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
    // Of a pause alone, two weights for each.
    guard lost > 0 else { return 1.5 }
    return 1 + added.values.reduce(0) { $0 + Double($1 * $1) } / 4 / Double(lost)
  }
}

/// Where the stamps of a sensor belong on a regular grid.
public struct SampleGrid: Sendable {
  /// Seconds between two places.
  public let period: Double
  /// The place of each stamp, each above the one before.
  public let places: [Int]
  /// Places in all, with those that have no stamp.
  public var count: Int { (places.last ?? -1) + 1 }

  /// Spans of so many stamps tell the mean interval, whatever the jitter within them.
  private static let window = 16
  /// The share of a stamp's deviation from the grid by which the grid follows it: the clock's rate may drift.
  private static let following = 0.1
  /// Where intervals do not tell whole periods apart, only a pause of more than so many periods is one.
  private static let shortestPause = 3

  /// - Parameter times: seconds, in order; two or more.
  /// - Returns: nil where there are fewer than two times, or none passes between them.
  public init?(_ times: [Double]) {
    guard times.count > 1, let first = times.first, let last = times.last, last > first else { return nil }
    let width = min(Self.window, times.count - 1)
    let spans = stride(from: 0, to: times.count - width, by: width).map {
      (times[$0 + width] - times[$0]) / Double(width)
    }
    guard let mean = Statistics.median(spans), mean > 0 else { return nil }
    let beat = IntervalBeat.period(of: times, mean: mean)
    let leastStep = beat == nil ? Self.shortestPause + 1 : 2
    // The second pass has the period of all intervals within the log's runs.
    let refined = Self.place(times, period: beat ?? mean, leastStep: leastStep).period
    let result = Self.place(times, period: refined, leastStep: leastStep)
    (period, places) = (result.period, result.places)
  }

  /// - Parameter leastStep: fewer periods than this are one.
  private static func place(
    _ times: [Double], period: Double, leastStep: Int
  ) -> (places: [Int], period: Double) {
    var places = [0]
    places.reserveCapacity(times.count)
    // Where the grid has the place of the last stamp, in seconds.
    var reference = times[0]
    var slope = RunSlope(start: times[0])
    for index in 1..<times.count {
      let away = times[index] - reference
      let whole = Int(min((away / period).rounded(), 1e12))
      let step = whole < leastStep ? 1 : whole
      places.append(places[index - 1] + step)
      reference += Double(step) * period
      reference += following * (times[index] - reference)
      // A longer pause may have been counted a step wrong.
      if step > shortestPause { slope.endRun(next: times[index], place: places[index]) }
      slope.add(times[index], place: places[index])
    }
    slope.endRun(next: 0, place: 0)
    return (places, slope.value ?? period)
  }
}

/// The period of which intervals between stamps are whole multiples, where some samples are lost.
private enum IntervalBeat {
  /// Intervals that are looked at.
  private static let most = 4096
  /// Relative steps in which periods are tried.
  private static let step = 0.002
  /// What the mean cosine must be. Stamps that jitter by up to 0.3 periods to and fro have 0.25 and are told apart; with 0.2
  /// of a period of deviation, which makes 0.2, one of a hundred is taken for its neighbour.
  private static let least = 0.2
  /// A mean interval this close to a beat needs no loss to explain it.
  private static let slight = 0.03

  /// - Parameter mean: seconds from stamp to stamp; the period is no longer.
  /// - Returns: nil where the intervals jitter too much to tell, or are no loss.
  static func period(of times: [Double], mean: Double) -> Double? {
    let stride = max(1, (times.count - 1) / most)
    let some = Swift.stride(from: 1, to: times.count, by: stride).map { times[$0] - times[$0 - 1] }
    // More than two lost of three are not told from jitter.
    let count = Int(log(3.3) / step)
    let beats = (0...count).map { index -> (period: Double, strength: Double) in
      let period = 1.1 * mean * exp(-step * Double(index))
      return (period, strength(some, period))
    }
    guard let greatest = beats.map(\.strength).max(), greatest >= least else { return nil }
    // Half of a period fits as well: the longest is the period.
    guard let start = beats.firstIndex(where: { $0.strength >= 0.9 * greatest }) else { return nil }
    var best = start
    while best + 1 < beats.count, beats[best + 1].strength > beats[best].strength { best += 1 }
    let period = refined(some, beats[best].period)
    return abs(mean / period - 1) < slight || loses(times, period) ? period : nil
  }

  /// Whether equal numbers of stamps take times that differ by periods, as where samples are lost by chance. Stamps that are
  /// rounded, to milliseconds for example, have the same intervals of one and two, but in turns.
  private static func loses(_ times: [Double], _ period: Double) -> Bool {
    let width = min(64, max(1, times.count / 8))
    let spans = Swift.stride(from: 0, to: times.count - width, by: width).map { times[$0 + width] - times[$0] }
    guard let low = Statistics.percentile(16, of: spans), let high = Statistics.percentile(84, of: spans) else {
      return false
    }
    return high - low > 1.5 * period
  }

  /// The mean cosine of the intervals' phase; those that are no whole period count against it.
  private static func strength(_ intervals: [Double], _ period: Double) -> Double {
    intervals.reduce(0) { sum, interval in
      let periods = interval / period
      return periods < 0.5 ? sum - 1 : sum + cos(2 * .pi * (periods - periods.rounded()))
    } / Double(intervals.count)
  }

  /// By least squares over intervals of few periods.
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

/// Seconds from place to place: the slope of one line through the stamps of every run.
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

  /// nil where no run has two stamps.
  var value: Double? { denominator > 0 ? numerator / denominator : nil }

  mutating func add(_ time: Double, place: Int) {
    // From the run's beginning on, so that squares stay exact.
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
