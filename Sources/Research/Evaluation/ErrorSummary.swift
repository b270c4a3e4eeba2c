internal import InertialNumerics

/// The statistics of one kind of error over the samples that count, in the unit of the values.
public struct ErrorStatistics: Sendable, Hashable, Codable {
  /// The number of errors.
  public let count: Int
  /// The root mean square.
  public let rmse: Double
  /// The arithmetic mean.
  public let mean: Double
  /// The median.
  public let median: Double
  /// The value that 95 % of the samples do not exceed (as `Statistics.percentile`).
  public let percentile95: Double
  /// The maximum.
  public let maximum: Double

  /// Creates the statistics of absolute errors, or `nil` without errors.
  public init?(_ values: [Double]) {
    guard let rmse = Statistics.rootMeanSquare(values), let mean = Statistics.mean(values),
      let median = Statistics.median(values), let percentile95 = Statistics.percentile(95, of: values),
      let maximum = Statistics.percentile(100, of: values)
    else { return nil }
    self.count = values.count
    self.rmse = rmse
    self.mean = mean
    self.median = median
    self.percentile95 = percentile95
    self.maximum = maximum
  }
}

/// Total, heading and inclination error of one recording, in degrees.
public struct ErrorSummary: Sendable, Hashable, Codable {
  /// The whole angle, in degrees.
  public let total: ErrorStatistics
  /// The part about the vertical, in degrees.
  public let heading: ErrorStatistics
  /// The part about a horizontal axis, in degrees.
  public let inclination: ErrorStatistics

  /// Creates the summary of errors in radians, or `nil` without errors.
  public init?(_ errors: [OrientationError]) {
    let degrees = 180 / Double.pi
    guard let total = ErrorStatistics(errors.map { $0.total * degrees }),
      let heading = ErrorStatistics(errors.map { $0.heading * degrees }),
      let inclination = ErrorStatistics(errors.map { $0.inclination * degrees })
    else { return nil }
    self.total = total
    self.heading = heading
    self.inclination = inclination
  }
}
