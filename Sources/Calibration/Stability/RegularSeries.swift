internal import Signals

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
  /// - Parameter period: seconds between two values, more than 0.
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

/// Where the stamps of a sensor belong on a regular grid.
public struct SampleGrid: Sendable {
  /// Seconds between two places.
  public let period: Double
  /// The place of each stamp, each above the one before.
  public let places: [Int]
  /// Places in all, with those that have no stamp.
  public var count: Int { (places.last ?? -1) + 1 }

  /// Stamps in so many windows tell the period, whatever the jitter within them.
  private static let window = 16
  /// The share of a stamp's deviation from the grid by which the grid follows it: the clock's rate may drift.
  private static let following = 0.1

  /// - Parameter times: seconds, in order; two or more.
  /// - Returns: nil where there are fewer than two times, or none passes between them.
  public init?(_ times: [Double]) {
    guard times.count > 1, let first = times.first, let last = times.last, last > first else { return nil }
    let width = min(Self.window, times.count - 1)
    let spans = stride(from: 0, to: times.count - width, by: width).map {
      (times[$0 + width] - times[$0]) / Double(width)
    }
    guard let guess = Statistics.median(spans), guess > 0 else { return nil }
    // The second pass has the period of all intervals within the log's runs.
    let refined = Self.place(times, period: guess).period
    let result = Self.place(times, period: refined)
    (period, places) = (result.period, result.places)
  }

  private static func place(_ times: [Double], period: Double) -> (places: [Int], period: Double) {
    var places = [0]
    places.reserveCapacity(times.count)
    // Where the grid has the place of the last stamp, in seconds.
    var reference = times[0]
    var slope = RunSlope(start: times[0])
    for index in 1..<times.count {
      let away = times[index] - reference
      let step = max(1, Int(min((away / period).rounded(), 1e12)))
      places.append(places[index - 1] + step)
      reference += Double(step) * period
      reference += following * (times[index] - reference)
      // A longer pause may have been counted a step wrong.
      if step > 3 { slope.endRun(next: times[index], place: places[index]) }
      slope.add(times[index], place: places[index])
    }
    slope.endRun(next: 0, place: 0)
    return (places, slope.value ?? period)
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
