// The old names of public declarations.

extension ShakeReason {
  /// The old name of `axisFraction`.
  @available(*, deprecated, renamed: "axisFraction")
  public var axisShare: Double {
    get { axisFraction }
    set { axisFraction = newValue }
  }

  /// The old name of `recentFraction`.
  @available(*, deprecated, renamed: "recentFraction")
  public var recentShare: Double {
    get { recentFraction }
    set { recentFraction = newValue }
  }
}
