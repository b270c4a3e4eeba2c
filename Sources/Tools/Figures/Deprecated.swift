// The old names of public declarations.

extension Figure.Line {
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }

  @available(*, deprecated, renamed: "maximumGap")
  public var longestGap: Double? {
    get { maximumGap }
    set { maximumGap = newValue }
  }
}

extension Figure.Points {
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}

extension Figure.Area {
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}

extension Figure.Shade {
  @available(*, deprecated, renamed: "styleIndex")
  public var look: Int? {
    get { styleIndex }
    set { styleIndex = newValue }
  }
}
