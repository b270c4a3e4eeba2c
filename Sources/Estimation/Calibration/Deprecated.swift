// The old names of public declarations.

extension NoiseFit {
  @available(*, deprecated, renamed: "TermEstimate")
  public typealias Finding = TermEstimate
}

extension SphereCoverage {
  @available(*, deprecated, renamed: "fraction")
  public var share: Double { fraction }
}
