// The old names of public declarations.

extension Figure.Line {
  /// The old name of `styleIndex`.
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }

  /// The old name of `maximumGap`.
  @available(*, deprecated, renamed: "maximumGap")
  public var longestGap: Double? {
    get { maximumGap }
    set { maximumGap = newValue }
  }
}

extension Figure.Points {
  /// The old name of `styleIndex`.
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}

extension Figure.Area {
  /// The old name of `styleIndex`.
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}

extension Figure.Shade {
  /// The old name of `styleIndex`.
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}
