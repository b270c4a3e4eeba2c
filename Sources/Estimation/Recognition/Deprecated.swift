// The old names of public declarations.

extension ShakeReason {
  @available(*, deprecated, renamed: "axisFraction")
  public var axisShare: Double {
    get { axisFraction }
    set { axisFraction = newValue }
  }

  @available(*, deprecated, renamed: "recentFraction")
  public var recentShare: Double {
    get { recentFraction }
    set { recentFraction = newValue }
  }
}
