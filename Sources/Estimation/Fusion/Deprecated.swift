// The old names of public declarations.

public import InertialSensors

extension DeviceMotionEstimator.Configuration {
  @available(*, deprecated, renamed: "minimumFieldAccuracy")
  public var leastFieldAccuracy: MagneticFieldAccuracy {
    get { minimumFieldAccuracy }
    set { minimumFieldAccuracy = newValue }
  }

  @available(*, deprecated, renamed: "maximumInterpolationInterval")
  public var longestInterpolation: Double {
    get { maximumInterpolationInterval }
    set { maximumInterpolationInterval = newValue }
  }
}
