// The old names of public declarations.

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
