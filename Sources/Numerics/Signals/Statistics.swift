/// Statistics of numbers held in memory. Every function gives nil for no number, and NaN where one is NaN.
///
/// Inlinable, so that they are compiled for the collections of other modules: sorting takes ten times as long generic.
public enum Statistics {
  /// The arithmetic mean.
  @inlinable
  public static func mean(_ values: some Collection<Double>) -> Double? {
    values.isEmpty ? nil : RunningStatistics(values).mean
  }

  /// The unbiased estimate of the variance (divided by n − 1); nil for fewer than two numbers.
  @inlinable
  public static func variance(_ values: some Collection<Double>) -> Double? {
    values.count < 2 ? nil : RunningStatistics(values).variance
  }

  /// The square root of `variance`.
  @inlinable
  public static func standardDeviation(_ values: some Collection<Double>) -> Double? {
    variance(values)?.squareRoot()
  }

  /// The root of the mean square.
  @inlinable
  public static func rootMeanSquare(_ values: some Collection<Double>) -> Double? {
    values.isEmpty ? nil : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }

  /// The middle number, or the mean of the two in the middle.
  @inlinable
  public static func median(_ values: some Collection<Double>) -> Double? { percentile(50, of: values) }

  /// The number below which `percent` of the numbers lie, `percent` from 0 (smallest) to 100 (largest).
  ///
  /// Linear interpolation between the order statistics, with the smallest at 0 and the largest at 100:
  /// definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", 1996.
  @inlinable
  public static func percentile(_ percent: Double, of values: some Collection<Double>) -> Double? {
    precondition((0...100).contains(percent), "a percentile of \(percent) is not between 0 and 100")
    guard !values.isEmpty else { return nil }
    // Sorting with NaN has no defined result.
    guard !values.contains(where: \.isNaN) else { return .nan }
    let sorted = values.sorted()
    let position = percent / 100 * Double(sorted.count - 1)
    let index = min(Int(position), sorted.count - 1)
    let fraction = position - Double(index)
    // At an order statistic itself nothing is interpolated, so that an infinite neighbour does not matter.
    guard fraction > 0 else { return sorted[index] }
    let (low, high) = (sorted[index], sorted[index + 1])
    return low == high ? low : low + fraction * (high - low)
  }

  /// The median absolute deviation from the median: a spread that outliers in less than half of the numbers
  /// cannot carry away.
  ///
  /// With `scaledToNormal` it is multiplied by 1.4826 = 1/Φ⁻¹(3/4), and then estimates the standard deviation
  /// of normally distributed numbers.
  @inlinable
  public static func medianAbsoluteDeviation(
    _ values: some Collection<Double>, scaledToNormal: Bool = false
  ) -> Double? {
    guard let median = median(values) else { return nil }
    let deviation = Self.median(values.map { abs($0 - median) })
    return deviation.map { scaledToNormal ? $0 * 1.482602218505602 : $0 }
  }
}
