// The old names of public declarations.

public import InertialFilters

/// The old name of `ParameterDescription`.
@available(*, deprecated, renamed: "ParameterDescription")
public typealias ShakeParameter = ParameterDescription

/// The old name of `SettingError`.
@available(*, deprecated, renamed: "SettingError")
public typealias ShakeSettingError = SettingError

extension ShakeDetectorKind {
  /// The old form of `ShakeDetectorKind.all[name]`.
  @available(*, deprecated, message: "use ShakeDetectorKind.all[name] or ShakeDetectorKind.all.known(name)")
  public static func named(_ name: String) -> ShakeDetectorKind? { all[name] }
}

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
