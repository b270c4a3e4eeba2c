/// Count, mean, variance and extremes of a sequence of numbers, in one pass and constant memory.
///
/// Welford, "Note on a method for calculating corrected sums of squares and products", 1962: the variance keeps its
/// precision if the mean is large relative to the spread. Two parts are merged by Chan, Golub and LeVeque, "Updating
/// formulae and a pairwise algorithm for computing sample variances", 1979, eq. (2.1). A NaN makes every figure except
/// the count NaN.
public struct RunningStatistics: Sendable, Hashable, Codable {
  /// The number of values.
  public private(set) var count = 0
  /// The arithmetic mean; 0 without values.
  public private(set) var mean = 0.0
  private var sumOfSquaredDeviations = 0.0
  /// The smallest value; +∞ without values.
  public private(set) var minimum = Double.infinity
  /// The largest value; −∞ without values.
  public private(set) var maximum = -Double.infinity

  /// Creates statistics without values.
  public init() {}

  /// Creates the statistics of the values of a sequence.
  @inlinable
  public init(_ values: some Sequence<Double>) {
    for value in values { add(value) }
  }

  /// Adds a value.
  public mutating func add(_ value: Double) {
    count += 1
    let deviation = value - mean
    mean += deviation / Double(count)
    sumOfSquaredDeviations += deviation * (value - mean)
    // Comparisons with NaN are false, so NaN is kept.
    if value < minimum { minimum = value }
    if value >= maximum { maximum = value }
    if value.isNaN { (minimum, maximum) = (.nan, .nan) }
  }

  /// Adds all values of other statistics.
  public mutating func merge(_ other: RunningStatistics) {
    guard other.count > 0 else { return }
    guard count > 0 else {
      self = other
      return
    }
    let (n, m) = (Double(count), Double(other.count))
    let difference = other.mean - mean
    sumOfSquaredDeviations += other.sumOfSquaredDeviations + difference * difference * n * m / (n + m)
    mean += difference * m / (n + m)
    minimum = minimum.isNaN || other.minimum.isNaN ? .nan : min(minimum, other.minimum)
    maximum = maximum.isNaN || other.maximum.isNaN ? .nan : max(maximum, other.maximum)
    count += other.count
  }

  /// The mean squared deviation from the mean (divided by n); 0 without values.
  public var populationVariance: Double { count > 0 ? sumOfSquaredDeviations / Double(count) : 0 }

  /// The unbiased estimate of the variance (divided by n − 1); 0 for fewer than two values.
  public var variance: Double { count > 1 ? sumOfSquaredDeviations / Double(count - 1) : 0 }

  /// The square root of `variance`.
  public var standardDeviation: Double { variance.squareRoot() }

  /// The root mean square; 0 without values.
  public var rootMeanSquare: Double { (mean * mean + populationVariance).squareRoot() }
}
