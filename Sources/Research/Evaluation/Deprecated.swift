// The old names of public declarations.

/// The old name of `ErrorTrend`.
@available(*, deprecated, renamed: "ErrorTrend")
public typealias ErrorCourse = ErrorTrend

extension PathComparison {
  /// The old name of `referenceLength`.
  @available(*, deprecated, renamed: "referenceLength")
  public var way: Double { referenceLength }

  /// The old name of `horizontalCoverage`.
  @available(*, deprecated, renamed: "horizontalCoverage")
  public var insideHorizontally: Double? { horizontalCoverage }

  /// The old name of `verticalCoverage`.
  @available(*, deprecated, renamed: "verticalCoverage")
  public var insideVertically: Double? { verticalCoverage }
}

extension PathClosure {
  /// The old name of `pathLength`.
  @available(*, deprecated, renamed: "pathLength")
  public var way: Double { pathLength }
}
