// The old names of public declarations.

public import InertialSensors

extension DeviceMotionEstimator.Configuration {
  /// The old name of `minimumFieldAccuracy`.
  @available(*, deprecated, renamed: "minimumFieldAccuracy")
  public var leastFieldAccuracy: MagneticFieldAccuracy {
    get { minimumFieldAccuracy }
    set { minimumFieldAccuracy = newValue }
  }

  /// The old name of `maximumInterpolationInterval`.
  @available(*, deprecated, renamed: "maximumInterpolationInterval")
  public var longestInterpolation: Double {
    get { maximumInterpolationInterval }
    set { maximumInterpolationInterval = newValue }
  }
}
