/// Statistics of numbers in memory. Every function returns `nil` without numbers, and NaN if a number is NaN.
///
/// The functions are inlinable, so they are specialised for the collections of other modules: generic sorting takes ten
/// times as long.
public enum Statistics {
  /// Returns the arithmetic mean.
  @inlinable
  public static func mean(_ values: some Collection<Double>) -> Double? {
    values.isEmpty ? nil : RunningStatistics(values).mean
  }

  /// Returns the unbiased estimate of the variance (divided by n − 1), or `nil` for fewer than two numbers.
  @inlinable
  public static func variance(_ values: some Collection<Double>) -> Double? {
    values.count < 2 ? nil : RunningStatistics(values).variance
  }

  /// Returns the square root of `variance`.
  @inlinable
  public static func standardDeviation(_ values: some Collection<Double>) -> Double? {
    variance(values)?.squareRoot()
  }

  /// Returns the root mean square.
  @inlinable
  public static func rootMeanSquare(_ values: some Collection<Double>) -> Double? {
    values.isEmpty ? nil : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }

  /// Returns the middle number, or the mean of the two in the middle.
  @inlinable
  public static func median(_ values: some Collection<Double>) -> Double? { percentile(50, of: values) }

  /// Returns the number below which `percent` of the numbers lie, with `percent` from 0 (smallest) to 100 (largest).
  ///
  /// The result is interpolated linearly between the order statistics, with the smallest at 0 and the largest at 100:
  /// definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", 1996.
  @inlinable
  public static func percentile(_ percent: Double, of values: some Collection<Double>) -> Double? {
    precondition((0...100).contains(percent), "a percentile of \(percent) is not between 0 and 100")
    guard !values.isEmpty else { return nil }
    // The result of sorting with NaN is undefined.
    guard !values.contains(where: \.isNaN) else { return .nan }
    let sorted = values.sorted()
    let position = percent / 100 * Double(sorted.count - 1)
    let index = min(Int(position), sorted.count - 1)
    let fraction = position - Double(index)
    // At an order statistic itself nothing is interpolated, so an infinite neighbour does not matter.
    guard fraction > 0 else { return sorted[index] }
    let (low, high) = (sorted[index], sorted[index + 1])
    return low == high ? low : low + fraction * (high - low)
  }

  /// Returns the median absolute deviation from the median: a measure of spread that is robust against outliers in less
  /// than half of the numbers.
  ///
  /// With `scaledToNormal`, it is multiplied by 1.4826 = 1/Φ⁻¹(3/4), and estimates the standard deviation of normally
  /// distributed numbers.
  @inlinable
  public static func medianAbsoluteDeviation(
    _ values: some Collection<Double>, scaledToNormal: Bool = false
  ) -> Double? {
    guard let median = median(values) else { return nil }
    let deviation = Self.median(values.map { abs($0 - median) })
    return deviation.map { scaledToNormal ? $0 * 1.482602218505602 : $0 }
  }
}
