// The old names of public declarations.

public import InertialSensors

extension AttitudeFilter {
  /// The old name of `endEpoch`.
  @available(*, deprecated, renamed: "endEpoch")
  public mutating func closeMoment() { endEpoch() }
}

/// The old name of `Recording`.
@available(*, deprecated, renamed: "Recording")
public typealias MotionColumns = Recording

/// The old name of `SettingError`.
@available(*, deprecated, renamed: "SettingError")
public typealias FilterSettingError = SettingError

extension SmoothableFilter {
  /// The defaults of the filter, which its offline form shares.
  @available(*, deprecated, message: "use Parameters()")
  public static var smoothingParameters: Parameters { Parameters() }
}

extension MotionPriorKalman.Parameters {
  /// The defaults of the filter, which its offline form shares.
  @available(*, deprecated, message: "use Parameters()")
  public static var smoothing: Self { Self() }
}

extension FilterKind {
  /// The old form of `FilterKind.all[name]`.
  @available(*, deprecated, message: "use FilterKind.all[name] or FilterKind.all.known(name)")
  public static func named(_ name: String) -> FilterKind? { all[name] }
}
