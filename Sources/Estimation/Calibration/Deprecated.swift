// The old names of public declarations.

public import InertialSensors

extension NoiseFit {
  /// The old name of `TermEstimate`.
  @available(*, deprecated, renamed: "TermEstimate")
  public typealias Finding = TermEstimate
}

extension SphereCoverage {
  /// The old name of `fraction`.
  @available(*, deprecated, renamed: "fraction")
  public var share: Double { fraction }
}

/// The old name of `SensorColumn`.
@available(*, deprecated, renamed: "SensorColumn")
public typealias VectorSeries = SensorColumn
