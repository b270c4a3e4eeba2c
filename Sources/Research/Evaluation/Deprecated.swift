// The old names of public declarations.

@available(*, deprecated, renamed: "ErrorTrend")
public typealias ErrorCourse = ErrorTrend

extension PathComparison {
  @available(*, deprecated, renamed: "referenceLength")
  public var way: Double { referenceLength }

  @available(*, deprecated, renamed: "horizontalCoverage")
  public var insideHorizontally: Double? { horizontalCoverage }

  @available(*, deprecated, renamed: "verticalCoverage")
  public var insideVertically: Double? { verticalCoverage }
}

extension PathClosure {
  @available(*, deprecated, renamed: "pathLength")
  public var way: Double { pathLength }
}
