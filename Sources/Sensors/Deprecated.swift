// The old names of public declarations.

extension ChannelReport {
  @available(*, deprecated, renamed: "maximumInterval")
  public var longestInterval: Double { maximumInterval }

  @available(*, deprecated, renamed: "invalidFraction")
  public var invalidShare: Double { invalidFraction }
}

extension MeasurementOutcome {
  @available(*, deprecated, renamed: "minimumWeight")
  public static var leastWeight: Double { minimumWeight }
}
