// The old names of public declarations.

extension ChannelReport {
  /// The old name of `maximumInterval`.
  @available(*, deprecated, renamed: "maximumInterval")
  public var longestInterval: Double { maximumInterval }

  /// The old name of `invalidFraction`.
  @available(*, deprecated, renamed: "invalidFraction")
  public var invalidShare: Double { invalidFraction }
}

extension MeasurementOutcome {
  /// The old name of `minimumWeight`.
  @available(*, deprecated, renamed: "minimumWeight")
  public static var leastWeight: Double { minimumWeight }
}

/// The old name of `SensorColumn`.
@available(*, deprecated, renamed: "SensorColumn")
public typealias SensorStream = SensorColumn

extension Recording {
  /// The old name of `columns`.
  @available(*, deprecated, renamed: "columns")
  public var streams: [SensorChannel: SensorColumn] { columns }
}
